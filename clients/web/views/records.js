/** The player's own bests. */

/** @import { CategoryRecord, Records } from "../../js/src/types.js" */
/** @import { App } from "../app.js" */

import { el } from "../dom.js";
import { t } from "../i18n.js";
import { tileOf } from "./board.js";
import { cell, facts, fill, head, linkTo, nothing, section, table } from "./screen.js";
import { day, digits, kindOf, number, time } from "./words.js";

/** Up to here tiles are shown as something to reach. */
const AHEAD = 2048;
const DATES = 14;

export const title = () => t("records.title");

/**
 * @param {HTMLElement} root
 * @param {App} app
 */
export function mount(root, app) {
  const place = el("div", {});
  root.append(head(t("records.title"), t("records.lead")), place);
  fill(
    place,
    () => app.joined().then(() => app.client.rest.getRecords()),
    (records) =>
      records.totals.moves || records.totals.finished
        ? [totals(records), ladder(records.totals.best_max_tile), list(records.categories), dates(records)]
        : [nothing(t("records.none")), linkTo(t("nav.play"), "#/", { look: "" })],
  );
}

/** @param {Records} records */
function totals({ totals: { best_score, best_max_tile, finished, goals, moves, active_ms }, daily_attempts }) {
  const figures = facts(
    [t("records.best"), number(best_score)],
    [t("records.tile"), digits(best_max_tile)],
    [t("records.finished"), number(finished)],
    [t("records.goals"), number(goals)],
    [t("figure.moves"), number(moves)],
    [t("records.time"), time(active_ms)],
    [t("records.attempts"), number(daily_attempts)],
  );
  figures.classList.add("many");
  return section(null, figures);
}

/** @param {number} reached */
function ladder(reached) {
  const steps = [];
  for (let value = 2; value <= Math.max(reached, AHEAD); value *= 2) {
    const missing = value > reached;
    const step = el("li", { className: missing ? "missing" : "" }, tileOf(value));
    step.append(
      el("span", { className: "visually-hidden", textContent: missing ? t("records.missing") : t("records.reached") }),
    );
    steps.push(step);
  }
  return section(t("records.tiles"), el("ol", { className: "ladder" }, ...steps));
}

/** @param {CategoryRecord[]} categories */
function list(categories) {
  const columns = [
    t("mode"),
    { text: t("records.best"), look: "number" },
    { text: t("figure.max"), look: "number" },
    { text: t("records.finished"), look: "number wide" },
    { text: t("records.goals"), look: "number wide" },
    { text: t("figure.moves"), look: "number wide" },
    { text: t("records.time"), look: "number wide" },
  ];
  const played = categories.filter(({ moves }) => moves > 0);
  const rows = played.map((one) =>
    el(
      "tr",
      {},
      el(
        "th",
        { scope: "row", className: "name" },
        linkTo(kindOf(one), `#/leaders/${one.category}/all`, {
          look: "plain",
          label: `${kindOf(one)}: ${t("nav.leaders")}`,
        }),
        el("span", {
          className: "below",
          textContent: `${t("records.finished.n", { n: one.finished })} · ${time(one.active_ms)}`,
        }),
      ),
      cell(number(one.best_score), "number strong"),
      cell(digits(one.best_max_tile)),
      cell(number(one.finished), "number wide"),
      cell(number(one.goals), "number wide"),
      cell(number(one.moves), "number wide"),
      cell(time(one.active_ms), "number wide"),
    ),
  );
  return section(t("records.categories"), table(t("records.categories"), columns, rows).element);
}

/** @param {Records} records */
function dates({ daily_dates }) {
  if (!daily_dates.length) return null;
  const latest = daily_dates.toSorted().reverse();
  const links = latest
    .slice(0, DATES)
    .map((date) => el("li", {}, linkTo(day(date), `#/daily/${date}`, { look: "plain" })));
  return section(
    t("records.dates"),
    el("p", { className: "hint", textContent: t("records.dates.n", { n: latest.length }) }),
    el("ul", { className: "dates" }, ...links),
  );
}
