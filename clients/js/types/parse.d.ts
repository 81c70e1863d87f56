/**
 * The record in a JSON text, in its bytes or in a document read from one; InvalidRecord for whatever else it may be.
 *
 * Only form is looked at: a record that can be read may still tell of a game that never was.
 *
 * @param {string | Uint8Array | object} source
 * @returns {Record}
 */
export function parseRecord(source: string | Uint8Array | object): Record;
import type { Record } from "./types.js";
