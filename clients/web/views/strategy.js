/** How to get far. */

/** @import { Board } from "../../js/src/types.js" */
/** @import { App } from "../app.js" */

import { el } from "../dom.js";
import { number, t } from "../i18n.js";
import { Diagram, tileOf } from "./board.js";
import { button, head, linkTo, section } from "./screen.js";

/** @type {Board} */
const CORNER = [
  [0, 0, 0, 2],
  [0, 2, 4, 4],
  [8, 16, 32, 16],
  [512, 256, 128, 64],
];
/** @type {Board} */
const SPACE = [
  [0, 0, 0, 0],
  [2, 0, 0, 0],
  [8, 4, 2, 0],
  [256, 128, 32, 16],
];
const STAGES = /** @type {const} */ ([
  ["early", 128],
  ["middle", 512],
  ["late", 1024],
  ["beyond", 2048],
]);
/** @type {[name: string, board: Board][]} */
const MISTAKES = [
  [
    "up",
    [
      [256, 2, 0, 0],
      [2, 0, 0, 0],
      [8, 4, 2, 0],
      [0, 64, 16, 8],
    ],
  ],
  [
    "chase",
    [
      [2, 0, 0, 2],
      [4, 128, 0, 0],
      [8, 2, 0, 128],
      [32, 16, 4, 2],
    ],
  ],
  [
    "bury",
    [
      [0, 0, 2, 4],
      [4, 8, 16, 2],
      [32, 64, 8, 4],
      [2, 256, 128, 16],
    ],
  ],
  [
    "fast",
    [
      [2, 4, 2, 4],
      [4, 16, 4, 2],
      [8, 32, 8, 4],
      [256, 64, 16, 2],
    ],
  ],
];

export const title = () => t("strategy.title");

/**
 * @param {HTMLElement} root
 * @param {App} app
 */
export function mount(root, app) {
  root.append(
    head(t("strategy.title"), t("strategy.lead")),
    lesson(app, "corner", CORNER),
    lesson(app, "space", SPACE),
    section(t("strategy.stages"), el("ol", { className: "stages" }, ...STAGES.map(stage))),
    section(t("strategy.mistakes"), el("ul", { className: "mistakes" }, ...MISTAKES.map(mistake))),
    section(
      t("strategy.now"),
      el("p", { textContent: t("strategy.now.text") }),
      el("div", { className: "row" }, linkTo(t("practice.title"), "#/practice"), linkTo(t("rules.title"), "#/rules")),
    ),
  );
}

/**
 * @param {App} app
 * @param {"corner" | "space"} name
 * @param {Board} board
 */
function lesson(app, name, board) {
  const points = ["1", "2", "3"].map((point) => el("li", { textContent: t(`strategy.${name}.${point}`) }));
  const go = button(t("strategy.try"), () => app.startPractice({ board }), {
    look: "quiet small",
    label: [t("strategy.try"), t(`strategy.${name}`)].join(": "),
  });
  return section(
    t(`strategy.${name}`),
    el(
      "div",
      { className: "lesson" },
      new Diagram(board, { about: t("strategy.example") }).element,
      el(
        "div",
        { className: "prose" },
        el("p", { textContent: t(`strategy.${name}.text`) }),
        el("ul", {}, ...points),
        go,
      ),
    ),
  );
}

/** @param {typeof STAGES[number]} stage */
function stage([name, until]) {
  const title = t(`strategy.stage.${name}`, { tile: number(until) });
  return el(
    "li",
    {},
    tileOf(until),
    el("div", {}, el("h3", { textContent: title }), el("p", { textContent: t(`strategy.stage.${name}.text`) })),
  );
}

/** @param {typeof MISTAKES[number]} mistake */
function mistake([name, board]) {
  const text = t(`strategy.mistake.${name}`);
  return el(
    "li",
    {},
    new Diagram(board, { about: t("strategy.example"), look: "small" }).element,
    el("div", {}, el("h3", { textContent: text }), el("p", { textContent: t(`strategy.mistake.${name}.text`) })),
  );
}
