"""What the use cases need of the world, in their words: values, Store, Bus, Now, chance."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

from twofold.board import Direction
from twofold.compare import Comparison
from twofold.game import Event, Game, Outcome, Position
from twofold.record import Entry
from twofold.verify import Verdict
from twofold_service.usecases.boards import Mark, Place

Now = Callable[[], int]
NewId = Callable[[int], str]
RandomBytes = Callable[[int], bytes]

MAX_RANKED_PAUSES = 3


@dataclass(frozen=True, slots=True)
class Player:
    """A player as known by a token; `name` is None where there is none or where it is hidden."""

    key: int
    id: str
    name: str | None
    hidden: bool = False
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
    """What of a game never changes (but for its player's name)."""

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

    def ranks(self, game: Game) -> bool:
        """Whether the game counts in rankings once it is over: not practice, not private, not paused too often."""
        timed = game.rules.time_limit_ms is not None
        return self.category is not None and not self.private and not (timed and game.pauses > MAX_RANKED_PAUSES)

    def shows_seed(self, game: Game, now: int) -> bool:
        """Practice shows its seed at once, a daily from its reveal, every other game once it is final."""
        if self.reveals_at is not None:
            return now >= self.reveals_at
        return self.category is None or game.final


class Command(NamedTuple):
    """What a game is asked to do, and when it arrived. `by` is the connection that gets the reply for it.

    `op` is a command of the contract, or one of the service's own: `settle`, `disconnect`, `outage`.
    Those come without a player.
    """

    op: str
    game: str
    at: int
    player: Player | None = None
    direction: Direction | None = None
    version: int | None = None
    key: str | None = None
    by: object = None


class StoredGame(NamedTuple):
    """A game as read from storage; `keeper` is the process that wrote its last event."""

    header: Header
    game: Game
    best: int
    keeper: str


class Told(NamedTuple):
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


class Played(NamedTuple):
    """What came of a command: the event, None for a no-op, and the game as it then stood."""

    event: Event | None
    header: Header
    game: Game
    best: int
    replayed: bool = False

    @property
    def view(self) -> GameView:
        return GameView(self.header, self.game, self.best)


class UsedKey(NamedTuple):
    """What an idempotency key was used for; `event_version` is None for a no-op."""

    op: str
    direction: str | None
    version: int | None
    event_version: int | None


class Append:
    """One event to be written where the game's version is still `event.version - 1`; or, without an event, a key alone.

    `whole`: columns that queries look for change too (status, keeper).
    """

    __slots__ = ("at", "before", "event", "header", "key", "whole")

    def __init__(
        self, header: Header, before: Game, event: Event | None, whole: bool, key: tuple[str, UsedKey] | None, at: int
    ) -> None:
        self.header = header
        self.before = before
        self.event = event
        self.whole = whole
        self.key = key
        self.at = at

    def done(self, error: Exception | None) -> None:
        """Called on the event loop: with None after the commit, or with what went wrong, when nothing was written."""


class VersionConflict(Exception):
    """The game has another version in storage than the one appended to."""


class KeyConflict(Exception):
    """The idempotency key stands in storage already."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game to be stored; `header.key` and `header.attempt` are given by the storage."""

    header: Header
    event: Event
    key: str | None
    fingerprint: str
    open_limit: int | None


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
    """A player's bests and sums in one category; `active` in microseconds, so that sums are rounded once."""

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


class GameStore(Protocol):
    """Games: storage/games.py says what each does."""

    def append(self, item: Append) -> None: ...
    async def load(self, game: str) -> StoredGame | None: ...
    async def page(
        self, player: Player, mode: str | None, status: str | None, limit: int, before: int | None
    ) -> tuple[list[StoredGame | CorruptRow], int | None]: ...
    async def created_by_key(self, player: int, name: str) -> tuple[str, str] | None: ...
    async def latest_attempt(self, player: int, date: str) -> str | None: ...
    async def first_attempt(self, player: int, date: str) -> str | None: ...
    async def create(self, new: NewGame, closing: Sequence[Append]) -> StoredGame: ...
    async def kept_by(self, processes: Sequence[str]) -> list[str]: ...
    async def forget_keys(self, before: int, limit: int) -> int: ...
    async def of_date(self, date: str, after: int, limit: int) -> list[tuple[int, str]]: ...


class LogStore(Protocol):
    """Logs: storage/logs.py says what each does."""

    async def log(self, game: str, after: int, limit: int) -> list[LogRow]: ...
    async def frame(self, game: str, version: int) -> Game: ...
    async def used_key(self, game: int, name: str) -> UsedKey | None: ...
    async def raw(self, game: str) -> RawGame | None: ...


class PlayerStore(Protocol):
    """Players: storage/players.py says what each does."""

    async def create(self, player: str, name: str | None, token: bytes, now: int) -> StoredToken: ...
    async def by_token(self, token: bytes) -> StoredToken | None: ...
    async def player(self, key: int) -> Player | None: ...
    async def rename(self, key: int, name: str | None) -> None: ...
    async def delete(self, key: int, now: int) -> None: ...
    async def add_token(
        self, player: int, token: bytes, now: int, replaces: int | None, expires_at: int | None
    ) -> list[int]: ...
    async def end_tokens(self, player: int, *, but: int | None = None, only: int | None = None) -> list[int]: ...
    def touch_token(self, token: int, now: int) -> Awaitable[object]: ...
    async def put_link(self, player: int, code: bytes, expires_at: int) -> None: ...
    async def take_link(self, code: bytes, token: bytes, now: int) -> tuple[StoredToken, list[int]] | None: ...
    async def records(self, player: int, now: int) -> tuple[list[CategoryRecord], list[str], int]: ...
    async def sweep(self, before: int, limit: int) -> int: ...


class DayStore(Protocol):
    """Daily puzzles: storage/days.py says what each does."""

    async def publish(self, days: Sequence[Day], now: int) -> None: ...
    async def day(self, date: str) -> Day | None: ...
    async def players(self, date: str) -> int: ...
    async def unrevealed(self, before: str) -> list[str]: ...
    async def mark_revealed(self, date: str, now: int) -> None: ...


class StandingStore(Protocol):
    """Rankings: storage/rankings.py says what each does."""

    async def page(self, board: str, as_of: int, after: Place | None, before: int, limit: int) -> list[Ranked]: ...
    async def own(self, board: str, as_of: int, player: int) -> Ranked | None: ...


class ProcessStore(Protocol):
    """Living processes: storage/processes.py says what each does."""

    async def beat(self) -> None: ...
    async def heartbeats(self) -> dict[str, int]: ...
    async def forget(self, processes: Sequence[str]) -> None: ...


class Bus(Protocol):
    """Tells of written events. A hint: the journal is the truth."""

    def tell(self, told: Told) -> None: ...
    def tell_renamed(self, player: Player) -> None: ...
    def tell_gone(self, player: int) -> None: ...
    def tell_token_ended(self, token: int) -> None: ...


class Desk(Protocol):
    """Does long computations off the event loop; Busy when too many wait."""

    async def do(self, address: str, call: Callable[..., Any], *arguments: Any) -> Any: ...
