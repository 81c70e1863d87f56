/** The board in words: a table to read, and what has just happened for those who hear it. */

/** @import { Board, Direction, Event, Spawn } from "../../js/src/types.js" */
/** @import { Settings } from "../settings.js" */
/** @import { Play } from "./play.js" */
/** @import { Session } from "./session.js" */

import { el, find } from "../dom.js";
import { t } from "../i18n.js";
import { digits } from "./board-view.js";
import { isTimed } from "./modes.js";

/**
 * @param {Session} session
 * @param {Play} play
 * @param {Settings} settings
 * @param {(text: string) => void} announce
 * @returns {() => void} Says it all anew.
 */
export function speech(session, play, settings, announce) {
  const place = find(".board-text");

  const draw = () => {
    const { state } = session;
    const hidden = state && isTimed(session.slot) && (state.status === "paused" || state.status === "ready");
    if (!state || hidden) place.replaceChildren(hidden ? t("board.covered") : "");
    else place.replaceChildren(table(state.board));
  };

  /** @param {Event} event */
  const words = (event) => {
    const { type, direction, spawn, score_delta, board, status, outcome, score } = event;
    const parts = [];
    if (type === "move" && direction && spawn) {
      parts.push(moveSaid(direction, score_delta, spawn, board.length));
    } else if (type === "undo") parts.push(t("say.undone"));
    else if (type === "pause") parts.push(t(`paused.${session.stoppedBy ?? event.cause ?? "player"}`));
    else if (type === "start" || type === "resume" || type === "continue") parts.push(t("say.started"));
    if (status === "won") parts.push(t("won"));
    if (status === "over") parts.push(t("over"), t(`result.${outcome}`));
    if (status === "won" || status === "over") parts.push(t("say.score", { score }));
    return parts.join(" ");
  };

  play.on("drawn", (_, event) => {
    draw();
    if (event && (settings.wishes.announcements || event.type !== "move" || event.status !== "running")) {
      announce(words(event));
    }
  });
  session.on("open", draw);
  return draw;
}

/**
 * A move in words.
 *
 * @param {Direction} direction
 * @param {number} gain
 * @param {Spawn} spawn
 * @param {number} size
 */
export function moveSaid(direction, gain, { cell, value }, size) {
  return t("say.move", { direction: t(direction), gain, spawn: value, ...placeOf(cell, size) });
}

/**
 * Row and column of a cell, from 1.
 *
 * @param {number} cell
 * @param {number} size
 */
export function placeOf(cell, size) {
  return { row: Math.floor(cell / size) + 1, column: (cell % size) + 1 };
}

/** @param {Board} board */
function table(board) {
  const cell = (/** @type {number} */ value) => el("td", { textContent: value ? digits(value) : t("board.empty") });
  const rows = board.map((row) => el("tr", {}, ...row.map(cell)));
  return el("table", {}, el("caption", { textContent: t("board.table") }), el("tbody", {}, ...rows));
}
