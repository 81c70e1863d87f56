/** A game that is played and watched live: how it stands, what is asked of it, its events in order and each once. */

/** @import { Command, Direction, Event, Game } from "./types.js" */
/** @import { TwofoldError } from "./errors.js" */
/** @import { Live } from "./live.js" */
/** @import { Queued } from "./queue.js" */
/** @import { Rest, Told } from "./rest.js" */

import { Emitter } from "./emitter.js";
import { GameGone } from "./errors.js";
import { CommandQueue } from "./queue.js";
import { after } from "./state.js";

const KEPT = 256;

/**
 * What is told of a game.
 *
 * @typedef {{
 *   event: [event: Event, game: LiveGame],
 *   state: [state: Game, event: Event | null],
 *   queue: [queue: readonly Queued[]],
 *   gone: [error: TwofoldError],
 * }} GameNews
 */

/** @extends {Emitter<GameNews>} */
export class LiveGame extends Emitter {
  /**
   * The game as it was last told of; null before it was.
   *
   * @type {Game | null}
   */
  #state = null;
  /**
   * Whose game it is, once it is watched.
   *
   * @type {"player" | "spectator" | null}
   */
  role = null;
  /** Whether a pause by an outage of the service is resumed by itself, and the moves it met are made after it. */
  resumes = false;

  #live;
  #rest;
  #id;
  #queue;
  #version = 0;
  /** The version known at the first look. */
  #first = 0;
  #watched = false;
  /** Whether the service itself has paused the game. */
  #outage = false;
  /** @type {Promise<void> | null} */
  #watching = null;
  /** @type {TwofoldError | null} */
  #over = null;
  /** @type {Event[]} */
  #recent = [];
  /** @type {(() => void)[]} */
  #listening = [];

  /**
   * @param {Live} live
   * @param {Rest} rest
   * @param {string} id
   */
  constructor(live, rest, id) {
    super();
    this.#live = live;
    this.#rest = rest;
    this.#id = id;
    this.#queue = new CommandQueue({
      known: () => ({
        version: this.#version,
        watched: this.#watched,
        outage: this.#outage,
        resumes: this.resumes,
      }),
      ask: (op, fields) => live.ask(op, { game: id, ...fields }),
      hear: (event) => this.hear(event),
      see: (state) => this.see(state),
      changed: (queue) => this.emit("queue", queue),
    });
  }

  get id() {
    return this.#id;
  }

  /** The game as it was last told of; null before it was: await `watch()` then. */
  get state() {
    return /** @type {Game} */ (this.#state);
  }

  /** The highest version known of; 0 before any is. */
  get version() {
    return this.#version;
  }

  /** Active and remaining time by now, in ms; `remainingMs` is null without a limit. */
  get clock() {
    const activeMs = () => {
      const { running, active_ms, limit_ms, server_now } = this.state.clock;
      const runs = running ? Math.max(0, this.#live.serverNow() - Date.parse(server_now)) : 0;
      return Math.min(active_ms + runs, limit_ms ?? Infinity);
    };
    const remainingMs = () => {
      const { limit_ms } = this.state.clock;
      return limit_ms === null ? null : limit_ms - activeMs();
    };
    return { activeMs, remainingMs };
  }

  /**
   * Commands without an answer yet, the first of them on its way.
   *
   * @returns {readonly Queued[]}
   */
  get queue() {
    return this.#queue.told;
  }

  /**
   * Push the tiles; null where that changes nothing.
   *
   * @param {Direction} direction
   * @param {Told} [told]
   */
  move(direction, told) {
    return this.#play("move", told, direction);
  }

  /** @param {Told} [told] */
  start(told) {
    return this.#play("start", told);
  }

  /** @param {Told} [told] */
  undo(told) {
    return this.#play("undo", told);
  }

  /** @param {Told} [told] */
  pause(told) {
    return this.#play("pause", told);
  }

  /** @param {Told} [told] */
  resume(told) {
    return this.#play("resume", told);
  }

  /** @param {Told} [told] */
  continue(told) {
    return this.#play("continue", told);
  }

  /** @param {Told} [told] */
  abandon(told) {
    return this.#play("abandon", told);
  }

  /** Forget the commands that are not on their way; none of them is done. */
  clear() {
    this.#queue.clear();
  }

  /**
   * Begin to be told of the game; a loop over it does so by itself.
   *
   * @returns {Promise<Game>}
   */
  async watch() {
    if (!this.#watched) {
      this.#over = null;
      this.#watching ??= this.#live.watch(this).finally(() => (this.#watching = null));
      await this.#watching;
    }
    return this.state;
  }

  /** Be told no more; a later loop goes on where the last one was. */
  async unwatch() {
    this.#watched = false;
    await this.#live.unwatch(this);
  }

  [Symbol.asyncIterator]() {
    return this.events();
  }

  /**
   * The game's events after a version, else after the one known at the first look, in order and each once, whatever
   * becomes of the connection, until nothing can follow.
   *
   * @param {number} [since]
   * @returns {AsyncGenerator<Event, void>}
   */
  async *events(since) {
    if (!this.#version) await this.watch();
    let last = since ?? this.#first;
    for (;;) {
      const event = this.#recent.find(({ version }) => version === last + 1);
      if (event) {
        last++;
        yield event;
      } else if (last < this.#version) {
        for (const told of (await this.#rest.getEvents(this.#id, { after: last, limit: 100 })).items) {
          last = told.version;
          yield told;
        }
      } else if (this.#state?.final) return;
      else if (this.#over) throw this.#over;
      else if (!this.#watched) await this.watch();
      else await new Promise((/** @type {(told: void) => void} */ resolve) => this.#listening.push(resolve));
    }
  }

  // What the live connection tells.

  /**
   * The game was told of as a whole.
   *
   * @param {Game} state
   */
  see(state) {
    if (state.version < this.#version || (state.version === this.#version && this.#state)) return;
    this.#take(state);
  }

  /**
   * The watch has begun; `state` where not all events since the version told will follow.
   *
   * @param {"player" | "spectator"} role
   * @param {Game | null} state
   */
  watchAnswered(role, state) {
    this.role = role;
    this.#watched = true;
    if (state) this.#take(state);
    this.#wake();
  }

  /**
   * An event was told.
   *
   * @param {Event} event
   */
  hear(event) {
    if (event.version <= this.#version) return;
    this.#version = event.version;
    this.#recent.push(event);
    if (this.#recent.length > KEPT) this.#recent.shift();
    this.#state &&= after(this.#state, event);
    this.#outage = event.type === "pause" && event.cause === "outage";
    if (this.resumes && this.#outage && this.role !== "spectator") this.#queue.resumeFirst();
    else if (event.status !== "running") this.#queue.clear(({ op }) => op === "move");
    this.emit("event", event, this);
    if (this.#state) this.emit("state", this.#state, event);
    this.#wake();
    this.#queue.pump();
  }

  /**
   * Nothing more will be told.
   *
   * @param {TwofoldError} error
   */
  fail(error) {
    this.#over = error;
    this.#watched = false;
    this.#queue.end();
    if (error instanceof GameGone) this.emit("gone", error);
    this.#wake();
  }

  /**
   * @param {"move" | Command} op
   * @param {Told} [told]
   * @param {Direction} [direction]
   * @returns {Promise<Event | null>}
   */
  #play(op, told, direction) {
    if (this.#over instanceof GameGone) return Promise.reject(this.#over);
    return this.#queue.add(op, told, direction);
  }

  // Who listens.

  /** @param {Game} state */
  #take(state) {
    this.#first ||= state.version;
    this.#state = state;
    this.#version = state.version;
    this.emit("state", state, null);
    this.#wake();
    this.#queue.pump();
  }

  #wake() {
    for (const resolve of this.#listening.splice(0)) resolve();
  }
}
