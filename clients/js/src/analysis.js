/** An analysis asked for until it is made. */

/** @import { Rest } from "./rest.js" */
/** @import { Analysis } from "./types.js" */

import { sleep } from "./backoff.js";

/** How soon to ask again, in ms. */
const AGAIN = 500;

/**
 * What the moves of a finished game were worth, once that is known; `told` hears from 0 to 1 how far it is.
 *
 * @param {Rest} rest
 * @param {string} game
 * @param {{ depth?: number, told?: (progress: number) => void, signal?: AbortSignal }} [how]
 * @returns {Promise<Analysis>}
 */
export async function analysis(rest, game, { depth, told, signal } = {}) {
  for (;;) {
    signal?.throwIfAborted();
    const answer = await rest.getAnalysis(game, { depth });
    if (!("progress" in answer)) return answer;
    told?.(answer.progress);
    await sleep(AGAIN);
  }
}
