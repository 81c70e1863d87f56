/** What this browser keeps for the page; where it keeps nothing, memory does, until the page is left. */

const PREFIX = "twofold.";

export class Storage {
  /** @type {Map<string, unknown>} */
  #memory = new Map();
  #store;
  /** @type {(trouble: "blocked" | "full" | "damaged") => void} */
  onTrouble = () => {};

  /** @param {() => globalThis.Storage} store Access alone may be forbidden. */
  constructor(store = () => globalThis.localStorage) {
    this.#store = store;
  }

  /**
   * What was kept; null where nothing was. What cannot be read, or is no such thing, is put aside, not written over.
   *
   * @param {string} name
   * @param {(value: any) => boolean} [fits]
   * @returns {any}
   */
  get(name, fits = (value) => typeof value === "object") {
    if (this.#memory.has(name)) return this.#memory.get(name);
    const text = this.#try("blocked", (store) => store.getItem(PREFIX + name)) ?? null;
    if (text === null) return null;
    const value = parsed(text);
    if (value === null || (value !== undefined && fits(value))) return value;
    const aside = this.#try("full", (store) => {
      store.setItem(`${PREFIX}${name}.damaged`, text);
      store.removeItem(PREFIX + name);
      return true;
    });
    if (!aside) this.#memory.set(name, null);
    this.onTrouble("damaged");
    return null;
  }

  /**
   * @param {string} name
   * @param {unknown} value
   */
  set(name, value) {
    const done = this.#try("full", (store) => store.setItem(PREFIX + name, JSON.stringify(value)) ?? true);
    if (done) this.#memory.delete(name);
    else this.#memory.set(name, value);
  }

  /**
   * A text under a name of others, as it is.
   *
   * @param {string} name
   * @returns {string | null}
   */
  getRaw(name) {
    return this.#try("blocked", (store) => store.getItem(name)) ?? null;
  }

  /**
   * @param {string} name
   * @param {string | null} text
   */
  setRaw(name, text) {
    this.#try("full", (store) => (text === null ? store.removeItem(name) : store.setItem(name, text)));
  }

  /**
   * @template T
   * @param {"blocked" | "full"} trouble
   * @param {(store: globalThis.Storage) => T} use
   * @returns {T | undefined}
   */
  #try(trouble, use) {
    try {
      return use(this.#store());
    } catch (error) {
      const full = error instanceof DOMException && error.name === "QuotaExceededError";
      this.onTrouble(full ? "full" : trouble === "full" && this.#reads() ? "full" : "blocked");
      return undefined;
    }
  }

  #reads() {
    try {
      return this.#store().length >= 0;
    } catch {
      return false;
    }
  }
}

/**
 * @param {string} text
 * @returns {any} Undefined where it is no JSON.
 */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
