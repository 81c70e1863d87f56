"""Copies: as of one moment, whole or not there at all, and never in the place of what is in use."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import inspect

from twofold_service.storage import copies
from twofold_service.storage.database import Database, DatabaseRefused, _alembic


def nothing(done: int, total: int) -> None:
    """Progress that nobody looks at."""


@pytest.fixture
def database(new_database):
    database = Database(f"sqlite:///{new_database()}", 500)
    yield database
    database.close()


@pytest.fixture
def other(tmp_path):
    """A database that is not there yet."""
    database = Database(f"sqlite:///{tmp_path / 'other.db'}", 500)
    yield database
    database.close()


def file_of(database: Database) -> Path:
    return Path(str(database.url.database))


def days_in(file: Path) -> int:
    with closing(sqlite3.connect(file)) as connection:
        return int(connection.execute("SELECT count(*) FROM day").fetchone()[0])


def add_days(file: Path, count: int) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        first = int(connection.execute("SELECT count(*) FROM day").fetchone()[0])
        rows = [(f"day {first + number}", bytes(3000), 0) for number in range(count)]
        connection.executemany("INSERT INTO day (date, seed, published_at) VALUES (?, ?, ?)", rows)


def test_a_copy_is_as_of_its_first_moment_whatever_is_written_while_it_is_made(database, tmp_path, monkeypatch):
    monkeypatch.setattr(copies, "PAGES", 4)
    add_days(file_of(database), 50)
    told = []

    def progress(done: int, total: int) -> None:
        told.append((done, total))
        add_days(file_of(database), 1)

    copies.back_up(database, tmp_path / "copy", progress)

    assert days_in(tmp_path / "copy") == 50
    assert days_in(file_of(database)) == 50 + len(told)
    assert len(told) > 5 and told == sorted(told) and told[-1][0] == told[-1][1]


def test_what_is_in_the_write_ahead_log_is_copied_too(database, tmp_path):
    with closing(sqlite3.connect(file_of(database))) as user:
        user.execute("SELECT count(*) FROM day").fetchall()  # the last one to close would empty the log
        add_days(file_of(database), 3)
        assert file_of(database).with_name("twofold.db-wal").stat().st_size > 0

        copies.back_up(database, tmp_path / "copy", nothing)

    assert days_in(tmp_path / "copy") == 3


def test_a_restored_database_has_nothing_of_the_one_before(database, other, tmp_path):
    add_days(file_of(database), 3)
    copies.back_up(database, tmp_path / "copy", nothing)
    other.migrate()
    with closing(sqlite3.connect(file_of(other))) as user:
        user.execute("SELECT count(*) FROM day").fetchall()
        add_days(file_of(other), 9)
        assert file_of(other).with_name("other.db-wal").exists()

        copies.restore(other, tmp_path / "copy", nothing, overwrite=True)

    assert days_in(file_of(other)) == 3
    assert not file_of(other).with_name("other.db-wal").exists()
    assert file_of(other).stat().st_mode & 0o777 == 0o600


def test_a_damaged_database_is_replaced_by_a_whole_one(database, other, tmp_path):
    copies.back_up(database, tmp_path / "copy", nothing)
    file_of(other).write_bytes(b"no database at all" * 1000)

    copies.restore(other, tmp_path / "copy", nothing, overwrite=True)

    assert days_in(file_of(other)) == 0


def test_a_file_that_exists_is_kept(database, tmp_path):
    (tmp_path / "copy").write_text("mine")

    with pytest.raises(DatabaseRefused, match="--overwrite"):
        copies.back_up(database, tmp_path / "copy", nothing)

    assert (tmp_path / "copy").read_text() == "mine"
    copies.back_up(database, tmp_path / "copy", nothing, overwrite=True)
    assert days_in(tmp_path / "copy") == 0


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_folder_is_in_the_place_of_no_file(database, other, tmp_path, overwrite):
    copies.back_up(database, tmp_path / "copy", nothing)
    file_of(other).mkdir()

    with pytest.raises(DatabaseRefused, match=r"backup: .*/other\.db is a folder; name a file"):
        copies.back_up(database, file_of(other), nothing, overwrite=overwrite)
    with pytest.raises(DatabaseRefused, match=r"restore: .*/other\.db is a folder; name a file"):
        copies.restore(other, tmp_path / "copy", nothing, overwrite=overwrite)


def test_a_database_is_neither_copied_over_itself_nor_restored_from_itself(database):
    for copy in (copies.back_up, copies.restore):
        with pytest.raises(DatabaseRefused, match="the database itself"):
            copy(database, file_of(database), nothing, overwrite=True)


def test_a_database_in_use_is_not_restored(database, tmp_path):
    copies.back_up(database, tmp_path / "copy", nothing)
    database.hold()
    other = Database(database.url.render_as_string(), 500)

    with closing(other), pytest.raises(DatabaseRefused, match="in use"):
        copies.restore(other, tmp_path / "copy", nothing, overwrite=True)


def test_a_database_that_is_not_there_is_not_copied_and_not_made(other, tmp_path):
    with pytest.raises(DatabaseRefused, match="there is none"):
        copies.back_up(other, tmp_path / "copy", nothing)

    assert list(tmp_path.iterdir()) == []


DAMAGES = {
    "empty": lambda data: b"",
    "something else": lambda data: b"PGDMP" + bytes(100),
    "cut off": lambda data: data[: len(data) // 2],
    "rubbish inside": lambda data: data[:4096] + b"\xff" * 8192 + data[4096 + 8192 :],
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_copy_is_refused_and_what_is_there_is_kept(database, other, tmp_path, damage):
    copy = tmp_path / "copy"
    copies.back_up(database, copy, nothing)
    copy.write_bytes(DAMAGES[damage](copy.read_bytes()))
    other.migrate()
    add_days(file_of(other), 7)

    with pytest.raises(DatabaseRefused) as refused:
        copies.restore(other, copy, nothing, overwrite=True)

    assert len(str(refused.value).splitlines()) == 1
    assert days_in(file_of(other)) == 7
    assert not (tmp_path / "other.db.new").exists()


def test_a_copy_of_a_later_release_is_refused(database, other, tmp_path):
    copies.back_up(database, tmp_path / "copy", nothing)
    with closing(sqlite3.connect(tmp_path / "copy")) as copy, copy:
        copy.execute("UPDATE alembic_version SET version_num = 'later'")

    with pytest.raises(DatabaseRefused, match="a later release"):
        copies.restore(other, tmp_path / "copy", nothing)


def test_a_copy_that_cannot_be_written_leaves_nothing(database, tmp_path):
    with pytest.raises(DatabaseRefused, match="nowhere/copy cannot be written"):
        copies.back_up(database, tmp_path / "nowhere" / "copy", nothing)


def test_without_postgresql_s_programs_one_is_told_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    database = Database("postgresql://me:secret@127.0.0.1:9/twofold", 500)
    monkeypatch.setattr(database, "expect_made", lambda: None)

    with closing(database), pytest.raises(DatabaseRefused, match="postgresql-client") as refused:
        copies.back_up(database, tmp_path / "copy", nothing)

    assert "secret" not in str(refused.value)


def test_a_password_is_given_to_postgresql_s_programs_where_nobody_sees_it(monkeypatch, tmp_path):
    program = tmp_path / "pg_dump"
    program.write_text(
        f'#!/bin/sh\necho "$@" > {tmp_path}/arguments; echo "$PGPASSWORD" > {tmp_path}/password; exit 1\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    database = Database("postgresql://me:a-secret@127.0.0.1:9/twofold", 500)
    monkeypatch.setattr(database, "expect_made", lambda: None)

    with closing(database), pytest.raises(DatabaseRefused, match="it does not say why"):
        copies.back_up(database, tmp_path / "copy", nothing)

    assert "a-secret" not in (tmp_path / "arguments").read_text()
    assert "--dbname=postgresql://me@127.0.0.1:9/twofold" in (tmp_path / "arguments").read_text()
    assert (tmp_path / "password").read_text() == "a-secret\n"
    assert not (tmp_path / "copy").exists()


@pytest.mark.postgres
def test_a_postgresql_restored_over_a_later_release_has_no_table_of_it(postgres_server, tmp_path):
    earlier, later = (Database(postgres_server.create_database(), 3000) for _ in range(2))
    with closing(earlier), closing(later):
        earlier.migrate()
        copies.back_up(earlier, tmp_path / "copy", nothing)
        later.migrate()
        with later.writing.begin() as connection:
            connection.exec_driver_sql(
                "CREATE TABLE tomorrow (key bigint PRIMARY KEY, game bigint REFERENCES game (key))"
            )
            connection.exec_driver_sql("CREATE TABLE next_week (tomorrow bigint REFERENCES tomorrow (key))")
        later.writing.dispose()

        copies.restore(later, tmp_path / "copy", nothing, overwrite=True)

        with later.reading.connect() as connection:
            tables = set(inspect(connection).get_table_names())
        assert "game" in tables
        assert not {"tomorrow", "next_week"} & tables


@pytest.mark.postgres
def test_what_another_encoding_holds_is_carried_over_to_utf8_and_to_no_other(postgres_server, tmp_path):
    latin, other, unicode = (
        Database(postgres_server.create_database(encoding), 3000) for encoding in ("LATIN1", "LATIN1", "UTF8")
    )
    with closing(latin), closing(other), closing(unicode):
        with latin.writing.begin() as connection:  # as an earlier release did
            command.upgrade(_alembic(connection), "head")
            connection.exec_driver_sql("INSERT INTO day (date, seed, published_at) VALUES ('Zoë', '', 0)")
        copies.back_up(latin, tmp_path / "copy", nothing)

        copies.restore(unicode, tmp_path / "copy", nothing)

        with pytest.raises(DatabaseRefused, match="encoding LATIN1, not UTF8"):
            copies.restore(other, tmp_path / "copy", nothing)
        unicode.migrate()
        with unicode.reading.connect() as connection:
            assert connection.exec_driver_sql("SELECT date FROM day").scalar() == "Zoë"
