/** The best of each player, by category and period. */

/** @import { Period } from "../../js/src/rest.js" */
/** @import { App } from "../app.js" */

import { el } from "../dom.js";
import { NAMES, SIZES } from "../game/modes.js";
import { t } from "../i18n.js";
import { field, orderTold, ranking } from "./ranking.js";
import { choice, fill, head, more, nothing, remember, select } from "./screen.js";
import { kindOf } from "./words.js";

const PERIODS = /** @type {const} */ (["day", "week", "month", "all"]);
const MODES = NAMES.filter((mode) => mode !== "practice");
const UNDOS = [1, 5, 0];

export const title = () => t("leaders.title");

/**
 * @param {HTMLElement} root
 * @param {App} app
 * @param {{ category?: string, period?: string }} params
 */
export function mount(root, app, { category = "", period: wanted }) {
  const [mode, size, undo] = category.split("-");
  const known = MODES.includes(mode);
  const kind = {
    mode: known ? mode : "classic",
    size: SIZES.find((one) => known && one === Number(size)) ?? 4,
    undo_limit: UNDOS.find((one) => known && undo !== undefined && one === Number(undo)) ?? 1,
  };
  /** @type {Period} */
  let period = PERIODS.find((one) => one === wanted) ?? "all";
  const place = el("div", {});
  const options = el("div", { className: "filters" });
  let among = {};

  const show = () => {
    if (kind.mode !== "classic") Object.assign(kind, { size: 4, undo_limit: 1 });
    const { mode, size, undo_limit } = kind;
    sizes.hidden = undos.hidden = mode !== "classic";
    remember(`leaders/${mode}-${size}-${undo_limit}/${period}`);
    /** @param {string} [cursor] */
    const ask = (cursor) => app.client.rest.getLeaderboard({ ...kind, ...among, period, limit: 50, cursor });
    fill(place, () => app.joined().then(() => ask()), ({ items, me, next_cursor }) => {
      if (!items.length) return [nothing(t("leaders.none"))];
      const list = ranking(items, me, { caption: `${t("leaders.title")}: ${kindOf(kind)}`, me: app.session.playerId });
      return [orderTold("score"), list.element, more(ask, next_cursor, list.add)];
    });
  };

  /** @param {(value: string) => void} set */
  const and = (set) => (/** @type {string} */ value) => {
    set(value);
    show();
  };
  const named = (/** @type {number} */ n) => ({ name: String(n), text: `${n} × ${n}` });
  const modes = MODES.map((name) => ({ name, text: t(`mode.${name}`) }));
  const sizes = select(
    t("size"),
    SIZES.map(named),
    String(kind.size),
    and((value) => (kind.size = Number(value))),
  );
  const undos = select(
    t("undos"),
    UNDOS.map((n) => ({ name: String(n), text: t("undos.n", { n }) })),
    String(kind.undo_limit),
    and((value) => (kind.undo_limit = Number(value))),
  );
  const periods = PERIODS.map((name) => ({ name, text: t(`period.${name}`) }));
  options.append(
    select(
      t("mode"),
      modes,
      kind.mode,
      and((value) => (kind.mode = value)),
    ),
    sizes,
    undos,
    choice(t("period"), periods, period, (name) => {
      period = name;
      show();
    }),
    field((chosen) => {
      among = chosen;
      show();
    }),
  );
  root.append(head(t("leaders.title"), t("leaders.lead")), options, place);
  show();
}
