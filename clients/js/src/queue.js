/** The commands of one game: in their order, one on its way at a time, and what becomes of those that are refused. */

/** @import { TwofoldError } from "./errors.js" */
/** @import { Told } from "./rest.js" */
/** @import { Command, Direction, Event, Game } from "./types.js" */

import { newKey } from "./backoff.js";
import { Cleared } from "./errors.js";

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
 * @typedef {Queued & {
 *   version: number | null | undefined,
 *   key: string,
 *   refusal: TwofoldError | null,
 *   resolve: (event: Event | null) => void,
 *   reject: (error: TwofoldError) => void,
 * }} Waiting
 */

/**
 * What is known of the game: its version, whether it is watched, whether the service itself has paused it, and whether
 * such a pause is resumed by itself.
 *
 * @typedef {object} Known
 * @property {number} version
 * @property {boolean} watched
 * @property {boolean} outage
 * @property {boolean} resumes
 */

/**
 * The game that the commands are of.
 *
 * @typedef {object} Owner
 * @property {() => Known} known
 * @property {(op: string, fields: object) => Promise<any>} ask Say a command until it is answered.
 * @property {(event: Event) => void} hear An answer has told an event.
 * @property {(state: Game) => void} see A refusal has told how the game stands.
 * @property {(queue: readonly Queued[]) => void} changed
 */

export class CommandQueue {
  #owner;
  /** @type {Waiting[]} */
  #waiting = [];
  /** The version that must be known before the next command goes. */
  #floor = 0;

  /** @param {Owner} owner */
  constructor(owner) {
    this.#owner = owner;
  }

  /**
   * The commands as they are told of, the first of them on its way.
   *
   * @returns {readonly Queued[]}
   */
  get told() {
    return this.#waiting.map(({ op, direction, sent }) => ({ op, ...(direction && { direction }), sent }));
  }

  /**
   * Have a command done, in its turn.
   *
   * @param {"move" | Command} op
   * @param {Told} [told]
   * @param {Direction} [direction]
   * @returns {Promise<Event | null>}
   */
  add(op, { version, key = newKey() } = {}, direction) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ op, direction, sent: false, version, key, refusal: null, resolve, reject });
      this.#changed();
      this.pump();
    });
  }

  /**
   * Send the first command, unless it is on its way, or what it follows from is not told yet.
   *
   * @returns {void}
   */
  pump() {
    const [head] = this.#waiting;
    const { version: seen, watched, outage } = this.#owner.known();
    if (!head || (watched && seen < this.#floor)) return;
    if (head.refusal) {
      if (!outage) return this.#reject(head, head.refusal);
      head.refusal = null;
      this.#waiting.shift();
      this.#waiting.splice(this.#waiting[0]?.op === "resume" ? 1 : 0, 0, head);
      return this.pump();
    }
    if (head.sent) return;
    head.sent = true;
    const { direction, key } = head;
    const version = head.version === undefined ? seen || undefined : (head.version ?? undefined);
    this.#changed();
    this.#owner.ask(head.op, { direction, version, key }).then(
      (ok) => this.#answered(head, ok),
      (error) => this.#refused(head, error),
    );
  }

  /**
   * Forget commands that are not on their way; none of them is done.
   *
   * @param {(command: Queued) => boolean} [which]
   */
  clear(which = () => true) {
    const cleared = this.#waiting.filter((command) => !command.sent && !command.refusal && which(command));
    if (!cleared.length) return;
    this.#waiting = this.#waiting.filter((command) => !cleared.includes(command));
    this.#changed();
    for (const { op, reject } of cleared) reject(new Cleared(op));
  }

  /** Nothing more will be told: whatever is not on its way ends here. */
  end() {
    const [head] = this.#waiting;
    this.clear();
    if (head?.refusal) this.#reject(head, head.refusal);
  }

  /** Resume before anything else that is not on its way, what was refused because of the pause included. */
  resumeFirst() {
    for (const command of this.#waiting) command.refusal = null;
    if (this.#waiting.some(({ op }) => op === "resume")) return;
    const ignore = () => {};
    const place = this.#waiting[0]?.sent ? 1 : 0;
    const resume = {
      op: /** @type {const} */ ("resume"),
      sent: false,
      version: undefined,
      key: newKey(),
      refusal: null,
    };
    this.#waiting.splice(place, 0, { ...resume, resolve: ignore, reject: ignore });
    this.#changed();
  }

  /**
   * @param {Waiting} command
   * @param {{ event: Event | null, replayed?: boolean }} ok
   */
  #answered(command, { event, replayed }) {
    this.#remove(command);
    // The event of a repeat is told to those who watch in its own place.
    if (event && replayed && this.#owner.known().watched) this.#floor = Math.max(this.#floor, event.version);
    else if (event) this.#owner.hear(event);
    this.#changed();
    command.resolve(event);
    this.pump();
  }

  /**
   * @param {Waiting} command
   * @param {TwofoldError & { game?: Game | null }} error
   */
  #refused(command, error) {
    const { game } = error;
    const { watched, resumes } = this.#owner.known();
    const passing = error.code === "stale_version" || error.code === "paused";
    if (resumes && passing && command.op === "move" && game?.status === "paused" && watched) {
      command.sent = false;
      command.refusal = error;
      command.key = newKey();
      command.version = undefined;
      this.#floor = Math.max(this.#floor, game.version);
      return this.pump();
    }
    if (game) this.#owner.see(game);
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
    this.clear();
    this.#changed();
    command.reject(error);
  }

  /** @param {Waiting} command */
  #remove(command) {
    this.#waiting = this.#waiting.filter((waiting) => waiting !== command);
  }

  #changed() {
    this.#owner.changed(this.told);
  }
}
