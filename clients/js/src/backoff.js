/** When what failed is tried again: exponential backoff with full jitter, for a while. */

/** @import { TwofoldError } from "./errors.js" */

/**
 * How long is tried, all attempts and pauses together, and the first and longest pause, in ms; `random` is the chance.
 *
 * @typedef {object} Retry
 * @property {number} deadline
 * @property {number} first
 * @property {number} longest
 * @property {() => number} random
 */

/** @type {Retry} */
export const RETRY = { deadline: 30_000, first: 100, longest: 5_000, random: Math.random };

/**
 * Anything from nothing to twice as much as the last time.
 *
 * @param {Retry} retry
 * @param {number} failures
 */
export function pause({ first, longest, random }, failures) {
  return random() * Math.min(longest, first * 2 ** failures);
}

/** The attempts at one call. */
export class Attempts {
  #retry;
  #ends;
  #failures = 0;

  /** @param {Retry} retry */
  constructor(retry) {
    this.#retry = retry;
    this.#ends = performance.now() + retry.deadline;
  }

  /** Milliseconds until the deadline. */
  get left() {
    return this.#ends - performance.now();
  }

  /**
   * How long to wait before the next attempt; throws the error where there is to be none.
   *
   * @param {TwofoldError} error
   * @param {boolean} repeatable Whether doing it twice is doing it once; else only what was not done is repeated.
   */
  after(error, repeatable) {
    const wait = (error.retryAfter ?? 0) + pause(this.#retry, this.#failures++);
    if (!error.retryable || !(repeatable || error.untouched) || wait >= this.left) throw error;
    return wait;
  }
}

/** @param {number} ms */
export function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A key that makes a command one that is done once; `randomUUID` is missing on plain http. */
export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
