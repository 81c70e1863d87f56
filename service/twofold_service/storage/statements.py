"""Statements by the driver alone, for what is written often: SQLAlchemy's machinery costs more than they do."""

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


def mark_of(connection: Connection) -> str:
    """What stands for a value in the driver's statements."""
    return "?" if connection.dialect.paramstyle == "qmark" else "%s"


def query(connection: Connection, statement: str, row: Row = ()) -> list[Row]:
    """The rows that answer a statement, by the driver alone too."""
    dbapi = connection.dialect.loaded_dbapi
    cursor = connection.connection.cursor()
    try:
        cursor.execute(statement, row)
        return list(cursor.fetchall())
    except dbapi.Error as error:
        raise OperationalError(statement, None, error) from error
    finally:
        cursor.close()


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
