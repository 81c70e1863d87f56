"""Events into tables: the statements behind a move, and what an event that changes a status brings besides."""

from functools import cache
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, case
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlmodel import col

from twofold.board import max_tile
from twofold.clock import MS
from twofold.game import Event
from twofold_service.storage import standings
from twofold_service.storage.codec import EVENT, STATE, event_row, state_of
from twofold_service.storage.tables import BestRow, ResultRow
from twofold_service.usecases.ports import Append, KeyConflict, VersionConflict
from twofold_service.usecases.values import Header

Row = tuple[Any, ...]

_HOT = (
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
_KEY = ("game", "name", "op", "direction", "version", "made", "at")


class Misfit(Exception):
    """Some append of a batch does not fit the stored version or key; which one is known where the batch is one."""

    def __init__(self, conflict: Exception) -> None:
        super().__init__(str(conflict))
        self.conflict = conflict


def append_all(connection: Connection, appends: list[Append], process: str) -> None:
    """Write the events where each game's stored version is still the one before; Misfit where one is not."""
    appends = sorted(appends, key=lambda append: append.header.key)  # one order for all writers: none waits in a ring
    mark = mark_of(connection)
    events = [(append.header, append.event, append) for append in appends if append.event is not None]
    keys = [_key_row(append) for append in appends if append.key is not None]
    _write(connection, insert_sql("command_key", _KEY, mark) + " ON CONFLICT DO NOTHING", keys, KeyConflict())
    for whole, alike in groupby(events, key=lambda member: member[2].whole):
        columns = (*STATE, "keeper") if whole else _HOT
        rows = [_whole_row(header, event, process) if whole else _hot_row(header, event) for header, event, _ in alike]
        _write(connection, _update_sql(columns, mark), rows, VersionConflict())
    rows = [event_row(header.key, event) for header, event, _ in events]
    _write(connection, insert_sql("event", EVENT, mark), rows, VersionConflict())
    for header, event, append in events:
        if append.whole and (append.before.over or event.game.over):
            if append.before.over:
                standings.withdraw(connection, header.player.key, header.key)
            keep_result(connection, header, event)


def keep_result(connection: Connection, header: Header, event: Event) -> None:
    """The place in the rankings of a game that is over, and its peaks among the player's bests."""
    game = event.game
    if game.outcome is None or game.ended_at is None or header.category is None:
        return
    _keep_best(connection, header, game.peak_score, game.peak_tile)
    if header.ranks(game) and game.position.moves > 0:
        position = game.position
        row = ResultRow(
            game=header.key,
            id=header.id,
            player=header.player.key,
            category=header.category,
            date=header.date,
            attempt=header.attempt,
            score=position.score,
            max_tile=max_tile(position.cells),
            moves=position.moves,
            active_ms=game.clock.banked // MS,
            goal_moves=position.goal_moves,
            goal_active_ms=None if position.goal_active is None else position.goal_active // MS,
            pauses=game.pauses,
            elapsed_ms=game.elapsed_ms,
            outcome=game.outcome,
            reached_goal=position.reached_goal,
            ended_at=game.ended_at,
        )
        standings.enter(connection, row)


def _keep_best(connection: Connection, header: Header, score: int, tile: int) -> None:
    best = BestRow(player=header.player.key, category=header.category or "", score=score, max_tile=tile)
    connection.execute(_best_sql(connection.dialect.name), best.model_dump())


@cache
def _best_sql(dialect: str) -> Any:
    new = (postgresql if dialect == "postgresql" else sqlite).insert(BestRow)
    highest = {
        name: case((new.excluded[name] > column, new.excluded[name]), else_=column)
        for name, column in (("score", col(BestRow.score)), ("max_tile", col(BestRow.max_tile)))
    }
    return new.on_conflict_do_update(index_elements=["player", "category"], set_=highest)


@cache
def insert_sql(table: str, columns: tuple[str, ...], mark: str) -> str:
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join([mark] * len(columns))})"  # noqa: S608


@cache
def _update_sql(columns: tuple[str, ...], mark: str) -> str:
    changes = ", ".join(f"{column} = {mark}" for column in columns)
    return f"UPDATE game SET {changes} WHERE key = {mark} AND version = {mark}"  # noqa: S608


def _hot_row(header: Header, event: Event) -> Row:
    game, position = event.game, event.game.position
    return (
        *(
            game.version,
            position.cells,
            position.score,
            position.moves,
            position.goal_moves,
            position.goal_active,
        ),
        *(position.version, game.at, game.peak_score, game.peak_tile, header.key, game.version - 1),
    )


def _whole_row(header: Header, event: Event, process: str) -> Row:
    return (*state_of(event.game), process, header.key, event.version - 1)


def _key_row(append: Append) -> Row:
    assert append.key is not None
    name, used = append.key
    return (append.header.key, name, used.op, used.direction, used.version, used.event_version, append.at)


def mark_of(connection: Connection) -> str:
    """What stands for a value in the driver's statements."""
    return "?" if connection.dialect.paramstyle == "qmark" else "%s"


def execute(connection: Connection, statement: str, rows: list[Row] | None = None) -> int:
    """One statement, for all rows, past SQLAlchemy's machinery, which costs more than the statement; rows written.

    IntegrityError or DataError where a row does not fit.
    """
    dbapi = connection.dialect.loaded_dbapi
    cursor = connection.connection.cursor()
    try:
        if rows is None:
            cursor.execute(statement)
        else:
            cursor.executemany(statement, rows)
        return int(cursor.rowcount)
    except (dbapi.IntegrityError, dbapi.DataError) as error:
        raise IntegrityError(statement, None, error) from error
    except dbapi.Error as error:
        raise OperationalError(statement, None, error) from error
    finally:
        cursor.close()


def _write(connection: Connection, statement: str, rows: list[Row], conflict: Exception) -> None:
    if rows and execute(connection, statement, rows) != len(rows):
        raise Misfit(conflict)
