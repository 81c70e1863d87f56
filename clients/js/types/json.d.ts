/**
 * The value of a JSON text. A number that is no integer is read as NaN, whatever its value; InvalidRecord for what is
 * no JSON.
 *
 * @param {string} text
 * @returns {unknown}
 */
export function readJson(text: string): unknown;
/**
 * The beginning of a text, safe to print and to send on.
 *
 * @param {string} text
 */
export function quoted(text: string): string;
/**
 * A text as a JSON string of ASCII signs.
 *
 * @param {string} text
 */
export function ascii(text: string): string;
