"""Statements by the driver alone, for what is written often: SQLAlchemy's machinery costs more than they do."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError, OperationalError

Row = tuple[Any, ...]


@cache
def insert_sql(table: str, columns: tuple[str, ...], mark: str) -> str:
    """An insertion into these columns of a table; what is to be done on a conflict may be put behind it."""
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join([mark] * len(columns))})"  # noqa: S608


@cache
def update_sql(columns: tuple[str, ...], mark: str, table: str = "game") -> str:
    """A change of these columns of a game that has a version: the values, then its key and that version."""
    changes = ", ".join(f"{column} = {mark}" for column in columns)
    return f"UPDATE {table} SET {changes} WHERE key = {mark} AND version = {mark}"  # noqa: S608


def is_sqlite(connection: Connection) -> bool:
    return connection.dialect.name == "sqlite"


def mark_of(connection: Connection) -> str:
    """What stands for a value in the driver's statements."""
    return "?" if is_sqlite(connection) else "%s"


def query(connection: Connection, statement: str, row: Row = ()) -> list[Row]:
    """The rows that answer a statement, by the driver alone too."""
    with closing(connection.connection.cursor()) as cursor, _errors(connection, statement):
        cursor.execute(statement, row)
        return list(cursor.fetchall())


def execute(connection: Connection, statement: str, rows: list[Row] | None = None) -> int:
    """One statement, for all rows, past SQLAlchemy's machinery, which costs more than the statement; rows written.

    IntegrityError or DataError where a row does not fit.
    """
    with closing(connection.connection.cursor()) as cursor, _errors(connection, statement):
        if rows is None:
            cursor.execute(statement)
        elif len(rows) == 1:
            cursor.execute(statement, rows[0])
        else:
            cursor.executemany(statement, rows)
        return int(cursor.rowcount)


def prepared(connection: Connection, statement: str, values: Sequence[Any]) -> int:
    """One statement that PostgreSQL keeps from its first use on; rows written."""
    cursor: Any = connection.connection.cursor()
    with closing(cursor), _errors(connection, statement):
        return int(cursor.execute(statement, values, prepare=True).rowcount)


@contextmanager
def _errors(connection: Connection, statement: str) -> Iterator[None]:
    """What the driver says of a statement, as SQLAlchemy would say it."""
    dbapi = connection.dialect.loaded_dbapi
    try:
        yield
    except (dbapi.IntegrityError, dbapi.DataError) as error:
        raise IntegrityError(statement, None, error) from error
    except dbapi.Error as error:
        raise OperationalError(statement, None, error) from error
