/**
 * What the event tells, and what follows from it; only what others do to the same category is not known.
 *
 * @param {Game} state
 * @param {Event} event
 * @returns {Game}
 */
export function after(state: Game, event: Event): Game;
import type { Game } from "./types.js";
import type { Event } from "./types.js";
