/** Hints in the open game: asked for by a press, shown until something happens. */

/** @import { Direction, Hint, Reason } from "../../js/src/types.js" */
/** @import { App } from "../app.js" */

import { confirm } from "../dialogs.js";
import { el, find, icon } from "../dom.js";
import { learn, percent, t, wrong } from "../i18n.js";
import { digits } from "./board-view.js";

export const ARROWS = { up: "M6 15l6-6 6 6", left: "M15 6l-6 6 6 6", right: "M9 6l6 6-6 6", down: "M6 9l6 6 6-6" };

/**
 * What the solver says, in words; the views' words must have been learned.
 *
 * @param {Hint} hint
 */
export function advice({ best, values, trained, reasons }) {
  const ranked = /** @type {[Direction, number][]} */ (Object.entries(values)).sort(([, a], [, b]) => b - a);
  const told = [t("hint.best", { direction: t(best) })];
  const next = ranked.find(([direction]) => direction !== best);
  if (!next) told.push(t("hint.only"));
  else if (trained) told.push(t("hint.next", { direction: t(next[0]), n: Math.round(ranked[0][1] - next[1]) }));
  if (reasons.length) told.push(reason(reasons[0]));
  return told.join(" ");
}

/**
 * A reason in words; none for a code we have no words for.
 *
 * @param {Reason} reason
 */
export function reason({ code, tile, between, tiles, chance, worse, better = 0 }) {
  const [a, b] = (between ?? tiles ?? []).map(digits);
  const key = `reason.${code}`;
  const chances = chance !== undefined && { chance: percent(chance), better: percent(better) };
  const told = t(key, { worse, better, ...chances, a, b, tile: digits(tile ?? 0) });
  return told === key ? "" : told;
}

/**
 * Asks for a hint, and before a game's first one whether that is meant.
 *
 * @param {App} app
 */
export function hints({ session, notices, announce }) {
  const arrow = el("div", { className: "advice-arrow", "aria-hidden": "true" }, icon(""));
  const line = el("p", { className: "advice" });
  let asking = false;

  const clear = () => {
    arrow.remove();
    line.remove();
  };
  session.on("open", clear);
  session.on("queue", clear);
  session.on("event", clear);

  /** @param {Hint} hint */
  const show = (hint) => {
    line.textContent = advice(hint);
    arrow.dataset.direction = hint.best;
    arrow.querySelector("path")?.setAttribute("d", ARROWS[hint.best]);
    find(".game-status").before(line);
    find(".board-area").append(arrow);
    announce(line.textContent);
  };

  const ask = async () => {
    const { live, state } = session;
    if (!live || !state) return;
    const first = !state.assisted && state.mode !== "practice";
    const words = { title: t("hint.first"), text: t("hint.first.text"), yes: t("hint") };
    if (first && !(await confirm(words))) return;
    const [hint] = await Promise.all([live.hint(), learn()]);
    if (session.live === live && live.version === hint.version && !live.queue.length) show(hint);
  };

  return async () => {
    if (asking) return;
    asking = true;
    await ask().catch((error) => notices.show("failed", wrong(error)));
    asking = false;
  };
}
