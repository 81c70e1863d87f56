/** The player's games: one is open at a time, each place keeps its own; what is asked of a game, and in which order. */

/** @import { Client } from "../../js/src/client.js" */
/** @import { LiveStatus } from "../../js/src/connection.js" */
/** @import { TwofoldError } from "../../js/src/errors.js" */
/** @import { LiveGame, Queued } from "../../js/src/game.js" */
/** @import { Direction, Event, Game } from "../../js/src/types.js" */
/** @import { Storage } from "../storage.js" */
/** @import { Slot } from "./modes.js" */

import { Emitter } from "../../js/src/emitter.js";
import { Kept } from "./kept.js";
import { isTimed, keyOf, slotOfGame, USUAL, wish } from "./modes.js";

const HELD = 64;
const GONE = new Set(["not_found", "forbidden", "gone"]);
const STARTING = new Set(["start", "resume", "continue"]);

/**
 * What is told: another place or game (`open`), that it is there (`ready`) or that there is none yet (`none`), how it
 * changes, and what the player should know.
 *
 * @typedef {{
 *   open: [slot: Slot],
 *   ready: [state: Game],
 *   none: [slot: Slot],
 *   event: [event: Event, before: Game],
 *   state: [state: Game, event: Event | null],
 *   queue: [queue: readonly Queued[]],
 *   notice: [name: string, values?: object],
 *   failed: [error: TwofoldError],
 *   connection: [status: LiveStatus],
 * }} SessionNews
 */

/** @extends {Emitter<SessionNews>} */
export class Session extends Emitter {
  /** @type {Slot} */
  slot = USUAL;
  /** @type {LiveGame | null} */
  live = null;
  /** Whether a game of this place is being looked for or made. */
  opening = false;
  /**
   * Why the page itself stopped the clock, until it runs again.
   *
   * @type {"hidden" | null}
   */
  stoppedBy = null;

  #client;
  #kept;
  #turn = 0;
  /** @type {Set<LiveGame>} */
  #parting = new Set();
  /** @type {(() => void)[]} */
  #listening = [];
  /** @type {Direction[]} */
  #held = [];
  /** @type {Game | null} */
  #before = null;
  /** @type {Promise<void> | null} */
  #joining = null;
  /** Whether the player was made just now, and so has no games to be looked for. */
  #newcomer = false;

  /**
   * @param {Client} client
   * @param {Storage} storage
   */
  constructor(client, storage) {
    super();
    this.#client = client;
    this.#kept = new Kept(storage);
    client.live.on("status", (status) => this.emit("connection", status));
  }

  /** Whether the service cannot be spoken to now. */
  get lost() {
    const { state, draining } = this.#client.live.status;
    return state === "lost" || state === "closed" || draining;
  }

  /** Whether the board cannot be seen because the service is not there: nothing is played on it meanwhile. */
  get #covered() {
    return isTimed(this.slot) && this.lost;
  }

  /** Whether a hint can be asked for. */
  get advisable() {
    const { live, state } = this;
    if (!live || !state || live.queue.length || this.lost) return false;
    return state.status === "running" || (!isTimed(this.slot) && state.status !== "over");
  }

  /** Whether it says that it restarts. */
  get draining() {
    return this.#client.live.status.draining;
  }

  /** The open game as it stands; null while there is none. */
  get state() {
    return this.live?.state ?? null;
  }

  /** The game before the open one in this place. */
  get last() {
    return this.#kept.place(this.slot).last;
  }

  /** Whose games these are. */
  get playerId() {
    return this.#kept.player?.id ?? null;
  }

  // Which game.

  /**
   * Open the game of a place; the one that was open stops its clock.
   *
   * @param {Slot} slot
   */
  async open(slot) {
    if (keyOf(slot) === keyOf(this.slot) && (this.live || this.opening)) return;
    await this.#change(slot, () => this.#find(slot));
  }

  /** Look for the game of this place again. */
  async reopen() {
    const { slot } = this;
    await this.#change(slot, () => this.#find(slot));
  }

  /**
   * Open one of the player's games by its id; whether it is one.
   *
   * @param {string} id
   */
  async openGame(id) {
    if (this.live?.id === id) return true;
    await this.join();
    const state = await this.#client.rest.getGame(id);
    if (state.player.id !== this.playerId) return false;
    const slot = slotOfGame(state);
    await this.#change(slot, async () => this.#client.game(state), true);
    return true;
  }

  /** Another game in this place: the open one is kept as the last, and the last one is given up. */
  async renew() {
    const { slot, state } = this;
    if (this.opening) return;
    const { last } = this.#kept.place(slot);
    // What nobody has moved in is no game to come back to.
    const untouched = state !== null && state.status === "ready" && state.moves === 0 && !this.live?.queue.length;
    const replaces = slot.mode === "daily" ? this.#attempt() : untouched ? state.id : last;
    await this.#change(slot, () => this.#create(slot, wish(slot), replaces), !untouched);
  }

  /** The open game and the last one change places. */
  async back() {
    const { slot } = this;
    const { last } = this.#kept.place(slot);
    if (!last || this.opening) return;
    await this.#change(slot, () => this.#known(last), true);
  }

  /**
   * A practice game of one's own making.
   *
   * @param {{ board?: number[][], date?: string }} wanted
   */
  async practise(wanted) {
    const slot = { mode: "practice", size: 4, undo: null };
    const { last } = this.#kept.place(slot);
    const make = () => this.#create(slot, { start: false, ...wanted }, last);
    await this.#change(slot, make, true);
  }

  /** Today's attempt, where it is still open: a new one takes its place for good. */
  #attempt() {
    const { state } = this;
    return state?.mode === "daily" && !state.final && state.date === this.today ? state.id : null;
  }

  /** The service's date. */
  get today() {
    return new Date(this.#client.live.serverNow()).toISOString().slice(0, 10);
  }

  /** Whether a new game ends an attempt at a date for good. */
  get givesUp() {
    return this.slot.mode === "daily" && this.#attempt() !== null;
  }

  /**
   * @param {Slot} slot
   * @param {() => Promise<LiveGame | null>} find
   * @param {boolean} [keep] Whether the game that was current becomes the last.
   */
  async #change(slot, find, keep = false) {
    const turn = ++this.#turn;
    // What is pressed while a place is looked for is for that place, however often it is looked for.
    const held = this.opening && keyOf(slot) === keyOf(this.slot) ? this.#held : [];
    this.#leave();
    this.#held = held;
    this.slot = slot;
    this.opening = true;
    this.emit("open", slot);
    try {
      await this.join();
      if (this.#client.live.status.state === "closed") this.#client.live.open().catch(() => {});
      const live = await find();
      if (turn !== this.#turn) return;
      if (live) this.#take(live, slot, keep);
      else this.emit("none", slot);
    } catch (error) {
      if (turn === this.#turn) this.emit("failed", /** @type {TwofoldError} */ (error));
    } finally {
      if (turn === this.#turn) {
        this.opening = false;
        this.#part();
      }
    }
  }

  /** @param {Slot} slot */
  async #find(slot) {
    const { current } = this.#kept.place(slot);
    const { mode } = slot;
    const known = current ? await this.#known(current) : null;
    const past = mode === "daily" && known?.state.status === "over" && known.state.date !== this.today;
    if (known && !past) return known;
    const newcomer = this.#newcomer;
    this.#newcomer = false;
    const { items } = newcomer
      ? { items: [] }
      : await this.#client.rest.listGames({ mode, status: "open", limit: 100 });
    const open = items.flatMap((game) => ("board" in game && keyOf(slotOfGame(game)) === keyOf(slot) ? [game] : []));
    const [first, second] = mode === "daily" ? open.filter(({ date }) => date === this.today) : open;
    if (second) this.#kept.keep(slot, { current: first.id, last: second.id });
    if (first) return this.#client.game(first);
    return mode === "daily" ? null : this.#create(slot, wish(slot), null);
  }

  /**
   * A game by its id; null where it is not ours, or not there any more.
   *
   * @param {string} id
   */
  async #known(id) {
    const live = this.#client.game(id);
    try {
      await live.watch();
      // What was watched already was so for whoever we were then.
      return live.role === "player" && live.state.player.id === this.playerId ? live : null;
    } catch (error) {
      const { code } = /** @type {TwofoldError} */ (error);
      if (code === "corrupt_game") this.emit("notice", "corrupt");
      else if (!GONE.has(code)) throw error;
      return null;
    }
  }

  /**
   * @param {Slot} slot
   * @param {object} wanted
   * @param {string | null} replaces
   */
  async #create({ mode }, wanted, replaces) {
    try {
      return await this.#client.newGame(mode, { ...wanted, ...(replaces && { replaces }) });
    } catch (error) {
      if (!replaces || !GONE.has(/** @type {TwofoldError} */ (error).code)) throw error;
      return this.#client.newGame(mode, wanted);
    }
  }

  /**
   * @param {LiveGame} live
   * @param {Slot} slot
   * @param {boolean} keep
   */
  #take(live, slot, keep) {
    this.live = live;
    this.opening = false;
    live.resumes = true;
    const { current, last } = this.#kept.place(slot);
    if (current !== live.id) this.#kept.keep(slot, { current: live.id, last: keep && current ? current : last });
    this.#before = live.state;
    this.#listening = [
      live.on("event", (event) => {
        const before = /** @type {Game} */ (this.#before);
        this.#before = live.state;
        this.emit("event", event, before);
      }),
      live.on("state", (state, event) => {
        this.#before = state;
        if (state.status !== "paused") this.stoppedBy = null;
        this.emit("state", state, event);
        if (document.hidden && state.status === "running") this.hide();
      }),
      live.on("queue", (queue) => this.emit("queue", queue)),
      live.on("gone", (error) => this.emit("failed", error)),
    ];
    this.emit("ready", live.state);
    this.#mind(live.watch());
    // Time that was left running elsewhere goes on only by a press here.
    if (isTimed(this.slot) && live.state.status === "running") this.#mind(live.pause());
    for (const direction of this.#held.splice(0)) this.move(direction);
  }

  #leave() {
    const { live } = this;
    for (const off of this.#listening.splice(0)) off();
    this.live = null;
    this.#held = [];
    if (!live) return;
    this.#rest(live)
      .catch(() => {})
      .finally(() => {
        this.#parting.add(live);
        this.#part();
      });
  }

  /** Hear no more of the games that were left, once it is known that none of them is the one to be opened. */
  #part() {
    if (this.opening) return;
    this.#parting.delete(/** @type {LiveGame} */ (this.live));
    for (const live of this.#parting) {
      live.resumes = false;
      live.unwatch().catch(() => {});
    }
    this.#parting.clear();
  }

  /**
   * Stop a game's clock: at once where time matters, else once the moves that were made are.
   *
   * @param {LiveGame} live
   * @returns {Promise<unknown>}
   */
  #rest(live) {
    if (isTimed(this.slot)) live.clear();
    const { queue, state } = live;
    const runs = state.status === "running" || queue.length > 0;
    return runs && queue.at(-1)?.op !== "pause" ? live.pause() : Promise.resolve();
  }

  // Who plays.

  /**
   * Be somebody: the player this browser knows, else a new one.
   *
   * @returns {Promise<void>}
   */
  join() {
    if (this.#client.token) return Promise.resolve();
    this.#joining ??= alone(async () => {
      const known = this.#kept.player;
      if (known) {
        this.#client.rest.token = known.token;
        this.#client.live.renew();
      } else {
        this.#remember(await this.#client.join());
        this.#newcomer = true;
      }
    }).finally(() => (this.#joining = null));
    return this.#joining;
  }

  /** @param {{ id: string }} player */
  #remember({ id }) {
    this.#kept.player = { id, token: /** @type {string} */ (this.#client.token) };
  }

  /** The service does not know us any more: put aside who we were, unless another window has, and begin anew. */
  async begin() {
    // The look for a place that was refused ends here, not the looking.
    this.#turn++;
    this.opening = true;
    const refused = this.#client.token;
    // What was refused may have been another token than the one we have by now.
    const known = await this.#client.rest.getMe().then(Boolean, () => false);
    if (known || this.#client.token !== refused) return this.reopen();
    await alone(async () => {
      if (this.#kept.player?.token === refused) this.#kept.putAside();
    });
    if (this.#client.token === refused) this.#client.rest.token = null;
    await this.reopen();
  }

  /** Another window may have become somebody else: so do we, or what is played here would be nobody's. */
  async follow() {
    const { player } = this.#kept;
    if (!player || !this.#client.token || player.token === this.#client.token) return;
    this.emit("notice", "followed");
    this.#client.rest.token = player.token;
    this.#client.live.renew();
    await this.reopen();
  }

  /**
   * Be who the code says; games are theirs from now on.
   *
   * @param {string} code
   */
  async link(code) {
    this.#remember(await this.#client.useLink(code));
    this.#kept.forgetPlaces();
    await this.reopen();
  }

  // What is asked of the open game.

  /** @param {Direction} direction */
  move(direction) {
    const { live, state } = this;
    if (!live || !state) {
      if (this.opening && !isTimed(this.slot) && this.#held.length < HELD) this.#held.push(direction);
      return;
    }
    const goesOn = live.queue.some(({ op }) => op === "start" || op === "resume");
    if (state.status === "won" || state.status === "over" || this.#covered) return;
    if (state.status !== "running" && !goesOn) {
      if (isTimed(this.slot)) return;
      this.#mind(state.status === "ready" ? live.start() : live.resume());
    }
    if (state.status === "running" && !live.queue.length && !state.legal_moves.includes(direction)) return;
    this.#mind(live.move(direction));
  }

  undo() {
    const { live, state } = this;
    if (!live || !state || this.#covered) return;
    const { limit, used, available } = state.undo;
    const asked = live.queue.filter(({ op }) => op === "undo").length;
    if ((!available && !live.queue.length) || (limit !== null && used + asked >= limit)) return;
    this.#mind(live.undo());
  }

  /** Stop the clock, or let it go on. */
  pause() {
    const { live, state } = this;
    if (!live || !state) return;
    if (state.status === "running" || live.queue.length) this.stop();
    else this.go();
  }

  /** Let it begin or go on. */
  go() {
    const { live, state } = this;
    if (!live || !state || live.queue.length) return;
    if (state.status === "ready") this.#mind(live.start());
    else if (state.status === "paused") this.#mind(live.resume());
    else if (state.status === "won") this.#mind(live.continue());
  }

  /** Nobody looks any more: where time matters, it stops. */
  hide() {
    if (isTimed(this.slot)) this.stop("hidden");
  }

  /** A view is looked at: the clock stops. */
  rest() {
    if (this.live) this.#mind(this.#rest(this.live));
  }

  /**
   * The clock stops at once, and what waits is not done.
   *
   * @param {"hidden" | null} [reason]
   */
  stop(reason = null) {
    const { live, state } = this;
    const runs = () => state?.status === "running" || live?.queue.some(({ op }) => STARTING.has(op));
    if (!live || !runs() || live.queue.some(({ op }) => op === "pause")) return;
    live.clear();
    if (!runs()) return; // what would have started it was still here
    this.stoppedBy = reason;
    this.#mind(live.pause());
  }

  /** @param {Promise<unknown>} promise */
  #mind(promise) {
    promise.catch((/** @type {TwofoldError} */ error) => {
      if (error.code === "cleared" || error.code === "closed") return;
      if (error.code === "stale_version") this.emit("notice", "stale");
      else if (!HARMLESS.has(error.code)) this.emit("failed", error);
      const { state } = this;
      if (state) this.emit("state", state, null);
    });
  }
}

/** Refusals that say no more than what is seen anyway: another window or the clock was quicker. */
const HARMLESS = new Set(["paused", "not_running", "not_paused", "game_over", "awaiting_continue", "already_started"]);

/**
 * One window of this browser at a time, where that can be had.
 *
 * @param {() => Promise<void>} work
 * @returns {Promise<void>}
 */
async function alone(work) {
  if (navigator.locks) await navigator.locks.request("twofold.player", work);
  else await work();
}
