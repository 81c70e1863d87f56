"""Migrations: from nothing and from every earlier schema, with rows in it, to what tables.py says."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, MetaData, inspect, text
from sqlmodel import SQLModel

from tests.storage.conftest import KINDS
from twofold_service.storage.database import MIGRATIONS, Database, _alembic

REVISIONS = [script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions()][::-1]
COLUMN = ("name", "type", "nullable", "default")
INDEXES = {
    "sqlite": "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL",
    "postgresql": "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
}


@pytest.fixture(params=KINDS)
def empty(request, tmp_path) -> Iterator[Database]:
    """A database without any table."""
    server = None if request.param == "sqlite" else request.getfixturevalue("postgres_server")
    url = server.create_database() if server else f"sqlite:///{tmp_path / 'twofold.db'}"
    database = Database(url, 3000)
    yield database
    database.close()
    if server:
        server.drop_database(url)


def upgrade(database: Database, revision: str) -> None:
    with database.writing.begin() as connection:
        command.upgrade(_alembic(connection), revision)


def downgrade(database: Database, revision: str) -> None:
    with database.writing.begin() as connection:
        command.downgrade(_alembic(connection), revision)


def schema(connection: Connection) -> dict[str, Any]:
    """Everything the database itself says of its tables, but for Alembic's own."""
    seen = inspect(connection)
    tables = set(seen.get_table_names()) - {"alembic_version"}
    indexes = connection.execute(text(INDEXES[connection.dialect.name])).all()
    return {
        "columns": {
            name: [[str(dict(column)[part]) for part in COLUMN] for column in seen.get_columns(name)] for name in tables
        },
        "keys": {name: seen.get_pk_constraint(name) for name in tables},
        "references": {name: sorted(map(str, seen.get_foreign_keys(name))) for name in tables},
        "unique": {name: sorted(map(str, seen.get_unique_constraints(name))) for name in tables},
        "indexes": {name: " ".join(sql.split()).replace('"', "") for name, sql in indexes if "alembic" not in name},
        "options": {name: seen.get_table_options(name) for name in tables},
    }


def fill(connection: Connection) -> dict[str, int]:
    """Three rows in every table of whatever schema there is, and how many that makes."""
    metadata = MetaData()
    metadata.reflect(connection)
    tables = [table for table in metadata.sorted_tables if table.name != "alembic_version"]
    for table in tables:
        for number in (1, 2, 3):
            values = {column.name: VALUES[column.type.python_type](number) for column in table.columns}
            connection.execute(table.insert().values(values))
    return {table.name: 3 for table in tables}


VALUES: dict[type, Any] = {int: int, str: str, bytes: lambda number: bytes([number]), bool: bool}


def test_an_empty_database_gets_the_newest_schema(empty):
    empty.migrate()
    current, newest = empty.revision()
    assert current == newest == REVISIONS[-1]


def test_the_schema_is_what_the_tables_say(empty):
    empty.migrate()
    with empty.writing.connect() as connection:
        migrated = schema(connection)
    with empty.writing.begin() as connection:
        SQLModel.metadata.drop_all(connection)
        SQLModel.metadata.create_all(connection)
        assert schema(connection) == migrated


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_filled_database_of_any_age_is_brought_up_to_date_and_loses_no_row(empty, revision):
    upgrade(empty, revision)
    with empty.writing.begin() as connection:
        counts = fill(connection)
    empty.migrate()
    with empty.reading.connect() as connection:
        for table, count in counts.items():
            assert connection.execute(text(f"SELECT count(*) FROM {table}")).scalar() == count  # noqa: S608
    assert empty.revision() == (REVISIONS[-1], REVISIONS[-1])


def test_the_schema_before_batches_is_not_gone_back_to_while_moves_wait(empty):
    empty.migrate()
    with empty.writing.begin() as connection:
        connection.execute(text("INSERT INTO batch (number, moves) VALUES (1, '[]')"))
    with pytest.raises(CommandError, match="moves wait"):
        downgrade(empty, "0002")
    with empty.writing.begin() as connection:
        connection.execute(text("DELETE FROM batch"))
    downgrade(empty, "0002")
    assert empty.revision() == ("0002", REVISIONS[-1])


def test_a_failed_migration_leaves_nothing_behind(empty, monkeypatch):
    def breaks(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("alembic.runtime.migration.HeadMaintainer.update_to_step", breaks)
    with pytest.raises(ZeroDivisionError):
        empty.migrate()
    with empty.reading.connect() as connection:
        assert inspect(connection).get_table_names() == []


@pytest.mark.slow
def test_of_processes_that_migrate_at_once_none_spoils_it(empty):
    url = empty.url.render_as_string(hide_password=False)
    argv = [sys.executable, "-m", "twofold_cli", "migrate", "--database", url]
    started = [subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    said = [(*process.communicate(timeout=60), process.returncode) for process in started]
    done = [code for _, _, code in said if code == 0]
    refused = [error for _, error, code in said if code == 1]
    assert len(done) + len(refused) == 2
    assert all(len(error.splitlines()) == 1 and "in use by another process" in error for error in refused)
    assert done if empty.is_sqlite else len(done) == 2
    assert empty.revision() == (REVISIONS[-1], REVISIONS[-1])
