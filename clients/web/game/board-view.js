/** The board as others read it: tiles in the original's markup, moved by an event's slides. */

/** @import { Board, SlidesResult, Spawn } from "../../js/src/types.js" */

/** How long tiles slide, in ms; the styles know it too. */
const SLIDING = 100;

/**
 * @typedef {object} Drawn
 * @property {number} value
 * @property {number} cell
 * @property {number} [from]
 * @property {"tile-new" | "tile-merged"} [kind]
 */

export class BoardView {
  #root;
  #grid;
  #tiles;
  #size = 4;
  /** @type {Board | null} */
  #board = null;
  #slidAt = 0;

  /** @param {HTMLElement} root `.game-container` */
  constructor(root) {
    this.#root = root;
    this.#grid = /** @type {HTMLElement} */ (root.querySelector(".grid-container"));
    this.#tiles = /** @type {HTMLElement} */ (root.querySelector(".tile-container"));
  }

  /** What is drawn. */
  get board() {
    return this.#board;
  }

  /**
   * A board as it stands, without a slide.
   *
   * @param {Board} board
   * @param {{ fresh?: boolean }} [how] Whether the tiles have just appeared.
   */
  show(board, { fresh = false } = {}) {
    this.#resize(board.length);
    this.#slidAt = 0;
    const kind = fresh ? /** @type {const} */ ("tile-new") : undefined;
    this.#draw(standing(board).map((tile) => ({ ...tile, kind })));
    this.#board = board;
  }

  /** No tiles at all, until a game is told of. */
  clear() {
    this.#tiles.replaceChildren();
    this.#board = null;
  }

  /**
   * Push the tiles that are drawn; what appears after it comes with the event.
   *
   * @param {SlidesResult} pushed
   */
  slide({ board, slides }) {
    const before = /** @type {Board} */ (this.#board).flat();
    const moving = new Map(slides.map((slide) => [slide.from, slide]));
    /** @type {Drawn[]} */
    const drawn = [];
    const products = new Set();
    for (const [cell, value] of before.entries()) {
      if (!value) continue;
      const slide = moving.get(cell);
      drawn.push({ value, cell: slide?.to ?? cell, from: cell });
      if (!slide?.merged) continue;
      if (products.has(slide.to)) drawn.push({ value: value * 2, cell: slide.to, kind: "tile-merged" });
      products.add(slide.to);
    }
    this.#draw(drawn);
    this.#board = board;
    this.#slidAt = performance.now();
  }

  /**
   * The tile that appears after a slide.
   *
   * @param {Spawn} spawn
   * @param {Board} board As the service tells it, with the tile.
   */
  spawn({ cell, value }, board) {
    const wait = Math.max(0, SLIDING - (performance.now() - this.#slidAt));
    const tile = this.#tile({ value, cell, kind: "tile-new" });
    /** @type {HTMLElement} */ (tile.firstElementChild).style.animationDelay = `${Math.round(wait)}ms`;
    this.#tiles.append(tile);
    this.#board = board;
  }

  /** @param {number} size */
  #resize(size) {
    if (this.#size === size) return;
    this.#size = size;
    const row = () => element("grid-row", ...Array.from({ length: size }, () => element("grid-cell")));
    this.#grid.replaceChildren(...Array.from({ length: size }, row));
    this.#root.dataset.size = String(size);
  }

  /** @param {Drawn[]} drawn */
  #draw(drawn) {
    const tiles = drawn.map((tile) => this.#tile({ ...tile, cell: tile.from ?? tile.cell }));
    this.#tiles.replaceChildren(...tiles);
    const moved = drawn.map((tile, index) => [tile, tiles[index]]).filter(([tile]) => {
      const { from, cell } = /** @type {Drawn} */ (tile);
      return from !== undefined && from !== cell;
    });
    if (!moved.length) return;
    void this.#tiles.offsetWidth; // they stand where they were, before they go where they are
    for (const [tile, node] of moved) {
      /** @type {HTMLElement} */ (node).className = this.#classes(/** @type {Drawn} */ (tile));
    }
  }

  /** @param {Drawn} tile */
  #tile(tile) {
    const text = digits(tile.value);
    const inner = element("tile-inner", text);
    inner.dataset.digits = String(text.length);
    const node = element("", inner);
    node.className = this.#classes(tile);
    return node;
  }

  /** @param {Drawn} tile */
  #classes({ value, cell, kind }) {
    const place = `tile-position-${(cell % this.#size) + 1}-${Math.floor(cell / this.#size) + 1}`;
    const classes = ["tile", `tile-${digits(value)}`, place];
    if (value > 2048) classes.push("tile-super");
    if (kind) classes.push(kind);
    return classes.join(" ");
  }
}

/**
 * A face value digit by digit, however high.
 *
 * @param {number} value
 */
export function digits(value) {
  return value < 2 ** 53 ? String(value) : String(BigInt(value));
}

/** @param {Board} board */
function standing(board) {
  return board.flat().flatMap((value, cell) => (value ? [{ value, cell }] : []));
}

/**
 * @param {string} name
 * @param {(Node | string)[]} inside
 */
function element(name, ...inside) {
  const made = document.createElement("div");
  if (name) made.className = name;
  made.append(...inside);
  return made;
}
