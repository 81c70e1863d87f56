"""Boards: the rankings a finished game stands in, and what each orders by; pure arithmetic on dates and figures."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal, NamedTuple

from twofold.clock import SECOND

Order = Literal["score", "max_tile", "moves", "time"]
Period = Literal["day", "week", "month", "all"]
Attempt = Literal["first", "best"]
ORDERS: tuple[Order, ...] = ("score", "max_tile", "moves", "time")
PERIODS: tuple[Period, ...] = ("day", "week", "month", "all")
ATTEMPTS: tuple[Attempt, ...] = ("first", "best")


@dataclass(frozen=True, slots=True)
class Finish:
    """What rankings look at in a finished game; times in ms, the end in microseconds."""

    id: str
    category: str
    date: str | None
    attempt: int | None
    score: int
    max_tile: int
    moves: int
    active_ms: int
    goal_moves: int | None
    goal_active_ms: int | None
    ended_at: int
    assisted: bool = False
    bot: bool = False


class Place(NamedTuple):
    """Where a game stands on a board: smaller is better, the first figures by the board's order, the rest the tie rule.

    Score, then fewer moves, then less active time, then earlier end, then id.
    """

    first: int
    second: int
    minus_score: int
    moves: int
    active_ms: int
    ended_at: int
    id: str


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a page ended: as of when the list is told, how many came before, and the last place."""

    as_of: int
    before: int
    place: Place


def place(order: Order, finish: Finish) -> Place:
    first, second = _by(order, finish)
    return Place(first, second, -finish.score, finish.moves, finish.active_ms, finish.ended_at, finish.id)


def boards(finish: Finish) -> dict[str, Order]:
    """Every board a finished game may stand on, and its order; bots and games with hints have boards of their own."""
    found: dict[str, Order] = {}
    if finish.date is not None:
        for attempt in ATTEMPTS:
            if attempt == "best" or finish.attempt == 1:
                found |= {daily_board(finish.date, attempt, order): order for order in ORDERS}
    if finish.date is None or finish.attempt == 1:
        found |= {leaderboard(finish.category, period, finish.ended_at): "score" for period in PERIODS}
    return {apart(board, finish): order for board, order in found.items()}


def apart(board: str, finish: Finish) -> str:
    """The board of that kind on which such a game stands."""
    board = of_bots(board) if finish.bot else board
    return with_hints(board) if finish.assisted else board


def of_bots(board: str) -> str:
    """The board beside this one on which bots stand."""
    return f"{board}/bots"


def with_hints(board: str) -> str:
    """The board beside this one on which games stand that had hints."""
    return f"{board}/assisted"


def daily_board(date: str, attempt: Attempt, order: Order) -> str:
    return f"daily/{date}/{attempt}/{order}"


def leaderboard(category: str, period: Period, instant: int) -> str:
    """The board of a category for the UTC day, ISO week or month an instant falls in, or for all time."""
    moment = datetime.fromtimestamp(instant // SECOND, UTC)
    match period:
        case "day":
            return f"{category}/day/{moment:%Y-%m-%d}"
        case "week":
            return f"{category}/week/{moment:%G-W%V}"
        case "month":
            return f"{category}/month/{moment:%Y-%m}"
        case "all":
            return f"{category}/all"


def bounds(period: Period, instant: int) -> tuple[int, int]:
    """From when to when (exclusive) the period lasts that an instant falls in; all time has no end we would meet."""
    day = datetime.fromtimestamp(instant // SECOND, UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    spans = {
        "day": (day, day + timedelta(days=1)),
        "week": (monday := day - timedelta(days=day.weekday()), monday + timedelta(days=7)),
        "month": (first := day.replace(day=1), (first + timedelta(days=31)).replace(day=1)),
    }
    if period == "all":
        return 0, 2**62
    start, end = spans[period]
    return int(start.timestamp()) * SECOND, int(end.timestamp()) * SECOND


def _by(order: Order, finish: Finish) -> tuple[int, int]:
    """What comes before the score: nothing, the highest tile, or the way to the goal (those who reached it first)."""
    match order:
        case "score":
            return 0, 0
        case "max_tile":
            return -finish.max_tile, 0
        case "moves":
            return (1, 0) if finish.goal_moves is None else (0, finish.goal_moves)
        case "time":
            return (1, 0) if finish.goal_active_ms is None else (0, finish.goal_active_ms)
