/** Canonical JSON, as far as records need RFC 8785: sorted keys, no spaces, integers; and the digest over it. */

import { joined, sha256, toHex } from "./sha256.js";

/**
 * @param {unknown} value
 * @returns {string}
 */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const fields = /** @type {{ [name: string]: unknown }} */ (value);
  const told = Object.keys(fields).sort();
  return `{${told.map((name) => JSON.stringify(name) + ":" + canonical(fields[name])).join(",")}}`;
}

/**
 * SHA-256 over everything in a record but the digest itself.
 *
 * @param {object} document
 */
export function digest(document) {
  const { digest: _, ...rest } = /** @type {{ digest?: string }} */ (document);
  return toHex(sha256(joined(canonical(rest))));
}
