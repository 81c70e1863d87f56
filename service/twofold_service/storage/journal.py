"""The journal of a process: commands that wait are committed together, and answered after the commit.

There is no gathering time: a batch is what came while the last one was committed, or in one turn of the event loop.
Where commits are quick, appends are written on the loop itself, which saves each the way to a thread and back; all
else, and everything while the disk is slow or another process holds the database, is written in a thread.
"""

import asyncio
import logging
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from sqlalchemy import Connection

from twofold_service.errors import StorageUnavailable
from twofold_service.storage.database import Database
from twofold_service.storage.writer import Batch, Locked, Work, Writer
from twofold_service.usecases.ports import Append, Now

log = logging.getLogger("twofold.journal")
MAX_BATCH = 512
MAX_BATCH_ON_LOOP = 128
QUICK = 0.001
T = TypeVar("T")


class Journal:
    """Takes appends and work on the event loop, and answers there."""

    def __init__(self, database: Database, process: str, now: Now) -> None:
        self._writer = Writer(database, process, now)
        self._on_loop = database.is_sqlite
        self._queue: queue.SimpleQueue[Append | Work | None] = queue.SimpleQueue()
        self._queued = 0
        self._gathered: Batch = []
        self._thread = threading.Thread(target=self._write, name="journal", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    async def stop(self) -> None:
        """Write what waits, then end the thread."""
        if self._loop is None:
            return
        self._write_on_loop()
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def append(self, item: Append) -> None:
        """Write an event; its `done` is called after the commit."""
        if self._queued or not self._on_loop:
            self._put(item)
            return
        if not self._gathered:
            assert self._loop is not None
            self._loop.call_soon(self._write_on_loop)
        self._gathered.append(item)

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

        self._put(Work(call, done))
        return future

    def _put(self, item: Append | Work) -> None:
        """Leave to the thread, which has the connection until it has written all that was left to it."""
        self._queued += 1
        self._queue.put(item)

    def _write_on_loop(self) -> None:
        """Commit what came in this turn of the loop, unless the thread has something to write or waiting is needed."""
        batch, self._gathered = self._gathered, []
        while batch:
            some, batch = batch[:MAX_BATCH_ON_LOOP], batch[MAX_BATCH_ON_LOOP:]
            try:
                outcomes = None if self._queued or self._writer.sync_time > QUICK else self._write_now(some)
            except Locked:
                outcomes = None
            if outcomes is None:
                for item in some:
                    self._put(item)
            else:
                _answer(some, outcomes)

    def _write_now(self, batch: Batch) -> list[Any]:
        return self._writer.write(batch, wait=False)

    def _write(self) -> None:
        """The thread."""
        assert self._loop is not None
        while batch := self._gather():
            outcomes = self._writer.write(batch, wait=True)
            if any(isinstance(outcome, StorageUnavailable) for outcome in outcomes):
                came = self._waiting()  # who has waited for the same storage does not wait as long again
                batch += came
                outcomes += [StorageUnavailable() for _ in came]
            try:
                self._loop.call_soon_threadsafe(self._settle, batch, outcomes)
            except RuntimeError:  # the loop is closed: nobody waits any more
                break
        self._writer.drop_connection()

    def _settle(self, batch: Batch, outcomes: list[Any]) -> None:
        self._queued -= len(batch)
        _answer(batch, outcomes)

    def _gather(self) -> Batch:
        first = self._queue.get()
        batch: Batch = []
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

    def _waiting(self) -> Batch:
        """What came while a batch was tried."""
        came: Batch = []
        with suppress(queue.Empty):
            while (item := self._queue.get_nowait()) is not None:
                came.append(item)
            self._queue.put(None)  # the end comes after these
        return came


def _answer(batch: Batch, outcomes: list[Any]) -> None:
    for item, outcome in zip(batch, outcomes, strict=True):
        error = outcome if isinstance(outcome, Exception) else None
        try:
            if isinstance(item, Append):
                item.done(error)
            else:
                item.done(outcome, error)
        except Exception:  # one caller's fault must not leave the others without an answer
            log.exception("an answer could not be delivered")
