/** The puzzle of a date: when it ends, one's own attempts, its results, and the dates before it. */

/** @import { Daily, Game } from "../../js/src/types.js" */
/** @import { App } from "../app.js" */

import { items } from "../../js/src/rest.js";
import { confirm } from "../dialogs.js";
import { el, say } from "../dom.js";
import { percent, t, wrong } from "../i18n.js";
import { results } from "./daily-results.js";
import { button, copy, facts, fill, head, linkTo, nothing, section } from "./screen.js";
import { squares } from "./squares.js";
import { day, dayAfter, digits, moment, nameOf, number, time } from "./words.js";

const ARCHIVE = 14;
const LINES = { before: "M15 5l-7 7 7 7", after: "M9 5l7 7-7 7" };

export const title = () => t("daily.title");

/**
 * @typedef {object} Sight What is known of a date.
 * @property {Daily} daily
 * @property {string} today
 * @property {number} lead The service's clock before this one, in ms.
 * @property {Game[]} own One's own attempts, the first of them first.
 * @property {boolean} sealed Whether others' games are not to be looked at yet.
 */

/**
 * @param {HTMLElement} root
 * @param {App} app
 * @param {{ date?: string }} params
 */
export function mount(root, app, { date }) {
  const place = el("div", {});
  /** @type {(() => void)[]} */
  const ends = [];
  const end = () => {
    for (const one of ends.splice(0)) one();
  };
  // The link is the way on where there is no puzzle of the date.
  root.append(head(t("daily.title"), t("daily.lead")), place, date ? linkTo(t("daily.today"), "#/daily") : "");
  const show = () => {
    end();
    fill(
      place,
      () => look(app, date),
      (sight) => parts(app, sight, show, ends),
    );
  };
  show();
  return end;
}

/**
 * @param {App} app
 * @param {string | undefined} date
 * @returns {Promise<Sight>}
 */
async function look(app, date) {
  await app.joined();
  const { rest } = app.client;
  const [today, daily] = await Promise.all([rest.getToday(), date ? rest.getDaily(date) : null]);
  const wanted = daily ?? today;
  const [{ as_of }, own] = await Promise.all([rest.getResults(wanted.date, { limit: 1 }), attempts(app, wanted.date)]);
  const sealed = wanted.seed === null && !own.some(({ attempt, final }) => attempt === 1 && final);
  return { daily: wanted, today: today.date, lead: Date.parse(as_of) - Date.now(), own, sealed };
}

/**
 * @param {App} app
 * @param {string} date
 */
async function attempts(app, date) {
  const own = [];
  for await (const game of items((cursor) => app.client.rest.listGames({ mode: "daily", limit: 100, cursor }))) {
    if (!("board" in game)) continue;
    if (game.date === date) own.unshift(game);
    else if (game.date !== null && game.date < date) break;
  }
  return own;
}

/**
 * @param {App} app
 * @param {Sight} sight
 * @param {() => void} anew
 * @param {(() => void)[]} ends
 */
function parts(app, sight, anew, ends) {
  const { daily, today } = sight;
  return [
    dates(app, daily.date, today),
    el("div", { className: "daily-top" }, puzzle(app, sight, anew, ends), mine(app, sight, anew), par(daily)),
    daily.date <= today ? results(app, daily.date, sight.sealed) : null,
    archive(daily.date, today),
  ];
}

/**
 * @param {App} app
 * @param {string} date
 * @param {string} today
 */
function dates(app, date, today) {
  const field = el("input", { type: "date", value: date, max: today, "aria-label": t("daily.date") });
  field.addEventListener("change", () => field.value && field.value !== date && app.navigate(`daily/${field.value}`));
  const go = (/** @type {number} */ days, /** @type {"before" | "after"} */ way) =>
    button("", () => app.navigate(`daily/${dayAfter(date, days)}`), {
      look: "round quiet",
      line: LINES[way],
      label: t(`daily.${way}`),
    });
  const after = go(1, "after");
  after.disabled = date >= today;
  return el(
    "nav",
    { className: "dates-bar", "aria-label": t("daily.date") },
    go(-1, "before"),
    el("h2", { textContent: day(date) }),
    after,
    field,
  );
}

/**
 * The puzzle itself: how long it is open, or how it can still be played.
 *
 * @param {App} app
 * @param {Sight} sight
 * @param {() => void} anew
 * @param {(() => void)[]} ends
 */
function puzzle(app, { daily, today, lead, own }, anew, ends) {
  const { date, closes_at, reveals_at, seed, players, best } = daily;
  const inside = [];
  if (date === today) {
    const clock = el("strong", { className: "countdown", role: "timer" });
    const tick = () => {
      const left = Date.parse(closes_at) - Date.now() - lead;
      say(clock, time(Math.max(0, left), true));
      return left;
    };
    tick();
    const ticking = setInterval(() => tick() <= 0 && anew(), 1000);
    ends.push(() => clearInterval(ticking));
    const open = own.find(({ final }) => !final);
    inside.push(
      el("p", { className: "hint", textContent: t("daily.next") }),
      clock,
      linkTo(t(open ? "daily.go" : own.length ? "daily.again" : "daily.play"), "#/mode/daily", { look: "" }),
    );
  } else if (date > today) inside.push(nothing(t("daily.later")));
  else if (seed) {
    inside.push(
      el("p", { textContent: t("daily.past") }),
      button(t("daily.practise"), () => app.startPractice({ date }), { look: "" }),
    );
  } else inside.push(el("p", { textContent: t("daily.closed", { when: moment(reveals_at) }) }));
  const figures = facts(
    [t("daily.players"), number(players)],
    best && [
      t("daily.best"),
      el("span", {}, number(best.score), el("small", { textContent: ` ${nameOf(best.player)}` })),
    ],
  );
  return el("section", { className: "panel" }, el("h3", { textContent: t("daily.puzzle") }), ...inside, figures);
}

/**
 * What the solver made of the tiles once they are shown, beside what players did, and how lucky these were.
 *
 * @param {Daily} daily
 */
function par({ par: told }) {
  if (!told) return null;
  const { levels, best, median, luck } = told;
  return el(
    "section",
    { className: "panel" },
    el("h3", { textContent: t("par") }),
    facts(
      ...levels.map(({ level, score, max_tile }) => {
        const tile = el("small", { textContent: ` ${t("records.tile")} ${number(max_tile)}` });
        return /** @type {const} */ ([t("par.level", { n: level }), el("span", {}, number(score), tile)]);
      }),
      best !== null && [t("daily.best"), number(best)],
      median !== null && [t("par.median"), number(median)],
    ),
    el("p", { className: "hint", textContent: t("par.luck", { ...luck, share: percent(luck.share) }) }),
  );
}

/**
 * One's own attempts, and how to see what the others did.
 *
 * @param {App} app
 * @param {Sight} sight
 * @param {() => void} anew
 */
function mine(app, { daily, own, sealed }, anew) {
  const list = own.map((game) => {
    const { attempt, score, max_tile, moves, outcome, id, assisted } = game;
    const told = [t("points", { n: score }), digits(max_tile), t("moves.n", { n: moves })].join(" · ");
    return el(
      "li",
      {},
      el(
        "span",
        {},
        el("strong", { textContent: t("daily.attempt", { n: attempt }) }),
        el("small", { textContent: outcome ? t(`result.${outcome}`) : t("ended.not") }),
        assisted && el("span", { className: "tag", textContent: t("assisted") }),
      ),
      el("span", { textContent: told }),
      el(
        "span",
        { className: "row" },
        linkTo(t("replay"), `#/replay/${id}`, { label: `${t("replay")}: ${t("daily.attempt", { n: attempt })}` }),
        outcome !== null &&
          button(t("share"), () => copy(app, t("share"), squares(game)), {
            look: "quiet small",
            label: `${t("share")}: ${t("daily.attempt", { n: attempt })}`,
          }),
      ),
    );
  });
  const first = own[0];
  const keepsUndo = sealed && first?.status === "over" && !first.final;
  const giveUp = async () => {
    const words = { title: t("daily.reveal.title"), text: t("daily.reveal.text"), yes: t("daily.reveal.yes") };
    if (!(await confirm(words))) return;
    await app.client.rest
      .abandon(first.id)
      .catch((error) => app.notices.show("failed", wrong(error)));
    anew();
  };
  return el(
    "section",
    { className: "panel" },
    el("h3", { textContent: t("daily.mine") }),
    list.length ? el("ul", { className: "attempts" }, ...list) : nothing(t("daily.mine.none")),
    keepsUndo && el("p", { className: "hint", textContent: t("daily.reveal.hint") }),
    keepsUndo && button(t("daily.reveal.yes"), giveUp, { look: "quiet small" }),
    sealed &&
      !keepsUndo &&
      el("p", { className: "hint", textContent: t("daily.sealed", { when: moment(daily.reveals_at) }) }),
  );
}

/**
 * @param {string} date
 * @param {string} today
 */
function archive(date, today) {
  const latest = Array.from({ length: ARCHIVE }, (_, days) => dayAfter(today, -days - 1));
  const links = latest.map((past) => {
    const link = linkTo(day(past), `#/daily/${past}`, { look: "plain" });
    if (past === date) link.setAttribute("aria-current", "page");
    return el("li", {}, link);
  });
  return section(
    t("daily.archive"),
    el("p", { className: "hint", textContent: t("daily.archive.text") }),
    el("ul", { className: "dates" }, ...links),
  );
}
