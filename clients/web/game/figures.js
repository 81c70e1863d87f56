/** What is counted beside the board: score and best, tiles, moves, time, and what is left of them. */

/** @import { Client } from "../../js/src/client.js" */
/** @import { Game } from "../../js/src/types.js" */
/** @import { Play } from "./play.js" */
/** @import { Session } from "./session.js" */

import { el, find, say } from "../dom.js";
import { number, t, time } from "../i18n.js";
import { digits } from "./board-view.js";

const EVERY = 100;
const URGENT = 10_000;
const CLOCKS = new Set(["time", "timeLeft"]);

/**
 * @param {Session} session
 * @param {Play} play
 * @param {Client} client
 * @returns {() => void} Says it all anew.
 */
export function figures(session, play, client) {
  const score = find(".score-container");
  const best = find(".best-container");
  const place = find(".figures");
  /** @type {Map<string, HTMLElement>} */
  let values = new Map();
  let shown = "";
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let ticking;

  play.on("score", (points, gain) => {
    score.replaceChildren(digits(points));
    if (gain > 0) score.append(el("div", { className: "score-addition", textContent: `+${digits(gain)}` }));
    const { state } = session;
    if (state) best.textContent = digits(Math.max(state.best_score ?? 0, state.mode === "practice" ? 0 : points));
  });

  /** @param {Game} state */
  const names = ({ clock, move_limit, mode }) => {
    const main = clock.limit_ms !== null ? "timeLeft" : move_limit !== null ? "movesLeft" : null;
    const rest = ["max", "moves", ...(main === "timeLeft" ? [] : ["time"]), ...(mode === "practice" ? [] : ["undos"])];
    return [...(main ? [main] : []), ...rest.filter((name) => !(main === "movesLeft" && name === "moves"))];
  };

  /** @param {string} name */
  const value = (name) => {
    const { live, state } = session;
    if (!live || !state) return "–";
    const { undo } = state;
    if (name === "max") return digits(state.max_tile);
    if (name === "moves") return number(state.moves);
    if (name === "movesLeft") return number((state.move_limit ?? 0) - state.moves);
    if (name === "time") return time(live.clock.activeMs());
    if (name === "timeLeft") return time(live.clock.remainingMs() ?? 0, true);
    return undo.limit === null ? t("unlimited") : number(undo.limit - undo.used);
  };

  const tick = () => {
    // While the service is not there nobody's time runs: what is shown of it stands.
    const stands = session.lost;
    for (const [name, element] of values) {
      if (!stands || !CLOCKS.has(name) || !element.textContent) say(element, value(name));
    }
    if (stands) return;
    const left = session.live?.state.clock.limit_ms ? session.live.clock.remainingMs() : null;
    values.get("timeLeft")?.parentElement?.classList.toggle("urgent", left !== null && left < URGENT);
  };

  const draw = () => {
    const { state } = session;
    const wanted = state ? names(state) : ["max", "moves", "time", "undos"];
    const told = document.documentElement.lang + wanted;
    if (told !== shown) {
      shown = told;
      values = new Map(wanted.map((name) => [name, el("dd")]));
      const main = wanted[0] === "max" ? null : wanted[0];
      const one = (/** @type {[string, HTMLElement]} */ [name, dd]) =>
        el("div", { className: name === main ? "main" : "" }, el("dt", { textContent: t(`figure.${name}`) }), dd);
      place.replaceChildren(el("dl", {}, ...[...values].map(one)));
    }
    tick();
    clearInterval(ticking);
    if (state?.clock.running) ticking = setInterval(tick, EVERY);
  };

  play.on("drawn", draw);
  session.on("open", () => {
    score.replaceChildren("0");
    best.textContent = "0";
    draw();
  });
  session.on("none", async ({ mode }) => {
    const { categories } = await client.rest.getRecords().catch(() => ({ categories: [] }));
    const kept = categories.find((category) => category.mode === mode);
    if (kept && !session.live && session.slot.mode === mode) best.textContent = digits(kept.best_score);
  });
  return () => {
    shown = "";
    draw();
  };
}
