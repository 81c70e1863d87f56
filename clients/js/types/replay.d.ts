/**
 * An event of a replay, and the game as it stood after it; fields as in the service's events.
 *
 * @typedef {object} Replayed
 * @property {number} version
 * @property {EventType} type
 * @property {Direction | null} direction
 * @property {Slide[]} slides
 * @property {Spawn | null} spawn
 * @property {Cause | null} cause
 * @property {Board} board
 * @property {number} score
 * @property {number} score_delta
 * @property {number} max_tile
 * @property {number} moves
 * @property {number} active_ms
 * @property {Status} status
 * @property {Outcome | null} outcome
 * @property {boolean} reached_goal
 */
/**
 * A position of the path a game ended on, and the move that led to it; null for the start.
 *
 * @typedef {object} Step
 * @property {Direction | null} direction
 * @property {Board} board
 * @property {number} score
 * @property {number} active_ms
 */
/**
 * The created event, then one for each entry; InvalidRecord at the first entry that cannot have happened.
 *
 * @param {Parameters<typeof parseRecord>[0]} record
 * @returns {Generator<Replayed, void>}
 */
export function replay(record: Parameters<typeof parseRecord>[0]): Generator<Replayed, void>;
/**
 * The same with the games themselves, of a parsed record. With the seed every tile is drawn anew, else the told ones
 * are taken. Whether the entries tell the figures that the events have is not asked.
 *
 * @param {Record} record
 * @returns {Generator<Happening, void>}
 */
export function happenings(record: Record): Generator<life.Happening, void>;
/**
 * The start and the moves that were not undone.
 *
 * @param {Record} record
 * @returns {Step[]}
 */
export function finalPath(record: Record): Step[];
/**
 * An event of a replay, and the game as it stood after it; fields as in the service's events.
 */
export type Replayed = {
    version: number;
    type: EventType;
    direction: Direction | null;
    slides: Slide[];
    spawn: Spawn | null;
    cause: Cause | null;
    board: Board;
    score: number;
    score_delta: number;
    max_tile: number;
    moves: number;
    active_ms: number;
    status: Status;
    outcome: Outcome | null;
    reached_goal: boolean;
};
/**
 * A position of the path a game ended on, and the move that led to it; null for the start.
 */
export type Step = {
    direction: Direction | null;
    board: Board;
    score: number;
    active_ms: number;
};
import { parseRecord } from "./parse.js";
import type { Record } from "./types.js";
import * as life from "./life.js";
import type { EventType } from "./types.js";
import type { Direction } from "./types.js";
import type { Slide } from "./types.js";
import type { Spawn } from "./types.js";
import type { Cause } from "./types.js";
import type { Board } from "./types.js";
import type { Status } from "./types.js";
import type { Outcome } from "./types.js";
