"""JSON of daily puzzles and results."""

from typing_extensions import TypedDict

from twofold.clock import rfc3339
from twofold.daily import closes_at, opens_at, reveals_at
from twofold.spawn import commitment
from twofold_service.usecases.ports import Day, Result
from twofold_service.wire.games import Instant, PlayerOut, player_out


class ResultOut(TypedDict):
    """A finished game as rankings list it."""

    rank: int
    player: PlayerOut
    game: str
    score: int
    max_tile: int
    moves: int
    active_ms: int
    goal_moves: int | None
    goal_active_ms: int | None
    pauses: int
    elapsed_ms: int | None
    outcome: str
    reached_goal: bool
    attempt: int | None
    ended_at: Instant


class DailyOut(TypedDict):
    """A daily puzzle; its seed is shown from `reveals_at`. `players` have begun it, `best` is a first attempt."""

    date: str
    opens_at: Instant
    closes_at: Instant
    reveals_at: Instant
    commitment: str
    seed: str | None
    players: int
    best: ResultOut | None


def daily_out(day: Day, players: int, best: Result | None, now: int) -> DailyOut:
    return {
        "date": day.date,
        "opens_at": rfc3339(opens_at(day.date)),
        "closes_at": rfc3339(closes_at(day.date)),
        "reveals_at": rfc3339(reveals_at(day.date)),
        "commitment": commitment(day.seed).hex(),
        "seed": day.seed.hex() if now >= reveals_at(day.date) else None,
        "players": players,
        "best": None if best is None else result_out(best),
    }


def result_out(result: Result) -> ResultOut:
    return {
        "rank": result.rank,
        "player": player_out(result.player),
        "game": result.game,
        "score": result.score,
        "max_tile": result.max_tile,
        "moves": result.moves,
        "active_ms": result.active_ms,
        "goal_moves": result.goal_moves,
        "goal_active_ms": result.goal_active_ms,
        "pauses": result.pauses,
        "elapsed_ms": result.elapsed_ms,
        "outcome": result.outcome,
        "reached_goal": result.reached_goal,
        "attempt": result.attempt,
        "ended_at": rfc3339(result.ended_at),
    }
