/** What is seen of the open game: the session's news as slides, figures and words. */

/** @import { Queued } from "../../js/src/game.js" */
/** @import { Direction, Event, Game, SlidesResult } from "../../js/src/types.js" */
/** @import { Session } from "./session.js" */

import { shift } from "../../js/src/board.js";
import { Emitter } from "../../js/src/emitter.js";
import { find } from "../dom.js";
import { BoardView } from "./board-view.js";

/** @typedef {SlidesResult & { direction: Direction }} Predicted */

/**
 * The board and the score follow the player's own move at once, from the rules alone; the service's event is laid over
 * it. `drawn` is told once both show what is known.
 *
 * @extends {Emitter<{ drawn: [state: Game, event: Event | null], score: [score: number, gain: number] }>}
 */
export class Play extends Emitter {
  #session;
  #view = new BoardView(find("#board"));
  /** @type {Predicted | null} */
  #predicted = null;

  /** @param {Session} session */
  constructor(session) {
    super();
    this.#session = session;
    session.on("open", () => this.#open());
    session.on("ready", (state) => this.#whole(state, true));
    session.on("event", (event, before) => this.#event(event, before));
    session.on("state", (state, event) => (event ? this.#told(state, event) : this.#whole(state, false)));
    session.on("queue", (queue) => this.#queue(queue));
  }

  #open() {
    this.#predicted = null;
    this.#view.clear();
  }

  /**
   * @param {Game} state
   * @param {boolean} fresh
   */
  #whole(state, fresh) {
    this.#predicted = null;
    if (fresh || !same(this.#view.board, state.board)) {
      this.#view.show(state.board, { fresh: fresh && state.moves === 0 });
    }
    this.emit("score", state.score, 0);
    this.emit("drawn", state, null);
    if (this.#session.live) this.#queue(this.#session.live.queue);
  }

  /**
   * @param {Event} event
   * @param {Game} before
   */
  #event(event, before) {
    const predicted = this.#predicted;
    this.#predicted = null;
    const { board, spawn, slides, score_delta, direction } = event;
    if (!spawn || !slides || !direction) {
      if (!same(this.#view.board, board)) this.#view.show(board);
      return;
    }
    const bare = board.map((row, y) => row.map((value, x) => (y * board.length + x === spawn.cell ? 0 : value)));
    if (predicted && same(predicted.board, bare)) return this.#view.spawn(spawn, board);
    this.emit("score", event.score, score_delta);
    // What our rules do not explain is shown as it is told.
    if (!same(shift(before.board, direction).board, bare)) return this.#view.show(board);
    if (!same(this.#view.board, before.board)) this.#view.show(before.board);
    this.#view.slide({ board: bare, moved: true, score_delta, slides });
    this.#view.spawn(spawn, board);
  }

  /**
   * @param {Game} state
   * @param {Event} event
   */
  #told(state, event) {
    if (event.type === "undo") this.emit("score", state.score, 0);
    this.emit("drawn", state, event);
  }

  /**
   * A move on its way is shown before it is answered, where nothing that changes the board goes before it.
   *
   * @param {readonly Queued[]} queue
   */
  #queue(queue) {
    const first = queue.findIndex(({ op }) => op !== "start" && op !== "resume");
    const next = queue[first];
    const leaves = next?.op === "move" && (first > 0 || next.sent) ? next.direction : undefined;
    const { state } = this.#session;
    if (!state) return;
    if (!leaves) {
      if (this.#predicted) this.#takeBack(state);
    } else if (!this.#predicted && same(this.#view.board, state.board)) {
      const pushed = shift(state.board, leaves);
      if (!pushed.moved) return;
      this.#predicted = { ...pushed, direction: leaves };
      this.#view.slide(pushed);
      this.emit("score", state.score + pushed.score_delta, pushed.score_delta);
    }
  }

  /** @param {Game} state */
  #takeBack(state) {
    this.#predicted = null;
    this.#view.show(state.board);
    this.emit("score", state.score, 0);
  }
}

/**
 * @param {number[][] | null} one
 * @param {number[][]} other
 */
function same(one, other) {
  return one !== null && one.length === other.length && String(one) === String(other);
}
