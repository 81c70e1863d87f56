"""JSON of daily puzzles."""

from typing_extensions import TypedDict

from twofold.clock import rfc3339
from twofold.daily import closes_at, opens_at, reveals_at
from twofold.spawn import commitment
from twofold_service.usecases.values import Day, Par, Result
from twofold_service.wire.games import Instant
from twofold_service.wire.rankings import ResultOut, result_out


class ParLevelOut(TypedDict):
    level: int
    score: int
    max_tile: int


class LuckOut(TypedDict):
    """How the solver fared on other tiles, and where the date's stand among them."""

    level: int
    games: int
    mean: int
    share: float


class ParOut(TypedDict):
    """What a date's tiles were good for, once they are shown."""

    levels: list[ParLevelOut]
    best: int | None
    median: int | None
    luck: LuckOut


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
    par: ParOut | None


def daily_out(day: Day, players: int, best: Result | None, par: Par | None, now: int) -> DailyOut:
    return {
        "date": day.date,
        "opens_at": rfc3339(opens_at(day.date)),
        "closes_at": rfc3339(closes_at(day.date)),
        "reveals_at": rfc3339(reveals_at(day.date)),
        "commitment": commitment(day.seed).hex(),
        "seed": day.seed.hex() if now >= reveals_at(day.date) else None,
        "players": players,
        "best": None if best is None else result_out(best),
        "par": None if par is None else par_out(par),
    }


def par_out(par: Par) -> ParOut:
    return {
        "levels": [{"level": level, "score": score, "max_tile": tile} for level, score, tile in par.levels],
        "best": par.best,
        "median": par.median,
        "luck": {
            "level": par.luck.level,
            "games": par.luck.games,
            "mean": par.luck.mean,
            "share": round(par.luck.share, 3),
        },
    }
