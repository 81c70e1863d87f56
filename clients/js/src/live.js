/** The live protocol: commands and their replies, watched games, over as many connections as it takes. */

/** @import { Game } from "./types.js" */
/** @import { ConnectionOptions, LiveStatus } from "./connection.js" */
/** @import { Rest } from "./rest.js" */

import { Attempts } from "./backoff.js";
import { ServiceClock } from "./clock.js";
import { Connection, PROTOCOL } from "./connection.js";
import { Emitter } from "./emitter.js";
import { Cleared, GameGone, LiveClosed, NoAnswer, ServiceError, TwofoldError } from "./errors.js";
import { LiveGame } from "./game.js";

const AGENT = "twofold-client-js/0.1.0";
const HELLO = "hello";
const PING = "ping";

/**
 * A command that waits for its reply; `frame` is made when it is said, `watches` is the game that it is to watch.
 *
 * @typedef {object} Asked
 * @property {() => string} frame
 * @property {LiveGame | null} watches
 * @property {(ok: any) => void} resolve
 * @property {(error: TwofoldError) => void} reject
 * @property {Attempts | null} attempts
 */

/**
 * One connection for many games. Commands stay until they are answered: after a lost connection they are said again
 * as they were, once the games that were watched are watched again from the version known.
 *
 * @extends {Emitter<{ status: [status: LiveStatus] }>}
 */
export class Live extends Emitter {
  #rest;
  #retry;
  #connection;
  #clock = new ServiceClock();
  #asked = /** @type {Map<number, Asked>} */ (new Map());
  #watched = /** @type {Map<string, LiveGame>} */ (new Map());
  #games = /** @type {Map<string, WeakRef<LiveGame>>} */ (new Map());
  #forgotten = new FinalizationRegistry((/** @type {string} */ id) => {
    if (!this.#games.get(id)?.deref()) this.#games.delete(id);
  });
  #later = /** @type {Set<ReturnType<typeof setTimeout>>} */ (new Set());
  #number = 0;
  #askedAt = 0;
  /** @type {{ resolve: () => void, reject: (error: TwofoldError) => void }[]} */
  #waiting = [];

  /**
   * @param {Rest} rest
   * @param {Omit<ConnectionOptions, "url" | "token">} options
   */
  constructor(rest, options) {
    super();
    this.#rest = rest;
    this.#retry = options.retry;
    const url = `${rest.url.replace("http", "ws")}/v1/ws`;
    this.#connection = new Connection(
      { ...options, url, token: () => rest.token },
      {
        hello: (token) => this.#hello(token),
        ping: () => this.#ping(),
        hear: (frame) => this.#hear(frame),
        changed: () => this.#changed(),
      },
    );
  }

  /** How the connection stands. */
  get status() {
    return this.#connection.status;
  }

  /** The service's lead over `Date.now()` in ms, estimated; null before it is known. */
  get offset() {
    return this.#clock.known ? this.#clock.now() - Date.now() : null;
  }

  /** The service's time in ms since 1970, estimated; this machine's before that is known. */
  serverNow() {
    return this.#clock.now();
  }

  /**
   * Be connected: settles once we are, or will not be.
   *
   * @returns {Promise<void>}
   */
  open() {
    if (this.status.state === "open") return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#connection.open();
    });
  }

  /** Close for good, unless opened again. */
  close() {
    this.#connection.close();
  }

  /** Speak for whom the token says from now on. */
  renew() {
    this.#connection.renew();
  }

  /** Where the connection is lost, try again now. */
  retryNow() {
    this.#connection.retryNow();
  }

  /** Ask whether the service still answers; it is looked for anew where it does not. */
  probe() {
    this.#connection.probe();
  }

  /**
   * A game to play and to watch: the same value for the same game.
   *
   * @param {Game | string} game
   * @returns {LiveGame}
   */
  game(game) {
    const id = typeof game === "string" ? game : game.id;
    let found = this.#games.get(id)?.deref();
    if (!found) {
      found = new LiveGame(this, this.#rest, id);
      this.#games.set(id, new WeakRef(found));
      this.#forgotten.register(found, id);
    }
    if (typeof game !== "string") found.see(game);
    return found;
  }

  /**
   * Say a command, now or when there is a connection, until it is answered.
   *
   * @param {string} op
   * @param {object} [fields]
   * @returns {Promise<any>} Its `ok`.
   */
  ask(op, fields = {}) {
    const id = ++this.#number;
    const text = JSON.stringify({ id, op, ...fields });
    return this.#say(id, () => text, null);
  }

  /**
   * Be told of a game from the version known on, over this connection and the next ones.
   *
   * @param {LiveGame} game
   * @returns {Promise<void>}
   */
  async watch(game) {
    const id = ++this.#number;
    await this.#say(
      id,
      () => JSON.stringify({ id, op: "watch", game: game.id, since: game.version || undefined }),
      game,
    );
  }

  /** @param {LiveGame} game */
  async unwatch(game) {
    this.#watched.delete(game.id);
    for (const [id, { watches, reject }] of this.#asked) {
      if (watches !== game) continue;
      this.#asked.delete(id);
      reject(new Cleared("watch"));
    }
    if (this.status.state === "open") await this.ask("unwatch", { game: game.id });
  }

  /**
   * @param {number} id
   * @param {() => string} frame
   * @param {LiveGame | null} watches
   */
  #say(id, frame, watches) {
    return new Promise((resolve, reject) => {
      if (this.status.state === "idle") this.#connection.open();
      if (this.status.state === "closed") return reject(this.status.reason ?? new LiveClosed());
      this.#asked.set(id, { frame, watches, resolve, reject, attempts: null });
      if (this.#speaking) this.#connection.send(frame());
    });
  }

  get #speaking() {
    return this.status.state === "open" && !this.status.draining;
  }

  /** @param {string | null} token */
  #hello(token) {
    this.#askedAt = performance.now();
    this.#clock.forget();
    return JSON.stringify({ id: HELLO, op: "hello", client: AGENT, ...(token !== null && { token }) });
  }

  #ping() {
    this.#askedAt = performance.now();
    return JSON.stringify({ id: PING, op: "ping" });
  }

  /** @param {{ [name: string]: any }} frame */
  #hear(frame) {
    if ("ev" in frame) return this.#hearPush(frame);
    const { id, ok, error } = frame;
    if (typeof id === "number") return this.#hearReply(id, ok, error);
    if (error) throw new ServiceError(error);
    this.#clock.hear(ok.server_now, this.#askedAt);
    if (id !== HELLO) return;
    if (ok.protocol !== PROTOCOL) {
      throw new NoAnswer(
        "wrong_version",
        `expected the protocol ${PROTOCOL}, found ${String(ok.protocol).slice(0, 60)}`,
      );
    }
    this.#connection.greeted();
  }

  /**
   * A push; kinds that are not known are passed over.
   *
   * @param {{ [name: string]: any }} push
   */
  #hearPush(push) {
    if (push.ev === "event") this.#watched.get(push.game)?.hear(push.event);
    else if (push.ev === "ping") this.#clock.hear(push.server_now);
    else if (push.ev === "draining") this.#connection.draining(push.retry_after_ms);
    else if (push.ev === "gone") {
      const game = this.#watched.get(push.game);
      this.#watched.delete(push.game);
      game?.fail(new GameGone(push.game));
    }
  }

  /**
   * @param {number} id
   * @param {any} ok
   * @param {any} error
   */
  #hearReply(id, ok, error) {
    const asked = this.#asked.get(id);
    if (!asked) return;
    if (error) return this.#refused(id, asked, new ServiceError(error));
    this.#asked.delete(id);
    if (asked.watches) {
      this.#watched.set(asked.watches.id, asked.watches);
      asked.watches.watchAnswered(ok.role, ok.game ?? null);
    }
    asked.resolve(ok);
  }

  /**
   * @param {number} id
   * @param {Asked} asked
   * @param {ServiceError} error
   */
  #refused(id, asked, error) {
    asked.attempts ??= new Attempts(this.#retry);
    try {
      const wait = asked.attempts.after(error, true);
      const timer = setTimeout(() => {
        this.#later.delete(timer);
        if (this.#speaking) this.#connection.send(asked.frame());
      }, wait);
      this.#later.add(timer);
    } catch {
      this.#asked.delete(id);
      if (asked.watches) {
        this.#watched.delete(asked.watches.id);
        asked.watches.fail(error);
      }
      asked.reject(error);
    }
  }

  #changed() {
    const { state, reason, draining } = this.status;
    if (state !== "open") for (const timer of this.#later) clearTimeout(timer);
    if (state === "open" && !draining) this.#sayAgain();
    if (state === "closed") this.#fail(reason ?? new LiveClosed());
    else if (state === "open") for (const { resolve } of this.#waiting.splice(0)) resolve();
    this.emit("status", this.status);
  }

  /** All that is not answered: first the games that were watched, then the commands, in their order. */
  #sayAgain() {
    const waiting = [...this.#asked.values()];
    const known = new Set(waiting.map(({ watches }) => watches));
    for (const game of this.#watched.values()) if (!known.has(game)) this.watch(game).catch(() => {});
    for (const { watches, frame } of waiting) if (watches) this.#connection.send(frame());
    for (const { watches, frame } of waiting) if (!watches) this.#connection.send(frame());
  }

  /** @param {TwofoldError} error */
  #fail(error) {
    const asked = [...this.#asked.values()];
    const watched = [...this.#watched.values()];
    this.#asked.clear();
    this.#watched.clear();
    for (const { reject } of asked) reject(error);
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    for (const game of watched) game.fail(error);
  }
}
