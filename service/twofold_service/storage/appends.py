"""Events into tables: the statements behind a move, and what an event that changes a status brings besides."""

from itertools import groupby

from sqlalchemy import Connection

from twofold.board import max_tile
from twofold.clock import MS
from twofold.game import Event, Game, Outcome
from twofold_service.storage import standings
from twofold_service.storage.codec import EVENT, HOT, STATE, event_row, hot_of, state_of
from twofold_service.storage.statements import Row, execute, insert_sql, mark_of, update_sql
from twofold_service.usecases.boards import Finish
from twofold_service.usecases.ports import Append, KeyConflict, VersionConflict
from twofold_service.usecases.values import Header

_BEST = ("player", "category", "score", "max_tile")
_KEEP_HIGHEST = " ON CONFLICT (player, category) DO UPDATE SET " + ", ".join(
    f"{name} = CASE WHEN excluded.{name} > best.{name} THEN excluded.{name} ELSE best.{name} END"
    for name in ("score", "max_tile")
)
_KEY = ("game", "name", "op", "direction", "version", "made", "at")


class Misfit(Exception):
    """Some append of a batch does not fit the stored version or key; which one is known where the batch is one."""

    def __init__(self, conflict: Exception) -> None:
        super().__init__(str(conflict))
        self.conflict = conflict


def append_all(connection: Connection, appends: list[Append], process: str) -> None:
    """Write keys, and events where each game's stored version is still the one before; Misfit where it is not so."""
    keep_keys(connection, appends)
    appends = sorted(appends, key=lambda append: append.header.key)  # one order for all writers: none waits in a ring
    mark = mark_of(connection)
    events = [(append.header, append.event, append) for append in appends if append.event is not None]
    for whole, alike in groupby(events, key=lambda member: member[2].whole):
        columns = (*STATE, "keeper") if whole else HOT
        rows = [_whole_row(header, event, process) if whole else _hot_row(header, event) for header, event, _ in alike]
        _write(connection, update_sql(columns, mark), rows, VersionConflict())
    rows = [event_row(header.key, event) for header, event, _ in events]
    _write(connection, insert_sql("event", EVENT, mark), rows, VersionConflict())
    for header, _, append in events:
        if append.revives:
            standings.withdraw(connection, header.player.key, header.key)
    keep_results(connection, [(header, event) for header, event, append in events if append.whole and event.game.over])


def keep_keys(connection: Connection, appends: list[Append]) -> None:
    """Write the idempotency keys of these appends; Misfit where one stands in storage already."""
    keys = [_key_row(append) for append in appends if append.key is not None]
    insert = insert_sql("command_key", _KEY, mark_of(connection)) + " ON CONFLICT DO NOTHING"
    _write(connection, insert, keys, KeyConflict())


def keep_results(connection: Connection, over: list[tuple[Header, Event]]) -> None:
    """The places in the rankings of games that are over, and their peaks among their players' bests."""
    bests: list[Row] = []
    results = []
    for header, event in over:
        game = event.game
        if game.outcome is None or game.ended_at is None or header.category is None:
            continue
        bests.append((header.player.key, header.category, game.peak_score, game.peak_tile))
        if header.ranks(game) and game.position.moves > 0:
            results.append(_result(header, header.category, game, game.outcome, game.ended_at))
    if bests:
        mark = mark_of(connection)
        execute(connection, insert_sql("best", _BEST, mark) + _KEEP_HIGHEST, bests)
    if results:
        standings.enter(connection, results)


def _result(header: Header, category: str, game: Game, outcome: Outcome, ended_at: int) -> standings.Result:
    position = game.position
    finish = Finish(
        id=header.id,
        category=category,
        date=header.date,
        attempt=header.attempt,
        score=position.score,
        max_tile=max_tile(position.cells),
        moves=position.moves,
        active_ms=game.clock.banked // MS,
        goal_moves=position.goal_moves,
        goal_active_ms=None if position.goal_active is None else position.goal_active // MS,
        ended_at=ended_at,
    )
    return standings.Result(
        header.key, header.player.key, game.pauses, game.elapsed_ms, outcome.value, position.reached_goal, finish
    )


def _hot_row(header: Header, event: Event) -> Row:
    return (*hot_of(event.game), header.key, event.version - 1)


def _whole_row(header: Header, event: Event, process: str) -> Row:
    return (*state_of(event.game), process, header.key, event.version - 1)


def _key_row(append: Append) -> Row:
    assert append.key is not None
    name, used = append.key
    return (append.header.key, name, used.op, used.direction, used.version, used.event_version, append.at)


def _write(connection: Connection, statement: str, rows: list[Row], conflict: Exception) -> None:
    if rows and execute(connection, statement, rows) != len(rows):
        raise Misfit(conflict)
