"""Games, players and problems as the service tells them: frozen values, in the rule book's words where it has one."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from twofold.board import Direction, Slide
from twofold.game import Cause, EventType, Outcome, Status
from twofold.spawn import Spawn

Board = tuple[tuple[int, ...], ...]
"""Rows of face values, top row first, 0 for an empty cell."""


@dataclass(frozen=True, slots=True)
class Player:
    """`bot`: a program, which said so when it joined."""

    id: str
    name: str | None
    bot: bool = False


@dataclass(frozen=True, slots=True)
class NewPlayer:
    """A player and its token, which is told only this once."""

    player: Player
    token: str


@dataclass(frozen=True, slots=True)
class Link:
    """A one-time code that makes another device this player's."""

    code: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Undo:
    """`limit` None is unlimited; `available`: an undo would be accepted now."""

    limit: int | None
    used: int
    available: bool


@dataclass(frozen=True, slots=True)
class Clock:
    """Active time as of `server_now`; limits of None are none."""

    running: bool
    active_ms: int
    limit_ms: int | None
    remaining_ms: int | None
    server_now: datetime


@dataclass(frozen=True, slots=True)
class EventSeen:
    """One entry of a game's log, and the game as it stood after it."""

    version: int
    type: EventType
    at: datetime
    active_ms: int
    board: Board
    score: int
    score_delta: int
    max_tile: int
    moves: int
    legal_moves: tuple[Direction, ...]
    spawn_index: int
    status: Status
    outcome: Outcome | None
    final: bool
    reached_goal: bool
    undo: Undo
    clock: Clock
    direction: Direction | None = None
    slides: tuple[Slide, ...] = ()
    spawn: Spawn | None = None
    cause: Cause | None = None
    seed: str | None = None


@dataclass(frozen=True, slots=True)
class GameState:
    """A game as it stands; `assisted`: a hint was given in it."""

    id: str
    mode: str
    size: int
    goal: int
    category: str | None
    status: Status
    outcome: Outcome | None
    final: bool
    reached_goal: bool
    board: Board
    score: int
    best_score: int | None
    max_tile: int
    moves: int
    move_limit: int | None
    legal_moves: tuple[Direction, ...]
    undo: Undo
    clock: Clock
    pauses: int
    elapsed_ms: int | None
    ranked: bool
    spawn_index: int
    version: int
    commitment: str
    seed: str | None
    date: str | None
    attempt: int | None
    player: Player
    visibility: Literal["public", "private"]
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    assisted: bool = False
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class UnreadableGame:
    """A game whose stored data cannot be read, as it stands in lists."""

    id: str
    mode: str
    status: Literal["corrupt"]


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a command; `event` is None for a move that changed nothing. `replayed`: the key was used before."""

    event: EventSeen | None
    game: GameState
    replayed: bool = False

    @property
    def moved(self) -> bool:
        return self.event is not None


@dataclass(frozen=True, slots=True)
class Slid:
    """What a direction does to a board, before any tile appears."""

    board: Board
    moved: bool
    score_delta: int
    slides: tuple[Slide, ...]


@dataclass(frozen=True, slots=True)
class FieldError:
    """A field or figure at fault: the path to it, and what is wrong."""

    loc: tuple[str | int, ...]
    msg: str


@dataclass(frozen=True, slots=True)
class Problem:
    """Why the service refused, in its own words (RFC 9457)."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    retryable: bool
    request_id: str
    errors: tuple[FieldError, ...] = ()
    game: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Verified:
    """What the service found in a record; only `origin` "stored" says that the game was played there."""

    valid: bool
    proof: Literal["seed", "consistent"]
    origin: Literal["stored", "differs", "unknown"]
    findings: tuple[FieldError, ...]
    result: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RawRows:
    """The stored rows of a game as they are."""

    game: Mapping[str, Any]
    events: tuple[Mapping[str, Any], ...]


def after(state: GameState, event: EventSeen) -> GameState:
    """A game once an event is known. Bests, pauses, rank and instants of the end stay as they were last told."""
    shared = {name: getattr(event, name) for name in _SHARED}
    return replace(state, seed=event.seed or state.seed, **shared)


_SHARED = tuple(name for name in EventSeen.__annotations__ if name in GameState.__annotations__ and name != "seed")
