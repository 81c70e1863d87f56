"""What may be wrong with an installation, and what to do about it: a list of checks, each a generator of findings.

A new check is a function in `CHECKS`. None of them writes anything.
"""

import difflib
import os
import resource
import shutil
import socket
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Literal, NamedTuple

import httpx
import redis
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from twofold.clock import SECOND
from twofold_service.__main__ import LOOPBACK, SECRET_DIGITS
from twofold_service.now import MAX_AHEAD
from twofold_service.settings import Settings
from twofold_service.storage.database import ENCODING, MAKE_IN_UTF8, Database, DatabaseRefused, encoding
from twofold_service.storage.processes import newest_instant
from twofold_service.storage.readers import THREADS
from twofold_solver.errors import WeightsRefused

OTHER_VARIABLES = {"TWOFOLD_SERVER", "TWOFOLD_TOKEN"}
"""Those of the command."""

CORRECT, RESTORE = "correct TWOFOLD_DATABASE", "put the newest backup in its place: twofold restore --overwrite FILE"
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
CHECKED_FOR = 20.0
ENOUGH_DISK, LITTLE_DISK = 2 << 30, 200 << 20
LARGE_LOG = 1 << 30
ENOUGH_FILES = 4096
SESSIONS_A_PROCESS = THREADS + 2
CLOCK_SLACK = 60.0
WITHIN = 2.0


class Finding(NamedTuple):
    """What was looked at, how it stands, and what to do about it in one line."""

    name: str
    state: Literal["ok", "warn", "fail"]
    says: str
    do: str = ""


Findings = Iterator[Finding]


def examine(settings: Settings) -> Findings:
    """Every finding of every check."""
    for check in CHECKS:
        yield from check(settings)


# settings


def check_variables(settings: Settings) -> Findings:
    """Names that are no setting, which would be ignored without a word."""
    known = {f"TWOFOLD_{name.upper()}" for name in Settings.model_fields} | OTHER_VARIABLES
    named = {name for name in os.environ if name.startswith("TWOFOLD_") and not name.startswith("TWOFOLD_TEST_")}
    unknown = sorted((named | _named_in_env_file()) - known)
    for name in unknown:
        close = difflib.get_close_matches(name, known, 1)
        yield Finding("settings", "warn", f"{name} is no setting", f"write {close[0]}" if close else "remove it")
    if not unknown:
        yield Finding("settings", "ok", f"{len(named)} in the environment, all known")


def _named_in_env_file() -> set[str]:
    try:
        lines = Path(".env").read_text(errors="replace").splitlines()
    except OSError:
        return set()
    names = {line.removeprefix("export ").partition("=")[0].strip() for line in lines}
    return {name for name in names if name.startswith("TWOFOLD_")}


def check_secret(settings: Settings) -> Findings:
    database = _database(settings)
    if settings.secret:
        wrong = _wrong_secret(settings.secret)
        yield (
            Finding("secret", "fail", f"TWOFOLD_SECRET {wrong}", "openssl rand -hex 32")
            if wrong
            else Finding("secret", "ok", "given by TWOFOLD_SECRET")
        )
    elif settings.host not in LOOPBACK or (database is not None and not database.is_sqlite):
        says = "a service on another address than loopback, or on PostgreSQL, needs TWOFOLD_SECRET"
        yield Finding("secret", "fail", says, "set TWOFOLD_SECRET to what `openssl rand -hex 32` says, and keep it")
    elif database is not None:
        yield from _own_secret(Path(f"{database.url.database}.secret"))
    if "TWOFOLD_SECRET" in _named_in_env_file():
        yield from _is_private(Path(".env"), "secret")


def _own_secret(file: Path) -> Findings:
    if not file.exists():
        yield Finding("secret", "ok", f"{file} is made by the first serve")
        return
    try:
        wrong = _wrong_secret(file.read_text().strip())
    except (OSError, ValueError) as error:
        wrong = f"cannot be read: {error}"
    if wrong:
        yield Finding("secret", "fail", f"{file} {wrong}", "put it back from a backup")
    else:
        yield from _is_private(file, "secret")


def _wrong_secret(text: str) -> str:
    try:
        bytes.fromhex(text)
    except ValueError:
        return "is not made of hex digits"
    return "" if len(text) >= SECRET_DIGITS else f"has fewer than {SECRET_DIGITS} hex digits"


def check_doors(settings: Settings) -> Findings:
    """What a service that others reach should not be without."""
    is_public = settings.host not in LOOPBACK
    if settings.rate_limits == "off":
        state: Literal["warn", "fail"] = "fail" if is_public else "warn"
        yield Finding("limits", state, "rates and counts are off", "TWOFOLD_RATE_LIMITS=on, but for load tests")
    if settings.metrics_token and len(settings.metrics_token) < 16:
        yield Finding("metrics", "warn", "TWOFOLD_METRICS_TOKEN is short", "openssl rand -hex 16")
    if is_public and not settings.trusted_proxies:
        says = "no proxy is trusted: behind one, all players are one address"
        yield Finding("proxies", "warn", says, "set TWOFOLD_TRUSTED_PROXIES to your proxy's address, if there is one")
    if settings.workers > 1 and settings.database.startswith("sqlite"):
        yield Finding("workers", "fail", "several workers on SQLite", "use PostgreSQL, or TWOFOLD_WORKERS=1")


def check_port(settings: Settings) -> Findings:
    where = f"{settings.host}:{settings.port}"
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        socket.create_server((settings.host, settings.port), family=family).close()
    except OSError as error:
        yield _who_listens(settings, where, error.strerror or str(error))
    else:
        yield Finding("port", "ok", f"{where} is free: no service runs here")


def _who_listens(settings: Settings, where: str, error: str) -> Finding:
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)  # noqa: S104
    url = f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"
    try:
        answer = httpx.get(f"{url}/readyz", timeout=WITHIN, trust_env=False)
        told = answer.json()
    except (httpx.HTTPError, ValueError):
        return Finding("port", "fail", f"cannot listen on {where}: {error}", "choose another TWOFOLD_PORT")
    if answer.status_code == 200:
        return Finding("port", "ok", f"a service answers on {where} and is ready")
    detail = told.get("detail", "") if isinstance(told, dict) else ""
    return Finding("port", "fail", f"what answers on {where} is not ready: {detail}", "look into its log")


# the database


def check_database(settings: Settings) -> Findings:
    try:
        database = Database(settings.database, settings.storage_timeout_ms)
    except DatabaseRefused as error:
        yield Finding("database", "fail", str(error), "set TWOFOLD_DATABASE")
        return
    with closing(database):
        try:
            if database.is_sqlite:
                yield from _sqlite(database)
            else:
                yield from _postgres(database, settings)
        except SQLAlchemyError as error:
            yield _cannot_be_read(error)


def _cannot_be_read(error: SQLAlchemyError) -> Finding:
    said = str(error).splitlines()[0]
    cause = error.orig if isinstance(error, DBAPIError) else None
    if isinstance(cause, sqlite3.DatabaseError) and cause.sqlite_errorcode & 0xFF in DAMAGED:
        return Finding(
            "database", "fail", f"the file is damaged, or not Twofold's: {cause}", f"{RESTORE}, or {CORRECT}"
        )
    return Finding("database", "fail", f"it does not answer: {said}", f"start it, or {CORRECT}")


def _sqlite(database: Database) -> Findings:
    file = Path(str(database.url.database)).absolute()
    if not os.access(file.parent, os.W_OK):
        says = f"{file.parent} cannot be written by this user"
        yield Finding("database", "fail", says, "run this as the service's user, or give the folder to it")
        return
    yield from _disk(file.parent)
    if not file.exists():
        yield Finding("database", "ok", f"{file} is made by the first serve")
        return
    if not os.access(file, os.W_OK):
        yield Finding("database", "fail", f"{file} cannot be written by this user", "chown it to the service's user")
        return
    yield from _is_private(file, "database")
    log = file.with_name(file.name + "-wal")
    if log.exists() and log.stat().st_size > LARGE_LOG:
        yield Finding("database", "warn", f"{log} is large", "end what has been reading for long, then restart")
    yield _schema(database)
    yield _takes_writes(file)
    yield _integrity(file)
    yield from _clock(database)


def _takes_writes(file: Path) -> Finding:
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=rw", uri=True, timeout=WITHIN, isolation_level=None)) as other:
        try:
            other.execute("BEGIN IMMEDIATE")
            other.execute("ROLLBACK")
        except sqlite3.Error as error:
            says = f"it takes no writes: {error}"
            return Finding("writing", "fail", says, "end the program that holds it; look whether the disk is read-only")
    return Finding("writing", "ok", "the file takes writes")


def _integrity(file: Path) -> Finding:
    until = time.monotonic() + CHECKED_FOR
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=rw", uri=True, timeout=WITHIN)) as connection:
        connection.set_progress_handler(lambda: time.monotonic() > until, 10_000)
        try:
            said = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
        except sqlite3.OperationalError as error:
            if "interrupted" in str(error):
                return Finding("integrity", "ok", f"nothing found in {CHECKED_FOR:.0f} s, though not all was looked at")
            said = str(error)
        except sqlite3.DatabaseError as error:
            said = str(error)
    if said == "ok":
        return Finding("integrity", "ok", "the file is whole")
    return Finding("integrity", "fail", f"the file is damaged: {said.splitlines()[-1]}", RESTORE)


def _postgres(database: Database, settings: Settings) -> Findings:
    with database.reading.connect() as connection:
        version = _ask(connection, "SHOW server_version").split(" ")[0]
        yield Finding("database", "ok", f"PostgreSQL {version} answers")
        if _ask(connection, "SELECT pg_is_in_recovery()") or _ask(connection, "SHOW transaction_read_only") == "on":
            yield Finding("database", "fail", "it takes no writes", "name the primary in TWOFOLD_DATABASE")
        if (found := encoding(connection)) != ENCODING:
            yield Finding("encoding", "fail", f"it has the encoding {found}, not {ENCODING}", MAKE_IN_UTF8)
        for name in ("fsync", "synchronous_commit", "full_page_writes"):
            if _ask(connection, f"SHOW {name}") == "off":
                says = f"{name} is off: moves that were answered may be lost with the power"
                yield Finding("durability", "fail", says, f"ALTER SYSTEM SET {name} = on")
        wanted, most = SESSIONS_A_PROCESS * settings.workers, int(_ask(connection, "SHOW max_connections"))
        if wanted > most - 10:
            says = f"{settings.workers} workers may want {wanted} of {most} connections"
            yield Finding("connections", "warn", says, "raise max_connections, or lower TWOFOLD_WORKERS")
        apart = abs(float(_ask(connection, "SELECT extract(epoch FROM clock_timestamp())")) - time.time())
        if apart > CLOCK_SLACK:
            says = f"this machine's clock and the database's are {apart:.0f} s apart"
            yield Finding("clock", "warn", says, "let both keep time by NTP")
    yield _schema(database)
    if shutil.which("pg_dump") is None:
        says = "pg_dump is missing, so `twofold backup` cannot work here"
        yield Finding("backup", "warn", says, "install PostgreSQL's client programs (postgresql-client)")
    yield from _clock(database)


def _ask(connection: Connection, question: str) -> Any:
    return connection.exec_driver_sql(question).scalar()


def _schema(database: Database) -> Finding:
    current, newest = database.revision()
    if current is None:
        return Finding("schema", "ok", "the database is empty; its tables are made by the first serve")
    if current == newest:
        return Finding("schema", "ok", f"{current}, the newest")
    if database.knows(current):
        return Finding(
            "schema", "fail", f"{current}, where this release has {newest}", "back it up, then twofold migrate"
        )
    return Finding("schema", "fail", f"{current}, of a later release", "install that release, or restore a backup")


def _clock(database: Database) -> Findings:
    if database.revision()[0] is None:
        return
    ahead = (newest_instant(database) - time.time_ns() // 1000) / SECOND
    if ahead > MAX_AHEAD / SECOND:
        says = f"the newest stored instant is {ahead / 86_400:.1f} days ahead of this machine's clock"
        yield Finding("clock", "fail", says, "set the clock (timedatectl); serve will not start before")
    elif ahead > CLOCK_SLACK:
        says = f"the newest stored instant is {ahead:.0f} s ahead of this machine's clock"
        yield Finding(
            "clock", "warn", says, "look whether NTP keeps the clock (timedatectl); dates follow the stored one"
        )
    else:
        yield Finding("clock", "ok", f"not behind what is stored; it says {time.strftime('%F %T', time.gmtime())} UTC")


# Redis


def check_redis(settings: Settings) -> Findings:
    if not settings.redis:
        if settings.workers > 1:
            says = "several workers need Redis to wake each other"
            yield Finding("redis", "fail", says, "set TWOFOLD_REDIS, or TWOFOLD_WORKERS=1")
        return
    try:
        options = {"socket_connect_timeout": WITHIN, "socket_timeout": WITHIN}
        with closing(redis.Redis.from_url(settings.redis, **options)) as connection:
            version = connection.info("server")["redis_version"]
    except (redis.RedisError, ValueError, OSError) as error:
        said = str(error).splitlines()[0]
        yield Finding("redis", "fail", f"it does not answer: {said}", "start it, or correct TWOFOLD_REDIS")
    else:
        yield Finding("redis", "ok", f"Redis {version} answers")


# the solver


def check_solver(settings: Settings) -> Findings:
    """Whether hints can be given: the weights, and the table that all processes of a machine share."""
    try:
        from twofold_solver import shared
        from twofold_solver.weights import WeightsFile

        file = WeightsFile.opened()
    except ImportError as error:
        yield Finding("solver", "fail", f"there are no hints: {error}", "install it: pip install 'twofold[service]'")
        return
    except WeightsRefused as error:
        mend = "install this release again, or `git restore` the file in a checkout; the service finds it by itself"
        yield Finding("solver", "fail", f"there are no hints: {error}", mend)
        return
    yield Finding("solver", "ok", f"its weights are whole: {file.moves / 1e9:.1f} G moves of training")
    try:
        yield from _table(shared.table_file(file))
    except RuntimeError:
        says = f"this user has no home for the solver's table: each of its processes keeps {shared.BYTES >> 20} MB"
        yield Finding("solver", "warn", says, "set XDG_CACHE_HOME to a folder that this user may write")


def _table(table: Path) -> Findings:
    """Whether the table is there, or may be made where it belongs."""
    from twofold_solver.shared import BYTES

    if table.exists() and table.stat().st_size == BYTES:
        yield Finding("solver", "ok", f"its table is in {table.parent}")
        return
    folder = next(folder for folder in table.parents if folder.exists())
    if not os.access(folder, os.W_OK | os.X_OK):
        says = f"{folder} may not be written: each process that gives hints keeps {BYTES >> 20} MB of its own"
        yield Finding("solver", "warn", says, f"let this user write to {table.parent}, or set XDG_CACHE_HOME")
    elif (free := shutil.disk_usage(folder).free) < BYTES:
        says = f"{free >> 20} MB are free in {folder}, the solver's table takes {BYTES >> 20}"
        yield Finding("solver", "warn", says, "make room, or set XDG_CACHE_HOME")
    else:
        yield Finding("solver", "ok", f"its table is made in {table.parent} at the first hint")


# the machine


def check_files(settings: Settings) -> Findings:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < ENOUGH_FILES:
        says = f"{soft} files may be open, and each socket is one"
        more = "without a limit" if hard == resource.RLIM_INFINITY else f"up to {hard}"
        yield Finding("files", "warn", says, f"raise it ({more}): ulimit -n, or LimitNOFILE= in the unit")
    else:
        yield Finding("files", "ok", f"{'any number' if soft == resource.RLIM_INFINITY else soft} may be open")


def _disk(folder: Path) -> Findings:
    free = shutil.disk_usage(folder).free
    says = f"{free / 1e9:.1f} GB are free in {folder}"
    if free < LITTLE_DISK:
        yield Finding("disk", "fail", says, "make room: a full disk refuses every move")
    elif free < ENOUGH_DISK:
        yield Finding("disk", "warn", says, "make room before it is full")
    else:
        yield Finding("disk", "ok", says)


def _is_private(file: Path, name: str) -> Findings:
    others = file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    if others:
        yield Finding(name, "warn", f"{file} may be read by others, and holds secrets", f"chmod 600 {file}")
    else:
        yield Finding(name, "ok", f"{file} is its owner's alone")


def _database(settings: Settings) -> Database | None:
    """For its URL; None where that is none."""
    try:
        return Database(settings.database, settings.storage_timeout_ms)
    except DatabaseRefused:
        return None


CHECKS: tuple[Callable[[Settings], Findings], ...] = (
    check_variables,
    check_secret,
    check_doors,
    check_database,
    check_redis,
    check_port,
    check_solver,
    check_files,
)
