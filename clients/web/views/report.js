/** One move as a text to send to whoever should look at it. */

/** @import { Replayed } from "../../js/src/replay.js" */
/** @import { Board, Record } from "../../js/src/types.js" */

import { shift, withTile } from "../../js/src/board.js";
import { placeOf } from "../game/speech.js";
import { t } from "../i18n.js";
import { kindOf } from "./words.js";

/**
 * What was played, the board before, the direction, what differs from the rules, and how undo was used.
 *
 * @param {Record} record
 * @param {Replayed[]} frames The start, moves and undos.
 * @param {number} index Which of them; a move.
 * @param {string} link
 */
export function report({ game, rules }, frames, index, link) {
  const [before, frame] = [frames[index - 1], frames[index]];
  const direction = /** @type {NonNullable<typeof frame.direction>} */ (frame.direction);
  const ruled = shift(before.board, direction);
  const expected = frame.spawn ? withTile(ruled.board, frame.spawn) : ruled.board;
  const wrong = differences(expected, frame.board);
  if (ruled.score_delta !== frame.score_delta)
    wrong.push(t("report.gain", { expected: ruled.score_delta, found: frame.score_delta }));
  const undos = frames.slice(0, index + 1).filter(({ type }) => type === "undo").length;
  const spawn = frame.spawn && t("report.tile", { value: frame.spawn.value, ...placeOf(frame.spawn.cell, rules.size) });
  return [
    t("report.head", { kind: kindOf({ ...game, ...rules }) }),
    `${t("report.date")}: ${game.date ?? game.created_at.slice(0, 10)}`,
    `${t("report.game")}: ${game.id}, ${t("report.version", { version: frame.version, move: frame.moves })}`,
    `${t("report.before")}:`,
    drawn(before.board),
    `${t("report.direction")}: ${t(direction)}`,
    `${t("report.after")}:`,
    drawn(frame.board),
    ...(spawn ? [spawn] : []),
    `${t("score")}: ${before.score} + ${frame.score_delta} = ${frame.score}`,
    `${t("report.difference")}: ${wrong.length ? wrong.join("; ") : t("report.same")}`,
    `${t("report.undos")}: ${t("report.undos.n", { n: undos, limit: rules.undo_limit ?? t("unlimited") })}`,
    link,
  ].join("\n");
}

/**
 * @param {Board} expected
 * @param {Board} found
 */
function differences(expected, found) {
  return expected.flatMap((row, y) =>
    row.flatMap((value, x) =>
      value === found[y]?.[x]
        ? []
        : [t("report.cell", { row: y + 1, column: x + 1, expected: value, found: found[y]?.[x] })],
    ),
  );
}

/** @param {Board} board */
function drawn(board) {
  const wide = Math.max(...board.flat().map((value) => String(value).length));
  return board.map((row) => row.map((value) => String(value || ".").padStart(wide)).join(" ")).join("\n");
}
