/**
 * The final paths of two to four records of one start and the same rules; NotComparable for others.
 *
 * Records are replayed, not proved: InvalidRecord where one tells what cannot have happened.
 *
 * @param {Parameters<typeof parseRecord>[0][]} sources
 * @returns {{ common_moves: number, fork: Fork | null, series: Series[] }}
 */
export function compare(sources: Parameters<typeof parseRecord>[0][]): {
    common_moves: number;
    fork: Fork | null;
    series: Series[];
};
export type Played = {
    game: string;
    path: Step[];
};
import { parseRecord } from "./parse.js";
import type { Fork } from "./types.js";
import type { Series } from "./types.js";
import type { Step } from "./replay.js";
