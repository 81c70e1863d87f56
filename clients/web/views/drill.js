/** One move, two merges: say what a row becomes, then see it. */

import { el, say } from "../dom.js";
import { t } from "../i18n.js";
import { Diagram } from "./board.js";
import { push } from "./rows.js";
import { button } from "./screen.js";
import { spoken } from "./words.js";

/** @import { Side } from "./rows.js" */

/** Rows in terms of their smallest tile; the first of them merge twice. */
const SHAPES = [
  [1, 1, 1, 1],
  [1, 1, 2, 2],
  [2, 2, 1, 1],
  [1, 1, 4, 4],
  [1, 1, 1, 1],
  [1, 1, 1, 0],
  [0, 1, 1, 1],
  [1, 1, 2, 0],
  [2, 1, 1, 0],
  [0, 1, 1, 2],
  [1, 0, 1, 1],
  [1, 0, 0, 1],
  [2, 1, 1, 2],
];
const SMALLEST = [2, 4, 8, 16, 32, 64];
const SHOWN = 4;
const PAUSE = 250;

/** @typedef {{ row: number[], side: Side, right: number[], answers: number[][] }} Question */

/**
 * @param {(n: number) => number} below A whole number from nought and below this one.
 * @returns {Question}
 */
export function question(below) {
  const unit = SMALLEST[below(SMALLEST.length)];
  const row = SHAPES[below(SHAPES.length)].map((part) => part * unit);
  const side = below(2) ? /** @type {const} */ ("left") : "right";
  const [right] = push(row, side).board;
  const wrong = mistakes(row, side).filter(
    (one, index, all) => !same(one, right) && all.findIndex((other) => same(other, one)) === index,
  );
  const answers = [right, ...wrong.slice(0, SHOWN - 1)];
  for (let last = answers.length - 1; last > 0; last--) {
    const other = below(last + 1);
    [answers[last], answers[other]] = [answers[other], answers[last]];
  }
  return { row, side, right, answers };
}

/**
 * What is often thought: merged again what was merged, from the wrong end, one pair only, none, the other way.
 *
 * @param {number[]} row
 * @param {Side} side
 */
function mistakes(row, side) {
  const other = side === "left" ? "right" : "left";
  const packed = (/** @type {number[]} */ tiles) => {
    const full = tiles.filter(Boolean);
    const free = Array(row.length - full.length).fill(0);
    return side === "left" ? [...full, ...free] : [...free, ...full];
  };
  const [once] = push(row, side).board;
  const full = row.filter(Boolean);
  const tiles = side === "left" ? full : full.toReversed();
  const first = tiles.findIndex((value, index) => value === tiles[index + 1]);
  const pair = tiles.flatMap((value, index) =>
    index === first ? [value * 2] : first >= 0 && index === first + 1 ? [] : [value],
  );
  return [
    push(once, side).board[0],
    packed(push(row, other).board[0]),
    packed(side === "left" ? pair : pair.toReversed()),
    packed(row),
    push(row, other).board[0],
    packed(once.filter(Boolean).map((value, index) => (index ? value : value * 2))),
  ];
}

/**
 * @param {number[]} one
 * @param {number[]} other
 */
const same = (one, other) => one.every((value, index) => value === other[index]);

/** Questions, one after the other. */
export function drill() {
  const place = el("div", { className: "drill" });
  const told = el("p", { className: "drill-told", role: "status" });
  const count = el("p", { className: "hint" });
  let [asked, known] = [0, 0];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let moving;

  const ask = () => {
    const { row, side, right, answers } = question((n) => Math.floor(Math.random() * n));
    const diagram = new Diagram([row], { about: t("drill.row") });
    const next = button(t("drill.next"), ask, { look: "small" });
    next.hidden = true;
    /** @param {number[]} chosen */
    const answer = (chosen) => {
      if (!next.hidden) return;
      const good = same(chosen, right);
      asked += 1;
      known += Number(good);
      for (const [index, made] of buttons.entries()) {
        made.setAttribute("aria-disabled", "true");
        made.classList.toggle("right", same(answers[index], right));
        made.classList.toggle("wrong-one", answers[index] === chosen && !good);
      }
      const pushed = push(row, side);
      moving = setTimeout(() => diagram.move(pushed, 300), PAUSE);
      const merges = new Set(pushed.slides.filter(({ merged }) => merged).map(({ to }) => to)).size;
      say(
        told,
        `${t(good ? "drill.right" : "drill.wrong")} ${t("drill.merges", { n: merges, gain: pushed.score_delta })}`,
      );
      say(count, t("drill.count", { known, asked }));
      next.hidden = false;
      next.focus({ preventScroll: true });
    };
    const buttons = answers.map((cells) => {
      const made = el("button", { type: "button", className: "drill-answer" });
      const said = el("span", { className: "visually-hidden", textContent: spoken([cells]) });
      made.append(new Diagram([cells], { silent: true }).element, said);
      made.addEventListener("click", () => answer(cells));
      return made;
    });
    const focused = place.contains(document.activeElement);
    clearTimeout(moving);
    say(told, "");
    place.replaceChildren(
      el("p", {
        className: "drill-question",
        id: "drill-question",
        textContent: t("drill.ask", { direction: t(`drill.way.${side}`) }),
      }),
      diagram.element,
      el("div", { className: "drill-answers", role: "group", "aria-labelledby": "drill-question" }, ...buttons),
      told,
      el("div", { className: "row" }, next, count),
    );
    if (focused) buttons[0].focus({ preventScroll: true });
  };
  ask();
  return { element: place, end: () => clearTimeout(moving) };
}
