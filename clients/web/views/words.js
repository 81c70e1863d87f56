/** Figures, dates and names as a reader of the language writes them. */

/** @import { Board, Player } from "../../js/src/types.js" */

import { digits } from "../game/board-view.js";
import { currentLanguage, number, t, time } from "../i18n.js";

export { digits, number, time };

/**
 * A UTC date like 2026-11-30 in words.
 *
 * @param {string} date
 */
export function day(date) {
  const format = /** @type {const} */ ({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
  return written(`${date}T00:00:00Z`, { ...format, timeZone: "UTC" });
}

/**
 * The same in figures.
 *
 * @param {string} date
 */
export function shortDay(date) {
  return written(`${date}T00:00:00Z`, { dateStyle: "medium", timeZone: "UTC" });
}

/**
 * The reader's own date and time of an instant.
 *
 * @param {string} instant
 */
export function moment(instant) {
  return written(instant, { dateStyle: "medium", timeStyle: "short" });
}

/**
 * The reader's own date of an instant.
 *
 * @param {string} instant
 */
export function date(instant) {
  return written(instant, { dateStyle: "medium" });
}

/**
 * The reader's own time of day of an instant.
 *
 * @param {string} instant
 */
export function clockTime(instant) {
  return written(instant, { timeStyle: "short" });
}

/**
 * @param {string} instant
 * @param {Intl.DateTimeFormatOptions} format
 */
function written(instant, format) {
  const at = new Date(instant);
  // An address can ask for a date that there is not.
  if (Number.isNaN(at.getTime())) return instant.replace("T00:00:00Z", "");
  return new Intl.DateTimeFormat(currentLanguage() === "en" ? navigator.languages : "de", format).format(at);
}

/**
 * A UTC date some days on.
 *
 * @param {string} from
 * @param {number} days
 */
export function dayAfter(from, days) {
  return new Date(Date.parse(`${from}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** @param {Player} player */
export function nameOf({ id, name, bot }) {
  const told = name ?? t("nameless", { id: id.slice(-4) });
  return bot ? t("bot", { name: told }) : told;
}

/**
 * What is played, in words: mode, size and undos as far as they tell it from others.
 *
 * @param {{ mode: string, size: number, undo_limit?: number | null }} kind
 */
export function kindOf({ mode, size, undo_limit }) {
  const parts = [t(`mode.${mode}`)];
  if (mode === "classic" || (mode === "practice" && size !== 4)) parts.push(`${size}\u00a0×\u00a0${size}`);
  if (mode === "classic" && undo_limit !== undefined && undo_limit !== 1) parts.push(t("undos.n", { n: undo_limit }).replace(" ", "\u00a0"));
  return parts.join("\u00a0· ");
}

/**
 * A board read out row by row.
 *
 * @param {Board} board
 */
export function spoken(board) {
  return board.map((row) => row.map((value) => (value ? digits(value) : t("board.empty"))).join(", ")).join("; ");
}
