/** The player's games, newest first. */

/** @import { CorruptGame, Game } from "../../js/src/types.js" */
/** @import { App } from "../app.js" */

import { el } from "../dom.js";
import { NAMES } from "../game/modes.js";
import { saveRows } from "../game/sharing.js";
import { t } from "../i18n.js";
import { Diagram } from "./board.js";
import { button, choice, fill, head, linkTo, more, nothing, remember, saves, select } from "./screen.js";
import { digits, kindOf, moment, number, shortDay, time } from "./words.js";

const STATES = /** @type {const} */ (["all", "open", "over"]);
const PAGE = 24;

export const title = () => t("history.title");

/**
 * @param {HTMLElement} root
 * @param {App} app
 * @param {{ mode?: string, status?: string }} params
 */
export function mount(root, app, params) {
  let mode = NAMES.includes(params.mode ?? "") ? /** @type {string} */ (params.mode) : "all";
  let state = STATES.find((one) => one === params.status) ?? "all";
  const place = el("div", {});

  const show = () => {
    const chosen = { ...(mode !== "all" && { mode }), ...(state !== "all" && { status: state }) };
    const query = new URLSearchParams(chosen).toString();
    remember(query ? `history?${query}` : "history");
    /** @param {string} [cursor] */
    const ask = (cursor) => app.client.rest.listGames({ ...chosen, limit: PAGE, cursor });
    fill(place, () => app.joined().then(() => ask()), ({ items, next_cursor }) => {
      if (!items.length) return [nothing(t("history.none"))];
      const list = el("ul", { className: "cards" }, ...items.map((game) => card(app, game)));
      return [list, more(ask, next_cursor, (games) => list.append(...games.map((game) => card(app, game))))];
    });
  };

  const modes = ["all", ...NAMES].map((name) => ({ name, text: t(name === "all" ? "history.modes" : `mode.${name}`) }));
  root.append(
    head(t("history.title"), t("history.lead")),
    el(
      "div",
      { className: "filters", role: "search" },
      select(t("mode"), modes, mode, (name) => {
        mode = name;
        show();
      }),
      choice(
        t("history.state"),
        STATES.map((name) => ({ name, text: t(`history.${name}`) })),
        state,
        (name) => {
          state = name;
          show();
        },
      ),
    ),
    place,
  );
  show();
}

/**
 * @param {App} app
 * @param {Game | CorruptGame} game
 */
function card(app, game) {
  if (!("board" in game)) return unreadable(app, game);
  const { id, status, outcome, score, max_tile, moves, clock, undo, date, final, assisted } = game;
  const kind = kindOf({ ...game, undo_limit: undo.limit });
  const heading = el("h2", { textContent: date && game.mode === "daily" ? `${kind} · ${shortDay(date)}` : kind });
  const state = el("span", { className: "tag", textContent: outcome ? t(`result.${outcome}`) : t(`watch.${status}`) });
  state.dataset.status = status;
  const go = t(status === "over" ? "history.look" : "history.continue");
  const label = `${heading.textContent}, ${t("points", { n: score })}`;
  return el(
    "li",
    { className: "card" },
    new Diagram(game.board, { silent: true, look: "small" }).element,
    el(
      "div",
      { className: "card-text" },
      heading,
      el("p", { className: "hint", textContent: moment(game.created_at) }),
      el("p", { className: "row" }, state, assisted && el("span", { className: "tag", textContent: t("assisted") })),
      el("p", { className: "card-score" }, el("strong", { textContent: number(score) }), ` ${t("points.word")}`),
      el("p", {
        className: "hint",
        textContent: `${t("highest", { tile: digits(max_tile) })} · ${t("moves.n", { n: moves })} · ${time(clock.active_ms)}`,
      }),
    ),
    el(
      "div",
      { className: "row card-acts" },
      !final &&
        linkTo(go, `#/game/${id}`, { look: status === "over" ? "quiet small" : "small", label: `${go}: ${label}` }),
      linkTo(t("replay"), `#/replay/${id}`, { label: `${t("replay")}: ${label}` }),
      el("details", { className: "save" }, el("summary", { textContent: t("export") }), saves(app, game)),
    ),
  );
}

/**
 * A game whose stored rows cannot be read; they can be taken away as they are.
 *
 * @param {App} app
 * @param {CorruptGame} game
 */
function unreadable(app, game) {
  const text = el(
    "div",
    { className: "card-text" },
    el("h2", { textContent: t(`mode.${game.mode}`) }),
    el("p", { className: "hint", textContent: t("history.corrupt") }),
  );
  return el(
    "li",
    { className: "card" },
    text,
    el("div", { className: "row card-acts" }, button(t("history.raw"), () => saveRows(app, game), { look: "quiet small" })),
  );
}
