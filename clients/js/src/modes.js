/** The modes as data, as `GET /modes` tells them. */

/** @import { Mode } from "./types.js" */

export const GOAL = 2048;

/**
 * @param {string} name
 * @param {Partial<Mode>} [rules]
 * @returns {Mode}
 */
function mode(name, { sizes = [4], undo_limits = [1], time_limit_ms = null, move_limit = null, ranked = true } = {}) {
  const starts_by_command = time_limit_ms !== null;
  return { mode: name, sizes, undo_limits, time_limit_ms, move_limit, goal: GOAL, starts_by_command, ranked };
}

/**
 * The first of `sizes` and of `undo_limits` is the default.
 *
 * @type {readonly Mode[]}
 */
export const MODES = Object.freeze([
  mode("classic", { sizes: [4, 5, 6], undo_limits: [1, 0, 5] }),
  mode("sprint", { time_limit_ms: 120_000 }),
  mode("break", { time_limit_ms: 300_000 }),
  mode("moves100", { move_limit: 100 }),
  mode("daily"),
  mode("practice", { sizes: [4, 3, 5, 6, 7, 8], undo_limits: [null], ranked: false }),
]);
