"""The one writer of a process: commands that wait are committed together, and answered after the commit.

There is no gathering time: a batch is what came while the last one was committed. A batch in which something does not
fit is taken again member by member, each in a savepoint, all in one transaction.
"""

import asyncio
import logging
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection, text
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError

from twofold_service.errors import ServiceError, StorageFull, StorageUnavailable
from twofold_service.storage.appends import Misfit, append_all
from twofold_service.storage.database import Database
from twofold_service.usecases.ports import Append, Now

log = logging.getLogger("twofold.journal")
MAX_BATCH = 512
T = TypeVar("T")


@dataclass(slots=True)
class Work:
    """Anything else that writes: called with the connection inside the batch's transaction, in a savepoint."""

    call: Callable[[Connection], Any]
    done: Callable[[Any, Exception | None], None]


class Journal:
    """Takes appends and work on the event loop, writes them in a thread of its own, answers on the loop."""

    def __init__(self, database: Database, process: str, now: Now) -> None:
        self._database = database
        self._process = process
        self._now = now
        self._queue: queue.SimpleQueue[Append | Work | None] = queue.SimpleQueue()
        self._connection: Connection | None = None
        self._thread = threading.Thread(target=self._write, name="journal", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    async def stop(self) -> None:
        """Write what waits, then end the thread."""
        if self._loop is None:
            return
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def append(self, item: Append) -> None:
        self._queue.put(item)

    def run(self, call: Callable[[Connection], T]) -> "asyncio.Future[T]":
        """The call's answer, after the commit that holds what it wrote."""
        assert self._loop is not None
        future: asyncio.Future[T] = self._loop.create_future()

        def done(value: T, error: Exception | None) -> None:
            if future.done():
                return
            if error is not None:
                future.set_exception(error)
            else:
                future.set_result(value)

        self._queue.put(Work(call, done))
        return future

    def _write(self) -> None:
        assert self._loop is not None
        while batch := self._gather():
            outcomes = self._commit(batch)
            try:
                self._loop.call_soon_threadsafe(_settle, batch, outcomes)
            except RuntimeError:  # the loop is closed: nobody waits any more
                break
        self._drop_connection()

    def _gather(self) -> list[Append | Work]:
        first = self._queue.get()
        batch: list[Append | Work] = []
        while first is not None:
            batch.append(first)
            if len(batch) == MAX_BATCH:
                return batch
            try:
                first = self._queue.get_nowait()
            except queue.Empty:
                return batch
        if batch:
            self._queue.put(None)  # the end comes after these
        return batch

    def _waiting(self) -> list[Append | Work]:
        """What came while a batch was tried."""
        came: list[Append | Work] = []
        with suppress(queue.Empty):
            while (item := self._queue.get_nowait()) is not None:
                came.append(item)
            self._queue.put(None)  # the end comes after these
        return came

    def _commit(self, batch: list[Append | Work]) -> list[Any]:
        try:
            try:
                return self._in_transaction(batch, self._together)
            except (Misfit, IntegrityError, DataError):
                return self._in_transaction(batch, self._one_by_one)
        except SQLAlchemyError as error:
            self._drop_connection()
            failure = storage_error(error)
            batch += self._waiting()  # who has waited for the same storage does not wait as long again
        except Exception:
            log.exception("a batch could not be written")
            self._drop_connection()
            failure = StorageUnavailable()
        return [failure] * len(batch)

    def _in_transaction(
        self, batch: list[Append | Work], write: Callable[[Connection, list[Append | Work]], list[Any]]
    ) -> list[Any]:
        if self._connection is None:
            self._connection = self._database.writing.connect()
        connection = self._connection
        with connection.begin():
            outcomes = write(connection, batch)
            connection.execute(_HEARTBEAT, {"id": self._process, "now": self._now()})
        return outcomes

    def _together(self, connection: Connection, batch: list[Append | Work]) -> list[Any]:
        append_all(connection, [item for item in batch if isinstance(item, Append)], self._process)
        return [_attempt(connection, item) if isinstance(item, Work) else None for item in batch]

    def _one_by_one(self, connection: Connection, batch: list[Append | Work]) -> list[Any]:
        places = sorted(range(len(batch)), key=lambda place: _rank(batch[place]))
        outcomes = {place: _attempt(connection, batch[place], self._process) for place in places}
        return [outcomes[place] for place in range(len(batch))]

    def _drop_connection(self) -> None:
        if self._connection is not None:
            connection, self._connection = self._connection, None
            try:
                connection.invalidate()
                connection.close()
            except SQLAlchemyError:
                log.debug("the broken connection did not close cleanly")


def _rank(item: Append | Work) -> tuple[bool, int]:
    """Appends in the order of their games, then all else: one order for all writers, so that none waits in a ring."""
    return isinstance(item, Work), item.header.key if isinstance(item, Append) else 0


def _attempt(connection: Connection, item: Append | Work, process: str = "") -> Any:
    """The item's answer, or the exception that undid it alone."""
    try:
        with connection.begin_nested():
            if isinstance(item, Work):
                return item.call(connection)
            append_all(connection, [item], process)
            return None
    except Misfit as error:
        return error.conflict
    except (IntegrityError, DataError) as error:
        return error
    except SQLAlchemyError:
        raise
    except Exception as error:
        if not isinstance(error, ServiceError):
            log.debug("a piece of work was refused: %r", error)
        return error


def _settle(batch: list[Append | Work], outcomes: list[Any]) -> None:
    for item, outcome in zip(batch, outcomes, strict=True):
        error = outcome if isinstance(outcome, Exception) else None
        try:
            if isinstance(item, Append):
                item.done(error)
            else:
                item.done(outcome, error)
        except Exception:  # one caller's fault must not leave the others without an answer
            log.exception("an answer could not be delivered")


def storage_error(error: SQLAlchemyError) -> ServiceError:
    """The service's own word for what the database said."""
    said = str(error.orig) if isinstance(error, DBAPIError) else str(error)
    log.warning("storage: %s", said)
    if "disk is full" in said or "No space left" in said or "DiskFull" in type(getattr(error, "orig", None)).__name__:
        return StorageFull()
    return StorageUnavailable()


_HEARTBEAT = text(
    "INSERT INTO process (id, heartbeat) VALUES (:id, :now)"
    " ON CONFLICT (id) DO UPDATE SET heartbeat = excluded.heartbeat WHERE process.heartbeat < excluded.heartbeat"
)
"""A process that others took for dead enters itself again."""
