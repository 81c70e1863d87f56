"""Dailies, rankings and records as the service tells them, and the pages that lists come in."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Generic, TypeVar

from twofold.compare import Fork, Series
from twofold.game import Outcome
from twofold_client.values import Player

if TYPE_CHECKING:
    from twofold_client._call import Call

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Result:
    """A game as rankings list it; in a comparison it may be open or unranked, and then has no rank."""

    rank: int | None
    player: Player
    game: str
    score: int
    max_tile: int
    moves: int
    active_ms: int
    goal_moves: int | None
    goal_active_ms: int | None
    pauses: int
    elapsed_ms: int | None
    outcome: Outcome | None
    reached_goal: bool
    attempt: int | None
    ended_at: datetime | None
    assisted: bool = False


@dataclass(frozen=True, slots=True)
class ParLevel:
    """What the service's solver came to on a date's tiles, looking `level` moves ahead."""

    level: int
    score: int
    max_tile: int


@dataclass(frozen=True, slots=True)
class Luck:
    """How the solver at a level fared on so many other tiles: its mean, the share of them below its score on these."""

    level: int
    games: int
    mean: int
    share: float


@dataclass(frozen=True, slots=True)
class Par:
    """What a date's tiles were good for: to the solver, and to people's first attempts (None where nobody played)."""

    levels: tuple[ParLevel, ...]
    best: int | None
    median: int | None
    luck: Luck


@dataclass(frozen=True, slots=True)
class Daily:
    """The puzzle of a UTC date; `seed` from `reveals_at` on, `par` soon after that, `best` is a first attempt."""

    date: str
    opens_at: datetime
    closes_at: datetime
    reveals_at: datetime
    commitment: str
    seed: str | None
    players: int
    best: Result | None
    par: Par | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Games of one date side by side; `fork` and `series` are the rule book's."""

    date: str
    games: tuple[Result, ...]
    common_moves: int
    fork: Fork | None
    series: tuple[Series, ...]


@dataclass(frozen=True, slots=True)
class CategoryRecord:
    """Bests and sums in one category."""

    category: str
    mode: str
    size: int
    undo_limit: int | None
    best_score: int
    best_max_tile: int
    finished: int
    goals: int
    moves: int
    active_ms: int
    assisted: int = 0


@dataclass(frozen=True, slots=True)
class Totals:
    best_score: int
    best_max_tile: int
    finished: int
    goals: int
    moves: int
    active_ms: int
    assisted: int = 0


@dataclass(frozen=True, slots=True)
class Records:
    """A player's bests and sums."""

    categories: tuple[CategoryRecord, ...]
    daily_dates: tuple[str, ...]
    daily_attempts: int
    totals: Totals


@dataclass(frozen=True, slots=True)
class Ranking:
    """A page of a ranking, as it is told."""

    items: tuple[Result, ...]
    order: tuple[str, ...]
    as_of: datetime
    me: Result | None


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """A page of a list and the call for the next; rankings also tell their order, their instant and your own place."""

    items: tuple[Item, ...]
    next: "Call[Page[Item]] | None" = None
    order: tuple[str, ...] = ()
    as_of: datetime | None = None
    me: Result | None = None
