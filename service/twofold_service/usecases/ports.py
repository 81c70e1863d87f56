"""What the use cases need of the world, in their words: stores, a bus, a desk, time and chance."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from twofold.game import Event, Game
from twofold_service.usecases.boards import Place
from twofold_service.usecases.values import (
    CategoryRecord,
    CorruptRow,
    Day,
    Header,
    LogRow,
    Par,
    Player,
    Ranked,
    RawGame,
    Standing,
    StoredGame,
    StoredToken,
    Told,
    UsedKey,
)

Now = Callable[[], int]
NewId = Callable[[int], str]
RandomBytes = Callable[[int], bytes]


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

    @property
    def revives(self) -> bool:
        """Whether a game that was over is played on, or its end is written anew."""
        return self.before.over and self.event is not None

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


class GameStore(Protocol):
    """Games: storage/games.py says what each does."""

    def append(self, item: Append) -> None: ...
    async def load(self, game: str) -> StoredGame | None: ...
    async def standing(self, game: str) -> Standing | None: ...
    async def versions(self, games: Sequence[str]) -> dict[str, int]: ...
    async def page(
        self, player: Player, mode: str | None, status: str | None, limit: int, before: int | None
    ) -> tuple[list[StoredGame | CorruptRow], int | None]: ...
    async def created_by_key(self, player: int, name: str) -> tuple[str, str] | None: ...
    async def latest_attempt(self, player: int, date: str) -> str | None: ...
    async def first_attempt(self, player: int, date: str) -> str | None: ...
    async def create(self, new: NewGame, closing: Sequence[Append]) -> StoredGame: ...
    async def mark_assisted(self, game: int) -> bool: ...
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

    async def create(
        self, player: str, name: str | None, token: bytes, now: int, *, bot: bool = False
    ) -> StoredToken: ...
    async def by_token(self, token: bytes) -> StoredToken | None: ...
    async def living(self, tokens: Sequence[int], now: int) -> set[int]: ...
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

    async def page(
        self, board: str, as_of: int, after: Place | None, before: int, limit: int, also: Sequence[str] = ()
    ) -> list[Ranked]: ...
    async def own(self, board: str, as_of: int, player: int, also: Sequence[str] = ()) -> Ranked | None: ...


class ProcessStore(Protocol):
    """Living processes: storage/processes.py says what each does."""

    async def beat(self) -> None: ...
    async def heartbeats(self) -> dict[str, int]: ...
    async def forget(self, last_heard: Mapping[str, int]) -> None: ...


class Bus(Protocol):
    """Tells of written events. A hint: the journal is the truth."""

    def tell(self, told: Told) -> None: ...
    def tell_renamed(self, player: Player) -> None: ...
    def tell_gone(self, player: int) -> None: ...
    def tell_token_ended(self, token: int) -> None: ...


class AnalysisStore(Protocol):
    """Analyses: storage/analyses.py says what each does."""

    async def analysis(self, game: int, depth: int, edition: int) -> bytes | None: ...
    async def keep(self, game: int, depth: int, edition: int, document: bytes, now: int) -> None: ...


class ParStore(Protocol):
    """Pars of the day: storage/pars.py says what each does."""

    async def par(self, date: str) -> Par | None: ...
    async def claim(self, process: str, now: int, silent: int) -> str | None: ...
    async def renew(self, date: str, process: str, now: int) -> bool: ...
    async def keep(self, date: str, par: Par, now: int) -> None: ...
    async def scores(self, date: str) -> list[int]: ...


class Desk(Protocol):
    """Does long computations off the event loop; Busy when too many wait."""

    async def do(self, address: str, call: Callable[..., Any], *arguments: Any) -> Any: ...


class FollowedDesk(Desk, Protocol):
    """A desk whose work can be followed: the call's first argument is told how much is done, and so is `told` here."""

    async def follow(
        self, address: str, told: Callable[[float], None], call: Callable[..., Any], *arguments: Any
    ) -> Any: ...
