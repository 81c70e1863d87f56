/**
 * @param {Uint8Array} message
 * @returns {Uint8Array}
 */
export function sha256(message: Uint8Array): Uint8Array;
/**
 * @param {Uint8Array} key
 * @param {Uint8Array} message
 * @returns {Uint8Array}
 */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array;
/**
 * Texts and bytes, one after the other.
 *
 * @param {...(Uint8Array | string)} parts
 */
export function joined(...parts: (Uint8Array | string)[]): Uint8Array<ArrayBuffer>;
/** @param {Uint8Array} bytes */
export function toHex(bytes: Uint8Array): string;
/**
 * Bytes of hex digits; TypeError for anything else.
 *
 * @param {string} hex
 */
export function fromHex(hex: string): Uint8Array<ArrayBuffer>;
