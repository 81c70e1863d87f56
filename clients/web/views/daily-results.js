/** Who played a date how well, in four orders, and games picked to be laid side by side. */

/** @import { Result } from "../../js/src/types.js" */
/** @import { App } from "../app.js" */

import { el } from "../dom.js";
import { t } from "../i18n.js";
import { field, orderTold, ranking } from "./ranking.js";
import { choice, fill, linkTo, more, nothing, section } from "./screen.js";
import { clockTime, nameOf } from "./words.js";

const ORDERS = /** @type {const} */ (["score", "max_tile", "moves", "time"]);
const ATTEMPTS = /** @type {const} */ (["first", "best"]);
const COMPARED = 4;

/**
 * @param {App} app
 * @param {string} date
 * @param {boolean} sealed Whether others' games are not to be looked at yet.
 */
export function results(app, date, sealed) {
  const place = el("div", {});
  /** @type {typeof ORDERS[number]} */
  let order = "score";
  /** @type {typeof ATTEMPTS[number]} */
  let attempt = "first";
  let among = {};
  /** @type {Set<string>} */
  const picked = new Set();
  const compare = linkTo("", "", { look: "small" });
  const picking = el("div", { className: "picking", hidden: true, role: "status" }, compare);
  const choose = () => {
    picking.hidden = picked.size === 0;
    const enough = picked.size > 1;
    compare.textContent = enough ? t("compare.n", { n: picked.size }) : t("compare.one");
    if (enough) compare.setAttribute("href", `#/compare/${date}/${[...picked].join(",")}`);
    else compare.removeAttribute("href");
    for (const box of place.querySelectorAll("input")) box.disabled = picked.size >= COMPARED && !box.checked;
  };
  /** @param {Result} result */
  const pick = ({ game, player, score }) => {
    const label = t("compare.this", { name: nameOf(player), score });
    const checked = picked.has(game);
    const disabled = picked.size >= COMPARED && !checked;
    const box = el("input", { type: "checkbox", checked, disabled, "aria-label": label });
    box.addEventListener("change", () => {
      if (box.checked) picked.add(game);
      else picked.delete(game);
      choose();
    });
    return box;
  };
  const me = app.session.playerId;
  const show = () => {
    /** @param {string} [cursor] */
    const ask = (cursor) => app.client.rest.getResults(date, { order, attempt, ...among, limit: 50, cursor });
    fill(place, () => ask(), ({ items: found, me: own, next_cursor }) => {
      if (!found.length) return [nothing(t("daily.none"))];
      const open = (/** @type {Result} */ { player }) => !sealed || player.id === me;
      const list = ranking(found, own, {
        caption: t("daily.results"),
        me,
        when: clockTime,
        open,
        pick: sealed ? null : pick,
      });
      return [own && rankOf(own), orderTold(order), list.element, more(ask, next_cursor, list.add)];
    });
  };
  show();
  const orders = ORDERS.map((name) => ({ name, text: t(`order.${name}`) }));
  const attempts = ATTEMPTS.map((name) => ({ name, text: t(`attempts.${name}`) }));
  return section(
    t("daily.results"),
    el(
      "div",
      { className: "filters" },
      choice(t("order"), orders, order, (name) => {
        order = name;
        show();
      }),
      choice(t("attempts"), attempts, attempt, (name) => {
        attempt = name;
        show();
      }),
      field((chosen) => {
        among = chosen;
        show();
      }),
    ),
    place,
    picking,
  );
}

/** @param {Result} own */
function rankOf({ rank, score }) {
  return el("p", { className: "own-rank", textContent: t("daily.rank", { rank, score }) });
}
