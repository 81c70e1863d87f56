"""Changes of many rows at once.

SQLite is a library: many rows are as many calls of it. PostgreSQL is another process, and to tell it of a row, or to
wait for it, costs both sides more than what is done. There many rows are one statement with an array for each column,
and all that a batch of moves changes is one statement, which is its own transaction.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Column, Connection
from sqlalchemy.dialects import postgresql
from sqlalchemy.engine import Dialect
from sqlmodel import SQLModel

from twofold_service.storage.statements import Row, execute, insert_sql, is_sqlite, prepared, update_sql

_POSTGRESQL: Dialect = postgresql.dialect()  # type: ignore[no-untyped-call]


class Many(NamedTuple):
    """A statement for many rows in the words of both databases: with the values of a row, with arrays of all rows'."""

    values: str
    arrays: str


class Change(NamedTuple):
    """Rows to be written by a statement, and the conflict it is where not all of them can be."""

    many: Many
    rows: list[Row]
    conflict: Exception


@cache
def insert_many(table: str, columns: tuple[str, ...], otherwise: str = "") -> Many:
    """An insertion into these columns of a table, and what is to be done on a conflict."""
    arrays = f"INSERT INTO {table} ({', '.join(columns)}) SELECT * FROM {_arrays(table, columns)}"  # noqa: S608
    return Many(insert_sql(table, columns, "?") + otherwise, arrays + otherwise)


@cache
def update_many(columns: tuple[str, ...]) -> Many:
    """A change of these columns of games that have a version: the values, then a game's key and that version."""
    changes = ", ".join(f"{column} = new.{column}" for column in columns)
    new = f"{_arrays('game', (*columns, 'key', 'version'))} AS new ({', '.join(columns)}, game, before)"
    arrays = f"UPDATE game SET {changes} FROM {new} WHERE key = new.game AND game.version = new.before"  # noqa: S608
    return Many(update_sql(columns, "?"), arrays)


def change(connection: Connection, changes: Sequence[Change]) -> Change | None:
    """Write rows; the first change of which not all could be written, after which nothing is to be kept."""
    by_arrays = not is_sqlite(connection)
    for item in changes:
        if by_arrays:
            written = prepared(connection, item.many.arrays, _columns(item.rows))
        else:
            written = execute(connection, item.many.values, item.rows)
        if written != len(item.rows):
            return item
    return None


def write(connection: Connection, changes: Sequence[tuple[Many, list[Row]]]) -> None:
    """Write rows, where it does not matter how many of them say anything new; on PostgreSQL in one statement."""
    if is_sqlite(connection):
        for many, rows in changes:
            execute(connection, many.values, rows)
        return
    values = [array for _, rows in changes for array in _columns(rows)]
    prepared(connection, _together(*(many.arrays for many, _ in changes)), values)


def change_at_once(connection: Connection, changes: Sequence[Change], insertion: str, row: Row) -> None:
    """Write rows on PostgreSQL, and one more, whose first value may not be NULL, in one statement.

    `insertion` has a gap for what is inserted. IntegrityError where not all could be written, and then none is.
    """
    values = [array for item in changes for array in _columns(item.rows)]
    counts = [len(item.rows) for item in changes]
    prepared(connection, _at_once(insertion, *(item.many.arrays for item in changes)), [*values, *counts, *row])


@cache
def _together(*statements: str) -> str:
    parts = [f"part{number} AS ({statement})" for number, statement in enumerate(statements[:-1])]
    return (f"WITH {', '.join(parts)} " if parts else "") + statements[-1]


@cache
def _at_once(insertion: str, *changes: str) -> str:
    parts = ", ".join(f"part{number} AS ({statement} RETURNING 1)" for number, statement in enumerate(changes))
    are_written = " AND ".join(f"(SELECT count(*) FROM part{number}) = %s" for number in range(len(changes)))  # noqa: S608
    return f"WITH {parts} " + insertion.format(f"SELECT CASE WHEN {are_written} THEN %s END, %s")


def _arrays(table: str, columns: tuple[str, ...]) -> str:
    """Rows of what arrays of these columns hold."""
    types = [_type(SQLModel.metadata.tables[table].c[column]) for column in columns]
    return f"unnest({', '.join(f'%s::{kind}[]' for kind in types)})"


def _type(column: Column[Any]) -> str:
    return column.type.compile(_POSTGRESQL)


def _columns(rows: list[Row]) -> list[str]:
    """The columns of rows as PostgreSQL writes arrays; the driver's own way takes eight times as long."""
    return [f"{{{','.join(map(_word, column))}}}" for column in zip(*rows, strict=True)]


def _word(value: Any) -> str:
    """A value in an array."""
    if type(value) is int:  # most are, so it is asked first
        return str(value)
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f'"\\\\x{value.hex()}"'
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value)
