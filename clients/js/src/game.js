/**
 * A game that is played and watched live: how it stands, its commands in a queue, its events in order and each once.
 */

/** @import { Command, Direction, Event, Game } from "./types.js" */
/** @import { TwofoldError } from "./errors.js" */
/** @import { Live } from "./live.js" */
/** @import { Depth, Rest, Told } from "./rest.js" */

import { newKey } from "./backoff.js";
import { Emitter } from "./emitter.js";
import { Cleared, GameGone } from "./errors.js";
import { after } from "./state.js";

const KEPT = 256;

/**
 * A command without an answer yet; `sent`: it is on its way.
 *
 * @typedef {object} Queued
 * @property {"move" | Command} op
 * @property {Direction} [direction]
 * @property {boolean} sent
 */

/**
 * A command in the queue. `refusal`: it was not done, and whether it can be made again shows once the version is known.
 *
 * @typedef {object} Waiting
 * @property {"move" | Command} op
 * @property {Direction} [direction]
 * @property {boolean} sent
 * @property {number | null | undefined} version
 * @property {string} key
 * @property {TwofoldError | null} refusal
 * @property {(event: Event | null) => void} resolve
 * @property {(error: TwofoldError) => void} reject
 */

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
  #version = 0;
  /** The version known at the first look. */
  #first = 0;
  /** The version that must be known before the next command goes. */
  #floor = 0;
  #watched = false;
  /** Whether the service itself has paused the game. */
  #outage = false;
  /** @type {Promise<void> | null} */
  #watching = null;
  /** @type {TwofoldError | null} */
  #over = null;
  /** @type {Event[]} */
  #recent = [];
  /** @type {Waiting[]} */
  #queue = [];
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
    return this.#queue.map(({ op, direction, sent }) => ({ op, ...(direction && { direction }), sent }));
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

  /**
   * What the solver would do; the game is now `assisted`.
   *
   * @param {Depth} [how]
   */
  async hint(how) {
    const hint = await this.#rest.getGameHint(this.#id, how);
    if (this.#state) this.#take({ ...this.#state, assisted: true, ranked: false });
    return hint;
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
    this.#clear(() => true);
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
    if (this.resumes && this.#outage && this.role !== "spectator") this.#resumeFirst();
    else if (event.status !== "running") this.#clear(({ op }) => op === "move");
    this.emit("event", event, this);
    if (this.#state) this.emit("state", this.#state, event);
    this.#wake();
    this.#pump();
  }

  /**
   * Nothing more will be told.
   *
   * @param {TwofoldError} error
   */
  fail(error) {
    this.#over = error;
    this.#watched = false;
    const [head] = this.#queue;
    this.clear();
    if (head?.refusal) this.#reject(head, head.refusal);
    if (error instanceof GameGone) this.emit("gone", error);
    this.#wake();
  }

  // The queue.

  /**
   * @param {"move" | Command} op
   * @param {Told} [told]
   * @param {Direction} [direction]
   * @returns {Promise<Event | null>}
   */
  #play(op, { version, key = newKey() } = {}, direction) {
    return new Promise((resolve, reject) => {
      if (this.#over instanceof GameGone) return reject(this.#over);
      this.#queue.push({ op, direction, sent: false, version, key, refusal: null, resolve, reject });
      this.#queueChanged();
      this.#pump();
    });
  }

  /**
   * Send the first command, unless it is on its way, or what it follows from is not told yet.
   *
   * @returns {void}
   */
  #pump() {
    const [head] = this.#queue;
    if (!head || (this.#watched && this.#version < this.#floor)) return;
    if (head.refusal) {
      if (!this.#outage) return this.#reject(head, head.refusal);
      head.refusal = null;
      this.#queue.shift();
      this.#queue.splice(this.#queue[0]?.op === "resume" ? 1 : 0, 0, head);
      return this.#pump();
    }
    if (head.sent) return;
    head.sent = true;
    const version = head.version === undefined ? this.#version || undefined : (head.version ?? undefined);
    const fields = { game: this.#id, direction: head.direction, version, key: head.key };
    this.#queueChanged();
    this.#live.ask(head.op, fields).then(
      (ok) => this.#answered(head, ok),
      (error) => this.#refused(head, error),
    );
  }

  /**
   * @param {Waiting} command
   * @param {{ event: Event | null, replayed?: boolean }} ok
   */
  #answered(command, { event, replayed }) {
    this.#remove(command);
    // The event of a repeat is told to those who watch in its own place.
    if (event && replayed && this.#watched) this.#floor = Math.max(this.#floor, event.version);
    else if (event) this.hear(event);
    this.#queueChanged();
    command.resolve(event);
    this.#pump();
  }

  /**
   * @param {Waiting} command
   * @param {TwofoldError & { game?: Game | null }} error
   */
  #refused(command, error) {
    const { game } = error;
    const passing = error.code === "stale_version" || error.code === "paused";
    if (this.resumes && passing && command.op === "move" && game?.status === "paused" && this.#watched) {
      command.sent = false;
      command.refusal = error;
      command.key = newKey();
      command.version = undefined;
      this.#floor = Math.max(this.#floor, game.version);
      return this.#pump();
    }
    if (game) this.see(game);
    this.#reject(command, error);
  }

  /**
   * A command was not done, nor is what waits behind it.
   *
   * @param {Waiting} command
   * @param {TwofoldError} error
   */
  #reject(command, error) {
    this.#remove(command);
    this.#clear(() => true);
    this.#queueChanged();
    command.reject(error);
  }

  /** @param {Waiting} command */
  #remove(command) {
    this.#queue = this.#queue.filter((waiting) => waiting !== command);
  }

  /** @param {(command: Waiting) => boolean} which */
  #clear(which) {
    const cleared = this.#queue.filter((command) => !command.sent && !command.refusal && which(command));
    if (!cleared.length) return;
    this.#queue = this.#queue.filter((command) => !cleared.includes(command));
    this.#queueChanged();
    for (const { op, reject } of cleared) reject(new Cleared(op));
  }

  /** Resume before anything else that is not on its way, what was refused because of the pause included. */
  #resumeFirst() {
    for (const command of this.#queue) command.refusal = null;
    if (this.#queue.some(({ op }) => op === "resume")) return;
    const ignore = () => {};
    const place = this.#queue[0]?.sent ? 1 : 0;
    const resume = {
      op: /** @type {const} */ ("resume"),
      sent: false,
      version: undefined,
      key: newKey(),
      refusal: null,
    };
    this.#queue.splice(place, 0, { ...resume, resolve: ignore, reject: ignore });
    this.#queueChanged();
  }

  #queueChanged() {
    this.emit("queue", this.queue);
  }

  // Who listens.

  /** @param {Game} state */
  #take(state) {
    this.#first ||= state.version;
    this.#state = state;
    this.#version = state.version;
    this.emit("state", state, null);
    this.#wake();
    this.#pump();
  }

  #wake() {
    for (const resolve of this.#listening.splice(0)) resolve();
  }
}
