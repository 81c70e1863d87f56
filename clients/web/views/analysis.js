/** Where a finished game went wrong: what each move cost, the turning points, and the board with both choices. */

/** @import { Step } from "../../js/src/replay.js" */
/** @import { Analysis, Direction, Game, Record, TurningPoint } from "../../js/src/types.js" */
/** @import { App } from "../app.js" */

import { analysis } from "../../js/src/analysis.js";
import { shift } from "../../js/src/board.js";
import { finalPath } from "../../js/src/replay.js";
import { el } from "../dom.js";
import { reason } from "../game/hint.js";
import { percent, t, wrong } from "../i18n.js";
import { Diagram } from "./board.js";
import { chart } from "./charts.js";
import { LINES } from "./reel.js";
import { about } from "./replay.js";
import { button, facts, fill, head, hearViewKeys, linkTo, nothing, section } from "./screen.js";
import { number } from "./words.js";

const TALL = 210;
const COUNTED = /** @type {const} */ (["blunders", "mistakes", "inaccuracies"]);

export const title = () => t("analysis");

/**
 * @param {HTMLElement} root
 * @param {App} app
 * @param {{ game: string, move?: string }} params
 */
export function mount(root, app, { game, move }) {
  const place = el("div", {});
  const gone = new AbortController();
  root.append(head(t("analysis"), t("analysis.lead"), linkTo(t("replay"), `#/replay/${game}`)), place);
  const show = () =>
    fill(
      place,
      () => ask(app, game, place, gone.signal),
      ({ state, record, analysis }) => {
        if (!record) return [nothing(t("analysis.open"))];
        if (!analysis) return [about(record), ...undoKept(app, state, show)];
        if (!analysis.moves) return [about(record), nothing(t("analysis.turns.none"))];
        const seen = sight(app, record, analysis, gone.signal);
        seen.go(Number(move) || (analysis.turning_points[0]?.move ?? 1));
        return [about(record), ...seen.parts];
      },
    );
  show();
  return () => gone.abort();
}

/**
 * A game that is over, with its analysis once nothing of it can change.
 *
 * @param {App} app
 * @param {string} game
 * @param {HTMLElement} place Where it is seen how far the analysis is.
 * @param {AbortSignal} signal
 */
async function ask(app, game, place, signal) {
  await app.joined();
  const { rest } = app.client;
  const state = await rest.getGame(game);
  if (state.status !== "over") return { state };
  const record = await rest.exportGame(game);
  if (!state.final) return { state, record };
  const bar = el("progress", { max: 1, value: 0, "aria-label": t("analysis.running") });
  const told = (/** @type {number} */ progress) => {
    if (!bar.isConnected) place.replaceChildren(el("p", { className: "waiting" }, t("analysis.running"), bar));
    bar.value = progress;
  };
  return { state, record, analysis: await analysis(rest, game, { told, signal }) };
}

/**
 * What is kept open by an unused undo, and how to close it.
 *
 * @param {App} app
 * @param {Game} state
 * @param {() => void} anew
 */
function undoKept(app, { id, player }, anew) {
  const giveUp = async () => {
    await app.client.rest.abandon(id).catch((error) => app.notices.show("failed", wrong(error)));
    anew();
  };
  const own = player.id === app.session.playerId;
  return [
    el("p", { textContent: t("analysis.undo") }),
    own ? button(t("daily.reveal.yes"), giveUp, { look: "" }) : null,
  ];
}

/**
 * @param {App} app
 * @param {Record} record
 * @param {Analysis} analysis
 * @param {AbortSignal} gone
 */
function sight(app, record, analysis, gone) {
  const { points, trained, turning_points: turns } = analysis;
  const path = finalPath(record);
  const last = analysis.moves;
  const heading = el("h2");
  const told = el("div", { className: "prose" });
  const boards = el("ul", { className: "fork" });
  const replay = linkTo(t("analysis.replay"), "", { look: "" });
  const whatif = linkTo(t("whatif.title"), "", { look: "quiet" });
  let at = 0;

  /** @param {number} wanted A move, from 1. */
  const go = (wanted, heard = false) => {
    const to = Math.max(1, Math.min(last, wanted));
    if (to === at) return;
    at = to;
    const turn = turns.find(({ move }) => move === to);
    const choice = { played: points.played[to - 1], best: points.best[to - 1], loss: points.loss[to - 1] };
    const parts = sentences(choice, points.share[to - 1], turn);
    heading.textContent = t("analysis.move", { n: to, of: last });
    told.replaceChildren(...parts.map((part) => el("p", { textContent: part })));
    boards.replaceChildren(...choices(path[to - 1], choice));
    whatif.href = `#/whatif/${record.game.id}?move=${to - 1}`;
    replay.href = `${whatif.href}&best=1`;
    for (const line of charts) line.mark(to);
    for (const [index, made] of buttons.entries()) made.setAttribute("aria-pressed", String(turns[index].move === to));
    step.back.ariaDisabled = String(to === 1);
    step.next.ariaDisabled = String(to === last);
    if (heard) app.announce([heading.textContent, ...parts].join(" "));
  };
  /** @param {number} way */
  const turnTo = (way) => {
    const next = way > 0 ? turns.find(({ move }) => move > at) : turns.findLast(({ move }) => move < at);
    if (next) go(next.move, true);
  };

  const lost = t("analysis.lost");
  const lines = [
    { title: t("compare.by.score"), up: t("score"), values: [0, ...points.score] },
    ...(trained ? [{ title: lost, up: lost, values: [0, ...points.loss], peaks: true }] : []),
  ];
  const charts = lines.map(({ title, up, values, peaks }) =>
    chart({
      title,
      across: t("reel.move"),
      up,
      tall: TALL,
      lines: [{ name: up, values, peaks }],
      dots: turns.map(({ move }) => move),
      pick: (move) => go(move),
    }),
  );
  gone.addEventListener("abort", () => charts.forEach((line) => line.stop()));
  const buttons = turns.map((turn) => {
    const made = el(
      "button",
      { type: "button", className: `turn ${turn.kind}` },
      el("strong", { textContent: `${t("reel.move")} ${number(turn.move)}` }),
      el("span", { className: "tag", textContent: t(`analysis.${turn.kind}`) }),
      el("span", { textContent: t("analysis.instead", { played: t(turn.played), best: t(turn.best) }) }),
      el("span", { className: "number", textContent: `−${number(Math.round(turn.loss))}` }),
    );
    made.addEventListener("click", () => {
      go(turn.move, true);
      if (panel.getBoundingClientRect().bottom > innerHeight) panel.scrollIntoView();
    });
    return made;
  });
  /** @type {(name: "back" | "next", way: number) => HTMLButtonElement} */
  const stepTo = (name, way) =>
    button("", () => go(at + way, true), { look: "round quiet", line: LINES[name], label: t(`reel.${name}`) });
  const step = { back: stepTo("back", -1), next: stepTo("next", 1) };

  hearViewKeys(gone, ({ key, shiftKey }) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (way) return () => (shiftKey ? turnTo(way) : go(at + way, true));
    const to = { Home: 1, End: last }[key];
    return to && (() => go(to, true));
  });

  const panel = el(
    "section",
    { className: "part" },
    el("div", { className: "judged-head" }, step.back, heading, step.next),
    told,
    boards,
    el("div", { className: "row" }, replay, whatif),
    el("p", { className: "hint keys-hint", textContent: t("analysis.keys") }),
  );
  const list = el("ol", { className: "turns" }, ...buttons.map((made) => el("li", {}, made)));
  return {
    go,
    parts: [
      ...figures(analysis),
      el("div", { className: "charts" }, ...charts.map(({ element }) => element)),
      el(
        "div",
        { className: "judged" },
        section(t("analysis.turns"), turns.length ? list : nothing(t("analysis.turns.none"))),
        panel,
      ),
    ],
  };
}

/** @param {Analysis} analysis */
function figures({ accuracy, loss, counts, depth, thresholds }) {
  if (accuracy === null || loss === null) return [el("p", { textContent: t("analysis.untrained") })];
  const { inaccuracy, mistake, blunder, least_points: least } = thresholds;
  const shares = { inaccuracy: percent(inaccuracy), mistake: percent(mistake), blunder: percent(blunder) };
  return [
    facts(
      [t("analysis.accuracy"), percent(accuracy / 100)],
      [t("analysis.lost"), number(Math.round(loss))],
      ...COUNTED.map((name) => /** @type {const} */ ([t(`analysis.${name}`), number(counts[name])])),
    ),
    el("p", { className: "hint", textContent: t("analysis.measured", { depth, least, ...shares }) }),
  ];
}

/** @typedef {{ played: Direction, best: Direction, loss: number }} Choice */

/**
 * A move in words, and for a turning point what can be seen on the board of why.
 *
 * @param {Choice} choice
 * @param {number | null} share
 * @param {TurningPoint | undefined} turn
 */
function sentences({ played, best, loss }, share, turn) {
  if (played === best) return [t("analysis.good", { played: t(played) })];
  const named = { played: t(played), best: t(best) };
  if (share === null) return [t("analysis.better", named)];
  const told = t("analysis.cost", { ...named, n: Math.round(loss), share: percent(share) });
  if (!turn) return [told];
  const reasons = turn.reasons.map(reason).filter(Boolean);
  return [told, ...(reasons.length ? reasons : [t("analysis.unseen")])];
}

/**
 * The board before a move, and what becomes of it by the one played and by the best.
 *
 * @param {Step} before
 * @param {Choice} choice
 */
function choices({ board }, { played, best }) {
  /** @type {(name: string, shown: number[][], below?: string) => HTMLLIElement} */
  const one = (name, shown, below) =>
    el(
      "li",
      {},
      el("h3", { textContent: name }),
      new Diagram(shown, { about: name }).element,
      el("p", { className: "hint", textContent: below }),
    );
  const ways = new Map([
    [best, t("analysis.best")],
    [played, t("analysis.played")],
  ]);
  const after = [...ways].reverse().map(([direction, name]) => {
    const { board: pushed, score_delta: n } = shift(board, direction);
    return one(`${name}: ${t(direction)}`, pushed, t(n ? "compare.gain" : "compare.noGain", { n }));
  });
  return [one(t("compare.before"), board), ...after];
}
