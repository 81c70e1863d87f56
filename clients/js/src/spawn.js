/**
 * The tile stream: a pure function of seed, index and empty cells; commitments; the daily seed. Seeds are 64 hex
 * digits.
 */

/** @import { Board, Spawn } from "./types.js" */

import { emptyBoard, emptyCells, withTile } from "./board.js";
import { fromHex, hmacSha256, joined, sha256, toHex } from "./sha256.js";

/** Below it every last digit is equally likely. */
const FAIR_TENTHS = 2 ** 32 - (2 ** 32 % 10);

/**
 * Spawn number `index` of a game on the board it meets; at least one cell must be empty.
 *
 * @param {string} seed
 * @param {number} index
 * @param {Board} board
 * @returns {Spawn}
 */
export function spawn(seed, index, board) {
  const empty = emptyCells(board);
  const { choice, value } = draw(seed, index, empty.length);
  return { cell: empty[choice], value };
}

/**
 * Spawns 0 and 1, the tiles a game begins with.
 *
 * @param {string} seed
 * @param {number} size
 * @returns {[Spawn, Spawn]}
 */
export function startTiles(seed, size) {
  const empty = emptyBoard(size);
  const first = spawn(seed, 0, empty);
  return [first, spawn(seed, 1, withTile(empty, first))];
}

/**
 * The number of the empty cell among `empty`, and the value: words are passed over where they would favour some.
 *
 * @param {string} seed
 * @param {number} index
 * @param {number} empty
 */
export function draw(seed, index, empty) {
  if (empty < 1) throw new RangeError("a tile needs an empty cell");
  return drawFrom(words(fromHex(seed), index), empty);
}

/**
 * @param {Iterator<number>} stream
 * @param {number} empty
 */
export function drawFrom(stream, empty) {
  const value = below(stream, FAIR_TENTHS) % 10 === 0 ? 4 : 2;
  const choice = below(stream, 2 ** 32 - (2 ** 32 % empty)) % empty;
  return { choice, value };
}

/**
 * What is shown of a seed before the seed itself: its SHA-256 under a label of its own.
 *
 * @param {string} seed
 */
export function commitment(seed) {
  return toHex(sha256(joined("twofold/commit/1", fromHex(seed))));
}

/**
 * The seed of a UTC date (YYYY-MM-DD) under a service's secret.
 *
 * @param {string} secret
 * @param {string} date
 */
export function dailySeed(secret, date) {
  return toHex(hmacSha256(fromHex(secret), joined("twofold/daily/1", date)));
}

/**
 * @param {Iterator<number>} stream
 * @param {number} limit
 */
function below(stream, limit) {
  for (;;) {
    const { value } = stream.next();
    if (value < limit) return value;
  }
}

/**
 * The unsigned 32-bit words behind one spawn, in order, without end.
 *
 * @param {Uint8Array} seed
 * @param {number} index
 * @returns {Generator<number, never>}
 */
function* words(seed, index) {
  for (let block = 0; ; block++) {
    const counters = new DataView(new ArrayBuffer(8));
    counters.setUint32(0, index);
    counters.setUint32(4, block);
    const bytes = hmacSha256(seed, joined("twofold/spawn/1", new Uint8Array(counters.buffer)));
    const view = new DataView(bytes.buffer);
    for (let at = 0; at < 32; at += 4) yield view.getUint32(at);
  }
}
