/** The modes side by side, and the choices of the classic one. */

/** @import { Session } from "./session.js" */
/** @import { Slot } from "./modes.js" */

import { el, find, say } from "../dom.js";
import { t } from "../i18n.js";
import { keyOf, NAMES, SIZES, slotOf, UNDOS } from "./modes.js";

/**
 * @param {Session} session
 * @returns {() => void} Says it all anew.
 */
export function modesBar(session) {
  const bar = find(".modes-bar");
  /** The classic game that was chosen last. */
  let classic = slotOf();

  /**
   * @param {string} text
   * @param {Slot} slot
   */
  const button = (text, slot) => {
    const pressed = keyOf(slot) === keyOf(session.slot) || (slot.mode === session.slot.mode && text === name(slot));
    const made = el("button", { type: "button", textContent: text, "aria-pressed": pressed });
    made.addEventListener("click", () => session.open(slot));
    return made;
  };
  const name = (/** @type {Slot} */ { mode }) => t(`mode.${mode}`);

  const draw = () => {
    const { slot } = session;
    if (slot.mode === "classic") classic = slot;
    const focused = [...bar.querySelectorAll("button")].findIndex((one) => one === document.activeElement);
    const modes = NAMES.map((mode) => {
      const there = mode === "classic" ? classic : slotOf(mode);
      return button(name(there), there);
    });
    const list = el("div", { className: "mode-list" }, ...modes);
    const sizes = SIZES.map((size) => button(`${size}×${size}`, { ...classic, size }));
    const undos = UNDOS.map((undo) => button(t("undos.n", { n: undo }), { ...classic, undo }));
    const options = el(
      "div",
      { className: "mode-options", hidden: slot.mode !== "classic" },
      el("div", { className: "choice", role: "group", "aria-label": t("size") }, ...sizes),
      el("div", { className: "choice", role: "group", "aria-label": t("undos") }, ...undos),
    );
    bar.replaceChildren(list, options);
    const scrolled = modes.find((one) => one.getAttribute("aria-pressed") === "true");
    if (scrolled) list.scrollLeft = scrolled.offsetLeft - (list.clientWidth - scrolled.offsetWidth) / 2;
    [...bar.querySelectorAll("button")][focused]?.focus({ preventScroll: true });
    say(find(".game-intro"), t(`about.${slot.mode}`));
  };
  session.on("open", draw);
  return draw;
}
