"""The database: engines for reading and writing, the lock on an SQLite file, migrations."""

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, event, make_url
from sqlalchemy.engine import URL
from sqlmodel import create_engine

BEGIN = {"sqlite": "BEGIN IMMEDIATE", "postgresql": "BEGIN ISOLATION LEVEL READ COMMITTED"}
"""How a transaction that writes begins."""
_BY_KEYS = (
    "plan_cache_mode=force_generic_plan",
    *(f"enable_{way}=off" for way in ("hashjoin", "mergejoin", "seqscan")),
)
"""What is written is planned once, for a plan takes as long as to write ten rows; and rows are found one by one by
their keys, so that whoever writes locks them in the order of the batch."""
MIGRATIONS = Path(__file__).parent / "migrations"
ENCODING = "UTF8"
MAKE_IN_UTF8 = "make another by createdb -E UTF8 -T template0 --locale=C, or by initdb with a UTF-8 locale"
"""What to do about another encoding; the locale C goes with all of them, so that any cluster takes it."""


class DatabaseRefused(RuntimeError):
    """The database cannot be used as it is; the message says why and what to do."""


def parse_url(text: str) -> URL:
    """The URL with its driver spelled out; DatabaseRefused for a database we do not speak."""
    try:
        url = make_url(text)
    except Exception as error:
        raise DatabaseRefused("database: this is no database URL (sqlite:///FILE or postgresql://…)") from error
    if url.drivername in ("sqlite", "sqlite+pysqlite"):
        if not url.database or url.database == ":memory:":
            raise DatabaseRefused("database: an SQLite database needs a file")
        return url.set(drivername="sqlite+pysqlite")
    if url.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
        return url.set(drivername="postgresql+psycopg")
    raise DatabaseRefused(f"database: {url.drivername} is not supported; use sqlite:///FILE or postgresql://…")


class Database:
    """One reading and one writing engine for a URL; on SQLite a held lock makes this process the file's only writer."""

    def __init__(self, url: str, timeout_ms: int) -> None:
        self.url = parse_url(url)
        self._timeout_ms = timeout_ms
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.reading = self._engine(timeout_ms, pool=8)
        self.writing = self._engine(timeout_ms, pool=1)
        self._lock: int | None = None

    def hold(self) -> None:
        """Take the lock on an SQLite file; DatabaseRefused where another process holds it."""
        if not self.is_sqlite:
            return
        file = os.path.realpath(str(self.url.database))
        path = f"{file}.lock"  # one lock, by whatever name the file goes
        try:
            self._lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise DatabaseRefused(f"database: cannot open {path}: {error.strerror}") from error
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._lock)
            self._lock = None
            raise DatabaseRefused(
                f"database: {self.url.database} is in use by another process; stop it first, or use PostgreSQL"
            ) from error
        with suppress(OSError):  # a file that cannot be made is refused in SQLite's words
            os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))  # it will hold seeds of live games

    @property
    def is_held(self) -> bool:
        """Whether no other process can write to it."""
        return self._lock is not None

    def close(self) -> None:
        self.reading.dispose()
        self.writing.dispose()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def wait_for_lock(self, connection: Connection, wait: bool) -> None:
        """Whether the connection waits, on SQLite, while another process holds the file."""
        if self.is_sqlite:
            cursor = connection.connection.cursor()
            cursor.execute(f"PRAGMA busy_timeout={self._timeout_ms if wait else 0}")
            cursor.close()

    def migrate(self) -> None:
        """Bring the schema to the newest revision, under a lock where several processes may try."""
        with self.writing.begin() as connection:
            if not self.is_sqlite:
                expect_utf8(connection)
                connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
                connection.exec_driver_sql("SET LOCAL lock_timeout = 0")
                connection.exec_driver_sql("SELECT pg_advisory_xact_lock(2048)")
            try:
                command.upgrade(_alembic(connection), "head")
            except CommandError as error:
                raise DatabaseRefused(f"database: it was made by another release of Twofold ({error})") from error

    def revision(self) -> tuple[str | None, str | None]:
        """The schema's revision, and the newest one this program knows."""
        with self.reading.connect() as connection:
            current = MigrationContext.configure(connection).get_current_revision()
        return current, ScriptDirectory.from_config(_alembic(None)).get_current_head()

    def older_revisions(self) -> frozenset[str]:
        """Every revision this program knows but the newest; one it does not know is of a later release."""
        scripts = ScriptDirectory.from_config(_alembic(None))
        return frozenset(script.revision for script in scripts.walk_revisions() if not script.is_head)

    def knows(self, revision: str | None) -> bool:
        """Whether a schema is of this release or an earlier one."""
        scripts = ScriptDirectory.from_config(_alembic(None))
        return revision in {script.revision for script in scripts.walk_revisions()}

    def expect_made(self) -> None:
        """DatabaseRefused where no release has made its tables yet; a file that is not there is not made by asking."""
        is_there = not self.is_sqlite or os.path.exists(str(self.url.database))
        if not is_there or self.revision()[0] is None:
            raise DatabaseRefused(
                f"database: there is none of Twofold's in {self.url.database}; serve or migrate makes one"
            )

    def _engine(self, timeout_ms: int, pool: int) -> Engine:
        if self.is_sqlite:
            # a transaction begins where SQLAlchemy says so, not where the driver guesses
            arguments: dict[str, Any] = {"isolation_level": None, "check_same_thread": False}
            engine = create_engine(
                self.url, connect_args=arguments, pool_size=pool, max_overflow=0, hide_parameters=True
            )
            event.listen(engine, "connect", _pragmas(timeout_ms))
            event.listen(engine, "begin", _begin_writing if pool == 1 else _begin)
            return engine
        options = f"-c lock_timeout={timeout_ms} -c statement_timeout={timeout_ms}"
        if pool == 1:
            options += "".join(f" -c {setting}" for setting in _BY_KEYS)
        arguments = {
            "connect_timeout": max(1, timeout_ms // 1000),
            "options": options,
            "client_encoding": ENCODING,  # or an SQL_ASCII database's texts come as bytes, before it can be refused
        }
        engine = create_engine(
            self.url,
            connect_args=arguments,
            pool_size=pool,
            max_overflow=0,
            pool_pre_ping=True,
            # a transaction that writes begins where we say so, for a statement may be one; a question of several
            # statements is about one moment, though another process writes between them
            isolation_level="AUTOCOMMIT" if pool == 1 else "REPEATABLE READ",
            hide_parameters=True,  # seeds and hashes of tokens are among them
        )
        if pool == 1:
            event.listen(engine, "begin", _begin_writing)
        return engine


def encoding(connection: Connection) -> str:
    """The encoding in which a PostgreSQL database keeps texts, by PostgreSQL's name for it."""
    return str(connection.exec_driver_sql("SHOW server_encoding").scalar())


def expect_utf8(connection: Connection) -> None:
    """DatabaseRefused where a PostgreSQL database cannot keep every player's name."""
    found = encoding(connection)
    if found != ENCODING:
        raise DatabaseRefused(
            f"database: {connection.engine.url.database} has the encoding {found}, not {ENCODING}; {MAKE_IN_UTF8}"
        )


def _pragmas(timeout_ms: int) -> Any:
    def on_connect(connection: Any, _: Any) -> None:
        for pragma in (
            f"busy_timeout={timeout_ms}",
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            "cache_size=-65536",
        ):
            connection.execute(f"PRAGMA {pragma}")

    return on_connect


def _begin(connection: Any) -> None:
    connection.exec_driver_sql("BEGIN")


def _begin_writing(connection: Any) -> None:
    connection.exec_driver_sql(BEGIN[connection.dialect.name])


def _alembic(connection: Any) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config
