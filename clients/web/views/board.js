/** A board apart from the game: to look at, and to see a move on. Any number of rows, for rules are told on one. */

/** @import { Board, Slide, Spawn } from "../../js/src/types.js" */

import { el } from "../dom.js";
import { digits, spoken } from "./words.js";

const SLIDING = 100;

export class Diagram {
  #cells = el("div", { className: "diagram-cells" });
  #tiles = el("div", { className: "diagram-tiles" });
  #about;
  #width = 0;
  #height = 0;
  /** @type {Map<number, HTMLElement>} */
  #standing = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #settling;

  /**
   * @param {Board} board
   * @param {{ about?: string, look?: string, silent?: boolean }} [how] `about` is said before the tiles are; a silent
   *   one is told by what stands beside it.
   */
  constructor(board, { about = "", look = "", silent = false } = {}) {
    this.#about = about;
    const heard = silent ? { "aria-hidden": "true" } : { role: "img" };
    this.element = el("div", { className: `diagram ${look}`, ...heard }, this.#cells, this.#tiles);
    this.show(board);
  }

  /**
   * A board as it stands.
   *
   * @param {Board} board
   */
  show(board) {
    clearTimeout(this.#settling);
    this.#resize(board);
    this.#say(board);
    this.#standing.clear();
    for (const [cell, value] of board.flat().entries()) if (value) this.#standing.set(cell, this.#tile(cell, value));
    this.#tiles.replaceChildren(...this.#standing.values());
  }

  /**
   * A move on the board that is shown.
   *
   * @param {{ slides: Slide[], board: Board, spawn?: Spawn | null }} move
   * @param {number} [ms] How long tiles slide.
   */
  move({ slides, board, spawn }, ms = SLIDING) {
    if (ms < 20 || matchMedia("(prefers-reduced-motion: reduce)").matches) return this.show(board);
    clearTimeout(this.#settling);
    this.#say(board);
    this.element.style.setProperty("--sliding", `${ms}ms`);
    void this.#tiles.offsetWidth; // they stand where they are, before they go
    for (const { from, to } of slides) {
      const tile = this.#standing.get(from);
      if (tile) this.#put(tile, to);
    }
    const merged = new Set(slides.filter((slide) => slide.merged).map((slide) => slide.to));
    this.#settling = setTimeout(() => {
      this.show(board);
      for (const cell of merged) this.#standing.get(cell)?.classList.add("merged");
      if (spawn) this.#standing.get(spawn.cell)?.classList.add("appeared");
    }, ms);
  }

  /** @param {Board} board */
  #resize(board) {
    const [height, width] = [board.length, board[0].length];
    if (width === this.#width && height === this.#height) return;
    [this.#width, this.#height] = [width, height];
    this.element.style.setProperty("--columns", String(width));
    this.element.style.setProperty("--rows", String(height));
    this.#cells.replaceChildren(...board.flat().map(() => el("i")));
  }

  /** @param {Board} board */
  #say(board) {
    if (this.element.role) this.element.ariaLabel = [this.#about, spoken(board)].filter(Boolean).join(": ");
  }

  /**
   * @param {number} cell
   * @param {number} value
   */
  #tile(cell, value) {
    const tile = el("div", { className: "piece" }, tileOf(value));
    this.#put(tile, cell);
    return tile;
  }

  /**
   * @param {HTMLElement} tile
   * @param {number} cell
   */
  #put(tile, cell) {
    tile.style.setProperty("--x", String(cell % this.#width));
    tile.style.setProperty("--y", String(Math.floor(cell / this.#width)));
  }
}

/**
 * The face of a tile.
 *
 * @param {number} value
 */
export function tileOf(value) {
  const text = digits(value);
  const face = el("span", { className: "face", textContent: text });
  face.dataset.value = text;
  face.dataset.digits = String(text.length);
  return face;
}
