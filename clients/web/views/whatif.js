/** A finished game gone on with from any position: by oneself, or as the solver would. Nothing of it is kept. */

/** @import { Replayed } from "../../js/src/replay.js" */
/** @import { Board, Direction, Record, Spawn } from "../../js/src/types.js" */
/** @import { App } from "../app.js" */

import { emptyCells, legalMoves, maxTile, withTile } from "../../js/src/board.js";
import { spawn } from "../../js/src/spawn.js";
import { el, say } from "../dom.js";
import { advice, ARROWS } from "../game/hint.js";
import { hearSwipes, meaning } from "../game/input.js";
import { moveSaid } from "../game/speech.js";
import { t, wrong } from "../i18n.js";
import { Diagram } from "./board.js";
import { LINES } from "./reel.js";
import { about, framesOf, placeIn } from "./replay.js";
import { button, facts, fill, head, hearViewKeys, linkTo, nothing } from "./screen.js";
import { digits, number } from "./words.js";

/** Between two moves of the solver, in ms. */
const PACE = 350;
const WAYS = /** @type {const} */ (["left", "up", "down", "right"]);

export const title = () => t("whatif.title");

/**
 * @param {HTMLElement} root
 * @param {App} app
 * @param {{ game: string, at?: string, move?: string, best?: string }} params A version, or a move of the path the
 *   game ended on; whether the solver begins by itself.
 */
export function mount(root, app, params) {
  const place = el("div", {});
  const gone = new AbortController();
  root.append(head(t("whatif.title"), t("whatif.lead")), place);
  fill(
    place,
    () => app.joined().then(() => app.client.rest.exportGame(params.game)),
    (record) => {
      const back = linkTo(t("replay"), `#/replay/${params.game}`);
      if (record.result.status !== "over") return [about(record), nothing(t("analysis.open")), back];
      const frames = framesOf(record);
      const seat = trial(app, record, frames, frames[placeIn(frames, params)], gone.signal);
      if (params.best) seat.play();
      return [about(record), seat.element];
    },
  );
  return () => gone.abort();
}

/**
 * @typedef {object} Stand
 * @property {Board} board
 * @property {number} score
 * @property {number} moves
 */

/**
 * A board to go on with.
 *
 * @param {App} app
 * @param {Record} record
 * @param {Replayed[]} frames
 * @param {Stand} begin
 * @param {AbortSignal} gone
 */
function trial(app, record, frames, begin, gone) {
  const { rest } = app.client;
  /** @type {Stand[]} */
  let line = [begin];
  let doing = Promise.resolve();
  let playing = false;
  let turn = 0;
  const now = () => line[line.length - 1];
  const over = () => legalMoves(now().board).length === 0;
  const diagram = new Diagram(begin.board, { about: t("board"), look: "played" });
  const told = el("p", { className: "reel-told", role: "status" });
  const figures = el("div", {});

  const show = () => {
    const { board, score, moves } = now();
    const then = frames.findLast((frame) => frame.moves === moves);
    figures.replaceChildren(
      facts(
        [t("score"), number(score)],
        [t("figure.moves"), number(moves)],
        [t("figure.max"), digits(maxTile(board))],
        [t("whatif.then"), number(then?.score ?? record.result.score)],
      ),
    );
    undo.setAttribute("aria-disabled", String(line.length < 2));
  };
  const face = () => {
    told.ariaLive = playing ? "off" : "polite";
    play.querySelector("path")?.setAttribute("d", playing ? LINES.stop : LINES.play);
    say(/** @type {Element} */ (play.querySelector("span")), t(playing ? "reel.stop" : "whatif.play"));
  };
  const stop = () => {
    playing = false;
    face();
  };

  /**
   * One thing after the other; what fails is said.
   *
   * @param {() => unknown} act
   */
  const alone = (act) => {
    doing = doing.then(async () => {
      if (gone.aborted) return;
      try {
        await act();
      } catch (error) {
        stop();
        say(told, wrong(error));
      }
    });
    return doing;
  };

  /** @param {Direction} direction */
  const push = async (direction) => {
    const { board, score, moves } = now();
    const pushed = await rest.computeSlides({ board, direction });
    if (gone.aborted) return;
    if (!pushed.moved) return say(told, t("rules.still"));
    const tile = tileAfter(record.seed, moves, pushed.board);
    const after = withTile(pushed.board, tile);
    line.push({ board: after, score: score + pushed.score_delta, moves: moves + 1 });
    diagram.move({ slides: pushed.slides, board: after, spawn: tile });
    const end = over() ? ` ${t("result.no_moves")}.` : "";
    say(told, moveSaid(direction, pushed.score_delta, tile, board.length) + end);
    show();
  };
  const ask = () => rest.getHint({ board: now().board });
  const best = async (wanted = () => true) => {
    if (over()) return stop();
    const { best: way } = await ask();
    if (wanted()) await push(way);
  };
  const run = async () => {
    const mine = ++turn;
    const wanted = () => playing && mine === turn && !gone.aborted;
    while (wanted()) {
      await alone(() => best(wanted));
      await new Promise((done) => setTimeout(done, PACE));
    }
  };
  const start = () => {
    if (over()) return;
    playing = true;
    face();
    void run();
  };

  /** @param {number} left */
  const back = (left) => {
    if (line.length < 2) return;
    line = line.slice(0, Math.max(1, left));
    diagram.show(now().board);
    say(told, t("say.undone"));
    show();
  };
  /** @param {() => unknown} act */
  const order = (act) => () => {
    stop();
    void alone(act);
  };
  const orders = /** @type {{ [name: string]: () => void }} */ ({
    undo: order(() => back(line.length - 1)),
    hint: order(async () => over() || say(told, advice(await ask()))),
  });
  /** @param {Direction} direction */
  const move = (direction) => order(() => push(direction))();

  const toggle = () => (playing ? stop() : start());
  const play = button(t("whatif.play"), toggle, { look: "", line: LINES.play });
  const undo = button(t("undo"), orders.undo);
  const ways = WAYS.map((way) => button("", () => move(way), { look: "round quiet", line: ARROWS[way], label: t(way) }));

  hearViewKeys(gone, (event) => {
    const { direction, order: named = "" } = meaning(event, app.settings.wishes.letters) ?? {};
    const act = direction ? () => move(direction) : (orders[named] ?? (event.key === " " && toggle));
    return act && (() => event.repeat || act());
  });
  hearSwipes(diagram.element, move, gone);
  show();
  say(told, t("whatif.begin", { n: begin.moves }));

  const element = el(
    "div",
    { className: "reel" },
    diagram.element,
    el(
      "div",
      { className: "reel-side" },
      figures,
      told,
      el("div", { className: "reel-buttons", role: "group", "aria-label": t("pad") }, ...ways),
      el(
        "div",
        { className: "row" },
        play,
        button(t("whatif.step"), order(() => best())),
        button(t("hint"), orders.hint),
        undo,
        button(t("rules.again"), order(() => back(1))),
      ),
      el("p", { className: "hint", textContent: t(record.seed ? "whatif.same" : "whatif.chance") }),
      el("p", { className: "hint keys-hint", textContent: t("whatif.keys") }),
    ),
  );
  return { element, play: start };
}

/**
 * The tile after so many moves: the game's own once its seed is shown, before that one by chance.
 *
 * @param {string | null} seed
 * @param {number} moves
 * @param {Board} board
 * @returns {Spawn}
 */
function tileAfter(seed, moves, board) {
  if (seed !== null) return spawn(seed, moves + 2, board);
  const empty = emptyCells(board);
  return { cell: empty[Math.floor(Math.random() * empty.length)], value: Math.random() < 0.1 ? 4 : 2 };
}
