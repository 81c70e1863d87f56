/** What this browser keeps of the player: who it is, and for each place the open game and the one before it. */

/** @import { Storage } from "../storage.js" */
/** @import { Slot } from "./modes.js" */

import { keyOf } from "./modes.js";

/**
 * `current` is the game of a place, `last` the one before it.
 *
 * @typedef {{ current: string | null, last: string | null }} Place
 */

export class Kept {
  #storage;

  /** @param {Storage} storage */
  constructor(storage) {
    this.#storage = storage;
  }

  /**
   * Who one is; null before one is anybody.
   *
   * @returns {{ id: string, token: string } | null}
   */
  get player() {
    return this.#storage.get("player", isPlayer);
  }

  set player(player) {
    this.#storage.set("player", player);
  }

  /**
   * @param {Slot} slot
   * @returns {Place}
   */
  place(slot) {
    const { current, last } = this.#places[keyOf(slot)] ?? {};
    return { current: idOf(current), last: idOf(last) };
  }

  /**
   * @param {Slot} slot
   * @param {Place} place
   */
  keep(slot, place) {
    this.#storage.set("places", { ...this.#places, [keyOf(slot)]: place });
  }

  /** Another player's games are at other places. */
  forgetPlaces() {
    this.#storage.set("places", null);
  }

  /** Who one was, and where, is kept for whoever looks for it. */
  putAside() {
    for (const name of ["player", "places"]) {
      this.#storage.set(`${name}.before`, this.#storage.get(name));
      this.#storage.set(name, null);
    }
  }

  /** @returns {{ [key: string]: Partial<Place> }} */
  get #places() {
    return this.#storage.get("places") ?? {};
  }
}

/**
 * A token that no header can carry would be no answer, again and again.
 *
 * @param {any} value
 */
const isPlayer = (value) =>
  typeof value?.id === "string" && typeof value.token === "string" && /^[!-~]+$/.test(value.token);

/**
 * What may be a game's id: no other text is worth asking for.
 *
 * @param {unknown} value
 */
const idOf = (value) => (typeof value === "string" && /^[\w-]{1,64}$/.test(value) ? value : null);
