/** The modes as data, as `GET /modes` tells them. */
/** @import { Mode } from "./types.js" */
export const GOAL: 2048;
/**
 * The first of `sizes` and of `undo_limits` is the default.
 *
 * @type {readonly Mode[]}
 */
export const MODES: readonly Mode[];
import type { Mode } from "./types.js";
