/**
 * A figure that is not what it must be, and its place in the document.
 *
 * @typedef {object} Finding
 * @property {Place} place
 * @property {string} message
 */
/**
 * What came of playing a record again: `proof` is what it rests on, `result` what the replay came to.
 *
 * @typedef {object} Verdict
 * @property {boolean} valid
 * @property {"seed" | "consistent"} proof
 * @property {Finding[]} findings
 * @property {RecordResult} result
 */
/** @typedef {Generator<Finding, void>} Findings */
/**
 * Play a record again; the first figure of each kind that differs is named. InvalidRecord for what is no record.
 *
 * Each move's tile is drawn from the seed in the record where there is one, else taken as told where it may appear.
 * At the first event that cannot have happened the replay ends, and the verdict's result with it.
 *
 * @param {Parameters<typeof parseRecord>[0]} source
 * @returns {Verdict}
 */
export function verify(source: Parameters<typeof parseRecord>[0]): Verdict;
/**
 * A figure that is not what it must be, and its place in the document.
 */
export type Finding = {
    place: Place;
    message: string;
};
/**
 * What came of playing a record again: `proof` is what it rests on, `result` what the replay came to.
 */
export type Verdict = {
    valid: boolean;
    proof: "seed" | "consistent";
    findings: Finding[];
    result: RecordResult;
};
export type Findings = Generator<Finding, void>;
import { parseRecord } from "./parse.js";
import type { Place } from "./types.js";
import type { RecordResult } from "./types.js";
