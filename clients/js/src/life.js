/** The life of a game: frozen values, and commands that answer with the event they make. Times are milliseconds. */

/** @import { Board, Cause, Direction, EventType, Outcome, RecordRules, Slide, Spawn, Status } from "./types.js" */

import { emptyCells, legalMoves, maxTile, shift, withTile } from "./board.js";
import { spawn } from "./spawn.js";

export const IDLE = 300_000;

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
export class Refusal extends Error {}

const OVER = "The game is over.";
const NOT_STARTED = "The game waits for its start command.";
const NOT_RUNNING = "Only a running game can be paused.";
const NOT_PAUSED = "Only a paused game can be resumed.";
const NOT_WON = "Only a game that waits at its goal can be continued.";

/**
 * Active time at an instant.
 *
 * @param {Running} clock
 * @param {number} now
 */
function active({ banked, since }, now) {
  return since === null ? banked : banked + Math.max(0, now - since);
}

/**
 * Active time as of the last event.
 *
 * @param {Life} game
 */
export function activeTime(game) {
  return active(game.clock, game.at);
}

/**
 * The instant at which active time is so much; null while the clock stands.
 *
 * @param {Running} clock
 * @param {number} time
 */
export function reaches({ banked, since }, time) {
  return since === null ? null : since + time - banked;
}

/**
 * Over, and no undo can revive it.
 *
 * @param {Life} game
 */
function isFinal(game) {
  return game.status === "over" && (isClosed(game) || game.outcome === "time_up" || undoRefusal(game) !== null);
}

/** @param {Life} game */
function isClosed(game) {
  return game.givenUp || game.outcome === "abandoned";
}

/**
 * Why an undo would be refused, null where it would be accepted.
 *
 * @param {Life} game
 */
function undoRefusal(game) {
  const limit = game.rules.undo_limit;
  if (game.status === "ready") return NOT_STARTED;
  if (game.status === "over" && isClosed(game)) return OVER;
  if (limit !== null && game.undos >= limit) return "All undos of this game are used.";
  return game.position.moves === 0 ? "There is no move to undo." : null;
}

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
export function create(rules, seed, board, { start, given }) {
  const over = !legalMoves(board).length;
  const status = over ? "over" : start ? "running" : "ready";
  return happening("created", {
    rules,
    seed,
    position: { board, score: 0, moves: 0, reachedGoal: given && maxTile(board) >= rules.goal },
    version: 1,
    status,
    outcome: over ? "no_moves" : null,
    givenUp: false,
    undos: 0,
    pauses: 0,
    clock: { banked: 0, since: status === "running" ? 0 : null },
    at: 0,
    started: start,
  });
}

/**
 * @param {Life} game
 * @param {number} at
 */
export function start(game, at) {
  if (game.status !== "ready") throw new Refusal(game.status === "over" ? OVER : "The game was started before.");
  return happening("start", { ...next(game, at, "running"), started: true });
}

/**
 * One move and its spawn; null for one that changes nothing. `tile` stands for the spawn where the seed is not known.
 *
 * @param {Life} game
 * @param {Direction} direction
 * @param {number} at
 * @param {Spawn | null} tile
 * @returns {Happening | null}
 */
export function move(game, direction, at, tile) {
  allow(game, "running", {
    paused: "The game is paused; resume it first.",
    won: "The goal is reached; continue the game first.",
  });
  const { board, moved, score_delta, slides } = shift(game.position.board, direction);
  if (!moved) return null;
  const drawn = tile ?? spawn(game.seed ?? "", game.position.moves + 2, board);
  const after = withTile(board, drawn);
  const { goal, move_limit } = game.rules;
  const moves = game.position.moves + 1;
  const wins = !game.position.reachedGoal && slides.some((slide) => slide.merged && slide.value * 2 === goal);
  /** @type {Outcome | null} */
  let outcome = null;
  if (move_limit !== null && moves >= move_limit) outcome = "move_limit";
  else if (!emptyCells(after).length && !legalMoves(after).length) outcome = "no_moves";
  const position = {
    board: after,
    score: game.position.score + score_delta,
    moves,
    reachedGoal: game.position.reachedGoal || wins,
  };
  const status = outcome ? "over" : wins ? "won" : "running";
  const moved_ = { ...next(game, at, status), position, outcome };
  return happening("move", moved_, { direction, slides, spawn: drawn, scoreDelta: score_delta });
}

/**
 * One move back, to the position `back`.
 *
 * @param {Life} game
 * @param {number} at
 * @param {Position} back
 */
export function undo(game, at, back) {
  const refusal = undoRefusal(game);
  if (refusal !== null) throw new Refusal(refusal);
  const stays = game.status === "paused" || game.outcome === "time_up";
  const after = stays ? next(game, at, game.status) : { ...next(game, at, "running"), outcome: null };
  const undone = { ...after, position: back, undos: game.undos + 1 };
  return happening("undo", undone, { scoreDelta: back.score - game.position.score });
}

/**
 * @param {Life} game
 * @param {number} at
 * @param {Cause} cause
 */
export function pause(game, at, cause) {
  allow(game, "running", { paused: NOT_RUNNING, won: NOT_RUNNING });
  const counts = cause === "player" || cause === "disconnect";
  return happening("pause", { ...next(game, at, "paused"), pauses: game.pauses + (counts ? 1 : 0) }, { cause });
}

/**
 * @param {Life} game
 * @param {number} at
 */
export function resume(game, at) {
  allow(game, "paused", { running: NOT_PAUSED, won: NOT_PAUSED });
  return happening("resume", next(game, at, "running"));
}

/**
 * The command `continue`: play on beyond the goal.
 *
 * @param {Life} game
 * @param {number} at
 */
export function goOn(game, at) {
  allow(game, "won", { running: NOT_WON, paused: NOT_WON });
  return happening("continue", next(game, at, "running"));
}

/**
 * End the game for good; a finished one keeps its outcome and gives up its undos.
 *
 * @param {Life} game
 * @param {number} at
 * @param {Cause} cause
 */
export function abandon(game, at, cause) {
  if (isFinal(game)) throw new Refusal(OVER);
  const after = next(game, at, "over");
  /** @type {Life} */
  const over = game.status === "over" ? { ...after, givenUp: true } : { ...after, outcome: "abandoned" };
  return happening("over", over, { cause });
}

/**
 * The end of a game on a running clock of `limit` milliseconds.
 *
 * @param {Life} game
 * @param {number} limit
 */
export function timeUp(game, limit) {
  const over = next(game, reaches(game.clock, limit) ?? game.at, "over");
  return happening(
    "over",
    { ...over, outcome: "time_up", clock: { banked: limit, since: null } },
    { cause: "time_up" },
  );
}

/**
 * @param {Life} game
 * @param {Status} wanted
 * @param {Partial<{ [status in Status]: string }>} otherwise
 */
function allow(game, wanted, otherwise) {
  if (game.status !== wanted) throw new Refusal({ over: OVER, ready: NOT_STARTED, ...otherwise }[game.status]);
}

/**
 * The game one version on, its clock running exactly where the status says so.
 *
 * @param {Life} game
 * @param {number} now
 * @param {Status} status
 * @returns {Life}
 */
function next(game, now, status) {
  const at = Math.max(now, game.at);
  const { clock } = game;
  const running = clock.since === null ? { banked: clock.banked, since: at } : clock;
  const standing = clock.since === null ? clock : { banked: active(clock, at), since: null };
  return { ...game, version: game.version + 1, at, status, clock: status === "running" ? running : standing };
}

/**
 * @param {EventType} type
 * @param {Life} game
 * @param {Partial<Happening>} [more]
 * @returns {Happening}
 */
function happening(type, game, more) {
  return { type, game, direction: null, slides: [], spawn: null, cause: null, scoreDelta: 0, ...more };
}
