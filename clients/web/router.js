/** The address after `#` decides what is seen: the game, or a view in its place. */

/** @import { App } from "./app.js" */

import { NoAnswer } from "../js/src/errors.js";
import { el } from "./dom.js";
import { learn, t, wrong } from "./i18n.js";

/**
 * @typedef {object} Route
 * @property {string} name Empty for the game.
 * @property {string[]} path What follows the name.
 * @property {{ [name: string]: string }} query
 */

/**
 * What a view gets: its route, and the parts by their name where they have one.
 *
 * @typedef {Route & { [name: string]: any }} Params
 */

/** What the parts of an address are called. Addresses are anybody's: a map, which has no names but these. */
const NAMED = new Map([
  ["daily", ["date"]],
  ["replay", ["game"]],
  ["watch", ["game"]],
  ["analysis", ["game"]],
  ["whatif", ["game"]],
  ["leaders", ["category", "period"]],
  ["compare", ["date", "games"]],
  ["mode", ["mode", "size", "undo"]],
  ["game", ["game"]],
]);
/** The views of which nothing is left without one part. */
const NEEDED = new Map([
  ["replay", "game"],
  ["watch", "game"],
  ["analysis", "game"],
  ["whatif", "game"],
]);
const GAME = new Set(["", "mode", "game"]);

/**
 * @param {string} hash
 * @returns {Route}
 */
export function parse(hash) {
  const [path, query] = hash.replace(/^#?\/?/, "").split("?");
  const [name, ...rest] = path.split("/").map(decode);
  return { name, path: rest.filter(Boolean), query: Object.fromEntries(new URLSearchParams(query)) };
}

/** @param {string} part */
function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export class Router {
  #app;
  #play;
  #view;
  #edition;
  #turn = 0;
  /** @type {(() => void) | null | void} */
  #unmount = null;
  /** @type {Promise<void> | null} */
  #dressed = null;

  /**
   * @param {App} app
   * @param {{ play: HTMLElement, view: HTMLElement, onGame: (params: Params) => void, onLeave: () => void,
   *   onFailed: () => void }} edition
   */
  constructor(app, edition) {
    this.#app = app;
    this.#play = edition.play;
    this.#view = edition.view;
    this.#edition = edition;
  }

  start() {
    addEventListener("hashchange", () => this.go());
    return this.go();
  }

  /** Whether the game is what is seen. */
  get playing() {
    return !this.#play.hidden;
  }

  /** Show what the address says. */
  async go(focus = true) {
    if (location.hash && !location.hash.startsWith("#/")) return; // a place in the page
    const route = parse(location.hash);
    const params = { ...route };
    const names = NAMED.get(route.name) ?? [];
    for (const [index, name] of names.entries()) {
      if (route.path[index] !== undefined) Object.assign(params, { [name]: route.path[index] });
    }
    const turn = ++this.#turn;
    this.#mark(route.name);
    if (GAME.has(route.name)) {
      this.#clear();
      const came = this.#play.hidden;
      this.#show(false);
      document.title = "2048";
      this.#edition.onGame(params);
      if (came && focus) document.getElementById("board")?.focus({ preventScroll: true });
      return;
    }
    try {
      const needed = NEEDED.get(route.name);
      const view = needed && !Object.hasOwn(params, needed) ? null : await this.#load(route.name);
      if (turn !== this.#turn) return;
      this.#clear();
      if (this.playing) this.#edition.onLeave();
      this.#show(true);
      if (!view) return this.#nothing();
      document.title = `${view.title()} · 2048`;
      this.#unmount = view.mount(this.#view, this.#app, { ...params, ...route.query });
      if (focus) this.#view.focus({ preventScroll: true });
      scrollTo(0, 0);
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#clear();
      if (this.playing) this.#edition.onLeave();
      this.#show(true);
      this.#failed(error);
      this.#edition.onFailed();
    }
  }

  /** @param {string} name */
  async #load(name) {
    const style = new URL("./styles/views.css", import.meta.url).href;
    this.#dressed ??= dress(style).catch((error) => {
      this.#dressed = null;
      throw error;
    });
    const [{ routes }] = await there(Promise.all([import("./views/index.js"), learn(), this.#dressed]));
    const known = /** @type {{ [name: string]: () => Promise<any> }} */ (routes);
    return Object.hasOwn(known, name) ? there(known[name]()) : null;
  }

  #nothing() {
    document.title = `${t("nothing.title")} · 2048`;
    this.#view.replaceChildren(
      el("h1", { textContent: t("nothing.title") }),
      el("p", { textContent: t("nothing.text") }),
      el("a", { className: "button", href: "#/", textContent: t("nav.play") }),
    );
    this.#view.focus();
  }

  /**
   * What was gone to could not be shown: why, and how to try again.
   *
   * @param {any} error
   */
  #failed(error) {
    document.title = `${t("failed.title")} · 2048`;
    const again = el("button", { type: "button", className: "button", textContent: t("again") });
    again.addEventListener("click", () => this.go());
    this.#view.replaceChildren(
      el("h1", { textContent: t("failed.title") }),
      el("p", { role: "alert", textContent: wrong(error) }),
      again,
    );
    this.#view.focus({ preventScroll: true });
  }

  #clear() {
    this.#unmount?.();
    this.#unmount = null;
    this.#view.replaceChildren();
  }

  /** @param {boolean} view */
  #show(view) {
    this.#play.hidden = view;
    this.#view.hidden = !view;
    document.body.classList.toggle("viewing", view);
  }

  /** @param {string} name */
  #mark(name) {
    const here = GAME.has(name) ? "" : name;
    for (const link of document.querySelectorAll(".site-nav a")) {
      const there = parse(link.getAttribute("href") ?? "").name;
      if (there === here) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }
}

/**
 * What is loaded; where it cannot be, that is said as of any other call.
 *
 * @template Loaded
 * @param {Promise<Loaded>} loading
 * @returns {Promise<Loaded>}
 */
async function there(loading) {
  try {
    return await loading;
  } catch (cause) {
    throw new NoAnswer("unreachable", "a part of the page could not be loaded", { cause });
  }
}

/**
 * @param {string} href
 * @returns {Promise<void>}
 */
function dress(href) {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  return new Promise((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = (error) => {
      link.remove();
      reject(error);
    };
    document.head.append(link);
  });
}
