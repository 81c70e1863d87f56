/**
 * What can go wrong, each failure one line with a stable code.
 *
 * TwofoldError            `code`, `retryable`, `retryAfter`
 * ├── ServiceError        the service refuses, by one of its codes
 * ├── NoAnswer            unreachable, timeout, not_ours, wrong_version
 * ├── GameGone            gone: a watched game was deleted with its player
 * ├── LiveClosed          closed: this end closed the live connection
 * ├── Cleared             cleared: a command waited, and was taken out of the queue
 * ├── InvalidRecord       invalid_record: a document that is no record, or of a game that cannot have been
 * └── NotComparable       not_comparable: records that do not belong side by side
 */
/** @import { Game, Place, Problem, ProblemCode } from "./types.js" */
/** @typedef {"unreachable" | "timeout" | "not_ours" | "wrong_version"} NoAnswerCode */
/** @typedef {"gone" | "closed" | "cleared" | "invalid_record" | "not_comparable"} OwnCode */
/** @typedef {ProblemCode | NoAnswerCode | OwnCode} ErrorCode */
/** Root of all failures. `retryable`: the same may succeed later; `untouched`: nothing can have been done yet. */
export class TwofoldError extends Error {
    /**
     * @param {ErrorCode} code
     * @param {string} message
     * @param {ErrorOptions} [options]
     */
    constructor(code: ErrorCode, message: string, options?: ErrorOptions);
    /** @type {ErrorCode} */ code: ErrorCode;
    retryable: boolean;
    untouched: boolean;
    /**
     * Milliseconds to wait at least, where that was told.
     *
     * @type {number | null}
     */
    retryAfter: number | null;
}
/** A refusal, in the service's own words; nothing was changed. `game` is as it stands, where that is told. */
export class ServiceError extends TwofoldError {
    /**
     * @param {Problem} problem
     * @param {number | null} [retryAfter]
     */
    constructor(problem: Problem, retryAfter?: number | null);
    /** @type {ProblemCode} */ code: ProblemCode;
    /** @type {Problem} */ problem: Problem;
    /** @type {number} */ status: number;
    /** @type {Game | null} */ game: Game | null;
}
/** The service was not heard, or what answered does not speak as it does. */
export class NoAnswer extends TwofoldError {
    /**
     * @param {NoAnswerCode} code
     * @param {string} message
     * @param {{ retryable?: boolean, retryAfter?: number | null, cause?: unknown }} [options]
     */
    constructor(code: NoAnswerCode, message: string, { retryable, retryAfter, cause }?: {
        retryable?: boolean;
        retryAfter?: number | null;
        cause?: unknown;
    });
}
/** A watched game is gone, and its player with it. */
export class GameGone extends TwofoldError {
    /** @param {string} game */
    constructor(game: string);
}
/** This end closed the live connection; whether a command without its answer was done is not known. */
export class LiveClosed extends TwofoldError {
    constructor();
}
/** A command that waited was taken out of its game's queue; it was not done. */
export class Cleared extends TwofoldError {
    /** @param {string} op */
    constructor(op: string);
}
/** A document that is no record, or one of a game that cannot have been; says where and why. */
export class InvalidRecord extends TwofoldError {
    /**
     * @param {Place} place
     * @param {string} reason
     */
    constructor(place: Place, reason: string);
    /** @type {Place} */ place: Place;
    /** @type {string} */ reason: string;
}
/** Records that do not belong side by side; the message says why. */
export class NotComparable extends TwofoldError {
    /** @param {string} reason */
    constructor(reason: string);
}
export type NoAnswerCode = "unreachable" | "timeout" | "not_ours" | "wrong_version";
export type OwnCode = "gone" | "closed" | "cleared" | "invalid_record" | "not_comparable";
export type ErrorCode = ProblemCode | NoAnswerCode | OwnCode;
import type { ProblemCode } from "./types.js";
import type { Problem } from "./types.js";
import type { Game } from "./types.js";
import type { Place } from "./types.js";
