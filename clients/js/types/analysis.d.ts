/**
 * What the moves of a finished game were worth, once that is known; `told` hears from 0 to 1 how far it is.
 *
 * @param {Rest} rest
 * @param {string} game
 * @param {{ depth?: number, told?: (progress: number) => void, signal?: AbortSignal }} [how]
 * @returns {Promise<Analysis>}
 */
export function analysis(rest: Rest, game: string, { depth, told, signal }?: {
    depth?: number;
    told?: (progress: number) => void;
    signal?: AbortSignal;
}): Promise<Analysis>;
import type { Rest } from "./rest.js";
import type { Analysis } from "./types.js";
