"""JSON of games, events and slides."""

from functools import lru_cache
from typing import Annotated, Any, Literal, NotRequired

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag
from typing_extensions import TypedDict

from twofold.board import Slide, max_tile, rows_of
from twofold.clock import MS, rfc3339
from twofold.game import Event, EventType, Game
from twofold_service.usecases.values import CorruptRow, GameView, Player

Board = Annotated[list[list[int]], Field(description="rows of face values, top row first, 0 = empty")]
DirectionWord = Literal["up", "down", "left", "right"]
Instant = Annotated[str, Field(description="RFC 3339, UTC, milliseconds", examples=["2026-11-30T12:00:00.000Z"])]
Millis = Annotated[int, Field(description="milliseconds")]


class PlayerOut(TypedDict):
    id: str
    name: str | None
    bot: NotRequired[Literal[True]]


class SpawnOut(TypedDict):
    cell: int
    value: int


class UndoOut(TypedDict):
    limit: int | None
    used: int
    available: bool


SlideOut = TypedDict("SlideOut", {"from": int, "to": int, "value": int, "merged": bool})


class ClockOut(TypedDict):
    running: bool
    active_ms: Millis
    limit_ms: int | None
    remaining_ms: int | None
    server_now: Instant


class EventOut(TypedDict):
    """One entry of a game's log. It never changes after it is written."""

    version: int
    type: Literal["created", "start", "move", "undo", "pause", "resume", "continue", "over"]
    at: Instant
    active_ms: Millis
    direction: NotRequired[DirectionWord]
    slides: NotRequired[list[SlideOut]]
    spawn: NotRequired[SpawnOut]
    cause: NotRequired[Literal["player", "disconnect", "idle", "outage", "time_up", "reveal"]]
    board: Board
    score: int
    score_delta: int
    max_tile: int
    moves: int
    legal_moves: list[DirectionWord]
    spawn_index: int
    status: Literal["ready", "running", "paused", "won", "over"]
    outcome: Literal["no_moves", "time_up", "move_limit", "abandoned"] | None
    final: bool
    reached_goal: bool
    undo: UndoOut
    clock: ClockOut
    seed: NotRequired[str]


class GameOut(TypedDict):
    """A game as it stands."""

    id: str
    mode: str
    size: int
    goal: int
    category: str | None
    status: Literal["ready", "running", "paused", "won", "over"]
    outcome: Literal["no_moves", "time_up", "move_limit", "abandoned"] | None
    final: bool
    reached_goal: bool
    board: Board
    score: int
    best_score: int | None
    max_tile: int
    moves: int
    move_limit: int | None
    legal_moves: list[DirectionWord]
    undo: UndoOut
    clock: ClockOut
    pauses: int
    elapsed_ms: int | None
    ranked: bool
    assisted: bool
    spawn_index: int
    version: int
    commitment: str
    seed: str | None
    date: str | None
    attempt: int | None
    player: PlayerOut
    visibility: Literal["public", "private"]
    created_at: Instant
    started_at: Instant | None
    ended_at: Instant | None
    replayed: NotRequired[bool]


class CorruptOut(TypedDict):
    id: str
    mode: str
    status: Literal["corrupt"]


class MoveOut(TypedDict):
    """What came of a move; `event` is null for a no-op. `replayed` is there when the key was used before."""

    moved: bool
    event: EventOut | None
    game: GameOut
    replayed: NotRequired[bool]


class CommandOut(TypedDict):
    event: EventOut | None
    game: GameOut
    replayed: NotRequired[bool]


class GamesPage(TypedDict):
    items: list[GameOut | CorruptOut]
    next_cursor: str | None


class EventsPage(TypedDict):
    items: list[EventOut]
    next_after: int | None


class Strict(BaseModel):
    """What comes in: no unknown field, and nothing taken for what it is not."""

    model_config = ConfigDict(strict=True, extra="forbid")


class CommandIn(Strict):
    version: int | None = Field(None, ge=1, le=2**53, description="the version you saw; another one is refused")


class MoveIn(CommandIn):
    direction: DirectionWord

    model_config = ConfigDict(json_schema_extra={"examples": [{"direction": "left", "version": 1}]})


class NewGameIn(Strict):
    mode: Literal["classic", "sprint", "break", "moves100", "daily", "practice"]
    size: int | None = None
    undo_limit: int | None = None
    start: bool | None = None
    visibility: Literal["public", "private"] = "public"
    replaces: str | None = Field(None, max_length=64)
    board: list[Annotated[list[int], Field(max_length=8)]] | None = Field(None, max_length=8)
    seed: str | None = Field(None, pattern="^[0-9a-fA-F]{64}$")
    date: str | None = Field(None, max_length=10)

    model_config = ConfigDict(json_schema_extra={"examples": [{"mode": "classic", "size": 4, "undo_limit": 1}]})


class SlidesIn(Strict):
    board: list[Annotated[list[int], Field(max_length=8)]] = Field(max_length=8)
    direction: DirectionWord

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"board": [[2, 2, 0], [0, 4, 0], [0, 0, 0]], "direction": "left"}]}
    )


ONE, SEVERAL = "(one)", "(several)"
"""Which of two shapes a body has: names that stand in a validator's places, and in no document."""


def _shape(body: object) -> str:
    return SEVERAL if isinstance(body, list) else ONE


SlidesAsked = Annotated[
    Annotated[SlidesIn, Tag(ONE)] | Annotated[list[SlidesIn], Tag(SEVERAL)],
    Discriminator(_shape),
]


class SlidesOut(TypedDict):
    board: Board
    moved: bool
    score_delta: int
    slides: list[SlideOut]


def event_out(event: Event, *, daily: bool) -> EventOut:
    """The event as everybody is told it: `server_now` is as of then."""
    game, kind = event.game, event.type
    position, size = game.position, game.rules.size
    clock = clock_out(game, game.at)
    out: dict[str, Any] = {
        "version": game.version,
        "type": kind,
        "at": clock["server_now"],
        "active_ms": clock["active_ms"],
        "board": rows_of(size, position.cells),
        "score": position.score,
        "score_delta": event.score_delta,
        "max_tile": max_tile(position.cells),
        "moves": position.moves,
        "legal_moves": game.legal_moves,
        "spawn_index": position.spawn_index,
        "status": game.status,
        "outcome": game.outcome,
        "final": game.final,
        "reached_goal": position.reached_goal,
        "undo": undo_out(game),
        "clock": clock,
    }
    if event.spawn is not None:
        out["direction"] = event.direction
        out["slides"] = [_slide_out(slide) for slide in event.slides]
        out["spawn"] = {"cell": event.spawn.cell, "value": event.spawn.value}
    if event.cause is not None:
        out["cause"] = event.cause
    if not daily and kind is not EventType.UNDO and out["final"]:
        out["seed"] = game.seed.hex()
    return out  # type: ignore[return-value]


def game_out(view: GameView, now: int) -> GameOut:
    """The game as it stands at an instant."""
    header, game, best = view
    position, rules = game.position, game.rules
    return {
        "id": header.id,
        "mode": header.mode,
        "size": rules.size,
        "goal": rules.goal,
        "category": header.category,
        "status": game.status.value,
        "outcome": None if game.outcome is None else game.outcome.value,
        "final": game.final,
        "reached_goal": position.reached_goal,
        "board": rows_of(rules.size, position.cells),  # type: ignore[typeddict-item]
        "score": position.score,
        "best_score": None if header.category is None else best,
        "max_tile": max_tile(position.cells),
        "moves": position.moves,
        "move_limit": rules.move_limit,
        "legal_moves": game.legal_moves,  # type: ignore[typeddict-item]
        "undo": undo_out(game),
        "clock": clock_out(game, now),
        "pauses": game.pauses,
        "elapsed_ms": game.elapsed_ms,
        "ranked": header.ranks(game) and not header.assisted,
        "assisted": header.assisted,
        "spawn_index": position.spawn_index,
        "version": game.version,
        "commitment": header.commitment,
        "seed": game.seed.hex() if header.shows_seed(game, now) else None,
        "date": header.date,
        "attempt": header.attempt,
        "player": player_out(header.player),
        "visibility": "private" if header.private else "public",
        "created_at": rfc3339(header.created_at),
        "started_at": None if game.started_at is None else rfc3339(game.started_at),
        "ended_at": None if game.ended_at is None else rfc3339(game.ended_at),
    }


def corrupt_out(row: CorruptRow) -> CorruptOut:
    return {"id": row.id, "mode": row.mode, "status": "corrupt"}


def player_out(player: Player) -> PlayerOut:
    told: PlayerOut = {"id": player.id, "name": player.name}
    if player.bot:
        told["bot"] = True
    return told


def undo_out(game: Game) -> UndoOut:
    return {"limit": game.rules.undo_limit, "used": game.undos, "available": game.undo_refusal is None}


def clock_out(game: Game, now: int) -> ClockOut:
    limit, clock = game.rules.time_limit_ms, game.clock
    active = clock.active(now) // MS
    if limit is not None:
        active = min(active, limit)
    return {
        "running": clock.since is not None,
        "active_ms": active,
        "limit_ms": limit,
        "remaining_ms": None if limit is None else limit - active,
        "server_now": rfc3339(now),
    }


def slides_out(slides: tuple[Slide, ...]) -> list[SlideOut]:
    return [_slide_out(slide) for slide in slides]


@lru_cache(maxsize=1 << 14)
def _slide_out(slide: Slide) -> SlideOut:
    return {"from": slide.origin, "to": slide.target, "value": slide.value, "merged": slide.merged}
