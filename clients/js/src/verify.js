/** A record proved: played again and compared with every figure that its seed and moves determine. */

/** @import { Cause, EventType, Place, Record, RecordResult } from "./types.js" */
/** @import { Happening, Life } from "./life.js" */

import { maxTile } from "./board.js";
import { digest } from "./canonical.js";
import { InvalidRecord } from "./errors.js";
import { ascii } from "./json.js";
import { activeTime, IDLE } from "./life.js";
import { GOAL, MODES } from "./modes.js";
import { parseRecord } from "./parse.js";
import { happenings } from "./replay.js";
import { commitment, startTiles } from "./spawn.js";

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
export function verify(source) {
  const record = parseRecord(source);
  const all = [...seals(record), ...terms(record), ...start(record)];
  const events = happenings(record);
  let { game } = /** @type {Happening} */ (events.next().value);
  try {
    let number = 0;
    for (const event of events) {
      all.push(...figures(record, number++, game, event));
      game = event.game;
    }
    all.push(...instants(record, game), ...result(record, game));
  } catch (error) {
    if (!(error instanceof InvalidRecord)) throw error;
    all.push({ place: error.place, message: error.reason });
  }
  const findings = firstOfEachKind(all);
  const proof = record.seed === null ? "consistent" : "seed";
  return { valid: !findings.length, proof, findings, result: resultOf(record, game) };
}

/**
 * Of findings in the order of play; those of all events at one column are of one kind.
 *
 * @param {Finding[]} findings
 */
function firstOfEachKind(findings) {
  /** @type {Map<string, Finding>} */
  const firsts = new Map();
  for (const finding of findings) {
    const [part, , ...column] = finding.place;
    const kind = JSON.stringify(part === "events" ? [part, ...column] : finding.place);
    if (!firsts.has(kind)) firsts.set(kind, finding);
  }
  return [...firsts.values()];
}

/**
 * @param {Place} place
 * @param {unknown} expected
 * @param {unknown} found
 * @returns {Findings}
 */
function* differs(place, expected, found) {
  const [wanted, told] = [shown(expected), shown(found)];
  if (wanted !== told) yield { place, message: `expected ${short(wanted)}, found ${short(told)}` };
}

/**
 * @param {unknown} value
 * @returns {string}
 */
function shown(value) {
  if (typeof value === "string") return ascii(value);
  return Array.isArray(value) ? `[${value.map(shown).join(", ")}]` : JSON.stringify(value);
}

/** @param {string} text */
function short(text) {
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
}

/**
 * @param {Record} record
 * @returns {Findings}
 */
function* seals(record) {
  yield* differs(["digest"], digest(record), record.digest);
  if (record.seed !== null) yield* differs(["commitment"], commitment(record.seed), record.commitment);
}

/**
 * The mode's own rules, and what a game of it must have.
 *
 * @param {Record} record
 * @returns {Findings}
 */
function* terms({ game, rules, start }) {
  const mode = MODES.find((known) => known.mode === game.mode);
  if (!mode) {
    const names = MODES.map((known) => known.mode).join(", ");
    yield { place: ["game", "mode"], message: `expected one of ${names}, found ${short(shown(game.mode))}` };
    return;
  }
  yield* among(["rules", "size"], mode.sizes, rules.size);
  yield* among(["rules", "goal"], [GOAL], rules.goal);
  yield* among(["rules", "time_limit_ms"], [mode.time_limit_ms], rules.time_limit_ms);
  yield* among(["rules", "move_limit"], [mode.move_limit], rules.move_limit);
  yield* among(["rules", "undo_limit"], mode.undo_limits, rules.undo_limit);
  if (start.given && mode.mode !== "practice") {
    yield { place: ["start", "given"], message: `${mode.mode} is played from no given board` };
  }
  if (mode.mode !== "daily") return;
  for (const name of /** @type {const} */ (["date", "attempt"])) {
    if (game[name] === null) yield { place: ["game", name], message: `a daily game has its ${name}, found null` };
  }
}

/**
 * @param {Place} place
 * @param {(number | null)[]} allowed
 * @param {number | null} found
 * @returns {Findings}
 */
function* among(place, allowed, found) {
  if (!allowed.includes(found))
    yield { place, message: `expected ${allowed.map(shown).join(" or ")}, found ${shown(found)}` };
}

/**
 * The start tiles, in the order of their spawns; a given board is taken as it is, row by row.
 *
 * @param {Record} record
 * @returns {Findings}
 */
function* start({ start: { given, cells, values }, rules, seed }) {
  if (given) {
    yield* differs(
      ["start", "cells"],
      cells.toSorted((a, b) => a - b),
      cells,
    );
  } else if (seed !== null) {
    const tiles = startTiles(seed, rules.size);
    yield* differs(
      ["start", "cells"],
      tiles.map((tile) => tile.cell),
      cells,
    );
    yield* differs(
      ["start", "values"],
      tiles.map((tile) => tile.value),
      values,
    );
  } else if (cells.length !== 2) {
    yield { place: ["start", "cells"], message: `expected two start tiles, found ${cells.length}` };
  } else if (!values.every((value) => value === 2 || value === 4)) {
    yield { place: ["start", "values"], message: `expected start tiles of 2 or 4, found ${shown(values)}` };
  }
}

/**
 * What one entry tells, against the event that it makes of the game before it.
 *
 * @param {Record} record
 * @param {number} number
 * @param {Life} before
 * @param {Happening} event
 * @returns {Findings}
 */
function* figures(record, number, before, event) {
  const [type, , told, cause, spawn] = record.events[number];
  const expected = time(record, before, event, told);
  if (expected !== null) yield { place: ["events", number, 2], message: `expected ${expected}, found ${told}` };
  if (cause !== null && !causes(record, type).includes(cause)) {
    yield { place: ["events", number, 3], message: `no ${type} of this game has the cause ${cause}` };
  }
  yield* differs(["events", number, 4], event.spawn && [event.spawn.cell, event.spawn.value], spawn);
}

/**
 * What the active time after an event ought to be, where the told one is not.
 *
 * @param {Record} record
 * @param {Life} before
 * @param {Happening} event
 * @param {number} told
 */
function time({ rules: { time_limit_ms: limit } }, before, event, told) {
  const least = activeTime(before);
  if (event.cause === "time_up") return told === limit ? null : `${limit}, the limit`;
  if (before.clock.since === null) return told === least ? null : `${least}, as the clock stood`;
  const earliest = event.cause === "idle" ? least + IDLE : least;
  if (told < earliest) return `at least ${earliest}`;
  return limit !== null && told >= limit ? `less than ${limit}, the limit` : null;
}

/**
 * Why such a game may be paused or over: a limited clock fears a lost connection, another falls idle.
 *
 * @param {Record} record
 * @param {EventType} type
 * @returns {Cause[]}
 */
function causes({ rules, game }, type) {
  if (type === "pause") return ["player", "outage", rules.time_limit_ms === null ? "idle" : "disconnect"];
  return game.mode === "daily" ? ["player", "time_up", "reveal"] : ["player", "time_up"];
}

/**
 * That such a game has these instants, and in order; more the record alone cannot tell.
 *
 * @param {Record} record
 * @param {Life} game
 * @returns {Findings}
 */
function* instants({ game: header }, game) {
  const created = Date.parse(header.created_at);
  const started = header.started_at === null ? created : Date.parse(header.started_at);
  const over = game.status === "over";
  const wanted = "expected an instant";
  if (game.started && header.started_at === null) {
    yield { place: ["game", "started_at"], message: `${wanted}, as the game was started, found null` };
  }
  if (started < created) {
    yield { place: ["game", "started_at"], message: `${wanted} after created_at, found an earlier one` };
  }
  const place = ["game", "ended_at"];
  if (header.ended_at === null) {
    if (over) yield { place, message: `${wanted}, as the game is over, found null` };
  } else if (!over) {
    yield { place, message: "expected null, as the game is not over, found an instant" };
  } else if (Date.parse(header.ended_at) - started < activeTime(game)) {
    yield { place, message: `expected ${activeTime(game)} ms of active time after the start` };
  }
}

/**
 * @param {Record} record
 * @param {Life} game
 * @returns {Findings}
 */
function* result(record, game) {
  const { board: expected, ...rest } = resultOf(record, game);
  const { board: found, ...told } = record.result;
  for (const name of /** @type {(keyof typeof rest)[]} */ (Object.keys(rest))) {
    yield* differs(["result", name], rest[name], told[name]);
  }
  if (expected.length !== found.length) {
    yield { place: ["result", "board"], message: `expected ${expected.length} rows, found ${found.length}` };
    return;
  }
  const number = expected.findIndex((row, y) => shown(row) !== shown(found[y]));
  if (number >= 0) yield* differs(["result", "board", number], expected[number], found[number]);
}

/**
 * What a game has come to as of its last event.
 *
 * @param {Record} record
 * @param {Life} game
 * @returns {RecordResult}
 */
function resultOf({ game: { started_at, ended_at } }, game) {
  const { board, score, moves, reachedGoal } = game.position;
  const ended = game.status === "over" && started_at !== null && ended_at !== null;
  return {
    score,
    max_tile: maxTile(board),
    moves,
    active_ms: activeTime(game),
    elapsed_ms: ended ? Date.parse(ended_at) - Date.parse(started_at) : null,
    pauses: game.pauses,
    status: game.status,
    outcome: game.outcome,
    reached_goal: reachedGoal,
    undos: game.undos,
    board,
  };
}
