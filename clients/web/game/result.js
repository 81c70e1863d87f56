/** How a game ended, in words and figures, and what can be done now. */

/** @import { Game } from "../../js/src/types.js" */
/** @import { Play } from "./play.js" */
/** @import { Session } from "./session.js" */

import { el, find } from "../dom.js";
import { number, t, time } from "../i18n.js";
import { digits } from "./board-view.js";

/**
 * @param {Session} session
 * @param {Play} play
 * @param {{ again: () => void, share: () => void, save: (kind: "json" | "png" | "gif") => void }} acts
 * @returns {() => void} Says it all anew.
 */
export function result(session, play, { again, share, save }) {
  const place = find(".result");
  let shown = "";
  let bestBefore = 0;

  /**
   * @param {string} text
   * @param {() => void} act
   * @param {string} [look]
   */
  const button = (text, act, look = "button quiet small") => {
    const made = el("button", { type: "button", className: look, textContent: text });
    made.addEventListener("click", act);
    return made;
  };

  /** @param {Game} state */
  const panel = (state) => {
    const { status, outcome, score, moves, max_tile, clock, reached_goal } = state;
    const won = status === "won";
    const title = won ? "won" : (outcome ?? "abandoned");
    const best = state.mode !== "practice" && score > 0 && score >= (state.best_score ?? 0) && score > bestBefore;
    return [
      el("h2", { id: "result-title", textContent: t(`result.${title}`) }),
      el("p", {
        textContent: t("result.figures", {
          score: number(score),
          moves,
          time: time(clock.active_ms),
          tile: digits(max_tile),
        }),
      }),
      !won && reached_goal && el("p", { textContent: t("result.goalToo") }),
      state.assisted && state.mode !== "practice" && el("p", { textContent: t("assisted.told") }),
      best && el("p", { className: "new-best", textContent: t("result.best") }),
      el(
        "div",
        { className: "row" },
        won && button(t("keep"), () => session.go(), "button small"),
        button(t("new"), again, won ? "button quiet small" : "button small"),
        state.undo.available && button(t("result.undo"), () => session.undo()),
        el("a", { className: "button quiet small", href: `#/replay/${state.id}`, textContent: t("replay") }),
        !won && el("a", { className: "button quiet small", href: `#/analysis/${state.id}`, textContent: t("analysis") }),
        button(t("share"), share),
      ),
      el(
        "div",
        { className: "row saves", role: "group", "aria-label": t("export") },
        button(t("export.json"), () => save("json")),
        button(t("export.png"), () => save("png")),
        button(t("export.gif"), () => save("gif")),
      ),
    ];
  };

  const draw = () => {
    const { state } = session;
    const ended = state && (state.status === "won" || state.status === "over") ? state : null;
    const told = ended ? `${document.documentElement.lang} ${ended.id} ${ended.version} ${ended.final}` : "";
    if (told === shown) return;
    shown = told;
    const focused = place.contains(document.activeElement);
    place.hidden = !ended;
    place.replaceChildren(...(ended ? panel(ended) : []).filter((part) => part !== false));
    if (focused) (place.querySelector("button") ?? find("#board")).focus({ preventScroll: true });
  };
  session.on("ready", ({ best_score, moves }) => (bestBefore = moves ? Infinity : (best_score ?? 0)));
  session.on("event", (_, before) => {
    if (before.moves === 0 && before.status !== "over") bestBefore = before.best_score ?? 0;
  });
  session.on("open", draw);
  play.on("drawn", draw);
  return () => {
    shown = "";
    draw();
  };
}
