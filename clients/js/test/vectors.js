/** The files in tests/vectors, shared with the engine's tests. */

import { readFileSync } from "node:fs";

/**
 * The values in one of them, line by line.
 *
 * @param {string} name
 * @returns {any[]}
 */
export function vectors(name) {
  const text = readFileSync(new URL(`../../../tests/vectors/${name}.jsonl`, import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}
