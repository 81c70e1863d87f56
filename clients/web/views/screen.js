/** What every view is made of: its head, its parts, and what is seen while it waits or where it fails. */

/** @import { TwofoldError } from "../../js/src/errors.js" */
/** @import { Game } from "../../js/src/types.js" */
/** @import { App } from "../app.js" */

import { dialog } from "../dialogs.js";
import { el, icon, say } from "../dom.js";
import { save } from "../game/sharing.js";
import { t, wrong } from "../i18n.js";

/** How long an answer may take before waiting is shown, in ms. */
const SOON = 250;

/**
 * @param {string} title
 * @param {string | Node | null} [lead] A sentence below it.
 * @param {(Node | null)[]} beside
 */
export function head(title, lead = null, ...beside) {
  const text = el("div", {}, el("h1", { textContent: title }), lead && el("p", { className: "lead" }, lead));
  return el("header", { className: "view-head" }, text, ...beside);
}

/**
 * @param {string | null} title
 * @param {(Node | string | null | false)[]} inside
 */
export function section(title, ...inside) {
  return el("section", { className: "part" }, title && el("h2", { textContent: title }), ...inside);
}

/**
 * @param {string} text
 * @param {() => void} act
 * @param {{ look?: string, line?: string, label?: string }} [how] `line` is the drawing of an icon before the text.
 */
export function button(text, act, { look = "quiet", line, label } = {}) {
  const made = el("button", { type: "button", className: `button ${look}`, ...(label && { "aria-label": label }) });
  made.append(...(line ? [icon(line)] : []), ...(text ? [el("span", { textContent: text })] : []));
  made.addEventListener("click", act);
  return made;
}

/**
 * @param {string} text
 * @param {string} href
 * @param {{ look?: string, label?: string }} [how] A look of "plain" is that of words.
 */
export function linkTo(text, href, { look = "quiet small", label } = {}) {
  const made = el("a", { href, textContent: text, ...(label && { "aria-label": label }) });
  if (look !== "plain") made.className = `button ${look}`;
  return made;
}

/**
 * A few choices side by side, of which one holds.
 *
 * @template {string} Name
 * @param {string} label
 * @param {readonly { name: Name, text: string }[]} choices
 * @param {Name} chosen
 * @param {(name: Name) => void} choose
 */
export function choice(label, choices, chosen, choose) {
  const buttons = choices.map(({ name, text }) => {
    const made = el("button", { type: "button", textContent: text, "aria-pressed": name === chosen });
    made.addEventListener("click", () => {
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === made));
      choose(name);
    });
    return made;
  });
  return el("div", { className: "choice", role: "group", "aria-label": label }, ...buttons);
}

/**
 * A list to choose from, named by what stands above it.
 *
 * @param {string} label
 * @param {readonly { name: string, text: string }[]} choices
 * @param {string} chosen
 * @param {(name: string) => void} choose
 */
export function select(label, choices, chosen, choose) {
  const made = el("select", {}, ...choices.map(({ name, text }) => el("option", { value: name, textContent: text })));
  made.value = chosen;
  made.addEventListener("change", () => choose(made.value));
  return el("label", { className: "picker" }, el("span", { textContent: label }), made);
}

/**
 * Figures with what they are of.
 *
 * @param {(readonly [name: string, figure: string | Node] | null | false)[]} figures
 */
export function facts(...figures) {
  const made = figures.filter((figure) => figure !== null && figure !== false);
  return el(
    "dl",
    { className: "facts" },
    ...made.map(([name, figure]) => el("div", {}, el("dt", { textContent: name }), el("dd", {}, figure))),
  );
}

/**
 * A table that can be scrolled sideways where it must.
 *
 * @param {string} caption
 * @param {(string | { text: string, look?: string })[]} columns
 * @param {(HTMLElement | null)[]} rows
 */
export function table(caption, columns, rows) {
  const heads = columns.map((column) => {
    const { text, look = "" } = typeof column === "string" ? { text: column } : column;
    return text ? el("th", { scope: "col", className: look, textContent: text }) : el("td", { className: look });
  });
  const body = el("tbody", {}, ...rows);
  const made = el(
    "table",
    { className: "list" },
    el("caption", { className: "visually-hidden", textContent: caption }),
    el("thead", {}, el("tr", {}, ...heads)),
    body,
  );
  const element = el("div", { className: "table-wrap", tabIndex: 0, role: "region", "aria-label": caption }, made);
  return { element, body };
}

/**
 * A cell of a table.
 *
 * @param {string} text
 * @param {string} [look]
 */
export function cell(text, look = "number") {
  return el("td", { className: look, textContent: text });
}

/**
 * Ask, and show what comes of it: that one waits, the answer, or why there is none. The last asked for a
 * place wins, and nothing is drawn once the place has been left.
 *
 * @template Answer
 * @param {HTMLElement} place
 * @param {() => Promise<Answer>} ask
 * @param {(answer: Answer) => (Node | null)[]} draw
 */
export async function fill(place, ask, draw) {
  const turn = String(Number(place.dataset.turn ?? 0) + 1);
  const wanted = () => place.dataset.turn === turn && place.isConnected;
  place.dataset.turn = turn;
  place.setAttribute("aria-busy", "true");
  const waiting = setTimeout(() => wanted() && !place.firstChild && place.append(wait()), SOON);
  /** @type {(Node | null)[]} */
  let shown;
  try {
    const answer = await ask();
    if (!wanted()) return;
    shown = draw(answer);
  } catch (error) {
    if (!wanted()) return;
    shown = [failure(/** @type {TwofoldError} */ (error), () => fill(place, ask, draw))];
  } finally {
    clearTimeout(waiting);
  }
  const focused = place.contains(document.activeElement);
  place.replaceChildren(...shown.filter((part) => part !== null));
  place.removeAttribute("aria-busy");
  if (focused) /** @type {HTMLElement | null} */ (place.closest(".view"))?.focus({ preventScroll: true });
}

function wait() {
  return el("p", { className: "waiting", textContent: t("waiting") });
}

/**
 * Why there is nothing, and what can be done about it.
 *
 * @param {TwofoldError} error
 * @param {(() => void) | null} again
 */
export function failure(error, again) {
  const lasting = ["not_found", "gone", "daily_sealed", "invalid"].includes(error.code);
  return el(
    "div",
    { className: "failure", role: "alert" },
    el("p", { textContent: wrong(error) }),
    !lasting && again ? button(t("again"), again, { look: "quiet small" }) : null,
  );
}

/**
 * @param {string} text
 */
export function nothing(text) {
  return el("p", { className: "nothing", textContent: text });
}

/**
 * Lists that come page by page: what adds the next one, as long as there is one.
 *
 * @template Item
 * @param {(cursor: string) => Promise<{ items: Item[], next_cursor: string | null }>} ask
 * @param {string | null} cursor
 * @param {(items: Item[]) => void} add
 */
export function more(ask, cursor, add) {
  if (cursor === null) return null;
  let next = cursor;
  const told = el("p", { className: "hint", role: "status" });
  const press = button(t("more"), async () => {
    if (press.ariaDisabled === "true") return;
    press.ariaDisabled = "true";
    try {
      const page = await ask(next);
      say(told, t("more.told", { n: page.items.length }));
      add(page.items);
      if (page.next_cursor !== null) next = page.next_cursor;
      else made.replaceChildren(told);
    } catch (error) {
      say(told, wrong(error));
    }
    press.ariaDisabled = "false";
  });
  const made = el("div", { className: "more" }, press, told);
  return made;
}

/**
 * Hear a view's keys until it is left; those that a field, a list or a pressed button takes are its own.
 *
 * @param {AbortSignal} signal
 * @param {(event: KeyboardEvent) => (() => unknown) | null | undefined | false | 0} meant What a key does here.
 */
export function hearViewKeys(signal, meant) {
  const hear = (/** @type {KeyboardEvent} */ event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (target.closest("input, select, textarea, .table-wrap, .choice")) return;
    const act = (event.key !== " " || !target.closest("button, a, summary")) && meant(event);
    if (!act) return;
    event.preventDefault();
    act();
  };
  document.addEventListener("keydown", hear, { signal });
}

/**
 * Put what is seen into the address, without going there anew.
 *
 * @param {string} route
 */
export function remember(route) {
  history.replaceState(history.state, "", `#/${route}`);
}

/**
 * Copy a text; where that is forbidden, show it to be copied by hand.
 *
 * @param {App} app
 * @param {string} title
 * @param {string} text
 */
export async function copy(app, title, text) {
  try {
    await navigator.clipboard.writeText(text);
    app.notices.show("copied", t("copied"));
  } catch {
    const area = el("textarea", { readOnly: true, rows: 10, value: text, "aria-label": title });
    dialog(title, el("p", { className: "hint", textContent: t("copy.self") }), area);
    area.select();
  }
}

/**
 * The files a game can be taken away as.
 *
 * @param {App} app
 * @param {Pick<Game, "id" | "mode" | "score">} game
 */
export function saves(app, game) {
  const kinds = /** @type {const} */ (["json", "png", "gif"]);
  const buttons = kinds.map((kind) => button(t(`export.${kind}`), () => save(app, game, kind), { look: "quiet small" }));
  return el("div", { className: "row saves", role: "group", "aria-label": t("export") }, ...buttons);
}
