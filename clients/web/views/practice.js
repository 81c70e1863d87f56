/** A board of one's own to play from, and drills. */

/** @import { Board } from "../../js/src/types.js" */
/** @import { App } from "../app.js" */

import { emptyBoard } from "../../js/src/board.js";
import { el, say } from "../dom.js";
import { t } from "../i18n.js";
import { tileOf } from "./board.js";
import { drill } from "./drill.js";
import { button, head, linkTo, section, select } from "./screen.js";
import { digits } from "./words.js";

const SIZES = [3, 4, 5, 6, 7, 8];
/** Values of the palette: 0 takes a tile away. */
const VALUES = [0, ...Array.from({ length: 17 }, (_, power) => 2 ** (power + 1))];
const EXAMPLES = /** @type {{ [name: string]: Board }} */ ({
  start: [
    [0, 0, 0, 0],
    [0, 2, 0, 0],
    [0, 0, 0, 0],
    [0, 0, 2, 0],
  ],
  last: [
    [2, 0, 0, 0],
    [4, 8, 2, 0],
    [64, 32, 16, 8],
    [128, 256, 512, 1024],
  ],
  tight: [
    [2, 4, 2, 4],
    [4, 8, 16, 2],
    [8, 32, 64, 8],
    [512, 256, 128, 0],
  ],
  goal: [
    [0, 0, 0, 0],
    [0, 0, 0, 0],
    [2, 4, 2, 0],
    [1024, 1024, 64, 8],
  ],
});

export const title = () => t("practice.title");

/**
 * @param {HTMLElement} root
 * @param {App} app
 */
export function mount(root, app) {
  const drills = drill();
  root.append(
    head(t("practice.title"), t("practice.lead")),
    editor(app),
    section(t("drill.title"), el("p", { textContent: t("drill.lead") }), drills.element),
    section(
      t("practice.past"),
      el("p", { textContent: t("practice.past.text") }),
      el("div", { className: "row" }, linkTo(t("daily.archive"), "#/daily")),
    ),
  );
  return () => drills.end();
}

/** @param {App} app */
function editor(app) {
  /** @type {Board} */
  let board = EXAMPLES.start.map((row) => [...row]);
  let value = 2;
  const grid = el("div", { className: "editor-board", role: "group", "aria-label": t("practice.board") });
  const told = el("p", { className: "hint", role: "status" });

  const draw = () => {
    grid.style.setProperty("--columns", String(board.length));
    grid.replaceChildren(...board.flatMap((row, y) => row.map((_, x) => cell(x, y))));
    begin();
  };
  /**
   * @param {number} x
   * @param {number} y
   */
  const cell = (x, y) => {
    const made = el("button", { type: "button", className: "editor-cell" });
    const face = () => {
      const now = board[y][x];
      made.replaceChildren(...(now ? [tileOf(now)] : []));
      const label = { row: y + 1, column: x + 1, value: now ? digits(now) : t("board.empty") };
      made.setAttribute("aria-label", t("practice.cell", label));
    };
    const put = (/** @type {number} */ wanted) => {
      board[y][x] = wanted;
      face();
      begin();
    };
    made.addEventListener("click", () => put(board[y][x] === value ? 0 : value));
    made.addEventListener("keydown", (event) => {
      const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [
        0, 0,
      ];
      if (event.key === "Delete" || event.key === "Backspace") put(0);
      else if (dx || dy) at(x + dx, y + dy)?.focus();
      else return;
      event.preventDefault();
    });
    face();
    return made;
  };
  const at = (/** @type {number} */ x, /** @type {number} */ y) => {
    const size = board.length;
    const inside = x >= 0 && y >= 0 && x < size && y < size;
    return inside ? /** @type {HTMLElement} */ (grid.children[y * size + x]) : null;
  };

  const go = button(t("practice.go"), () => void (board.flat().some(Boolean) && app.startPractice({ board })), {
    look: "",
  });
  const begin = () => {
    const empty = !board.flat().some(Boolean);
    go.setAttribute("aria-disabled", String(empty));
    say(told, empty ? t("practice.empty") : "");
  };
  /** @param {Board} wanted */
  const take = (wanted) => {
    board = wanted.map((row) => [...row]);
    sizes.querySelectorAll("select")[0].value = String(board.length);
    draw();
  };
  const sizes = select(
    t("size"),
    SIZES.map((n) => ({ name: String(n), text: `${n} × ${n}` })),
    "4",
    (name) => {
      const before = board;
      board = emptyBoard(Number(name)).map((row, y) => row.map((_, x) => before[y]?.[x] ?? 0));
      draw();
    },
  );
  const current = app.session.state;
  const examples = Object.entries(EXAMPLES).map(([name, example]) =>
    button(t(`practice.example.${name}`), () => take(example), { look: "quiet small" }),
  );
  draw();
  return section(
    t("practice.set"),
    el(
      "div",
      { className: "editor" },
      grid,
      el(
        "div",
        { className: "editor-side" },
        sizes,
        palette(value, (chosen) => (value = chosen)),
        el(
          "div",
          { className: "row", role: "group", "aria-label": t("practice.examples") },
          ...examples,
          current && button(t("practice.current"), () => take(current.board), { look: "quiet small" }),
          button(t("practice.clear"), () => take(emptyBoard(board.length)), { look: "quiet small" }),
        ),
        el("div", { className: "row" }, go),
        told,
      ),
    ),
  );
}

/**
 * @param {number} chosen
 * @param {(value: number) => void} choose
 */
function palette(chosen, choose) {
  const radios = VALUES.map((value) => {
    const radio = el("input", {
      type: "radio",
      name: "value",
      value: String(value),
      checked: value === chosen,
      className: "visually-hidden",
    });
    radio.addEventListener("change", () => choose(value));
    const face = value
      ? tileOf(value)
      : el("span", { className: "face none", textContent: "×", "aria-hidden": "true" });
    return el(
      "label",
      {},
      radio,
      face,
      value === 0 && el("span", { className: "visually-hidden", textContent: t("practice.remove") }),
    );
  });
  return el("fieldset", { className: "palette" }, el("legend", { textContent: t("practice.tile") }), ...radios);
}
