/**
 * Active time as of the last event.
 *
 * @param {Life} game
 */
export function activeTime(game: Life): number;
/**
 * The instant at which active time is so much; null while the clock stands.
 *
 * @param {Running} clock
 * @param {number} time
 */
export function reaches({ banked, since }: Running, time: number): number | null;
/**
 * A new game's first event. A given board that holds the goal counts as past it; one without a legal move is over at
 * once.
 *
 * @param {RecordRules} rules
 * @param {string | null} seed
 * @param {Board} board
 * @param {{ start: boolean, given: boolean }} how
 * @returns {Happening}
 */
export function create(rules: RecordRules, seed: string | null, board: Board, { start, given }: {
    start: boolean;
    given: boolean;
}): Happening;
/**
 * @param {Life} game
 * @param {number} at
 */
export function start(game: Life, at: number): Happening;
/**
 * One move and its spawn; null for one that changes nothing. `tile` stands for the spawn where the seed is not known.
 *
 * @param {Life} game
 * @param {Direction} direction
 * @param {number} at
 * @param {Spawn | null} tile
 * @returns {Happening | null}
 */
export function move(game: Life, direction: Direction, at: number, tile: Spawn | null): Happening | null;
/**
 * One move back, to the position `back`.
 *
 * @param {Life} game
 * @param {number} at
 * @param {Position} back
 */
export function undo(game: Life, at: number, back: Position): Happening;
/**
 * @param {Life} game
 * @param {number} at
 * @param {Cause} cause
 */
export function pause(game: Life, at: number, cause: Cause): Happening;
/**
 * @param {Life} game
 * @param {number} at
 */
export function resume(game: Life, at: number): Happening;
/**
 * The command `continue`: play on beyond the goal.
 *
 * @param {Life} game
 * @param {number} at
 */
export function goOn(game: Life, at: number): Happening;
/**
 * End the game for good; a finished one keeps its outcome and gives up its undos.
 *
 * @param {Life} game
 * @param {number} at
 * @param {Cause} cause
 */
export function abandon(game: Life, at: number, cause: Cause): Happening;
/**
 * The end of a game on a running clock of `limit` milliseconds.
 *
 * @param {Life} game
 * @param {number} limit
 */
export function timeUp(game: Life, limit: number): Happening;
export const IDLE: 300000;
/**
 * What an undo restores.
 *
 * @typedef {object} Position
 * @property {Board} board
 * @property {number} score
 * @property {number} moves
 * @property {boolean} reachedGoal
 */
/**
 * Active time banked so far, and the instant since which more is running; null while it stands.
 *
 * @typedef {object} Running
 * @property {number} banked
 * @property {number | null} since
 */
/**
 * A game as of its last event.
 *
 * @typedef {object} Life
 * @property {RecordRules} rules
 * @property {string | null} seed
 * @property {Position} position
 * @property {number} version
 * @property {Status} status
 * @property {Outcome | null} outcome
 * @property {boolean} givenUp
 * @property {number} undos
 * @property {number} pauses
 * @property {Running} clock
 * @property {number} at
 * @property {boolean} started
 */
/**
 * An event and the game after it.
 *
 * @typedef {object} Happening
 * @property {EventType} type
 * @property {Life} game
 * @property {Direction | null} direction
 * @property {Slide[]} slides
 * @property {Spawn | null} spawn
 * @property {Cause | null} cause
 * @property {number} scoreDelta
 */
/** A command that the game's state does not allow. */
export class Refusal extends Error {
}
/**
 * What an undo restores.
 */
export type Position = {
    board: Board;
    score: number;
    moves: number;
    reachedGoal: boolean;
};
/**
 * Active time banked so far, and the instant since which more is running; null while it stands.
 */
export type Running = {
    banked: number;
    since: number | null;
};
/**
 * A game as of its last event.
 */
export type Life = {
    rules: RecordRules;
    seed: string | null;
    position: Position;
    version: number;
    status: Status;
    outcome: Outcome | null;
    givenUp: boolean;
    undos: number;
    pauses: number;
    clock: Running;
    at: number;
    started: boolean;
};
/**
 * An event and the game after it.
 */
export type Happening = {
    type: EventType;
    game: Life;
    direction: Direction | null;
    slides: Slide[];
    spawn: Spawn | null;
    cause: Cause | null;
    scoreDelta: number;
};
import type { RecordRules } from "./types.js";
import type { Board } from "./types.js";
import type { Direction } from "./types.js";
import type { Spawn } from "./types.js";
import type { Cause } from "./types.js";
import type { Status } from "./types.js";
import type { Outcome } from "./types.js";
import type { EventType } from "./types.js";
import type { Slide } from "./types.js";
