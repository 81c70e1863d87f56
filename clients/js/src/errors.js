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
  /** @type {ErrorCode} */ code;
  retryable = false;
  untouched = false;
  /**
   * Milliseconds to wait at least, where that was told.
   *
   * @type {number | null}
   */
  retryAfter = null;

  /**
   * @param {ErrorCode} code
   * @param {string} message
   * @param {ErrorOptions} [options]
   */
  constructor(code, message, options) {
    super(message, options);
    this.code = code;
    this.name = new.target.name;
  }
}

/** A refusal, in the service's own words; nothing was changed. `game` is as it stands, where that is told. */
export class ServiceError extends TwofoldError {
  /** @type {ProblemCode} */ code;
  /** @type {Problem} */ problem;
  /** @type {number} */ status;
  /** @type {Game | null} */ game;

  /**
   * @param {Problem} problem
   * @param {number | null} [retryAfter]
   */
  constructor(problem, retryAfter = null) {
    super(problem.code, `${problem.code}: ${problem.detail}`);
    this.code = problem.code;
    this.problem = problem;
    this.status = problem.status;
    this.retryable = problem.retryable;
    this.untouched = REFUSED_AT_THE_DOOR.has(problem.code);
    this.retryAfter = retryAfter;
    this.game = problem.game ?? null;
  }
}

const REFUSED_AT_THE_DOOR = new Set(["rate_limited", "draining", "busy"]);

/** The service was not heard, or what answered does not speak as it does. */
export class NoAnswer extends TwofoldError {
  /**
   * @param {NoAnswerCode} code
   * @param {string} message
   * @param {{ retryable?: boolean, retryAfter?: number | null, cause?: unknown }} [options]
   */
  constructor(
    code,
    message,
    { retryable = code === "unreachable" || code === "timeout", retryAfter = null, cause } = {},
  ) {
    super(code, message, { cause });
    this.retryable = retryable;
    this.retryAfter = retryAfter;
  }
}

/** A watched game is gone, and its player with it. */
export class GameGone extends TwofoldError {
  /** @param {string} game */
  constructor(game) {
    super("gone", `the game ${game} is gone, and its player with it`);
  }
}

/** This end closed the live connection; whether a command without its answer was done is not known. */
export class LiveClosed extends TwofoldError {
  constructor() {
    super("closed", "the live connection was closed here");
  }
}

/** A command that waited was taken out of its game's queue; it was not done. */
export class Cleared extends TwofoldError {
  /** @param {string} op */
  constructor(op) {
    super("cleared", `${op} was taken out of the queue`);
  }
}

/** A document that is no record, or one of a game that cannot have been; says where and why. */
export class InvalidRecord extends TwofoldError {
  /** @type {Place} */ place;
  /** @type {string} */ reason;

  /**
   * @param {Place} place
   * @param {string} reason
   */
  constructor(place, reason) {
    super("invalid_record", `${place.join(".") || "record"}: ${reason}`);
    this.place = place;
    this.reason = reason;
  }
}

/** Records that do not belong side by side; the message says why. */
export class NotComparable extends TwofoldError {
  /** @param {string} reason */
  constructor(reason) {
    super("not_comparable", reason);
  }
}
