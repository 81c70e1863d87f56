/** The modes as the page offers them: what makes one game's place beside another's. */

/** @import { Game } from "../../js/src/types.js" */

/**
 * One place for a game: each keeps its open game and its best.
 *
 * @typedef {object} Slot
 * @property {string} mode
 * @property {number} size
 * @property {number | null} undo
 */

export const NAMES = ["classic", "sprint", "break", "moves100", "daily", "practice"];
export const SIZES = [4, 5, 6];
export const UNDOS = [1, 5];
const TIMED = new Set(["sprint", "break"]);

/** @type {Slot} */
export const USUAL = { mode: "classic", size: 4, undo: 1 };

/**
 * A place by the parts of an address; the usual one where they make no sense.
 *
 * @param {string} [mode]
 * @param {string | number} [size]
 * @param {string | number} [undo]
 * @returns {Slot}
 */
export function slotOf(mode = "classic", size = 4, undo = 1) {
  if (!NAMES.includes(mode)) return USUAL;
  if (mode === "practice") return { mode, size: 4, undo: null };
  if (mode !== "classic") return { mode, size: 4, undo: 1 };
  return {
    mode,
    size: SIZES.find((known) => known === Number(size)) ?? 4,
    undo: [0, ...UNDOS].find((known) => known === Number(undo)) ?? 1,
  };
}

/** @param {Game} game */
export const slotOfGame = (game) => slotOf(game.mode, game.size, game.undo.limit ?? 0);

/** @param {Slot} slot */
export const keyOf = ({ mode, size, undo }) => (mode === "classic" ? `${mode}/${size}/${undo}` : mode);

/** @param {Slot} slot */
export const isTimed = ({ mode }) => TIMED.has(mode);

/**
 * What is asked of the service for a game in this place.
 *
 * @param {Slot} slot
 */
export function wish({ mode, size, undo }) {
  return mode === "classic" ? { size, undo_limit: undo, start: false } : { start: false };
}
