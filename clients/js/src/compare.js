/** Games from one start side by side: how far they go together, where they part, and how each went on. */

/** @import { Choice, Fork, Series } from "./types.js" */
/** @import { Step } from "./replay.js" */

import { emptyCells, maxTile } from "./board.js";
import { canonical } from "./canonical.js";
import { NotComparable } from "./errors.js";
import { parseRecord } from "./parse.js";
import { finalPath } from "./replay.js";

/**
 * The final paths of two to four records of one start and the same rules; NotComparable for others.
 *
 * Records are replayed, not proved: InvalidRecord where one tells what cannot have happened.
 *
 * @param {Parameters<typeof parseRecord>[0][]} sources
 * @returns {{ common_moves: number, fork: Fork | null, series: Series[] }}
 */
export function compare(sources) {
  const records = sources.map(parseRecord);
  if (records.length < 2 || records.length > 4) {
    throw new NotComparable(`2 to 4 games are compared, these are ${records.length}`);
  }
  if (different(records, (record) => record.game.id) < records.length) {
    throw new NotComparable("a game is compared with others, not with itself");
  }
  if (different(records, (record) => [record.commitment, record.rules]) > 1) {
    throw new NotComparable("games are compared that have one seed and the same rules; these have not");
  }
  const games = records.map((record) => ({ game: record.game.id, path: finalPath(record) }));
  if (different(games, ({ path }) => path[0].board) > 1) {
    throw new NotComparable("games are compared that begin on one board; these do not");
  }
  const fork = parting(games);
  const shortest = Math.min(...games.map(({ path }) => path.length));
  const together = fork ? Math.min(fork.move, shortest) : shortest;
  return { common_moves: together - 1, fork, series: games.map(figures) };
}

/** @typedef {{ game: string, path: Step[] }} Played */

/**
 * Where games still played part; one that has ended before parts from nobody.
 *
 * @param {Played[]} games
 * @returns {Fork | null}
 */
function parting(games) {
  const longest = games.map(({ path }) => path).reduce((a, b) => (b.length > a.length ? b : a));
  for (let move = 1; move < longest.length; move++) {
    /** @type {Choice[]} */
    const choices = games.flatMap(({ game, path }) => {
      const direction = path[move]?.direction;
      return direction ? [{ game, direction }] : [];
    });
    if (different(choices, (choice) => choice.direction) > 1) return { move, board: longest[move - 1].board, choices };
  }
  return null;
}

/**
 * @param {Played} played
 * @returns {Series}
 */
function figures({ game, path }) {
  return {
    game,
    score: path.map((step) => step.score),
    empty: path.map((step) => emptyCells(step.board).length),
    max_tile: path.map((step) => maxTile(step.board)),
    active_ms: path.map((step) => step.active_ms),
  };
}

/**
 * How many different values items have.
 *
 * @template Item
 * @param {Item[]} items
 * @param {(item: Item) => unknown} value
 */
function different(items, value) {
  return new Set(items.map((item) => canonical(value(item)))).size;
}
