/** The page's words in the reader's language. */

import { en } from "./i18n/en.js";

/** @typedef {"en" | "de"} Language */
/** @typedef {{ [name: string]: any }} Values */
/** @typedef {{ [key: string]: string | ((values: any) => string) }} Words */

/** @type {Language} */
let language = "en";
/** @type {Words} */
let words = { ...en };

export const currentLanguage = () => language;

/**
 * The language of the browser, as far as we speak it.
 *
 * @returns {Language}
 */
export function browserLanguage() {
  const wanted = navigator.languages.map((tag) => tag.slice(0, 2));
  return /** @type {Language} */ (wanted.find((tag) => tag === "en" || tag === "de") ?? "en");
}

/**
 * Speak another language; where its words cannot be loaded, go on in the one that is spoken.
 *
 * @param {Language} wanted
 */
export async function speak(wanted) {
  const german = wanted === "de" ? await import("./i18n/de.js").catch(() => null) : null;
  if (wanted === "de" && !german) return;
  words = { ...en, ...german?.de };
  language = wanted;
  document.documentElement.lang = wanted;
}

/** The words of the views, which come with the first of them; in the language that is spoken. */
export async function learn() {
  const spoken = await (language === "de" ? import("./i18n/views-de.js") : import("./i18n/views-en.js"));
  Object.assign(words, ...Object.values(spoken));
}

/**
 * A text by its key; `{name}` stands for a value, numbers are written as the language does.
 *
 * @param {string} key
 * @param {Values} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  const found = words[key];
  if (found === undefined) return key;
  if (typeof found === "function") return found(values);
  return found.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? shown(values[name]) : whole));
}

/**
 * Why something failed: in the reader's language where we have words for it, else in the service's.
 *
 * @param {any} error
 */
export function wrong({ code, message }) {
  const key = `wrong.${code === "gone" ? "not_found" : code}`;
  return key in words ? t(key) : t("wrong.other", { reason: message });
}

/** @param {unknown} value */
function shown(value) {
  return typeof value === "number" ? number(value) : String(value);
}

/**
 * @param {number} value
 */
export function number(value) {
  return value.toLocaleString(language);
}

/**
 * A share as the language writes it.
 *
 * @param {number} share
 */
export function percent(share) {
  return share.toLocaleString(language, { style: "percent", maximumFractionDigits: 1 });
}

/**
 * Milliseconds as minutes and seconds; below ten seconds with tenths where time runs out.
 *
 * @param {number} ms
 * @param {boolean} [out]
 */
export function time(ms, out = false) {
  if (out && ms < 10_000) return (Math.ceil(ms / 100) / 10).toLocaleString(language, { minimumFractionDigits: 1 });
  const seconds = out ? Math.ceil(ms / 1000) : Math.floor(ms / 1000);
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"));
  const hours = Math.floor(seconds / 3600);
  return hours ? `${hours}:${parts.join(":")}` : parts.join(":").replace(/^0/, "");
}

/**
 * Put the words into the elements that name theirs: `data-t` for the text, `data-t-label` for the name.
 *
 * @param {ParentNode} root
 */
export function translate(root) {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-t]"))) {
    element.textContent = t(/** @type {string} */ (element.dataset.t));
  }
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-t-label]"))) {
    element.setAttribute("aria-label", t(/** @type {string} */ (element.dataset.tLabel)));
  }
}
