/** A record read strictly: whatever is not exactly one is refused with its place, never half read. */

/** @import { Place, Record } from "./types.js" */

import { DIRECTIONS } from "./board.js";
import { InvalidRecord } from "./errors.js";
import { quoted, readJson } from "./json.js";

const FORMAT = "twofold.record/1";
const LIMIT_BYTES = 8 * 2 ** 20;
const LARGEST_GIVEN = 2 ** 40;
const EVENTS = ["created", "start", "move", "undo", "pause", "resume", "continue", "over"];
const CAUSES = ["player", "disconnect", "idle", "outage", "time_up", "reveal"];
const STATUSES = ["ready", "running", "paused", "won", "over"];
const OUTCOMES = ["no_moves", "time_up", "move_limit", "abandoned"];

/**
 * The record in a JSON text, in its bytes or in a document read from one; InvalidRecord for whatever else it may be.
 *
 * Only form is looked at: a record that can be read may still tell of a game that never was.
 *
 * @param {string | Uint8Array | object} source
 * @returns {Record}
 */
export function parseRecord(source) {
  const isText = typeof source === "string" || source instanceof Uint8Array;
  const whole = new Part(isText ? readJson(textOf(source)) : source, []);
  whole.fields("format", "game", "rules", "start", "events", "result", "commitment", "seed", "digest");
  const drawn = whole.at("seed").maybe((seed) => seed.hex()) !== null;
  const size = rules(whole.at("rules"));
  header(whole.at("game"));
  start(whole.at("start"), size, drawn);
  whole.at("events").items().forEach(entry);
  result(whole.at("result"));
  whole.at("commitment").hex();
  whole.at("digest").hex();
  return /** @type {Record} */ (whole.value);
}

/** A value in a document and its place there; reading it answers with what was wanted or refuses it. */
class Part {
  /**
   * @param {any} value
   * @param {Place} place
   */
  constructor(value, place) {
    this.value = value;
    this.place = place;
  }

  /** @param {string | number} key */
  at(key) {
    return new Part(this.value[key], [...this.place, key]);
  }

  /**
   * An object with exactly these fields.
   *
   * @param {...string} names
   */
  fields(...names) {
    const { value, place } = this;
    if (value === null || typeof value !== "object" || Array.isArray(value)) this.refuse("an object");
    if (!place.length && Object.hasOwn(value, "format") && value.format !== FORMAT) this.at("format").refuse(FORMAT);
    const missing = names.find((name) => !Object.hasOwn(value, name));
    if (missing) throw new InvalidRecord([...place, missing], "missing");
    const unknown = Object.keys(value).find((name) => !names.includes(name));
    if (unknown !== undefined) throw new InvalidRecord(place, `unknown field ${quoted(unknown)}`);
    return this;
  }

  /**
   * @param {number} [count]
   * @returns {Part[]}
   */
  items(count) {
    const { value } = this;
    if (!Array.isArray(value) || (count !== undefined && value.length !== count)) {
      this.refuse(count === undefined ? "a list" : `a list of ${count}`);
    }
    return Array.from(value, (_, index) => this.at(index));
  }

  /**
   * @param {number} [least]
   * @param {number} [most]
   * @returns {number}
   */
  integer(least = 0, most = Number.MAX_SAFE_INTEGER) {
    const { value } = this;
    const fits = Number.isSafeInteger(value) && value >= least && value <= most;
    return fits ? value : this.refuse(`an integer from ${least} to ${most}`);
  }

  flag() {
    return typeof this.value === "boolean" ? this.value : this.refuse("true or false");
  }

  text() {
    return this.#like(/^[^\ud800-\udfff]{1,128}$/u, "a text of 1 to 128 characters");
  }

  hex() {
    return this.#like(/^[0-9a-f]{64}$/, "64 lower-case hex digits");
  }

  instant() {
    const wanted = "an instant like 2027-01-31T23:59:59.999Z";
    const text = this.#like(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}[.][0-9]{3}Z$/, wanted);
    return exists(text) ? text : this.refuse(wanted);
  }

  date() {
    const text = this.text();
    return exists(`${text}T00:00:00.000Z`) ? text : this.refuse("a date like 2027-01-31");
  }

  /** @param {readonly string[]} words */
  word(words) {
    if (typeof this.value !== "string") this.refuse("a word");
    return words.includes(this.value) ? this.value : this.refuse(`one of ${words.join(", ")}`);
  }

  /**
   * @template Answer
   * @param {(part: Part) => Answer} read
   */
  maybe(read) {
    return this.value === null ? null : read(this);
  }

  /**
   * @param {string} wanted
   * @returns {never}
   */
  refuse(wanted) {
    throw new InvalidRecord(this.place, `expected ${wanted}, found ${shown(this.value)}`);
  }

  /**
   * @param {RegExp} pattern
   * @param {string} wanted
   * @returns {string}
   */
  #like(pattern, wanted) {
    return typeof this.value === "string" && pattern.test(this.value) ? this.value : this.refuse(wanted);
  }
}

/** @param {Part} game */
function header(game) {
  game.fields("id", "mode", "date", "attempt", "player", "created_at", "started_at", "ended_at");
  const player = game.at("player").fields("id", "name");
  game.at("id").text();
  game.at("mode").text();
  game.at("date").maybe((date) => date.date());
  game.at("attempt").maybe((attempt) => attempt.integer(1));
  player.at("id").text();
  player.at("name").maybe((name) => name.text());
  game.at("created_at").instant();
  game.at("started_at").maybe((instant) => instant.instant());
  game.at("ended_at").maybe((instant) => instant.instant());
}

/**
 * The size, which the start needs.
 *
 * @param {Part} rules
 */
function rules(rules) {
  rules.fields("size", "goal", "time_limit_ms", "move_limit", "undo_limit");
  const size = rules.at("size").integer(3, 8);
  rules.at("goal").integer(1);
  for (const limit of ["time_limit_ms", "move_limit", "undo_limit"]) rules.at(limit).maybe((part) => part.integer());
  return size;
}

/**
 * The start tiles; where the seed does not draw them, they must make a board.
 *
 * @param {Part} start
 * @param {number} size
 * @param {boolean} drawn
 */
function start(start, size, drawn) {
  start.fields("given", "cells", "values");
  const given = start.at("given").flag();
  const cells = start
    .at("cells")
    .items()
    .map((cell) => cell.integer());
  const values = start
    .at("values")
    .items(cells.length)
    .map((value) => value.integer());
  if (drawn && !given) return;
  if (!cells.length || new Set(cells).size < cells.length || Math.max(...cells) >= size * size) {
    throw new InvalidRecord([...start.place, "cells"], `expected different cells below ${size * size}`);
  }
  const odd = values.findIndex(
    (value) => value < 2 || value > LARGEST_GIVEN || value !== 2 ** Math.round(Math.log2(value)),
  );
  if (odd >= 0) start.at("values").at(odd).refuse("a power of two from 2 to 2^40");
}

/** @param {Part} row */
function entry(row) {
  const [kind, direction, active, cause, spawn] = row.items(5);
  const type = kind.word(EVENTS);
  if (type === "created") kind.refuse("an event after the creation");
  const moves = type === "move";
  for (const [part, wanted] of /** @type {const} */ ([
    [direction, moves],
    [cause, type === "pause" || type === "over"],
    [spawn, moves],
  ])) {
    if ((part.value !== null) !== wanted) part.refuse(`${wanted ? "something" : "null"} for ${type}`);
  }
  direction.maybe((part) => part.word(DIRECTIONS));
  active.integer();
  cause.maybe((part) => part.word(CAUSES));
  spawn.maybe((part) => part.items(2).forEach((number) => number.integer()));
}

/** @param {Part} result */
function result(result) {
  result.fields(
    ...["score", "max_tile", "moves", "active_ms", "elapsed_ms", "pauses"],
    ...["status", "outcome", "reached_goal", "undos", "board"],
  );
  for (const figure of ["score", "max_tile", "moves", "active_ms"]) result.at(figure).integer();
  result.at("elapsed_ms").maybe((part) => part.integer());
  result.at("pauses").integer();
  result.at("status").word(STATUSES);
  result.at("outcome").maybe((part) => part.word(OUTCOMES));
  result.at("reached_goal").flag();
  result.at("undos").integer();
  for (const row of result.at("board").items()) for (const cell of row.items()) cell.integer();
}

/** @param {string | Uint8Array} source */
function textOf(source) {
  const bytes = typeof source === "string" ? new TextEncoder().encode(source) : source;
  if (bytes.length > LIMIT_BYTES) throw new InvalidRecord([], `longer than ${LIMIT_BYTES} bytes`);
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (typeof source === "string" && text !== source) throw new TypeError("a lone surrogate");
    return text;
  } catch {
    throw new InvalidRecord([], "not UTF-8");
  }
}

/**
 * Whether an instant is one of the calendar.
 *
 * @param {string} text
 */
function exists(text) {
  const moment = new Date(text);
  return !text.startsWith("0000") && !Number.isNaN(moment.getTime()) && moment.toISOString() === text;
}

/**
 * A wrong value in a few characters that are safe to print and to send on.
 *
 * @param {unknown} value
 */
function shown(value) {
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (value !== null && typeof value === "object") return "an object";
  return typeof value !== "number" || Number.isSafeInteger(value) ? String(value) : "another number";
}
