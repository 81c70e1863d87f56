/** The modes side by side, and the choices of the classic one. */

/** @import { Session } from "./session.js" */
/** @import { Slot } from "./modes.js" */

import { el, find, icon, say, UNDO } from "../dom.js";
import { t } from "../i18n.js";
import { NAMES, SIZES, slotOf, UNDOS } from "./modes.js";

/**
 * @param {Session} session
 * @returns {() => void} Says it all anew.
 */
export function modesBar(session) {
  const bar = find(".modes-bar");
  /** The classic game that was chosen last. */
  let classic = slotOf();

  /**
   * @param {Slot} slot
   * @param {boolean} pressed
   * @param {(Node | string)[]} inside
   */
  const button = (slot, pressed, ...inside) => {
    const made = el("button", { type: "button", "aria-pressed": pressed }, ...inside);
    made.addEventListener("click", () => session.open(slot));
    return made;
  };

  /** The chosen mode is in sight where there is no room for all of them. */
  const center = () => {
    const list = bar.querySelector(".mode-list");
    const chosen = list?.querySelector("[aria-pressed=true]");
    if (!(list instanceof HTMLElement && chosen instanceof HTMLElement)) return;
    list.scrollLeft = chosen.offsetLeft - list.offsetLeft - (list.clientWidth - chosen.offsetWidth) / 2;
  };

  const draw = () => {
    const { slot } = session;
    if (slot.mode === "classic") classic = slot;
    const focused = [...bar.querySelectorAll("button")].findIndex((one) => one === document.activeElement);
    const modes = NAMES.map((mode) => {
      const there = mode === "classic" ? classic : slotOf(mode);
      return button(there, mode === slot.mode, t(`mode.${mode}`));
    });
    const list = el("div", { className: "mode-list" }, ...modes);
    const sizes = SIZES.map((size) => button({ ...classic, size }, size === classic.size, `${size}×${size}`));
    const undos = UNDOS.map((undo) => {
      const made = button({ ...classic, undo }, undo === classic.undo, icon(UNDO), String(undo));
      made.setAttribute("aria-label", t("undos.n", { n: undo }));
      return made;
    });
    const options = el(
      "div",
      { className: "mode-options", hidden: slot.mode !== "classic" },
      el("div", { className: "choice", role: "group", "aria-label": t("size") }, ...sizes),
      el("div", { className: "choice", role: "group", "aria-label": t("undos") }, ...undos),
    );
    bar.replaceChildren(list, options);
    center();
    [...bar.querySelectorAll("button")][focused]?.focus({ preventScroll: true });
    intro();
  };
  const intro = () => {
    const { slot, state } = session;
    const assisted = state?.assisted && slot.mode !== "practice";
    say(find(".game-intro"), t(assisted ? "assisted.told" : `about.${slot.mode}`));
  };
  session.on("open", draw);
  session.on("ready", intro);
  session.on("state", intro);
  new ResizeObserver(center).observe(bar);
  return draw;
}
