"""Copies of a whole database: made while the service plays on, and put in the place of one that nobody uses.

A copy of SQLite is an SQLite file; one of PostgreSQL is what its own `pg_dump` writes and its `pg_restore` reads.
"""

import os
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from sqlalchemy import URL, inspect

from twofold_service.storage.database import Database, DatabaseRefused, expect_utf8

Progress = Callable[[int, int], None]
"""Called with how much is done and how much it is in all, in one unit; 0 where that is not known."""

PAGES = 2048
POLL = 0.2
SQLITE_MAGIC, POSTGRES_MAGIC = b"SQLite format 3\0", b"PGDMP"


def back_up(database: Database, file: Path, progress: Progress, *, overwrite: bool = False) -> None:
    """Write a copy, as of one moment, to a file readable by its owner alone: it holds the seeds of live games.

    DatabaseRefused where there is no database, where the file exists and is not to be overwritten, or is none.
    """
    database.expect_made()
    _expect_file("backup", file)
    if file.exists():
        if database.is_sqlite and file.samefile(str(database.url.database)):
            raise DatabaseRefused(f"backup: {file} is the database itself")
        if not overwrite:
            raise DatabaseRefused(f"backup: {file} exists; --overwrite replaces it")
    with _replaced(file) as new:
        if database.is_sqlite:
            _copy_sqlite(Path(str(database.url.database)), new, progress)
        else:
            _run("pg_dump", ["--format=custom", f"--file={new}"], database, lambda: progress(new.stat().st_size, 0))


def restore(database: Database, file: Path, progress: Progress, *, overwrite: bool = False) -> None:
    """Make the database what the copy is.

    DatabaseRefused where it is in use, where it exists and is not to be overwritten, or where the file is no copy.
    """
    magic = SQLITE_MAGIC if database.is_sqlite else POSTGRES_MAGIC
    if _begins(file, len(magic)) != magic:
        kind = "an SQLite file" if database.is_sqlite else "made by pg_dump"
        raise DatabaseRefused(f"restore: {file} is no backup for this database: it is not {kind}")
    if database.is_sqlite:
        _restore_sqlite(database, file, progress, overwrite=overwrite)
    else:
        _restore_postgres(database, file, progress, overwrite=overwrite)


# SQLite


def _restore_sqlite(database: Database, file: Path, progress: Progress, *, overwrite: bool) -> None:
    target = Path(os.path.realpath(str(database.url.database)))
    _expect_file("restore", target)
    if target.exists() and target.stat().st_size and not overwrite:
        raise DatabaseRefused(f"restore: {target} exists; --overwrite replaces it")
    if target.exists() and file.samefile(target):
        raise DatabaseRefused(f"restore: {file} is the database itself")
    database.hold()
    with _replaced(target) as new:
        _copy_sqlite(file, new, progress)
        with closing(sqlite3.connect(new)) as copy:
            (revision,) = copy.execute("SELECT version_num FROM alembic_version").fetchone() or (None,)
        if not database.knows(revision):
            raise DatabaseRefused(f"restore: {file} was made by a later release of Twofold")
        _leave_log(target)


def _copy_sqlite(source: Path, new: Path, progress: Progress) -> None:
    """Copy as of the first read, however much is written meanwhile, and look whether all of it has arrived."""
    try:
        with (
            closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None)) as here,
            closing(sqlite3.connect(new)) as there,
        ):
            here.execute("BEGIN")  # without it the copy would begin anew after each write of another process
            here.execute("SELECT version_num FROM alembic_version").fetchone()
            here.backup(there, pages=PAGES, progress=lambda _, left, pages: progress(pages - left, pages), sleep=0.01)
            there.execute("PRAGMA journal_mode=DELETE")  # so that the copy is one file
            found = there.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        raise DatabaseRefused(f"{source} cannot be copied: {error}") from error
    if found != "ok":
        raise DatabaseRefused(f"{source} is damaged: {found.splitlines()[-1]}")


def _leave_log(target: Path) -> None:
    """Let go of what an earlier database has in its write-ahead log: it would be taken for a part of the new one."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(target)) as old:
        old.execute("PRAGMA journal_mode=DELETE")  # into the old file, which is whole then until it is replaced
    for suffix in ("-wal", "-shm"):
        target.with_name(target.name + suffix).unlink(missing_ok=True)


# PostgreSQL


def _restore_postgres(database: Database, file: Path, progress: Progress, *, overwrite: bool) -> None:
    with database.reading.connect() as connection:
        expect_utf8(connection)
        others = connection.exec_driver_sql(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        ).scalar()
        is_filled = bool(inspect(connection).get_table_names())
    if others:
        raise DatabaseRefused(f"restore: {database.url.database} is in use; stop the service first")
    if is_filled and not overwrite:
        raise DatabaseRefused(f"restore: {database.url.database} has tables already; --overwrite replaces them")
    left = _tables_left_by(file, database)
    with database.writing.begin() as connection:  # what refers to a table keeps it from being replaced
        quote, found = connection.dialect.identifier_preparer.quote, inspect(connection)
        for table in left:
            for key in found.get_foreign_keys(table):
                connection.exec_driver_sql(f"ALTER TABLE {quote(table)} DROP CONSTRAINT {quote(str(key['name']))}")
    options = ["--clean", "--if-exists", "--single-transaction", "--exit-on-error"]
    _run("pg_restore", [*options, str(file)], database, lambda: progress(0, 0))
    with database.writing.begin() as connection:
        for table in left:
            connection.exec_driver_sql(f"DROP TABLE {quote(table)} CASCADE")


def _tables_left_by(file: Path, database: Database) -> set[str]:
    """The tables of a newer release, which a copy made before it does not know and so leaves there."""
    listing = subprocess.run(  # noqa: S603 - a program that was found, and a file
        [_program("pg_restore"), "--list", str(file)], capture_output=True, text=True, check=False
    )
    if listing.returncode:
        raise DatabaseRefused(listing.stderr.strip().partition("\n")[0] or f"restore: {file} cannot be read")
    copied = set(re.findall(r"^\d+; \d+ \d+ TABLE \S+ (\S+) ", listing.stdout, re.MULTILINE))
    with database.reading.connect() as connection:
        return set(inspect(connection).get_table_names()) - copied


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise DatabaseRefused(f"{name} is missing: install PostgreSQL's client programs (postgresql-client)")
    return found


def _run(program: str, options: Sequence[str], database: Database, alive: Callable[[], None]) -> None:
    """Run one of PostgreSQL's own programs on the database; its password is in the environment, for nobody to see."""
    url = database.url
    open_ = URL.create("postgresql", url.username, None, url.host, url.port, url.database, url.query)
    password = {} if url.password is None else {"PGPASSWORD": str(url.password)}
    command = [
        _program(program),
        "--no-owner",
        "--no-privileges",
        "--no-password",
        f"--dbname={open_.render_as_string()}",
        *options,
    ]
    database.reading.dispose()
    with subprocess.Popen(  # noqa: S603 - of our own words, a URL and a file
        command, env={**os.environ, **password}, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        said = ""
        while process.returncode is None:
            with suppress(subprocess.TimeoutExpired):
                _, said = process.communicate(timeout=POLL)
            alive()
    if process.returncode:
        lines = said.strip().splitlines() or ["it does not say why"]
        raise DatabaseRefused(lines[0])


# files


@contextmanager
def _replaced(file: Path) -> Iterator[Path]:
    """A new file beside another, which it replaces once it is whole and on disk; gone where that fails."""
    new = file.with_name(file.name + ".new")
    try:
        new.unlink(missing_ok=True)
        os.close(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        yield new
        _sync(new)
        new.replace(file)
        _sync(file.absolute().parent)
    except OSError as error:
        raise DatabaseRefused(f"{file} cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            new.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _expect_file(what: str, file: Path) -> None:
    """Refuse what is there and can be replaced by no file: a folder, a device."""
    if file.is_dir():
        raise DatabaseRefused(f"{what}: {file} is a folder; name a file")
    if file.exists() and not file.is_file():
        raise DatabaseRefused(f"{what}: {file} is no file that could be replaced")


def _begins(file: Path, length: int) -> bytes:
    try:
        with open(file, "rb") as opened:
            return opened.read(length)
    except OSError as error:
        raise DatabaseRefused(f"restore: {file} cannot be read: {error.strerror or error}") from error
