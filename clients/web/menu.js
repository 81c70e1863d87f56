/** The menu of the page where there is no room for all of it: a button opens it, Escape and any other press close it. */

import { find } from "./dom.js";

/** @param {HTMLElement} button */
export function menu(button) {
  /** @param {boolean} open */
  const set = (open) => button.setAttribute("aria-expanded", String(open));
  const isOpen = () => button.getAttribute("aria-expanded") === "true";
  button.addEventListener("click", () => set(!isOpen()));
  addEventListener("hashchange", () => set(false));
  document.addEventListener("click", (event) => {
    if (isOpen() && !find(".site-header").contains(/** @type {Node} */ (event.target))) set(false);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !isOpen()) return;
    set(false);
    button.focus();
  });
}
