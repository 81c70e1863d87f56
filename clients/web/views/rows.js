/** Single rows, on which the rules of merging are told. */

/** @import { Direction, SlidesResult } from "../../js/src/types.js" */

import { shift } from "../../js/src/board.js";
import { el, say } from "../dom.js";
import { t } from "../i18n.js";
import { Diagram } from "./board.js";
import { button } from "./screen.js";
import { spoken } from "./words.js";

const LINES = {
  left: "M19 12H5M11 6l-6 6 6 6",
  right: "M5 12h14M13 6l6 6-6 6",
  again: "M4 12a8 8 0 1 0 2.5-5.8M4 4v5h5",
};

/** @typedef {"left" | "right"} Side */

/**
 * A row pushed, as a board of one row.
 *
 * @param {number[]} row
 * @param {Side} side
 * @returns {SlidesResult}
 */
export function push(row, side) {
  const board = row.map((_, y) => (y ? row.map(() => 0) : row));
  const pushed = shift(board, side);
  return { ...pushed, board: [pushed.board[0]] };
}

/**
 * A row to push about.
 *
 * @param {number[]} row
 * @param {string} text What it shows.
 */
export function playable(row, text) {
  const diagram = new Diagram([row]);
  const told = el("p", { className: "visually-hidden", role: "status" });
  let now = row;
  const go = (/** @type {Side} */ side) => {
    const pushed = push(now, side);
    diagram.move(pushed);
    [now] = pushed.board;
    say(told, pushed.moved ? spoken([now]) : t("rules.still"));
  };
  const again = () => {
    now = row;
    diagram.show([row]);
    say(told, spoken([row]));
  };
  /** @type {(line: keyof typeof LINES, label: string, act: () => void) => HTMLButtonElement} */
  const round = (line, label, act) => button("", act, { look: "round quiet", line: LINES[line], label });
  const acts = el(
    "div",
    { className: "row", role: "group", "aria-label": text },
    round("left", t("left"), () => go("left")),
    round("right", t("right"), () => go("right")),
    round("again", t("rules.again"), again),
  );
  const made = el("li", { className: "playable" }, diagram.element, acts, el("p", { textContent: text }), told);
  const keys = /** @type {{ [key: string]: Direction }} */ ({ ArrowLeft: "left", ArrowRight: "right" });
  made.addEventListener("keydown", (event) => {
    const side = keys[event.key];
    if (!side || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    go(/** @type {Side} */ (side));
  });
  return made;
}
