/** The rules, the keys and the tiles. */

import { el } from "../dom.js";
import { NAMES } from "../game/modes.js";
import { t } from "../i18n.js";
import { tileOf } from "./board.js";
import { playable } from "./rows.js";
import { head, linkTo, section, table } from "./screen.js";

const ROWS = /** @type {const} */ ([
  ["pair", [0, 2, 0, 2]],
  ["two", [2, 2, 2, 2]],
  ["once", [2, 2, 4, 0]],
  ["edge", [2, 2, 2, 0]],
  ["three", [4, 4, 4, 0]],
  ["none", [2, 4, 2, 4]],
]);
const CONTROLS = ["move", "letters", "touch", "undo", "hint", "pause", "new"];
const HIGHEST = 2 ** 17;

export const title = () => t("rules.title");

/** @param {HTMLElement} root */
export function mount(root) {
  const row = (/** @type {string} */ name, /** @type {string} */ text) =>
    el("tr", {}, el("th", { scope: "row", textContent: name }), el("td", { textContent: text }));
  const tiles = [];
  for (let value = 2; value <= HIGHEST; value *= 2) tiles.push(el("li", {}, tileOf(value)));
  const controls = CONTROLS.map((name) => row(t(`rules.control.${name}`), t(`rules.control.${name}.how`)));
  const modes = NAMES.map((mode) => row(t(`mode.${mode}`), t(`rules.mode.${mode}`)));
  root.append(
    head(t("rules.title"), t("rules.lead")),
    section(
      t("rules.merge"),
      el("p", { textContent: t("rules.merge.text") }),
      el(
        "ul",
        { className: "playables" },
        ...ROWS.map(([name, cells]) => playable([...cells], t(`rules.row.${name}`))),
      ),
      el("p", { className: "hint", textContent: t("rules.merge.try") }),
    ),
    section(
      t("rules.course"),
      el(
        "ul",
        { className: "prose" },
        ...["spawn", "still", "score", "goal", "end", "undo"].map((name) =>
          el("li", { textContent: t(`rules.course.${name}`) }),
        ),
      ),
    ),
    section(t("rules.controls"), table(t("rules.controls"), [t("rules.what"), t("rules.how")], controls).element),
    section(t("rules.modes"), table(t("rules.modes"), [t("mode"), t("rules.how")], modes).element),
    section(
      t("rules.tiles"),
      el("p", { textContent: t("rules.tiles.text") }),
      el("ol", { className: "ladder" }, ...tiles),
    ),
    section(
      t("rules.fair"),
      el("p", { textContent: t("rules.fair.text") }),
      el("div", { className: "row" }, linkTo(t("verify.title"), "#/verify"), linkTo(t("strategy.title"), "#/strategy")),
    ),
  );
}
