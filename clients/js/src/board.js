/**
 * Boards, and what a direction does to them before the spawn. Values are face values: exact as numbers, however high.
 */

/** @import { Board, Direction, Slide, SlidesResult, Spawn } from "./types.js" */

/**
 * In the order in which legal moves are listed.
 *
 * @type {readonly Direction[]}
 */
export const DIRECTIONS = Object.freeze(["up", "down", "left", "right"]);

/**
 * The board pushed in a direction, before the spawn; the slides are ordered by `from`, and there are none where
 * nothing moves.
 *
 * @param {Board} board
 * @param {Direction} direction
 * @returns {SlidesResult}
 */
export function shift(board, direction) {
  const size = board.length;
  const before = board.flat();
  const after = before.map(() => 0);
  /** @type {Slide[]} */
  const slides = [];
  let gain = 0;
  for (const line of lines(size, direction)) {
    let filled = 0;
    // The last tile, while another may merge with it.
    let open = /** @type {Slide | null} */ (null);
    for (const from of line) {
      const value = before[from];
      if (!value) continue;
      if (open?.value === value) {
        open.merged = true;
        slides.push({ from, to: open.to, value, merged: true });
        after[open.to] = value * 2;
        gain += value * 2;
        open = null;
      } else {
        open = { from, to: line[filled++], value, merged: false };
        slides.push(open);
        after[open.to] = value;
      }
    }
  }
  const moving = slides.filter((slide) => slide.merged || slide.from !== slide.to).sort((a, b) => a.from - b.from);
  return { board: rows(after, size), moved: moving.length > 0, score_delta: gain, slides: moving };
}

/**
 * The directions that change the board.
 *
 * @param {Board} board
 * @returns {Direction[]}
 */
export function legalMoves(board) {
  return DIRECTIONS.filter((direction) => shift(board, direction).moved);
}

/**
 * Row-major indices of the empty cells.
 *
 * @param {Board} board
 */
export function emptyCells(board) {
  return board.flat().flatMap((value, cell) => (value ? [] : [cell]));
}

/**
 * The highest face value; 0 on an empty board.
 *
 * @param {Board} board
 */
export function maxTile(board) {
  return Math.max(...board.flat());
}

/**
 * The board with a tile more.
 *
 * @param {Board} board
 * @param {Spawn} tile
 * @returns {Board}
 */
export function withTile(board, { cell, value }) {
  const size = board.length;
  return board.map((row, y) => row.map((old, x) => (y * size + x === cell ? value : old)));
}

/**
 * A board without tiles.
 *
 * @param {number} size
 * @returns {Board}
 */
export function emptyBoard(size) {
  return rows(Array(size * size).fill(0), size);
}

/**
 * @param {number[]} cells
 * @param {number} size
 */
function rows(cells, size) {
  return Array.from({ length: size }, (_, y) => cells.slice(y * size, y * size + size));
}

/** @type {Map<string, number[][]>} */
const known = new Map();

/**
 * The cells of each row or column, the edge that is pushed to first.
 *
 * @param {number} size
 * @param {Direction} direction
 */
function lines(size, direction) {
  const key = size + direction;
  let found = known.get(key);
  if (!found) {
    const places = Array.from({ length: size }, (_, place) => place);
    const sideways = direction === "left" || direction === "right";
    found = places.map((line) => places.map((place) => (sideways ? line * size + place : place * size + line)));
    if (direction === "right" || direction === "down") found.forEach((line) => line.reverse());
    known.set(key, found);
  }
  return found;
}
