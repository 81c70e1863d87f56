/**
 * @param {unknown} value
 * @returns {string}
 */
export function canonical(value: unknown): string;
/**
 * SHA-256 over everything in a record but the digest itself.
 *
 * @param {object} document
 */
export function digest(document: object): string;
