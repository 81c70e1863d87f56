/** Dialogs: what is asked or told apart from the game, one at a time. */

import { CROSS, el, icon } from "./dom.js";
import { t } from "./i18n.js";

/**
 * Show a dialog; the focus goes back to where it was when it closes.
 *
 * @param {string} title
 * @param {(Node | null)[]} body
 */
export function dialog(title, ...body) {
  const close = el("button", { type: "button", className: "icon-button", "aria-label": t("close") }, icon(CROSS));
  const heading = el("h2", { id: "dialog-title", textContent: title });
  const head = el("div", { className: "dialog-head" }, heading, close);
  const made = el("dialog", { "aria-labelledby": "dialog-title" }, head, el("div", { className: "dialog-body" }, ...body));
  close.addEventListener("click", () => made.close());
  made.addEventListener("click", (event) => event.target === made && made.close());
  made.addEventListener("close", () => made.remove());
  document.body.append(made);
  made.showModal();
  return made;
}

/**
 * Ask before something is gone for good.
 *
 * @param {{ title: string, text: string, yes: string }} words
 * @returns {Promise<boolean>}
 */
export function confirm({ title, text, yes }) {
  return new Promise((resolve) => {
    const no = el("button", { type: "button", className: "button quiet", textContent: t("cancel"), autofocus: true });
    const sure = el("button", { type: "button", className: "button", textContent: yes });
    const buttons = el("div", { className: "dialog-actions" }, no, sure);
    const asked = dialog(title, el("p", { textContent: text }), buttons);
    no.addEventListener("click", () => asked.close());
    sure.addEventListener("click", () => {
      resolve(true);
      asked.close();
    });
    asked.addEventListener("close", () => resolve(false));
  });
}
