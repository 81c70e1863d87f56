/** A player's, or a reader's, end of a service: its REST calls, its live connection, and who it is. */

/** @import { NewGame, Player } from "./types.js" */
/** @import { Retry } from "./backoff.js" */
/** @import { SocketClass } from "./connection.js" */
/** @import { LiveGame } from "./game.js" */

import { RETRY } from "./backoff.js";
import { Live } from "./live.js";
import { Rest } from "./rest.js";

/**
 * @typedef {object} Options
 * @property {string | null} [token] Who you are.
 * @property {number} [timeout] How long one attempt may take, in ms.
 * @property {Partial<Retry>} [retry] How long a call is tried, the first and the longest pause, in ms.
 * @property {number} [patience] How long the live connection may be lost before it counts as closed, in ms.
 * @property {number} [silence] How long the service may be silent before the connection counts as lost, in ms.
 * @property {typeof globalThis.fetch} [fetch]
 * @property {SocketClass} [WebSocket]
 */

/**
 * A client of the service at an address, a page's own by default. Nothing is sent before it is asked to.
 *
 * @param {string} [url]
 * @param {Options} [options]
 */
export function connect(url, options) {
  return new Client(url, options);
}

export class Client {
  /** @type {Rest} */ rest;
  /** @type {Live} */ live;
  /**
   * Who we have become; null before that.
   *
   * @type {Player | null}
   */
  player = null;
  #hung = new AbortController();

  /**
   * @param {string} [url]
   * @param {Options} [options]
   */
  constructor(url = globalThis.location?.origin ?? "http://127.0.0.1:8000", options = {}) {
    const { timeout = 10_000, patience = 120_000, silence = 10_000, WebSocket = globalThis.WebSocket } = options;
    const retry = { ...RETRY, ...options.retry };
    this.rest = new Rest(url, options);
    this.live = new Live(this.rest, { WebSocket, retry, timeout, patience, silence });
    const { signal } = this.#hung;
    globalThis.addEventListener?.("online", () => this.live.retryNow(), { signal });
    globalThis.addEventListener?.("offline", () => this.live.probe(), { signal });
  }

  /** Keep it: it is all that makes you the player. */
  get token() {
    return this.rest.token;
  }

  /**
   * Become a new player; this client has its token from now on.
   *
   * @param {string} [name]
   */
  async join(name) {
    return this.#become(await this.rest.createPlayer({ name }));
  }

  /**
   * Become the player who made the code; this client has a token of its own from now on.
   *
   * @param {string} code
   */
  async useLink(code) {
    return this.#become(await this.rest.useLink(code));
  }

  /**
   * Go on under a new token; `others` ends all other devices' at once.
   *
   * @param {{ others?: boolean }} [which]
   */
  async changeToken(which) {
    const { token } = await this.rest.createToken(which);
    this.rest.token = token;
    return token;
  }

  /**
   * Begin a game.
   *
   * @param {string} mode
   * @param {Omit<NewGame, "mode"> & { key?: string }} [wish]
   * @returns {Promise<LiveGame>}
   */
  async newGame(mode, { key, ...wish } = {}) {
    return this.live.game(await this.rest.createGame({ mode, ...wish }, { key }));
  }

  /**
   * A game that exists; await its `watch()` to know how it stands.
   *
   * @param {Parameters<Live["game"]>[0]} game Its id, or the game as the service tells it.
   */
  game(game) {
    return this.live.game(game);
  }

  /** Have nothing to do with the service any more. */
  close() {
    this.#hung.abort();
    this.live.close();
  }

  /** @param {{ player: Player, token: string }} made */
  #become({ player, token }) {
    this.rest.token = token;
    this.player = player;
    this.live.renew();
    return player;
  }
}
