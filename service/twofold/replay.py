"""A record played again, by the game's own commands and on its own active time."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from twofold.board import Direction, empty_cells, shift
from twofold.clock import MS
from twofold.errors import InvalidRecord, Place, Refusal
from twofold.game import Cause, Event, EventType, Game, Position, create
from twofold.record import Entry, Record
from twofold.spawn import Spawn


def replay(record: Record) -> Iterator[Event]:
    """The created event, then one for each entry; instants are active time, in which a pause has no length.

    With the seed every tile is drawn anew, else the told ones are taken. Whether the entries tell the figures
    that the events have is not asked; InvalidRecord is raised at the first entry that cannot have happened.
    """
    event = _created(record)
    path = [event.game.position]
    yield event
    for number, entry in enumerate(record.entries):
        event = _played(record, event.game, entry, path, ("events", number))
        if event.type is EventType.MOVE:
            path.append(event.game.position)
        elif event.type is EventType.UNDO:
            path.pop()
        yield event


class Step(NamedTuple):
    """A position of the path a game ended on, and the move that led to it; None for the start."""

    direction: Direction | None
    cells: bytes
    score: int
    active_ms: int


def final_path(events: Iterable[Event]) -> list[Step]:
    """The start and the moves that were not undone, from a whole log."""
    path: list[Step] = []
    for event in events:
        if event.type in (EventType.CREATED, EventType.MOVE):
            position = event.game.position
            path.append(Step(event.direction, position.cells, position.score, event.game.active // MS))
        elif event.type is EventType.UNDO:
            path.pop()
    return path


def _created(record: Record) -> Event:
    rules, seed, start = record.rules, record.seed, not record.began_ready
    if record.start.given or seed is None:
        event = create(rules, seed or b"", 0, start=start, given=record.start.board(rules.size))
        return event if record.start.given else event._replace(game=event.game._replace(given=None))
    return create(rules, seed, 0, start=start)


def _played(record: Record, game: Game, entry: Entry, path: list[Position], place: Place) -> Event:
    _look_ahead(record, game, entry, place)
    at = game.clock.reaches(entry.active)
    tile = entry.spawn if record.seed is None else None
    back = path[-2] if len(path) > 1 else None
    try:
        event = _command(game, entry, game.at if at is None else at, tile, back)
    except Refusal as refusal:
        raise InvalidRecord(place, f"no {entry.type} is possible here: {refusal}") from refusal
    if event is None:
        raise InvalidRecord(place, f"{entry.direction} changes nothing here")
    return event


def _command(game: Game, entry: Entry, at: int, tile: Spawn | None, back: Position | None) -> Event | None:
    match entry.type:
        case EventType.MOVE:
            return None if entry.direction is None else game.move(entry.direction, at, tile)
        case EventType.UNDO:
            return game.undo(at, back)
        case EventType.START:
            return game.start(at)
        case EventType.PAUSE:
            return game.pause(at, entry.cause or Cause.PLAYER)
        case EventType.RESUME:
            return game.resume(at)
        case EventType.CONTINUE:
            return game.go_on(at)
        case EventType.OVER if entry.cause is Cause.TIME_UP:
            return game.time_up()
        case EventType.OVER:
            return game.abandon(at, entry.cause or Cause.PLAYER)
        case EventType.CREATED:
            return None


def _look_ahead(record: Record, game: Game, entry: Entry, place: Place) -> None:
    """Refuse what the commands take on trust: that time can be up, and that a told tile finds room."""
    if entry.type is EventType.OVER and entry.cause is Cause.TIME_UP:
        if not game.clock.running or game.rules.time_limit_ms is None:
            raise InvalidRecord(place, "time cannot be up here: no limited clock runs")
    elif entry.type is EventType.MOVE and record.seed is None and not _has_room(game, entry):
        raise InvalidRecord((*place, 4), "no such tile can appear here")


def _has_room(game: Game, entry: Entry) -> bool:
    if entry.direction is None or entry.spawn is None or entry.spawn.value not in (2, 4):
        return False
    shifted = shift(game.rules.size, game.position.cells, entry.direction)
    return shifted is None or entry.spawn.cell in empty_cells(shifted.cells)
