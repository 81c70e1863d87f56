"""What the use cases speak of: players, games, commands, results."""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from twofold.board import Direction
from twofold.compare import Comparison
from twofold.game import Event, Game, Outcome, Position
from twofold.record import Entry
from twofold.verify import Verdict
from twofold_service.usecases.boards import Mark, Place

MAX_RANKED_PAUSES = 3


@dataclass(frozen=True, slots=True)
class Player:
    """A player as known by a token; `name` is None where there is none or where it is hidden, a `bot` is a program."""

    key: int
    id: str
    name: str | None
    hidden: bool = False
    bot: bool = False
    token: int = 0


@dataclass(frozen=True, slots=True)
class StoredToken:
    """A token and whose it is; it ends at `expires_at`, or when the one that `replaces` it is first used."""

    player: Player
    created_at: int
    used_at: int
    expires_at: int | None
    replaces: int | None


@dataclass(frozen=True, slots=True)
class Header:
    """What of a game no event changes: its player's name may be another one day, and a hint makes it `assisted`."""

    key: int
    id: str
    player: Player
    mode: str
    category: str | None
    private: bool
    date: str | None
    attempt: int | None
    reveals_at: int | None
    commitment: str
    created_at: int
    assisted: bool = False

    def ranks(self, game: Game) -> bool:
        """Whether the game counts in rankings once it is over: not practice, not private, not paused too often."""
        timed = game.rules.time_limit_ms is not None
        return self.category is not None and not self.private and not (timed and game.pauses > MAX_RANKED_PAUSES)

    def shows_seed(self, game: Game, now: int) -> bool:
        """Practice shows its seed at once, a daily from its reveal, every other game once it is final."""
        if self.reveals_at is not None:
            return now >= self.reveals_at
        return self.category is None or game.final


@dataclass(slots=True)
class Command:
    """What a game is asked to do, and when it arrived. `by` is the connection that gets the reply for it.

    `op` is a command of the contract, or one of the service's own: `settle`, `disconnect`, `outage`, `cut off` (a
    disconnect where it is this process that goes). Those come without a player. One with a `keeper` is for a game that
    this process keeps, and else for none.
    """

    op: str
    game: str
    at: int
    player: Player | None = None
    direction: Direction | None = None
    version: int | None = None
    key: str | None = None
    by: object = None
    keeper: str | None = None


class StoredGame(NamedTuple):
    """A game as read from storage; `keeper` is the process that wrote its last event."""

    header: Header
    game: Game
    best: int
    keeper: str


class Standing(NamedTuple):
    """Where a stored game stands: its version and keeper, its player's best score in the category, any hint given."""

    version: int
    keeper: str
    best: int
    assisted: bool = False


@dataclass(slots=True)
class Told:
    """An event that was written, as told to those who watch; `by` is the connection that got it as a reply."""

    header: Header
    event: Event
    by: object


@dataclass(frozen=True, slots=True)
class CorruptRow:
    """A stored game that cannot be read, as it shows in lists."""

    id: str
    mode: str


class GameView(NamedTuple):
    """A game as it stands, with its player's best score in the category."""

    header: Header
    game: Game
    best: int


@dataclass(slots=True)
class Played:
    """What came of a command: the event, None for a no-op, and the game as it then stood."""

    event: Event | None
    header: Header
    game: Game
    best: int
    replayed: bool = False

    @property
    def view(self) -> GameView:
        return GameView(self.header, self.game, self.best)


class Hint(NamedTuple):
    """What the solver makes of a board that can be moved: its values by direction, points where it is `trained`.

    `reasons` say what is worse about the next best direction (see `twofold_solver.reasons`).
    """

    size: int
    depth: int
    trained: bool
    best: Direction
    values: dict[Direction, float]
    reasons: list[dict[str, Any]]


class Underway(NamedTuple):
    """An analysis that is being made, or waits for its turn."""

    running: bool
    progress: float


class UsedKey(NamedTuple):
    """What an idempotency key was used for; `event_version` is None for a no-op."""

    op: str
    direction: str | None
    version: int | None
    event_version: int | None


class LogRow(NamedTuple):
    """One stored event: enough to play it again on the game before it. `restored` is an undo's position."""

    version: int
    entry: Entry
    at: int
    restored: Position | None


@dataclass(frozen=True, slots=True)
class RawGame:
    """A game's stored rows as they are, for its owner (`player` is the key)."""

    player: int
    private: bool
    game: dict[str, Any]
    events: list[dict[str, Any]]


Origin = Literal["stored", "differs", "unknown"]


@dataclass(frozen=True, slots=True)
class Verified:
    """What came of checking a record: only `origin` stored says that the game was played here."""

    verdict: Verdict
    origin: Origin


@dataclass(frozen=True, slots=True)
class Day:
    """A daily puzzle of a UTC date."""

    date: str
    seed: bytes


class ParLevel(NamedTuple):
    """What the solver came to on a date's tiles, looking so many moves ahead."""

    level: int
    score: int
    max_tile: int


class Luck(NamedTuple):
    """How the solver at a level fared on other tiles: its mean, and the share of them below its score on the date's."""

    level: int
    games: int
    mean: int
    share: float


class Par(NamedTuple):
    """What a date's tiles were good for: to the solver, and to players at first (None where nobody played)."""

    levels: tuple[ParLevel, ...]
    best: int | None
    median: int | None
    luck: Luck


@dataclass(frozen=True, slots=True)
class Result:
    """A game as rankings list it, finished there; in comparisons it may be open, and then has no rank and no end."""

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
    ended_at: int | None
    assisted: bool


class Ranked(NamedTuple):
    """A result and where it stands."""

    result: Result
    place: Place


@dataclass(frozen=True, slots=True)
class Page:
    """Some results of a board as of an instant, where the next page begins, and the caller's own result."""

    as_of: int
    results: list[Result]
    following: Mark | None
    own: Result | None


@dataclass(frozen=True, slots=True)
class Compared:
    """Games of one date side by side."""

    date: str
    games: list[Result]
    comparison: Comparison


@dataclass(frozen=True, slots=True)
class CategoryRecord:
    """A player's bests and sums in one category; `active` in microseconds, so that sums are rounded once.

    `assisted` games are among all of them.
    """

    category: str
    mode: str
    size: int
    undo_limit: int
    best_score: int = 0
    best_max_tile: int = 0
    finished: int = 0
    goals: int = 0
    moves: int = 0
    active: int = 0
    assisted: int = 0
