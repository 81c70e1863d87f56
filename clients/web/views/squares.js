/** A game in squares, to share without saying how it was played. */

/** @import { Game } from "../../js/src/types.js" */

import { t } from "../i18n.js";
import { digits, time } from "./words.js";

/** By how high a tile is: each stands for two or more values. */
const SQUARES = ["⬜", "🟨", "🟧", "🟥", "🟪", "🟦", "🟩", "⬛"];
const LEVELS = [0, 1, 3, 5, 7, 9, 11, 12];

/** @param {Game} game */
export function squares({ date, mode, board, score, max_tile, moves, clock }) {
  const rows = board.map((row) => row.map(square).join(""));
  const figures = [t("points", { n: score }), digits(max_tile), t("moves.n", { n: moves }), time(clock.active_ms)];
  return [
    ["2048", t(`mode.${mode}`), date ?? ""].join(" ").trim(),
    figures.join(" · "),
    ...rows,
    `${location.origin}/#/daily/${date ?? ""}`,
  ].join("\n");
}

/** @param {number} value */
function square(value) {
  const level = value ? Math.log2(value) : 0;
  return SQUARES[LEVELS.findLastIndex((least) => least <= level)];
}
