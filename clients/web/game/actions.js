/** What can be done with the open game, as buttons. */

/** @import { Play } from "./play.js" */
/** @import { Session } from "./session.js" */

import { el, find, icon, UNDO } from "../dom.js";
import { t } from "../i18n.js";

const ICONS = {
  undo: UNDO,
  pause: "M9 6v12M15 6v12",
  resume: "M8 5.5v13l11-6.5z",
  hint: "M9 18h6M10 21h4M9 15c-5-4-3-11 3-11s8 7 3 11z",
  back: "M4 12a8 8 0 1 0 2.5-5.8M4 4v5h5M12 8v4l3 2",
  share: "M12 15V4M8 7l4-4 4 4M5 13v6h14v-6",
  device: "M4 6h11v9H4zM2 19h12M18 9h4v10h-4z",
  report: "M6 21V4h12l-3 4 3 4H6",
};

/**
 * @param {Session} session
 * @param {Play} play
 * @param {{ hint: () => void, share: () => void, device: () => void }} acts
 * @returns {() => void} Says it all anew.
 */
export function actions(session, play, { hint, share, device }) {
  /** @param {() => void} act */
  const button = (act) => {
    const made = el("button", { type: "button", className: "button quiet" }, icon(""), el("span"));
    made.addEventListener("click", act);
    return made;
  };
  /**
   * @param {HTMLElement} made
   * @param {keyof typeof ICONS} name
   * @param {string} [text]
   */
  const dress = (made, name, text = t(name)) => {
    made.querySelector("path")?.setAttribute("d", ICONS[name]);
    find("span", made).textContent = text;
  };
  const undo = button(() => session.undo());
  const pause = button(() => session.pause());
  const advise = button(hint);
  const back = button(() => session.back());
  const sharing = button(share);
  const linking = button(device);
  const report = el("a", { className: "button quiet" }, icon(""), el("span"));
  find(".actions").replaceChildren(undo, pause, advise, back, sharing, linking, report);

  const draw = () => {
    const { state, last } = session;
    const stopped = state?.status === "paused" || state?.status === "ready";
    dress(undo, "undo");
    dress(pause, stopped ? "resume" : "pause", t(state?.status === "ready" ? "start" : stopped ? "resume" : "pause"));
    dress(advise, "hint");
    dress(back, "back");
    dress(sharing, "share");
    dress(linking, "device");
    dress(report, "report");
    report.hidden = !state?.moves;
    report.href = state ? `#/replay/${state.id}?at=${state.version}` : "";
    // Not `disabled`: that would take the focus away from under a player's finger.
    undo.setAttribute("aria-disabled", String(!state?.undo.available));
    advise.setAttribute("aria-disabled", String(!session.advisable));
    const stoppable = state?.status === "running" || stopped;
    pause.setAttribute("aria-disabled", String(!stoppable));
    if (back.contains(document.activeElement) && !last) find("#board").focus({ preventScroll: true });
    back.hidden = !last;
  };
  session.on("open", draw);
  play.on("drawn", draw);
  draw();
  return draw;
}
