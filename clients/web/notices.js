/** What the player should know, over the page; each thing once. */

import { CROSS, el, find, icon } from "./dom.js";
import { t } from "./i18n.js";

/**
 * @typedef {object} NoticeOptions
 * @property {{ text: string, act: () => void }} [action]
 * @property {boolean} [lasts] Whether it stays until it is taken away.
 * @property {number} [ms] How long it is shown, else.
 */

const SHOWN = 8000;

export class Notices {
  #place = find(".notices");
  /** @type {Map<string, HTMLElement>} */
  #shown = new Map();
  /** Those that last and were closed: not shown again until they were taken away. */
  #closed = new Set();
  #announce;

  /** @param {(text: string) => void} announce */
  constructor(announce) {
    this.#announce = announce;
  }

  /**
   * @param {string} name
   * @param {string} text
   * @param {NoticeOptions} [options]
   */
  show(name, text, { action, lasts = false, ms = SHOWN } = {}) {
    if (this.#closed.has(name)) return;
    const shown = this.#shown.get(name);
    const told = shown?.querySelector("p");
    if (told) {
      told.textContent = text;
      return;
    }
    const close = el("button", { type: "button", className: "icon-button", "aria-label": t("close") }, icon(CROSS));
    close.addEventListener("click", () => {
      this.hide(name);
      if (lasts) this.#closed.add(name);
    });
    const act = action && el("button", { type: "button", className: "button small", textContent: action.text });
    act?.addEventListener("click", () => action?.act());
    const notice = el("div", { className: "notice" }, el("p", { textContent: text }), act ?? null, close);
    notice.dataset.name = name;
    this.#shown.set(name, notice);
    this.#place.append(notice);
    this.#announce(text);
    if (!lasts) setTimeout(() => this.#shown.get(name) === notice && this.hide(name), ms);
  }

  /** @param {string} name */
  hide(name) {
    this.#closed.delete(name);
    const notice = this.#shown.get(name);
    if (!notice) return;
    const focused = notice.contains(document.activeElement);
    this.#shown.delete(name);
    notice.remove();
    if (focused) find(document.body.classList.contains("viewing") ? "#view" : "#board").focus({ preventScroll: true });
  }
}
