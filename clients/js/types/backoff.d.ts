/**
 * Anything from nothing to twice as much as the last time.
 *
 * @param {Retry} retry
 * @param {number} failures
 */
export function pause({ first, longest, random }: Retry, failures: number): number;
/** @param {number} ms */
export function sleep(ms: number): Promise<any>;
/** A key that makes a command one that is done once; `randomUUID` is missing on plain http. */
export function newKey(): string;
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
export const RETRY: Retry;
/** The attempts at one call. */
export class Attempts {
    /** @param {Retry} retry */
    constructor(retry: Retry);
    /** Milliseconds until the deadline. */
    get left(): number;
    /**
     * How long to wait before the next attempt; throws the error where there is to be none.
     *
     * @param {TwofoldError} error
     * @param {boolean} repeatable Whether doing it twice is doing it once; else only what was not done is repeated.
     */
    after(error: TwofoldError, repeatable: boolean): number;
    #private;
}
/**
 * How long is tried, all attempts and pauses together, and the first and longest pause, in ms; `random` is the chance.
 */
export type Retry = {
    deadline: number;
    first: number;
    longest: number;
    random: () => number;
};
import type { TwofoldError } from "./errors.js";
