/** A game once an event of it is known. */

/** @import { Event, Game } from "./types.js" */

const MOST_PAUSES = 3;

/**
 * What the event tells, and what follows from it; only what others do to the same category is not known.
 *
 * @param {Game} state
 * @param {Event} event
 * @returns {Game}
 */
export function after(state, event) {
  const { version, board, score, max_tile, moves, legal_moves, spawn_index, status, outcome, final } = event;
  const { reached_goal, undo, clock } = event;
  const counts = event.type === "pause" && (event.cause === "player" || event.cause === "disconnect");
  const pauses = state.pauses + (counts ? 1 : 0);
  const started_at = event.type === "start" ? event.at : state.started_at;
  const ended_at = status !== "over" ? null : (state.ended_at ?? event.at);
  return {
    ...state,
    ...{
      version,
      board,
      score,
      max_tile,
      moves,
      legal_moves,
      spawn_index,
      status,
      outcome,
      final,
      reached_goal,
      undo,
      clock,
    },
    best_score: state.best_score === null ? null : Math.max(state.best_score, score),
    pauses,
    ranked: state.ranked && !(clock.limit_ms !== null && pauses > MOST_PAUSES),
    started_at,
    ended_at,
    elapsed_ms: ended_at === null || started_at === null ? null : Date.parse(ended_at) - Date.parse(started_at),
    seed: event.seed ?? state.seed,
  };
}
