/** What the player prefers, kept in this browser. */

/** @import { Language } from "./i18n.js" */
/** @import { Storage } from "./storage.js" */

import { Emitter } from "../js/src/emitter.js";
import { browserLanguage } from "./i18n.js";

/**
 * `theme` and `language` of `"auto"` follow the system.
 *
 * @typedef {object} Wishes
 * @property {"auto" | "classic" | "dark" | "contrast"} theme
 * @property {"auto" | Language} language
 * @property {boolean} sound
 * @property {boolean} vibration
 * @property {boolean} announcements
 * @property {boolean} letters
 * @property {boolean} pad
 */

/** @type {Wishes} */
const DEFAULTS = {
  theme: "auto",
  language: "auto",
  sound: false,
  vibration: false,
  announcements: true,
  letters: true,
  pad: true,
};
/** @type {{ [Name in "theme" | "language"]: Wishes[Name][] }} */
export const CHOICES = { theme: ["auto", "classic", "dark", "contrast"], language: ["auto", "en", "de"] };
const NAME = "settings";

/** @extends {Emitter<{ change: [name: keyof Wishes, settings: Settings] }>} */
export class Settings extends Emitter {
  #storage;
  #wishes;

  /** @param {Storage} storage */
  constructor(storage) {
    super();
    this.#storage = storage;
    this.#wishes = { ...DEFAULTS, ...known(storage.get(NAME)) };
  }

  /** @returns {Readonly<Wishes>} */
  get wishes() {
    return this.#wishes;
  }

  /** @returns {Language} */
  get language() {
    return this.#wishes.language === "auto" ? browserLanguage() : this.#wishes.language;
  }

  /** Whether nothing is to fly about. */
  get still() {
    return matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  /**
   * @template {keyof Wishes} Name
   * @param {Name} name
   * @param {Wishes[Name]} value
   */
  set(name, value) {
    this.#wishes = { ...this.#wishes, [name]: value };
    this.#storage.set(NAME, this.#wishes);
    this.emit("change", name, this);
  }

  /** Dress the page in the theme, now and when the system's changes. */
  dress() {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const contrast = matchMedia("(prefers-contrast: more)");
    const apply = () => {
      const { theme } = this.#wishes;
      const own = contrast.matches ? "contrast" : dark.matches ? "dark" : "classic";
      document.documentElement.dataset.theme = theme === "auto" ? own : theme;
      const page = getComputedStyle(document.documentElement).getPropertyValue("--page").trim();
      document.querySelector('meta[name="theme-color"]')?.setAttribute("content", page);
    };
    apply();
    dark.addEventListener("change", apply);
    contrast.addEventListener("change", apply);
    this.on("change", (name) => name === "theme" && apply());
  }
}

/**
 * Of what was kept, what is of its kind.
 *
 * @param {any} kept
 * @returns {Partial<Wishes>}
 */
function known(kept) {
  if (kept === null || typeof kept !== "object") return {};
  const fits = Object.entries(DEFAULTS).filter(([name, usual]) => {
    const choices = /** @type {{ [name: string]: string[] }} */ (CHOICES)[name];
    return choices ? choices.includes(kept[name]) : typeof kept[name] === typeof usual;
  });
  return Object.fromEntries(fits.map(([name]) => [name, kept[name]]));
}
