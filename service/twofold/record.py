"""A game as a document (`twofold.record/1`): its values, how it is written, and the digest over it."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any, NamedTuple, TypedDict

from twofold.board import Direction, max_tile, rows_of
from twofold.clock import MS, rfc3339
from twofold.game import Cause, Event, EventType, Game
from twofold.rules import Rules
from twofold.spawn import Spawn, commitment, start_tiles

FORMAT = "twofold.record/1"


@dataclass(frozen=True, slots=True)
class Header:
    """Whose game it is and when it was played; of its instants (us) a document keeps the milliseconds."""

    id: str
    mode: str
    date: str | None
    attempt: int | None
    player_id: str
    player_name: str | None
    created_at: int
    started_at: int | None
    ended_at: int | None

    @property
    def elapsed_ms(self) -> int | None:
        """From start to end as both are shown; None where one of them is missing."""
        if self.started_at is None or self.ended_at is None:
            return None
        return self.ended_at // MS - self.started_at // MS


class Entry(NamedTuple):
    """What a record tells of one event; `active` is the active time after it, in microseconds."""

    type: EventType
    direction: Direction | None
    active: int
    cause: Cause | None
    spawn: Spawn | None


@dataclass(frozen=True, slots=True)
class Start:
    """The tiles a game begins with: a given board's row by row, else in the order of spawns 0 and 1."""

    given: bool
    tiles: tuple[Spawn, ...]

    def board(self, size: int) -> bytes:
        cells = bytearray(size * size)
        for cell, value in self.tiles:
            cells[cell] = value.bit_length() - 1
        return bytes(cells)


class Result(TypedDict):
    """What a game came to as of its last event."""

    score: int
    max_tile: int
    moves: int
    active_ms: int
    elapsed_ms: int | None
    pauses: int
    status: str
    outcome: str | None
    reached_goal: bool
    undos: int
    board: list[list[int]]


@dataclass(frozen=True, slots=True)
class Record:
    """A record as read, believed in nothing yet; `actual_digest` is the one that it ought to tell."""

    header: Header
    rules: Rules
    start: Start
    entries: tuple[Entry, ...]
    result: Result
    commitment: bytes
    seed: bytes | None
    digest: str
    actual_digest: str

    @property
    def began_ready(self) -> bool:
        """Whether the game waited for its start command; one abandoned before it has never started."""
        if self.entries and self.entries[0].type is not EventType.OVER:
            return self.entries[0].type is EventType.START
        return self.header.started_at is None


def entry_of(event: Event) -> Entry:
    return Entry(event.type, event.direction, event.game.active, event.cause, event.spawn)


def write(header: Header, game: Game, entries: Iterable[Entry], *, show_seed: bool) -> dict[str, Any]:
    """The whole document of a game as of its last event, which is also that of the last entry."""
    document = {
        "format": FORMAT,
        "game": _header(header),
        "rules": asdict(game.rules),
        "start": _start(game),
        "events": [_row(entry) for entry in entries if entry.type is not EventType.CREATED],
        "result": result_of(game, header.elapsed_ms),
        "commitment": commitment(game.seed).hex(),
        "seed": game.seed.hex() if show_seed else None,
    }
    return document | {"digest": digest(document)}


def result_of(game: Game, elapsed_ms: int | None) -> Result:
    """What a game has come to; `elapsed_ms` counts once it is over."""
    position = game.position
    return {
        "score": position.score,
        "max_tile": max_tile(position.cells),
        "moves": position.moves,
        "active_ms": game.active // MS,
        "elapsed_ms": elapsed_ms if game.over else None,
        "pauses": game.pauses,
        "status": game.status.value,
        "outcome": game.outcome and game.outcome.value,
        "reached_goal": position.reached_goal,
        "undos": game.undos,
        "board": [list(row) for row in rows_of(game.rules.size, position.cells)],
    }


def digest(document: Mapping[str, Any]) -> str:
    """SHA-256 over the canonical JSON of everything but the digest itself."""
    rest = {name: value for name, value in document.items() if name != "digest"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode()).hexdigest()


def _header(header: Header) -> dict[str, Any]:
    return {
        "id": header.id,
        "mode": header.mode,
        "date": header.date,
        "attempt": header.attempt,
        "player": {"id": header.player_id, "name": header.player_name},
        "created_at": rfc3339(header.created_at),
        "started_at": None if header.started_at is None else rfc3339(header.started_at),
        "ended_at": None if header.ended_at is None else rfc3339(header.ended_at),
    }


def _start(game: Game) -> dict[str, Any]:
    tiles: tuple[Spawn, ...] = start_tiles(game.seed, game.rules.size)
    if game.given is not None:
        tiles = tuple(Spawn(cell, 1 << exponent) for cell, exponent in enumerate(game.given) if exponent)
    return {
        "given": game.given is not None,
        "cells": [tile.cell for tile in tiles],
        "values": [tile.value for tile in tiles],
    }


def _row(entry: Entry) -> list[Any]:
    """An entry as the list that stands in `events`; plain strings, whatever enumeration they come from."""
    return [
        entry.type.value,
        entry.direction and entry.direction.value,
        entry.active // MS,
        entry.cause and entry.cause.value,
        entry.spawn and list(entry.spawn),
    ]
