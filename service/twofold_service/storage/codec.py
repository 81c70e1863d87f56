"""Rows to values and back; a row that cannot be read or does not add up raises Unreadable."""

import json
from collections.abc import Sequence
from typing import Any

from twofold.board import Direction
from twofold.clock import Clock
from twofold.errors import InvalidOption, Refusal
from twofold.game import Cause, Event, EventType, Game, Outcome, Position, Status
from twofold.record import Entry
from twofold.rules import MODES, Rules
from twofold.spawn import SEED_BYTES, Spawn
from twofold_service.storage.tables import GameRow
from twofold_service.usecases.values import LogRow

FRAME_EVERY = 256

STATE = (
    *(
        "status",
        "outcome",
        "version",
        "cells",
        "score",
        "moves",
        "goal_moves",
        "goal_active",
        "made",
        "given_up",
    ),
    *("undos", "pauses", "banked", "since", "at", "started_at", "ended_at", "peak_score", "peak_tile"),
)
HOT = (
    "version",
    "cells",
    "score",
    "moves",
    "goal_moves",
    "goal_active",
    "made",
    "at",
    "peak_score",
    "peak_tile",
)
_NO_NUMBERS = ("status", "outcome", "cells")
EVENT = ("game", "version", "type", "direction", "cause", "at", "active", "cell", "tile", "frame")

_TYPES, _DIRECTIONS, _CAUSES = list(EventType), list(Direction), list(Cause)
_TYPE_NUMBER = {kind: number for number, kind in enumerate(_TYPES)}
_DIRECTION_NUMBER: dict[Direction | None, int | None] = {None: None} | {d: n for n, d in enumerate(_DIRECTIONS)}
_CAUSE_NUMBER: dict[Cause | None, int | None] = {None: None} | {c: n for n, c in enumerate(_CAUSES)}


class Unreadable(Exception):
    """A stored row that is no game, or no event of one; the message is for the log."""


def state_of(game: Game) -> tuple[Any, ...]:
    """The values of the STATE columns."""
    position, clock = game.position, game.clock
    return (
        *(game.status.value, game.outcome.value if game.outcome else None, game.version),
        *(
            position.cells,
            position.score,
            position.moves,
            position.goal_moves,
            position.goal_active,
            position.version,
        ),
        *(
            game.given_up,
            game.undos,
            game.pauses,
            clock.banked,
            clock.since,
            game.at,
            game.started_at,
            game.ended_at,
        ),
        *(game.peak_score, game.peak_tile),
    )


def hot_of(game: Game) -> tuple[Any, ...]:
    """The values of the HOT columns: those a move changes after which the game goes on."""
    return (game.version, *game.position, game.at, game.peak_score, game.peak_tile)


def game_of(rules: Rules, seed: bytes, given: bytes | None, state: Sequence[Any]) -> Game:
    """The game from its STATE columns."""
    row = dict(zip(STATE, state, strict=True))
    for name, value in row.items():
        if name not in _NO_NUMBERS and value is not None and not isinstance(value, int):
            raise Unreadable(f"{name} is no number")
    try:
        position = Position(
            bytes(row["cells"]),
            row["score"],
            row["moves"],
            row["goal_moves"],
            row["goal_active"],
            row["made"],
        )
        game = Game(
            rules=rules,
            seed=bytes(seed),
            given=None if given is None else bytes(given),
            position=position,
            history=(),
            version=row["version"],
            status=Status(row["status"]),
            outcome=Outcome(row["outcome"]) if row["outcome"] is not None else None,
            given_up=bool(row["given_up"]),
            undos=row["undos"],
            pauses=row["pauses"],
            clock=Clock(row["banked"], row["since"]),
            at=row["at"],
            started_at=row["started_at"],
            ended_at=row["ended_at"],
            peak_score=row["peak_score"],
            peak_tile=row["peak_tile"],
        )
        _check(game)
    except (ValueError, TypeError) as error:
        raise Unreadable(str(error)) from error
    return game


def rules_of(mode: str, size: int, undo_limit: int | None) -> Rules:
    try:
        return MODES[mode].rules(size, undo_limit)
    except (KeyError, InvalidOption) as error:
        raise Unreadable("no mode is played by these rules") from error


def game_of_row(row: GameRow, rules: Rules) -> Game:
    return game_of(rules, row.seed, row.given, [getattr(row, column) for column in STATE])


def _check(game: Game) -> None:
    """Raise unless the figures of a stored game add up: tiles, score and spawns check each other."""
    position = game.position
    cells = position.cells
    if len(cells) != game.rules.size**2 or not any(cells):
        raise Unreadable("the board has not the size or the tiles it can have")
    if len(game.seed) != SEED_BYTES:
        raise Unreadable("the seed has not its length")
    if game.over is (game.outcome is None) or game.clock.running is not (game.status is Status.RUNNING):
        raise Unreadable("status, outcome and clock do not fit")
    if min(position.score, position.moves, game.undos, game.pauses, game.clock.banked) < 0 or game.version < 1:
        raise Unreadable("a count is negative")
    start = sum(_faces(game.given)) if game.given is not None else 0
    spawns = position.moves if game.given is not None else position.spawn_index
    fours, odd = divmod(sum(_faces(cells)) - start - 2 * spawns, 2)
    points = _points(cells) - (_points(game.given) if game.given is not None else 0)
    if odd or not 0 <= fours <= spawns or position.score != points - 4 * fours:
        raise Unreadable("tiles, score and moves do not add up")


def _faces(cells: bytes) -> list[int]:
    return [1 << exponent for exponent in cells if exponent]


def _points(cells: bytes) -> int:
    """What the tiles would have brought had they all been merged up from 2s."""
    return sum((exponent - 1) << exponent for exponent in cells if exponent)


def event_row(key: int, event: Event) -> tuple[Any, ...]:
    """The values of the EVENT columns."""
    kind, game, direction, _, spawn, cause, _ = event
    version, at, frame = game.version, game.at, None
    if version == 1 or version % FRAME_EVERY == 0:
        frame = dump_frame(state_of(game))
    elif kind is EventType.UNDO:
        frame = dump_frame(game.position)
    numbers = (_TYPE_NUMBER[kind], _DIRECTION_NUMBER[direction], _CAUSE_NUMBER[cause])
    cell, tile = spawn or (None, None)
    return (key, version, *numbers, at, game.clock.active(at), cell, tile, frame)


def move_row(key: int, event: Event) -> tuple[int, int, int | None, int]:
    """What makes a move be played again: its game's key, its version, the number of its direction, its instant."""
    game = event.game
    return key, game.version, _DIRECTION_NUMBER[event.direction], game.at


def move_again(game: Game, direction: int, at: int) -> Event | None:
    """The move a row stands for, made on the game before it; None where it is none there."""
    try:
        return game.move(_DIRECTIONS[direction], at)
    except (Refusal, IndexError):
        return None


def dump_frame(values: Sequence[Any]) -> bytes:
    plain = [value.hex() if isinstance(value, bytes) else value for value in values]
    return json.dumps(plain, separators=(",", ":")).encode()


def load_frame(frame: Any) -> list[Any]:
    """The values of a frame; a board stands in it as hex digits."""
    try:
        values = json.loads(bytes(frame))
        if not isinstance(values, list):
            raise Unreadable("a frame is no list")
        place = STATE.index("cells") if len(values) == len(STATE) else 0
        values[place] = bytes.fromhex(values[place])
    except (ValueError, TypeError, IndexError) as error:
        raise Unreadable(f"a frame cannot be read: {error}") from error
    return values


def log_row(row: Sequence[Any]) -> LogRow:
    """One event from its EVENT columns without the first."""
    version, kind, direction, cause, at, active, cell, tile, frame = row
    try:
        entry = Entry(
            type=_TYPES[kind],
            direction=None if direction is None else _DIRECTIONS[direction],
            active=active,
            cause=None if cause is None else _CAUSES[cause],
            spawn=None if cell is None else Spawn(cell, tile),
        )
        restored = None
        if frame is not None and entry.type is EventType.UNDO:
            values = load_frame(frame)
            restored = _position_in_state(values) if len(values) == len(STATE) else Position(*values)
    except (IndexError, TypeError) as error:
        raise Unreadable(f"event {version}: {error}") from error
    return LogRow(version, entry, at, restored)


def _position_in_state(values: list[Any]) -> Position:
    row = dict(zip(STATE, values, strict=True))
    return Position(row["cells"], row["score"], row["moves"], row["goal_moves"], row["goal_active"], row["made"])
