/**
 * Spawn number `index` of a game on the board it meets; at least one cell must be empty.
 *
 * @param {string} seed
 * @param {number} index
 * @param {Board} board
 * @returns {Spawn}
 */
export function spawn(seed: string, index: number, board: Board): Spawn;
/**
 * Spawns 0 and 1, the tiles a game begins with.
 *
 * @param {string} seed
 * @param {number} size
 * @returns {[Spawn, Spawn]}
 */
export function startTiles(seed: string, size: number): [Spawn, Spawn];
/**
 * The number of the empty cell among `empty`, and the value: words are passed over where they would favour some.
 *
 * @param {string} seed
 * @param {number} index
 * @param {number} empty
 */
export function draw(seed: string, index: number, empty: number): {
    choice: number;
    value: number;
};
/**
 * @param {Iterator<number>} stream
 * @param {number} empty
 */
export function drawFrom(stream: Iterator<number>, empty: number): {
    choice: number;
    value: number;
};
/**
 * What is shown of a seed before the seed itself: its SHA-256 under a label of its own.
 *
 * @param {string} seed
 */
export function commitment(seed: string): string;
/**
 * The seed of a UTC date (YYYY-MM-DD) under a service's secret.
 *
 * @param {string} secret
 * @param {string} date
 */
export function dailySeed(secret: string, date: string): string;
import type { Board } from "./types.js";
import type { Spawn } from "./types.js";
