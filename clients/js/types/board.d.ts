/**
 * The board pushed in a direction, before the spawn; the slides are ordered by `from`, and there are none where
 * nothing moves.
 *
 * @param {Board} board
 * @param {Direction} direction
 * @returns {SlidesResult}
 */
export function shift(board: Board, direction: Direction): SlidesResult;
/**
 * The directions that change the board.
 *
 * @param {Board} board
 * @returns {Direction[]}
 */
export function legalMoves(board: Board): Direction[];
/**
 * Row-major indices of the empty cells.
 *
 * @param {Board} board
 */
export function emptyCells(board: Board): number[];
/**
 * The highest face value; 0 on an empty board.
 *
 * @param {Board} board
 */
export function maxTile(board: Board): number;
/**
 * The board with a tile more.
 *
 * @param {Board} board
 * @param {Spawn} tile
 * @returns {Board}
 */
export function withTile(board: Board, { cell, value }: Spawn): Board;
/**
 * A board without tiles.
 *
 * @param {number} size
 * @returns {Board}
 */
export function emptyBoard(size: number): Board;
/**
 * Boards, and what a direction does to them before the spawn. Values are face values: exact as numbers, however high.
 */
/** @import { Board, Direction, Slide, SlidesResult, Spawn } from "./types.js" */
/**
 * In the order in which legal moves are listed.
 *
 * @type {readonly Direction[]}
 */
export const DIRECTIONS: readonly Direction[];
import type { Board } from "./types.js";
import type { Direction } from "./types.js";
import type { SlidesResult } from "./types.js";
import type { Spawn } from "./types.js";
