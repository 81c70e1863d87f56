/** A record played again, by the game's own commands and on its own active time. */

/** @import { Board, Cause, Direction, EventType, Outcome, Slide, Spawn, Status } from "./types.js" */
/** @import { Place, Record, RecordRow } from "./types.js" */
/** @import { Happening, Life, Position } from "./life.js" */

import { emptyBoard, emptyCells, maxTile, shift, withTile } from "./board.js";
import { InvalidRecord } from "./errors.js";
import * as life from "./life.js";
import { parseRecord } from "./parse.js";
import { startTiles } from "./spawn.js";

/**
 * An event of a replay, and the game as it stood after it; fields as in the service's events.
 *
 * @typedef {object} Replayed
 * @property {number} version
 * @property {EventType} type
 * @property {Direction | null} direction
 * @property {Slide[]} slides
 * @property {Spawn | null} spawn
 * @property {Cause | null} cause
 * @property {Board} board
 * @property {number} score
 * @property {number} score_delta
 * @property {number} max_tile
 * @property {number} moves
 * @property {number} active_ms
 * @property {Status} status
 * @property {Outcome | null} outcome
 * @property {boolean} reached_goal
 */

/**
 * A position of the path a game ended on, and the move that led to it; null for the start.
 *
 * @typedef {object} Step
 * @property {Direction | null} direction
 * @property {Board} board
 * @property {number} score
 * @property {number} active_ms
 */

/**
 * The created event, then one for each entry; InvalidRecord at the first entry that cannot have happened.
 *
 * @param {Parameters<typeof parseRecord>[0]} record
 * @returns {Generator<Replayed, void>}
 */
export function* replay(record) {
  for (const { type, game, direction, slides, spawn, cause, scoreDelta } of happenings(parseRecord(record))) {
    const { board, score, moves, reachedGoal } = game.position;
    const event = {
      version: game.version,
      type,
      direction,
      slides,
      spawn,
      cause,
      board,
      score,
      score_delta: scoreDelta,
    };
    const stands = { status: game.status, outcome: game.outcome, reached_goal: reachedGoal };
    yield { ...event, max_tile: maxTile(board), moves, active_ms: life.activeTime(game), ...stands };
  }
}

/**
 * The same with the games themselves, of a parsed record. With the seed every tile is drawn anew, else the told ones
 * are taken. Whether the entries tell the figures that the events have is not asked.
 *
 * @param {Record} record
 * @returns {Generator<Happening, void>}
 */
export function* happenings(record) {
  let event = created(record);
  const path = [event.game.position];
  yield event;
  for (const [number, row] of record.events.entries()) {
    event = played(record, event.game, row, path, ["events", number]);
    if (event.type === "move") path.push(event.game.position);
    else if (event.type === "undo") path.pop();
    yield event;
  }
}

/**
 * The start and the moves that were not undone.
 *
 * @param {Record} record
 * @returns {Step[]}
 */
export function finalPath(record) {
  /** @type {Step[]} */
  const path = [];
  for (const { type, direction, game } of happenings(record)) {
    const { board, score } = game.position;
    if (type === "created" || type === "move") path.push({ direction, board, score, active_ms: life.activeTime(game) });
    else if (type === "undo") path.pop();
  }
  return path;
}

/**
 * Whether the game waited for its start command; one abandoned before it has never started.
 *
 * @param {Record} record
 */
function beganReady(record) {
  const first = record.events[0]?.[0] ?? "over";
  return first === "over" ? record.game.started_at === null : first === "start";
}

/** @param {Record} record */
function created(record) {
  const { rules, seed } = record;
  const { given, cells, values } = record.start;
  const told = cells.map((cell, index) => ({ cell, value: values[index] }));
  const tiles = given || seed === null ? told : startTiles(seed, rules.size);
  return life.create(rules, seed, tiles.reduce(withTile, emptyBoard(rules.size)), {
    start: !beganReady(record),
    given,
  });
}

/**
 * @param {Record} record
 * @param {Life} game
 * @param {RecordRow} row
 * @param {Position[]} path
 * @param {Place} place
 */
function played(record, game, row, path, place) {
  const [type, direction, active, cause, spawn] = row;
  lookAhead(record, game, row, place);
  const at = life.reaches(game.clock, active) ?? game.at;
  const tile = spawn && record.seed === null ? { cell: spawn[0], value: spawn[1] } : null;
  const commands = {
    move: () => direction && life.move(game, direction, at, tile),
    undo: () => life.undo(game, at, path[path.length - 2]),
    start: () => life.start(game, at),
    pause: () => life.pause(game, at, cause ?? "player"),
    resume: () => life.resume(game, at),
    continue: () => life.goOn(game, at),
    over: () =>
      cause === "time_up"
        ? life.timeUp(game, record.rules.time_limit_ms ?? 0)
        : life.abandon(game, at, cause ?? "player"),
    created: () => null,
  };
  try {
    const event = commands[type]();
    if (event) return event;
  } catch (error) {
    if (!(error instanceof life.Refusal)) throw error;
    throw new InvalidRecord(place, `no ${type} is possible here: ${error.message}`);
  }
  throw new InvalidRecord(place, `${direction} changes nothing here`);
}

/**
 * Refuse what the commands take on trust: that time can be up, and that a told tile finds room.
 *
 * @param {Record} record
 * @param {Life} game
 * @param {RecordRow} row
 * @param {Place} place
 */
function lookAhead({ rules, seed }, game, [type, direction, , cause, spawn], place) {
  if (type === "over" && cause === "time_up") {
    if (game.clock.since !== null && rules.time_limit_ms !== null) return;
    throw new InvalidRecord(place, "time cannot be up here: no limited clock runs");
  }
  if (type !== "move" || seed !== null || !direction || !spawn) return;
  const { board, moved } = shift(game.position.board, direction);
  const [cell, value] = spawn;
  const fits = (value === 2 || value === 4) && (!moved || emptyCells(board).includes(cell));
  if (!fits) throw new InvalidRecord([...place, 4], "no such tile can appear here");
}
