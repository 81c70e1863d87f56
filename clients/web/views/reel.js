/** A game move by move: played, stopped, sped up, and gone to any move of it. */

/** @import { Replayed } from "../../js/src/replay.js" */
/** @import { App } from "../app.js" */

import { el, say } from "../dom.js";
import { moveSaid } from "../game/speech.js";
import { t } from "../i18n.js";
import { Diagram } from "./board.js";
import { chart } from "./charts.js";
import { button, facts, hearViewKeys, select } from "./screen.js";
import { digits, number, time } from "./words.js";

const SPEEDS = [1, 2, 4, 8, 16, 32];
export const LINES = {
  first: "M6 5v14M19 5l-9 7 9 7z",
  back: "M16 5l-9 7 9 7z",
  play: "M8 5v14l11-7z",
  stop: "M9 5v14M15 5v14",
  next: "M8 5l9 7-9 7z",
  last: "M18 5v14M5 5l9 7-9 7z",
};

/**
 * @param {App} app
 * @param {Replayed[]} frames The start, moves and undos.
 * @param {{ at?: number, turned?: (index: number) => void }} [how] Where to begin; what is told of each turn.
 */
export function reel(app, frames, { at = 0, turned = () => {} } = {}) {
  const last = frames.length - 1;
  const diagram = new Diagram(frames[0].board, { about: t("board") });
  const told = el("p", { className: "reel-told" });
  const figures = el("div", {});
  const slider = el("input", { type: "range", className: "slider", min: "0", max: String(last), step: "1" });
  slider.setAttribute("aria-label", t("reel.where"));
  const play = button("", () => (playing ? stop() : start()), {
    look: "round",
    line: LINES.play,
    label: t("reel.play"),
  });
  let index = -1;
  let speed = 4;
  /** @type {ReturnType<typeof setInterval> | null} */
  let playing = null;

  /** @param {number} wanted */
  const go = (wanted, lively = false) => {
    const to = Math.max(0, Math.min(last, wanted));
    if (to === index) return;
    const frame = frames[to];
    if (to === index + 1 && frame.type === "move") diagram.move(frame, Math.min(100, 400 / speed));
    else diagram.show(frame.board);
    index = to;
    slider.value = String(to);
    slider.setAttribute("aria-valuetext", t("reel.position", { n: frame.moves, score: frame.score }));
    say(told, words(frame, last === to));
    figures.replaceChildren(
      facts(
        [t("score"), number(frame.score)],
        [t("figure.moves"), number(frame.moves)],
        [t("figure.max"), digits(frame.max_tile)],
        [t("figure.time"), time(frame.active_ms)],
      ),
    );
    line.mark(to);
    turned(to);
    if (!lively && document.activeElement !== slider) app.announce(told.textContent ?? "");
  };

  const face = () => {
    play.querySelector("path")?.setAttribute("d", playing ? LINES.stop : LINES.play);
    play.setAttribute("aria-label", t(playing ? "reel.stop" : "reel.play"));
  };
  const stop = () => {
    if (playing) clearInterval(playing);
    playing = null;
    face();
  };
  const start = () => {
    if (index === last) go(0, true);
    const turn = () => {
      go(index + 1, true);
      if (index === last) stop();
    };
    playing = setInterval(turn, 1000 / speed);
    face();
  };
  /** @param {number} wanted */
  const jump = (wanted) => {
    stop();
    go(wanted);
  };

  const line = chart({
    title: t("reel.chart"),
    across: t("reel.steps"),
    up: t("score"),
    lines: [{ name: t("score"), values: frames.map((frame) => frame.score) }],
    pick: jump,
  });
  slider.addEventListener("input", () => jump(Number(slider.value)));
  const speeds = SPEEDS.map((n) => ({ name: String(n), text: t("reel.speed.n", { n }) }));
  const chooseSpeed = (/** @type {string} */ name) => {
    speed = Number(name);
    if (playing) {
      clearInterval(playing);
      start();
    }
  };
  /** @type {(name: "first" | "back" | "next" | "last", to: () => number) => HTMLButtonElement} */
  const step = (name, to) =>
    button("", () => jump(to()), { look: "round quiet", line: LINES[name], label: t(`reel.${name}`) });

  const keys = /** @type {{ [key: string]: () => void }} */ ({
    " ": () => play.click(),
    ArrowLeft: () => jump(index - 1),
    ArrowRight: () => jump(index + 1),
    Home: () => jump(0),
    End: () => jump(last),
  });
  const gone = new AbortController();
  hearViewKeys(gone.signal, ({ key }) => keys[key]);

  const element = el(
    "div",
    { className: "reel" },
    diagram.element,
    el(
      "div",
      { className: "reel-side" },
      figures,
      told,
      slider,
      el(
        "div",
        { className: "reel-buttons", role: "group", "aria-label": t("reel") },
        step("first", () => 0),
        step("back", () => index - 1),
        play,
        step("next", () => index + 1),
        step("last", () => last),
      ),
      select(t("reel.speed"), speeds, String(speed), chooseSpeed),
      el("p", { className: "hint keys-hint", textContent: t("reel.keys") }),
    ),
    line.element,
  );
  go(at, true);
  return {
    element,
    go: jump,
    get index() {
      return index;
    },
    end: () => {
      stop();
      line.stop();
      gone.abort();
    },
  };
}

/**
 * @param {Replayed} frame
 * @param {boolean} last
 */
function words({ type, direction, score_delta, spawn, board, status, outcome }, last) {
  const parts = [];
  if (type === "created") parts.push(t("reel.begin"));
  else if (type === "undo") parts.push(t("say.undone"));
  else if (direction && spawn) {
    parts.push(moveSaid(direction, score_delta, spawn, board.length));
  }
  if (status === "won") parts.push(`${t("result.won")}.`);
  else if (last && outcome) parts.push(t(`result.${outcome}`) + ".");
  return parts.join(" ");
}
