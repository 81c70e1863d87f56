"""Running the service: serve, migrate; signals are handled here, not by uvicorn."""

import asyncio
import errno
import gc
import logging
import os
import secrets
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import uvicorn
from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError

from twofold_service import loglines
from twofold_service.api.heads import HttpSocket
from twofold_service.app import Service, assemble
from twofold_service.bus.redis import check as check_redis_url
from twofold_service.errors import ServiceError
from twofold_service.now import ClockAhead, ServiceTime
from twofold_service.settings import Settings
from twofold_service.storage import players
from twofold_service.storage.database import Database, DatabaseRefused, parse_url
from twofold_service.storage.processes import newest_instant
from twofold_service.supervisor import Supervisor
from twofold_service.tracing import TracingMissing
from twofold_service.wire.players import PlayerIn

log = logging.getLogger("twofold")
SECRET_DIGITS = 64
LOOPBACK = ("127.0.0.1", "::1", "localhost")
GC_THRESHOLDS = (20_000, 20, 100)
"""A move makes and drops hundreds of values and no cycles; the usual thresholds look for some every few moves."""
EXIT_WITHIN = 8.0
BACKLOG = 2048


class Refused(Exception):
    """Why the service will not start, in one line."""


class Server(uvicorn.Server):
    """uvicorn without hands on our signals."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def serve(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT; Refused where the settings or the database do not allow it."""
    loglines.install(settings.log_level, settings.log_format)
    _check_redis(settings)
    if settings.workers > 1:
        _supervise(settings)
    else:
        _serve_alone(settings)


def _serve_alone(settings: Settings) -> None:
    """Serve by this process alone."""
    bound = _bind(settings)
    if parse_url(settings.database).get_backend_name() == "sqlite":
        bound.listen(BACKLOG)  # nobody else can serve: who comes while it starts waits
    _serve_here(settings, bound, None)


def _supervise(settings: Settings) -> None:
    """Serve by several processes, each with a socket of its own at the same port, between which the kernel chooses."""
    with closing(_bind(settings)) as tried:
        port = tried.getsockname()[1]  # nobody else's: sockets of other services might share it unnoticed
    settings = settings.model_copy(update={"port": port})
    with closing(_bind(settings, shared=True)), _refusals():
        with closing(Database(settings.database, settings.storage_timeout_ms)) as database:
            _secret(settings, database)
            database.migrate()
            ServiceTime(newest_instant(database))  # what every worker would be refused by is told once, here
        gc.freeze()  # what all workers have in common is shared as long as nobody touches it
        log.info("%d workers on http://%s:%d", settings.workers, settings.host, port)
        Supervisor(lambda lifeline: _work(settings, lifeline), settings.workers).run()


def _work(settings: Settings, lifeline: int) -> None:
    try:
        _serve_here(settings, _bind(settings, shared=True), lifeline)
    except Refused as refused:
        log.error("a worker cannot serve: %s", refused)


def _serve_here(settings: Settings, listening: socket.socket, lifeline: int | None) -> None:
    """Serve in this process, until told to stop or until `lifeline` says that the supervisor is gone."""
    with _refusals():
        database = Database(settings.database, settings.storage_timeout_ms)
        database.hold()
        secret = _secret(settings, database)
        database.migrate()
        service = assemble(settings, secret, database)
    config = uvicorn.Config(
        service.asgi,
        host=settings.host,
        port=settings.port,
        http=HttpSocket,
        ws=service.hub.protocol,  # type: ignore[arg-type]
        ws_per_message_deflate=False,
        lifespan="off",
        access_log=False,
        log_config=None,
        log_level="warning",
        proxy_headers=False,
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=2,
    )
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        try:
            runner.run(_run(service, Server(config), [listening, *_own_sockets(settings)], lifeline))
        except ServiceError as error:
            raise Refused(f"database: {error.detail}") from error
        except OSError as error:
            if error.errno != errno.EADDRINUSE:  # another bound the same port meanwhile, and listened first
                raise
            raise _not_to_be_had(settings, error) from error


async def _run(service: Service, server: Server, listening: list[socket.socket], lifeline: int | None) -> None:
    loop, stop = asyncio.get_running_loop(), asyncio.Event()

    def leave() -> None:
        stop.set()
        leaving = threading.Timer(EXIT_WITHIN, _leave_now)
        leaving.daemon = True
        leaving.start()

    def left_alone() -> None:
        assert lifeline is not None
        loop.remove_reader(lifeline)
        log.warning("the supervisor is gone")
        leave()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, leave)
    if lifeline is not None:
        loop.add_reader(lifeline, left_alone)
    serving: asyncio.Task[None] | None = None
    try:
        await service.start()
        gc.freeze()  # what start left lives as long as the process: the collector need not look at it again
        gc.set_threshold(*GC_THRESHOLDS)
        listening[0].listen(BACKLOG)
        serving = asyncio.create_task(server.serve(sockets=listening))
        host, port, *_ = listening[0].getsockname()
        log.info("serving on http://%s:%d, database %s", host, port, service.database.url.render_as_string())
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        log.info("draining")
        await service.drain()
    finally:
        server.should_exit = True
        if serving is not None:
            await serving
        await service.stop()
        log.info("stopped")


def _leave_now() -> None:
    """The end where storage does not answer in time: what was acknowledged is stored, the next start pauses games."""
    log.warning("stopped without waiting any longer")
    os._exit(0)


def _own_sockets(settings: Settings) -> list[socket.socket]:
    """Where this worker alone is asked how it does: the first port that no other has taken."""
    if not settings.worker_port:
        return []
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    for port in range(settings.worker_port, settings.worker_port + settings.workers):
        with suppress(OSError):
            return [socket.create_server((settings.host, port), family=family)]
    log.warning("no port from %d on is free: nobody can ask this worker alone", settings.worker_port)
    return []


def _bind(settings: Settings, *, shared: bool = False) -> socket.socket:
    """The socket to serve on, before anything else is begun; Refused where it is not to be had. It does not listen yet.

    A shared port may be bound by other processes of this user, too.
    """
    bound = socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        if shared:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        bound.bind((settings.host, settings.port))
    except OSError as error:
        bound.close()
        raise _not_to_be_had(settings, error) from error
    return bound


def _not_to_be_had(settings: Settings, error: OSError) -> Refused:
    return Refused(f"cannot listen on {settings.host}:{settings.port}: {error.strerror or error}")


def _check_redis(settings: Settings) -> None:
    """Refused where several workers lack what they need, or the URL is none."""
    with _refusals():
        on_sqlite = parse_url(settings.database).get_backend_name() == "sqlite"
    if settings.workers > 1 and (on_sqlite or not settings.redis):
        raise Refused(
            "workers: several workers need PostgreSQL and Redis: set TWOFOLD_DATABASE to postgresql://… and "
            "TWOFOLD_REDIS to redis://…; on SQLite one process serves"
        )
    try:
        check_redis_url(settings.redis or "redis://")
    except ValueError as error:
        raise Refused("redis: this is no Redis URL (redis://HOST:6379/0, rediss://… or unix:///PATH)") from error
    if settings.redis and on_sqlite:
        log.warning("redis: not used, because one process serves an SQLite file")


def migrate(settings: Settings) -> None:
    """Bring the database to this release's schema."""
    with _refusals(), closing(Database(settings.database, settings.storage_timeout_ms)) as database:
        database.hold()
        database.migrate()


def change_player(settings: Settings, player: str, values: dict[str, Any]) -> None:
    """Change a player's row beside a running service, which honours it within 5 s."""
    if values.get("name") is not None:
        try:
            PlayerIn(name=values["name"])
        except ValidationError as error:
            raise Refused(f"name: {error.errors()[0]['msg']}") from error
    with _refusals(), closing(Database(settings.database, settings.storage_timeout_ms)) as database:
        database.expect_made()
        found = players.change_player(database, player, values)
    if not found:
        raise Refused(f"there is no player {player}")


@contextmanager
def _refusals() -> Iterator[None]:
    """Why a database cannot be had, or not be served, in one line."""
    try:
        yield
    except (DatabaseRefused, ClockAhead, TracingMissing) as error:
        raise Refused(str(error)) from error
    except SQLAlchemyError as error:
        raise Refused(f"database: {str(error).splitlines()[0]}") from error


def _secret(settings: Settings, database: Database) -> bytes:
    """The service's secret: given, or made once beside an SQLite file, where only this machine is served."""
    given = settings.secret
    if given:
        try:
            secret = bytes.fromhex(given)
        except ValueError as error:
            raise Refused("secret: TWOFOLD_SECRET must be hex digits") from error
        if len(given) < SECRET_DIGITS:
            raise Refused(f"secret: TWOFOLD_SECRET must have at least {SECRET_DIGITS} hex digits")
        return secret
    if settings.host not in LOOPBACK or not database.is_sqlite:
        raise Refused(
            "secret: a service on another address than loopback, or on PostgreSQL, needs TWOFOLD_SECRET "
            "(at least 64 hex digits, for example from: openssl rand -hex 32)"
        )
    return _own_secret(Path(f"{database.url.database}.secret"))


def _own_secret(path: Path) -> bytes:
    try:
        secret = bytes.fromhex(path.read_text().strip()) if path.exists() else _made_secret(path)
    except (OSError, ValueError) as error:
        raise Refused(f"secret: {path} cannot be read or made: {error}") from error
    if len(secret) < SECRET_DIGITS // 2:
        raise Refused(f"secret: {path} is not whole; it must have at least {SECRET_DIGITS} hex digits")
    return secret


def _made_secret(path: Path) -> bytes:
    """A new secret, in its place only once it is whole: whoever guesses half of one knows the dailies to come."""
    secret = secrets.token_bytes(SECRET_DIGITS // 2)
    new = path.with_name(path.name + ".new")
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(secret.hex() + "\n")
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
    return secret
