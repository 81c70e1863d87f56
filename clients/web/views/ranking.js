/** Rankings as tables. */

/** @import { Result } from "../../js/src/types.js" */

import { el } from "../dom.js";
import { t } from "../i18n.js";
import { cell, linkTo, select, table } from "./screen.js";
import { date, digits, nameOf, number, time } from "./words.js";

/**
 * What a ranking shows: `open`, whether paths may be seen; `pick`, what a box before each row is for.
 *
 * @typedef {object} Look
 * @property {string} caption
 * @property {string | null} [me] One's own player.
 * @property {(instant: string) => string} [when] How an end is told.
 * @property {(result: Result) => boolean} [open]
 * @property {((result: Result) => HTMLElement | null) | null} [pick]
 */

/**
 * @param {Result[]} results
 * @param {Result | null} own Shown below where it is not among them.
 * @param {Look} look
 */
export function ranking(results, own, look) {
  const columns = [
    ...(look.pick ? [{ text: t("compare.pick"), look: "narrow pick" }] : []),
    { text: t("rank"), look: "number narrow" },
    t("player"),
    { text: t("score"), look: "number" },
    { text: t("figure.max"), look: "number wide" },
    { text: t("figure.moves"), look: "number wide" },
    { text: t("figure.time"), look: "number wide" },
    { text: t("ended"), look: "wide" },
    "",
  ];
  const below = own && !results.some(({ game }) => game === own.game) ? own : null;
  const { element, body } = table(
    look.caption,
    columns,
    results.map((result) => row(result, look)),
  );
  const apart = below && row(below, look);
  apart?.classList.add("apart");
  if (apart) body.append(apart);
  /** @param {Result[]} further */
  const add = (further) => {
    if (further.some(({ game }) => game === below?.game)) apart?.remove();
    const rows = further.map((result) => row(result, look));
    if (apart?.isConnected) apart.before(...rows);
    else body.append(...rows);
  };
  return { element, add };
}

/**
 * Figures below a name, where there is no room for columns.
 *
 * @param {Result} result
 */
export function figuresBelow({ max_tile, moves, active_ms }) {
  const told = [digits(max_tile), t("moves.n", { n: moves }), time(active_ms)];
  return el("span", { className: "below", textContent: told.join(" · ") });
}

/**
 * @param {Result} result
 * @param {Look} look
 */
function row(result, { me = null, when = date, open = () => true, pick = null }) {
  const { rank, player, score, max_tile, moves, active_ms, ended_at, assisted } = result;
  const mine = player.id === me;
  const name = el(
    "th",
    { scope: "row", className: "name" },
    el("span", { textContent: nameOf(player) }),
    mine && el("span", { className: "tag", textContent: t("you") }),
    assisted && el("span", { className: "tag", textContent: t("assisted") }),
    figuresBelow(result),
  );
  return el(
    "tr",
    { className: mine ? "mine" : "" },
    pick && el("td", { className: "narrow" }, pick(result)),
    cell(rank === null ? "–" : number(rank), "number narrow"),
    name,
    cell(number(score), "number strong"),
    cell(digits(max_tile), "number wide"),
    cell(number(moves), "number wide"),
    cell(time(active_ms), "number wide"),
    cell(ended_at ? when(ended_at) : "–", "wide"),
    el("td", { className: "narrow" }, open(result) && watchLink(result)),
  );
}

/** @param {Result} result */
function watchLink({ game, player, score }) {
  const label = t("replay.of", { name: nameOf(player), score });
  return linkTo(t("replay"), `#/replay/${game}`, { look: "plain", label });
}

const WHO = /** @type {const} */ (["people", "assisted", "bots"]);

/**
 * Whose games are listed: those of people without hints, with them too, or of bots.
 *
 * @param {(field: { assisted?: boolean, bots?: boolean }) => void} choose
 */
export function field(choose) {
  const choices = WHO.map((name) => ({ name, text: t(`who.${name}`) }));
  return select(t("who"), choices, "people", (name) => choose(name === "people" ? {} : { [name]: true }));
}

/**
 * What a list is ordered by, in words.
 *
 * @param {"score" | "max_tile" | "moves" | "time"} order
 */
export function orderTold(order) {
  return el("p", { className: "hint", textContent: [t(`order.told.${order}`), t("order.ties")].join(" ") });
}
