"""Decisions: what a command makes of a game as it stands, and what the server itself owes it. Nothing is written."""

from collections.abc import Callable

from twofold import errors as rules
from twofold.game import Cause, Event, EventType, Game, Status
from twofold_service.errors import StaleVersion
from twofold_service.usecases.rooms import Room
from twofold_service.usecases.values import Command, UsedKey

NEVER = 2**62


def decide(room: Room, command: Command) -> Event | None:
    """The event a command makes, None for none; Refusal, StaleVersion."""
    game, reveals_at = room.game, room.header.reveals_at
    if command.version is not None and command.version != game.version:
        stale = StaleVersion(f"The game is at version {game.version}, you saw {command.version}.")
        stale.game = room.view
        raise stale
    if reveals_at is not None and command.at >= reveals_at and command.player is not None:
        raise rules.GameOver
    if command.direction is not None:
        return game.move(command.direction, command.at)
    if command.keeper not in (None, room.keeper):
        return None
    return _OPS[command.op](game, command)


def is_plain(event: Event) -> bool:
    """Whether the event leaves alone what games are searched by: a move that ended nothing."""
    return event.type is _MOVE and event.game.status is _RUNNING


def owed_by(room: Room, at: int) -> Event | None:
    """What the server itself has to write before a command that arrived at an instant: time up, idle, reveal."""
    game, reveals_at = room.game, room.header.reveals_at
    if reveals_at is None or at < reveals_at:
        return game.due(at, room.touched)
    return game.due(reveals_at, room.touched) or (None if game.final else game.abandon(reveals_at, Cause.REVEAL))


def owed_from(room: Room) -> int:
    """An instant before which nothing will be owed, unless something other than a move comes."""
    deadline, reveals_at = room.game.deadline(room.touched), room.header.reveals_at
    return min(NEVER if deadline is None else deadline, NEVER if reveals_at is None else reveals_at)


def is_keepers(owed: Event) -> bool:
    """Whether what is owed is for the game's keeper alone to write: its clock's deadline."""
    return owed.cause in (Cause.TIME_UP, Cause.IDLE)


def pause_owed(room: Room, command: Command) -> Event | None:
    """What is left of a pause that storage refused before."""
    return None if command.keeper not in (None, room.keeper) else _OPS[command.op](room.game, command)


def use_of(command: Command, event: Event | None) -> UsedKey:
    """What is kept of a command under its idempotency key."""
    direction = None if command.direction is None else command.direction.value
    return UsedKey(command.op, direction, command.version, None if event is None else event.version)


def _unattended(game: Game, command: Command) -> Event | None:
    timed = game.rules.time_limit_ms is not None and game.status is Status.RUNNING
    cause = Cause.DISCONNECT if command.op == "disconnect" else Cause.OUTAGE
    return game.pause(command.at, cause) if timed else None


def _outage(game: Game, command: Command) -> Event | None:
    return game.pause(command.at, Cause.OUTAGE) if game.status is Status.RUNNING else None


_MOVE, _RUNNING = EventType.MOVE, Status.RUNNING  # a member is looked up slowly in its class
_OPS: dict[str, Callable[[Game, Command], Event | None]] = {
    "start": lambda game, command: game.start(command.at),
    "undo": lambda game, command: game.undo(command.at),
    "pause": lambda game, command: game.pause(command.at),
    "resume": lambda game, command: game.resume(command.at),
    "continue": lambda game, command: game.go_on(command.at),
    "abandon": lambda game, command: game.abandon(command.at),
    "settle": lambda game, command: None,
    "disconnect": _unattended,
    "cut off": _unattended,
    "outage": _outage,
}
