/** How the open game stands: what covers the board, the line below it, and the original's message over it. */

/** @import { Cause, Game } from "../../js/src/types.js" */
/** @import { Play } from "./play.js" */
/** @import { Session } from "./session.js" */

import { el, find, say } from "../dom.js";
import { t, wrong } from "../i18n.js";
import { isTimed } from "./modes.js";

/**
 * @param {Session} session
 * @param {Play} play
 * @returns {() => void} Says it all anew.
 */
export function stand(session, play) {
  const area = find(".board-area");
  const message = find(".game-message");
  const words = find("p", message);
  const line = find(".game-status");
  const board = find("#board");
  /** @type {HTMLElement | null} */
  let cover = null;
  /** @type {Cause | null} */
  let cause = null;
  let none = false;
  /** @type {string | null} */
  let failure = null;
  let slow = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let soon;

  /**
   * @param {{ text: string, button?: string, act?: () => void, sheer?: boolean } | null} wanted
   */
  const lay = (wanted) => {
    const focused = cover?.contains(document.activeElement);
    if (!wanted) {
      cover?.remove();
      cover = null;
      if (focused) board.focus({ preventScroll: true });
      return;
    }
    cover ??= area.appendChild(el("div", { className: "cover" }, el("p", { className: "cover-text" })));
    cover.toggleAttribute("data-sheer", wanted.sheer ?? false);
    say(find(".cover-text", cover), wanted.text);
    const old = cover.querySelector("button");
    if (old?.textContent === (wanted.button ?? undefined)) return;
    old?.remove();
    if (!wanted.button) {
      if (focused) board.focus({ preventScroll: true });
      return;
    }
    const button = el("button", { type: "button", className: "button cover-button", textContent: wanted.button });
    button.addEventListener("click", () => {
      board.focus({ preventScroll: true });
      wanted.act?.();
    });
    cover.append(button);
    if (focused) button.focus({ preventScroll: true });
  };

  /** @param {Game} state */
  const paused = ({ status }) => t(`paused.${(status === "paused" && (session.stoppedBy ?? cause)) || "player"}`);

  const wanted = () => {
    const { state, slot, lost } = session;
    if (failure) return { text: failure, button: t("again"), act: () => session.reopen() };
    if (none) return { text: t("cover.daily"), button: t("cover.dailyStart"), act: () => session.renew() };
    if (!state) return slow ? { text: t("cover.loading"), sheer: true } : null;
    if (!isTimed(slot)) return null;
    const go = () => session.go();
    if (lost && state.status === "running") return { text: t("paused.disconnect") };
    if (state.status === "ready") return { text: t("cover.start"), button: t("start"), act: go };
    if (state.status !== "paused") return null;
    return lost ? { text: t("paused.disconnect") } : { text: paused(state), button: t("resume"), act: go };
  };

  const status = () => {
    const { state, live, slot, lost } = session;
    const waiting = live?.queue.filter(({ op }) => op === "move").length ?? 0;
    if (session.draining) return ["lost", t("draining")];
    if (lost && state) return ["lost", waiting ? t("lost.waiting", { n: waiting }) : t("lost")];
    if (!state || isTimed(slot)) return [state?.status ?? "none", ""];
    if (state.status === "ready") return ["ready", t("status.ready")];
    if (state.status === "paused") return ["paused", t(cause === "idle" ? "status.idle" : "status.paused")];
    return [state.status, ""];
  };

  const draw = () => {
    const { state } = session;
    lay(wanted());
    const [name, text] = status();
    line.dataset.state = name;
    say(line, text);
    const won = state?.status === "won";
    const over = state?.status === "over";
    message.classList.toggle("game-won", won);
    message.classList.toggle("game-over", over);
    say(words, won ? t("won") : over ? t("over") : "");
    area.classList.toggle("covered", cover !== null && !cover.hasAttribute("data-sheer"));
  };

  session.on("open", () => {
    none = slow = false;
    failure = cause = null;
    clearTimeout(soon);
    soon = setTimeout(() => {
      slow = true;
      draw();
    }, 300);
    draw();
  });
  session.on("none", () => {
    none = true;
    draw();
  });
  session.on("failed", (error) => {
    if (!session.live) failure = wrong(error);
    draw();
  });
  session.on("event", ({ type, cause: told }) => {
    if (type === "pause") cause = told ?? null;
  });
  session.on("ready", () => {
    none = false;
    failure = null;
  });
  session.on("connection", draw);
  session.on("queue", draw);
  play.on("drawn", draw);
  return draw;
}
