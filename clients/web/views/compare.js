/** Games of one date side by side: figures by move, and where they parted. */

/** @import { Comparison, Result } from "../../js/src/types.js" */
/** @import { App } from "../app.js" */

import { shift } from "../../js/src/board.js";
import { el } from "../dom.js";
import { t } from "../i18n.js";
import { Diagram } from "./board.js";
import { chart, letter } from "./charts.js";
import { figuresBelow } from "./ranking.js";
import { button, cell, choice, fill, head, linkTo, nothing, section, table } from "./screen.js";
import { day, digits, nameOf, number, time } from "./words.js";

const FIGURES = /** @type {const} */ (["score", "empty", "max_tile", "active_ms"]);

export const title = () => t("compare.title");

/**
 * @param {HTMLElement} root
 * @param {App} app
 * @param {{ date?: string, games?: string }} params
 */
export function mount(root, app, { date, games = "" }) {
  const ids = games.split(",").filter(Boolean);
  const place = el("div", {});
  const back = linkTo(t("compare.back"), `#/daily/${date ?? ""}`);
  root.append(head(t("compare.title"), date === undefined ? null : day(date), back), place);
  if (date === undefined || ids.length < 2) {
    place.append(nothing(t("compare.few")));
    return;
  }
  let stop = () => {};
  fill(
    place,
    () => app.joined().then(() => app.client.rest.compareGames(date, ids)),
    (comparison) => {
      const drawn = lines(comparison);
      stop = drawn.stop;
      return [figures(comparison, app.session.playerId), drawn.element, fork(app, comparison)];
    },
  );
  return () => stop();
}

/**
 * @param {Comparison} comparison
 * @param {string | null} me
 */
function figures({ games }, me) {
  const columns = [
    "",
    t("player"),
    { text: t("rank"), look: "number wide" },
    { text: t("score"), look: "number" },
    { text: t("figure.max"), look: "number wide" },
    { text: t("figure.moves"), look: "number wide" },
    { text: t("figure.time"), look: "number wide" },
    { text: t("compare.goal"), look: "number wide" },
    "",
  ];
  const rows = games.map((result, index) =>
    el(
      "tr",
      { className: result.player.id === me ? "mine" : "" },
      el("td", { className: "narrow" }, letter(index)),
      el("th", { scope: "row", className: "name" }, named(result), figuresBelow(result)),
      cell(result.rank === null ? "–" : number(result.rank), "number wide"),
      cell(number(result.score), "number strong"),
      cell(digits(result.max_tile), "number wide"),
      cell(number(result.moves), "number wide"),
      cell(time(result.active_ms), "number wide"),
      cell(result.goal_moves === null ? "–" : t("moves.n", { n: result.goal_moves }), "number wide"),
      el(
        "td",
        {},
        linkTo(t("replay"), `#/replay/${result.game}`, {
          look: "plain",
          label: t("replay.of", { name: named(result), score: result.score }),
        }),
      ),
    ),
  );
  return table(t("compare.title"), columns, rows).element;
}

/**
 * A player, and which attempt where it is not the first.
 *
 * @param {Result} result
 */
function named({ player, attempt }) {
  return attempt === null || attempt === 1 ? nameOf(player) : `${nameOf(player)} (${attempt})`;
}

/** @param {Comparison} comparison */
function lines({ games, series }) {
  const place = el("div", {});
  let stop = () => {};
  /** @param {typeof FIGURES[number]} figure */
  const show = (figure) => {
    stop();
    const drawn = chart({
      title: t(`compare.by.${figure}`),
      across: t("reel.move"),
      up: t(`compare.${figure}`),
      lines: games.map((result) => ({
        name: named(result),
        values: series.find(({ game }) => game === result.game)?.[figure] ?? [],
      })),
      ...(figure === "active_ms" && { format: (/** @type {number} */ ms) => time(ms) }),
    });
    stop = drawn.stop;
    place.replaceChildren(drawn.element);
  };
  show("score");
  const choices = FIGURES.map((name) => ({ name, text: t(`compare.${name}`) }));
  const element = section(t("compare.chart"), choice(t("compare.what"), choices, "score", show), place);
  return { element, stop: () => stop() };
}

/**
 * The first move that not all made alike: the board before it, and what became of it each way.
 *
 * @param {App} app
 * @param {Comparison} comparison
 */
function fork(app, { games, fork: parting, common_moves }) {
  if (!parting) return section(t("compare.fork"), el("p", { textContent: t("compare.never", { n: common_moves }) }));
  const { move, board, choices } = parting;
  const ways = [...new Set(choices.map(({ direction }) => direction))].map((direction) => {
    const those = choices.filter((one) => one.direction === direction);
    const { board: after, score_delta } = shift(board, direction);
    const who = those.map(({ game }) => {
      const index = games.findIndex((result) => result.game === game);
      const href = `#/replay/${game}?move=${move}`;
      return el(
        "li",
        {},
        letter(index),
        linkTo(named(games[index]), href, { look: "plain", label: `${t("replay")}: ${named(games[index])}` }),
      );
    });
    return el(
      "li",
      {},
      el("h3", { textContent: t(direction) }),
      new Diagram(after, { about: t("compare.after", { direction: t(direction) }) }).element,
      el("p", {
        className: "hint",
        textContent: score_delta ? t("compare.gain", { n: score_delta }) : t("compare.noGain"),
      }),
      el("ul", { className: "legend" }, ...who),
    );
  });
  return section(
    t("compare.fork"),
    el("p", { textContent: t("compare.parted", { n: common_moves, move }) }),
    el(
      "ul",
      { className: "fork" },
      el(
        "li",
        {},
        el("h3", { textContent: t("compare.before") }),
        new Diagram(board, { about: t("compare.before") }).element,
        button(t("compare.practise"), () => app.startPractice({ board }), { look: "quiet small" }),
      ),
      ...ways,
    ),
  );
}
