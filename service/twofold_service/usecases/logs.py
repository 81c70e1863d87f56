"""A game's log played again: the events as they were told, and positions further back than memory holds."""

from collections.abc import AsyncIterator, Callable

from twofold import errors as rules
from twofold.board import MAX_SIZE, Direction
from twofold.game import HISTORY, Cause, Event, EventType, Game, Position
from twofold.spawn import Spawn
from twofold_service.errors import CorruptGame
from twofold_service.usecases.ports import LogStore
from twofold_service.usecases.values import LogRow

STEP = 256
_CELLS = range(MAX_SIZE**2)


async def events(store: LogStore, game: str, after: int, until: int) -> AsyncIterator[Event]:
    """The events with versions above `after`, up to `until`, in order."""
    if after >= until:
        return
    state = await store.frame(game, max(1, after))
    rows = await _step(store, game, state.version, until)
    if after < state.version <= until and state.version == 1:
        yield Event(EventType.CREATED, state)
    while rows:
        for row in rows:
            event = play_again(state, row)
            state = event.game
            if state.version > after:
                yield event
        rows = await _step(store, game, state.version, until)
    if state.version < until:
        raise CorruptGame


async def path(
    store: LogStore, game: str, version: int, pack: Callable[[int, Direction, Spawn], bytes]
) -> tuple[Game, bytes]:
    """The game as it began, and its moves up to a version that were not taken back: version, direction and tile of
    each, packed. CorruptGame where a row is none of a move."""
    start = await store.frame(game, 1)
    packed: list[bytes] = []
    reached = 1
    while reached < version:
        rows = await _step(store, game, reached, version)
        if not rows:
            raise CorruptGame
        for row in rows:
            if row.entry.type is EventType.UNDO:
                del packed[-1:]
            elif row.entry.type is EventType.MOVE:
                direction, spawn = row.entry.direction, row.entry.spawn
                if direction is None or spawn is None or spawn.value not in (2, 4) or spawn.cell not in _CELLS:
                    raise CorruptGame
                packed.append(pack(row.version, direction, spawn))
        reached = rows[-1].version
    return start, b"".join(packed)


async def _step(store: LogStore, game: str, after: int, until: int) -> list[LogRow]:
    return await store.log(game, after, min(STEP, until - after)) if after < until else []


async def as_of(store: LogStore, game: str, version: int) -> Game:
    """The game as it stood at a version, with the positions before it that came along."""
    state = await store.frame(game, version)
    for row in await store.log(game, state.version, version - state.version):
        state = play_again(state, row).game
    if state.version < version:
        raise CorruptGame
    return state


async def positions_before(store: LogStore, game: str, position: Position) -> tuple[Position, ...]:
    """The position before one on its path, and those before it that came along, oldest first; at least one."""
    earlier = await as_of(store, game, position.version - 1)
    return (*earlier.history[1 - HISTORY :], earlier.position)


def play_again(game: Game, row: LogRow) -> Event:
    """The event a row stands for, made on the game before it; CorruptGame where it cannot have happened there."""
    try:
        event = _PLAYS[row.entry.type](game, row)
    except (rules.RuleError, KeyError, AssertionError) as error:
        raise CorruptGame from error
    if event is None or (event.game.version, event.game.at, event.spawn) != (row.version, row.at, row.entry.spawn):
        raise CorruptGame
    return event


def _over(game: Game, row: LogRow) -> Event:
    cause = row.entry.cause or Cause.PLAYER
    return game.time_up() if cause is Cause.TIME_UP else game.abandon(row.at, cause)


def _move(game: Game, row: LogRow) -> Event | None:
    return None if row.entry.direction is None else game.move(row.entry.direction, row.at)


_PLAYS: dict[EventType, Callable[[Game, LogRow], Event | None]] = {
    EventType.START: lambda game, row: game.start(row.at),
    EventType.MOVE: _move,
    EventType.UNDO: lambda game, row: game.undo(row.at, row.restored),
    EventType.PAUSE: lambda game, row: game.pause(row.at, row.entry.cause or Cause.PLAYER),
    EventType.RESUME: lambda game, row: game.resume(row.at),
    EventType.CONTINUE: lambda game, row: game.go_on(row.at),
    EventType.OVER: _over,
}
