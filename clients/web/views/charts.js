/** Lines over moves: drawn with axes for those who look, and a table of the same figures for everybody. */

import { el } from "../dom.js";
import { number, t } from "../i18n.js";

const SVG = "http://www.w3.org/2000/svg";
const LETTERS = "ABCD";
const SPACE = { top: 30, right: 26, bottom: 46 };
const ROWS = 40;

/**
 * @typedef {object} Line
 * @property {string} name
 * @property {number[]} values One a move, the first is the start.
 * @property {boolean} [peaks] Where there is no room for all of them, the highest are seen.
 */

/**
 * @param {{ title: string, across: string, up: string, lines: Line[], format?: (value: number) => string,
 *   pick?: (index: number) => void, dots?: number[], tall?: number }} wanted `pick` is called with the move that is
 *   pressed on; `dots` are moves of the first line that stand out.
 */
export function chart({ title, across, up, lines, format = number, pick, dots = [], tall = 280 }) {
  const drawing = shape("svg", { class: "chart-lines", role: "img", "aria-label": summary(title, lines, format) });
  const longest = Math.max(1, ...lines.map(({ values }) => values.length - 1));
  const highest = Math.max(1, ...lines.flatMap(({ values }) => values));
  const cursor = shape("line", { class: "chart-cursor" });
  let marked = -1;
  let [left, width] = [0, 0];
  const bottom = tall - SPACE.bottom;
  const x = (/** @type {number} */ index) => left + (index / longest) * (width - left - SPACE.right);
  const y = (/** @type {number} */ value) => bottom - (value / top) * (bottom - SPACE.top);
  const levels = ticks(highest, 4);
  const top = levels[levels.length - 1];

  const draw = () => {
    width = Math.max(240, Math.round(frame.clientWidth));
    left = 14 + 7.5 * Math.max(...levels.map((level) => format(level).length));
    drawing.setAttribute("viewBox", `0 0 ${width} ${tall}`);
    const many = Math.max(2, Math.floor(width / 90));
    const moves = ticks(longest, many).filter((move) => move <= longest);
    drawing.replaceChildren(
      ...levels.flatMap((level) => [
        shape("line", { class: "chart-grid", x1: left, x2: width - SPACE.right, y1: y(level), y2: y(level) }),
        text(format(level), { x: left - 8, y: y(level) + 4, "text-anchor": "end" }),
      ]),
      ...moves.flatMap((move) => [
        shape("line", { class: "chart-tick", x1: x(move), x2: x(move), y1: bottom, y2: bottom + 5 }),
        text(number(move), { x: x(move), y: bottom + 20, "text-anchor": "middle" }),
      ]),
      shape("path", { class: "chart-axis", d: `M${left} ${SPACE.top}V${bottom}H${width - SPACE.right}` }),
      text(up, { x: 2, y: 14, class: "chart-name" }),
      text(across, { x: width - SPACE.right, y: tall - 6, "text-anchor": "end", class: "chart-name" }),
      cursor,
      ...lines.map((line, index) => shape("path", { class: `chart-line line-${index}`, d: path(line) })),
      ...dots.map((move) =>
        shape("circle", { class: "chart-end line-0", cx: x(move), cy: y(lines[0].values[move]), r: 4 }),
      ),
      ...(lines.length > 1 ? ends() : []),
    );
    mark(marked);
  };

  /** @param {Line} line */
  const path = ({ values, peaks }) => {
    const every = Math.max(1, Math.floor(values.length / width));
    const points = values.flatMap((value, index) => {
      if (index % every && index !== values.length - 1) return [];
      const seen = peaks ? Math.max(...values.slice(index, index + every)) : value;
      return [`${x(index).toFixed(1)} ${y(seen).toFixed(1)}`];
    });
    return `M${points.join("L")}`;
  };

  /** Each line's letter where it ends; those that end on one spot stand one above the other. */
  const ends = () => {
    const placed = lines
      .map(({ values }, index) => ({ index, at: x(values.length - 1), level: y(values[values.length - 1]) }))
      .sort((a, b) => a.level - b.level);
    /** @type {typeof placed} */
    const before = [];
    return placed.flatMap((end) => {
      for (const other of before) {
        if (Math.abs(other.at - end.at) < 20 && end.level - other.level < 19) end.level = other.level + 19;
      }
      before.push(end);
      return [
        shape("circle", { class: `chart-end line-${end.index}`, cx: end.at + 12, cy: end.level, r: 9 }),
        text(LETTERS[end.index], { class: "chart-letter", x: end.at + 12, y: end.level + 4, "text-anchor": "middle" }),
      ];
    });
  };

  /**
   * Show where one is.
   *
   * @param {number} index
   */
  const mark = (index) => {
    marked = index;
    cursor.setAttribute("visibility", index < 0 ? "hidden" : "visible");
    for (const end of ["x1", "x2"]) cursor.setAttribute(end, String(x(index)));
    cursor.setAttribute("y1", String(SPACE.top));
    cursor.setAttribute("y2", String(bottom));
  };

  if (pick) {
    const to = (/** @type {PointerEvent} */ event) => {
      const box = drawing.getBoundingClientRect();
      const at = ((event.clientX - box.left) / box.width) * width;
      pick(Math.round(Math.min(1, Math.max(0, (at - left) / (width - left - SPACE.right))) * longest));
    };
    drawing.addEventListener("pointerdown", (event) => {
      drawing.setPointerCapture(event.pointerId);
      to(event);
    });
    drawing.addEventListener("pointermove", (event) => event.buttons && to(event));
    drawing.classList.add("pickable");
  }
  const frame = el("div", { className: "chart-frame" }, drawing);
  frame.style.setProperty("--tall", `${tall}px`);
  const watching = new ResizeObserver(() => Math.round(frame.clientWidth) !== width && frame.clientWidth && draw());
  watching.observe(frame);
  const element = el(
    "figure",
    { className: "chart" },
    el("figcaption", { textContent: title }),
    frame,
    lines.length > 1 && legend(lines),
    behind(title, across, lines, longest, format),
  );
  return { element, mark, stop: () => watching.disconnect() };
}

/**
 * The letter that stands for a line.
 *
 * @param {number} index
 */
export function letter(index) {
  return el("span", { className: `letter line-${index}`, textContent: LETTERS[index] });
}

/** @param {Line[]} lines */
function legend(lines) {
  const entries = lines.map(({ name }, index) => el("li", {}, letter(index), el("span", { textContent: name })));
  return el("ul", { className: "legend" }, ...entries);
}

/**
 * The same figures in a table, evenly chosen where there are many; made when it is asked for.
 *
 * @param {string} title
 * @param {string} across
 * @param {Line[]} lines
 * @param {number} longest
 * @param {(value: number) => string} format
 */
function behind(title, across, lines, longest, format) {
  const rows = () => {
    const count = Math.min(ROWS, longest);
    const chosen = [...new Set(Array.from({ length: count + 1 }, (_, row) => Math.round((row / count) * longest)))];
    const names = lines.map(({ name }, index) => (lines.length > 1 ? `${LETTERS[index]} ${name}` : name));
    return el(
      "table",
      { className: "list" },
      el("caption", { className: "visually-hidden", textContent: title }),
      el("thead", {}, el("tr", {}, ...[across, ...names].map((text) => el("th", { scope: "col", textContent: text })))),
      el(
        "tbody",
        {},
        ...chosen.map((move) =>
          el(
            "tr",
            {},
            el("th", { scope: "row", textContent: number(move) }),
            ...lines.map(({ values }) =>
              el("td", { textContent: values[move] === undefined ? "–" : format(values[move]) }),
            ),
          ),
        ),
      ),
    );
  };
  const wrap = el("div", { className: "table-wrap", tabIndex: 0, role: "region", "aria-label": title });
  const details = el("details", { className: "chart-data" }, el("summary", { textContent: t("chart.table") }), wrap);
  details.addEventListener("toggle", () => wrap.firstChild ?? wrap.append(rows()));
  return details;
}

/**
 * @param {string} title
 * @param {Line[]} lines
 * @param {(value: number) => string} format
 */
function summary(title, lines, format) {
  const said = lines.map(({ name, values }) => {
    const last = values.length - 1;
    return t("chart.line", { name, value: format(values[last]), moves: last });
  });
  return `${title}. ${said.join(" ")}`;
}

/**
 * Round figures from nought to at least `most`, about so many.
 *
 * @param {number} most
 * @param {number} many
 */
function ticks(most, many) {
  const rough = most / many;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? 1);
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step);
}

/**
 * @param {string} name
 * @param {{ [name: string]: string | number }} attributes
 */
function shape(name, attributes) {
  const made = /** @type {SVGElement} */ (document.createElementNS(SVG, name));
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/**
 * @param {string} content
 * @param {{ [name: string]: string | number }} attributes
 */
function text(content, attributes) {
  const made = shape("text", attributes);
  made.textContent = content;
  return made;
}
