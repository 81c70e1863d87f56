/** A game that was played, from its record. */

/** @import { Replayed } from "../../js/src/replay.js" */
/** @import { Record } from "../../js/src/types.js" */
/** @import { App } from "../app.js" */

import { replay } from "../../js/src/replay.js";
import { el } from "../dom.js";
import { t } from "../i18n.js";
import { reel } from "./reel.js";
import { report } from "./report.js";
import { button, copy, fill, head, linkTo, remember, saves, section } from "./screen.js";
import { day, kindOf, moment, nameOf } from "./words.js";

const SETTLED = 400;

export const title = () => t("replay.title");

/**
 * @param {HTMLElement} root
 * @param {App} app
 * @param {{ game: string, at?: string, move?: string }} params A version, or a move of the path the game ended on.
 */
export function mount(root, app, { game, at, move }) {
  const place = el("div", {});
  let end = () => {};
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let settling;
  const ask = () => app.joined().then(() => app.client.rest.exportGame(game));
  root.append(head(t("replay.title")), place);
  fill(place, ask, (record) => {
    const frames = framesOf(record);
    const begin = placeIn(frames, { at, move });
    const over = record.result.status === "over";
    const link = () => `${location.origin}/#/replay/${game}?at=${frames[shown.index].version}`;
    const tell = button(t("report"), () => copy(app, t("report"), report(record, frames, shown.index, link())));
    const shown = reel(app, frames, {
      at: begin,
      turned: (index) => {
        clearTimeout(settling);
        settling = setTimeout(() => remember(`replay/${game}?at=${frames[index].version}`), SETTLED);
        tell.disabled = frames[index].type !== "move";
      },
    });
    end = shown.end;
    return [
      about(record),
      shown.element,
      section(
        t("replay.more"),
        el(
          "div",
          { className: "row" },
          button(t("replay.link"), () => copy(app, t("replay.link"), link())),
          button(t("replay.practise"), () => app.startPractice({ board: frames[shown.index].board })),
          over && button(t("whatif.title"), () => app.navigate(`whatif/${game}?at=${frames[shown.index].version}`)),
          over && linkTo(t("analysis"), `#/analysis/${game}`, { look: "quiet" }),
          tell,
        ),
        saves(app, { id: game, mode: record.game.mode, score: record.result.score }),
      ),
    ];
  });
  return () => {
    clearTimeout(settling);
    end();
  };
}

/**
 * The start, moves and undos of a record.
 *
 * @param {Record} record
 * @returns {Replayed[]}
 */
export function framesOf(record) {
  const kept = new Set(["created", "move", "undo"]);
  /** @type {Replayed[]} */
  const frames = [];
  for (const event of replay(record)) {
    const before = frames[frames.length - 1];
    if (kept.has(event.type)) frames.push(event);
    else if (event.type === "over")
      frames[frames.length - 1] = { ...before, status: event.status, outcome: event.outcome };
  }
  return frames;
}

/**
 * Whose game, which, when, and what it came to.
 *
 * @param {Record} record
 */
export function about({ game, rules, result }) {
  const when = game.date ? day(game.date) : moment(game.created_at);
  const end = result.outcome ? t(`result.${result.outcome}`) : t("ended.not");
  const parts = [kindOf({ ...game, ...rules }), when, t("points", { n: result.score }), end];
  return el("p", { className: "about" }, el("strong", { textContent: nameOf(game.player) }), ` · ${parts.join(" · ")}`);
}

/**
 * Where the game stood at a version, or at a move for the last time.
 *
 * @param {Replayed[]} frames
 * @param {{ at?: string, move?: string }} wanted
 */
export function placeIn(frames, { at = "0", move }) {
  const found = frames.findLastIndex((frame) =>
    move === undefined ? frame.version <= Number(at) : frame.type === "move" && frame.moves === Number(move),
  );
  return Math.max(0, found);
}
