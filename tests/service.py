"""The service itself, put together as `serve` does, in a thread of this process."""

import asyncio
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import uvicorn
from sqlalchemy import event

from tests.faults.patient import LONGEST_GAP
from twofold.clock import SECOND
from twofold_service.__main__ import Server
from twofold_service.api.heads import HttpSocket
from twofold_service.app import Service, assemble
from twofold_service.settings import Settings
from twofold_service.storage.database import Database
from twofold_service.storage.processes import newest_instant
from twofold_service.usecases.ports import Now
from twofold_service.usecases.turns import Turns

T = TypeVar("T")
WITHIN = 60.0
SECRET = bytes(range(32))
DAY = 86_400 * SECOND
NOON = 1_800_014_400_000_000
"""2027-01-15 12:00 UTC."""


class Hand:
    """Service time that is moved by hand."""

    def __init__(self, at: int = NOON) -> None:
        self.at = at

    def __call__(self) -> int:
        return self.at

    def forward(self, seconds: float) -> None:
        self.at += round(seconds * SECOND)


def settings(**wanted: Any) -> Settings:
    """Settings without a file, and without rates and counts unless they are wanted."""
    return Settings(**{"_env_file": None, "rate_limits": "off", **wanted})


class FromNoon:
    """Service time that goes by, but has begun at noon with this process: no test meets the end of a day."""

    _begun = time.monotonic_ns() // 1000
    _noon = time.time_ns() // 1000 // DAY * DAY + DAY // 2

    def __init__(self, newest_stored: int) -> None:
        self._offset = max(self._noon, newest_stored - (time.monotonic_ns() // 1000 - self._begun))

    def __call__(self) -> int:
        return self._offset + time.monotonic_ns() // 1000 - self._begun


def put_together(path: Path, now: Now | None = None, **wanted: Any) -> Service:
    """The service on an SQLite file, held, and migrated where it is new; not started. Nobody waits for the disk."""
    wished = settings(database=f"sqlite:///{path}", **wanted)
    new = not path.exists()
    database = Database(wished.database, wished.storage_timeout_ms)
    database.hold()
    event.listen(database.writing, "connect", lambda connection, _: connection.execute("PRAGMA synchronous=OFF"))
    if new:
        database.migrate()
    return assemble(wished, SECRET, database, now=now or FromNoon(newest_instant(database)))


class Running:
    """A service behind uvicorn on a loopback port, in a thread of its own."""

    _document: ClassVar[dict[str, Any] | None] = None

    def __init__(self, path: Path, now: Now | None = None, **wanted: Any) -> None:
        self.path = path
        self.service = put_together(path, now, **wanted)
        if now is None:
            self.service.clocks.longest_gap = LONGEST_GAP
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop
        self._stop: asyncio.Event
        self._thread = threading.Thread(target=self._serve, name="service")
        self._thread.start()
        assert self._ready.wait(WITHIN), "the service did not start"

    @property
    def turns(self) -> Turns:
        """What the turns of all rooms share: for a test that meddles with rooms, logs and tasks."""
        return self.service.play._turns

    def do(self, call: Callable[[], T]) -> T:
        """What a call answers on the service's own loop."""

        async def there() -> T:
            return call()

        return self.wait_for(there)

    def wait_for(self, call: Callable[[], Awaitable[T]]) -> T:
        """The same for a call that waits."""

        async def there() -> T:
            return await call()

        return asyncio.run_coroutine_threadsafe(there(), self._loop).result(WITHIN)

    def stop(self) -> None:
        """Stop as after a crash: nothing is drained, nobody is told."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join(WITHIN)

    def _serve(self) -> None:
        config = uvicorn.Config(
            self.service.asgi,
            http=HttpSocket,
            ws=self.service.hub.protocol,  # type: ignore[arg-type]
            ws_per_message_deflate=False,
            lifespan="off",
            access_log=False,
            log_config=None,
            log_level="warning",
            proxy_headers=False,
            server_header=False,
            date_header=False,
            timeout_graceful_shutdown=1,
        )
        with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
            runner.run(self._run(Server(config)))

    async def _run(self, server: uvicorn.Server) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        self.service.api.openapi_schema = self._document  # the same each time, and slow to make
        await self.service.start()
        Running._document = self.service.api.openapi_schema
        serving = asyncio.create_task(server.serve(sockets=[self._listening]))
        while not server.started:  # noqa: ASYNC110 - uvicorn tells it in no other way
            await asyncio.sleep(0.005)
        self._ready.set()
        await self._stop.wait()
        server.should_exit = True
        await serving
        await self.service.stop()


@contextmanager
def running(path: Path, now: Now | None = None, **wanted: Any) -> Iterator[Running]:
    service = Running(path, now, **wanted)
    try:
        yield service
    finally:
        service.stop()
