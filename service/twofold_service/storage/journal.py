"""The journal of a process: commands that wait are committed together, and answered after the commit.

There is no gathering time: a batch is what came while the last one was committed, or in one turn of the event loop.
Where commits are quick, appends are written on the loop itself, which saves each the way to a thread and back; all
else, and everything while the disk is slow or another process holds the database, is written in a thread.
"""

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable
from contextvars import Context
from typing import Any, TypeVar

from sqlalchemy import Connection

from twofold_service.counting import Writing
from twofold_service.errors import StorageFull, StorageUnavailable
from twofold_service.storage.database import Database
from twofold_service.storage.writer import ALL_AS_THEY_ARE, EVERYBODY, Batch, Locked, Work, Writer
from twofold_service.usecases.ports import Append, Now

log = logging.getLogger("twofold.journal")
MAX_BATCH = 512
MAX_BATCH_ON_LOOP = 128
QUICK = 0.001
SLOW_FOR = 1.0
PATIENCE = 1.0
"""Seconds after storage has refused in which nobody waits for it to fold."""
T = TypeVar("T")


class Journal:
    """Takes appends and work on the event loop, and answers there."""

    def __init__(self, database: Database, process: str, now: Now) -> None:
        self._writer = Writer(database, process, now)
        self._on_loop = database.is_sqlite
        self._disk = Disk(time.monotonic)
        self._gathered: Batch = []
        self._turn_comes = False
        self._seen = 0
        self._first_came = 0.0
        self._written: asyncio.Future[None] | None = None
        self._batches: queue.SimpleQueue[Batch] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write, name="journal", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._refused_at = -PATIENCE
        self._nobodys = Context()  # what is done for many is not logged as done for the request that came first

    @property
    def counts(self) -> Writing:
        return self._writer.counts

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    async def stop(self) -> None:
        """Write what waits, then end the thread."""
        if self._loop is None:
            return
        await self.fold()  # what is not folded now is at the next start
        while self._gathered or self._written is not None:
            if self._written is None:
                self._turn()
            else:
                await self._written
        self._batches.put([])
        await asyncio.to_thread(self._thread.join)

    def append(self, item: "Append | Work") -> None:
        """Write an event, or do a piece of work; its `done` is called after the commit."""
        if not self._gathered:
            self._first_came = time.monotonic()
        self._gathered.append(item)
        if not self._turn_comes:
            self._take_turn()

    def run(self, call: Callable[[Connection], T], *, games: int = EVERYBODY) -> "asyncio.Future[T]":
        """The call's answer, after the commit that holds what it wrote.

        It finds all moves in the rows of the games of a player (the key), of EVERYBODY, of NOBODY: see Work.
        """
        assert self._loop is not None
        future: asyncio.Future[T] = self._loop.create_future()

        def done(value: T, error: Exception | None) -> None:
            if future.done():
                return
            if error is not None:
                future.set_exception(error)
            else:
                future.set_result(value)

        self.append(Work(call, done, games))
        return future

    async def fold(self) -> bool:
        """Whether all moves that are committed stand in the rows of their games by now: not where storage refuses."""
        if not self._writer.batches.wait:
            return True
        if time.monotonic() - self._refused_at < PATIENCE:
            return False
        try:
            await self.run(lambda _: None, games=ALL_AS_THEY_ARE)
        except (StorageUnavailable, StorageFull):
            return False
        return True

    def _take_turn(self) -> None:
        """Write at the end of this turn of the loop, or once the thread has written what it has."""
        assert self._loop is not None
        self._turn_comes = True
        if self._written is None:
            self._loop.call_soon(self._turn, context=self._nobodys)

    def _turn(self) -> None:
        """Write what has gathered; what comes of it, and what is too much for one batch, has the next turn."""
        if self._written is not None or self._more_may_come():
            return
        some = self._gathered[:MAX_BATCH_ON_LOOP]
        if some:
            self.counts.waits.add(time.monotonic() - self._first_came)
        if some and not (self._may_write_here(some) and self._write_here(some)):
            self._leave_to_thread()
        self._turn_comes = False
        if self._gathered:
            self._take_turn()

    def _more_may_come(self) -> bool:
        """Whether to look once more: several come at once, and more of them did in this turn of the loop."""
        grown, self._seen = len(self._gathered) > self._seen, len(self._gathered)
        if not grown or not 1 < self._seen < MAX_BATCH_ON_LOOP or not self._on_loop:
            self._seen = 0
            return False
        self._take_turn()
        return True

    def _may_write_here(self, batch: Batch) -> bool:
        return self._on_loop and self._disk.quick and Work not in map(type, batch)

    def _write_here(self, batch: Batch) -> bool:
        """Whether a batch was written, and was not left alone because another process holds the database."""
        try:
            outcomes = self._writer.write(batch, wait=False)
        except Locked:
            return False
        self._disk.took(self._writer.commit_time)
        del self._gathered[: len(batch)]
        _answer(batch, outcomes)
        return True

    def _leave_to_thread(self) -> None:
        assert self._loop is not None
        batch, self._gathered = self._gathered[:MAX_BATCH], self._gathered[MAX_BATCH:]
        self._written = self._loop.create_future()
        self._batches.put(batch)

    def _write(self) -> None:
        """The thread: it has the connection while it has a batch."""
        assert self._loop is not None
        while batch := self._batches.get():
            outcomes = self._writer.write(batch, wait=True)
            try:
                self._loop.call_soon_threadsafe(self._settle, batch, outcomes)
            except RuntimeError:  # the loop is closed: nobody waits any more
                break
        self._writer.drop_connection()

    def _settle(self, batch: Batch, outcomes: list[Any]) -> None:
        assert self._written is not None
        written, self._written = self._written, None
        if any(isinstance(outcome, StorageUnavailable | StorageFull) for outcome in outcomes):
            self._refused_at = time.monotonic()
        if any(isinstance(outcome, StorageUnavailable) for outcome in outcomes):
            came, self._gathered = self._gathered, []  # who has waited for the same storage does not wait as long again
            batch += came
            outcomes += [StorageUnavailable() for _ in came]
        _answer(batch, outcomes)
        self._turn()
        written.set_result(None)


class Disk:
    """Whether commits are quick enough to be made on the event loop; after some that were not, one tries again later.

    Only commits made there count: in a thread one also waits for the interpreter. `clock` gives seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._slow_until = 0.0
        self._usual = 0.0

    @property
    def quick(self) -> bool:
        return self._clock() >= self._slow_until

    def took(self, seconds: float) -> None:
        """A commit took so long; a single long one may be the scheduler's fault and weighs no more than a slow one."""
        self._usual += (min(seconds, 2 * QUICK) - self._usual) / 8
        if self._usual > QUICK:
            self._slow_until = self._clock() + SLOW_FOR
            self._usual = QUICK


def _answer(batch: Batch, outcomes: list[Any]) -> None:
    for item, outcome in zip(batch, outcomes, strict=True):
        error = outcome if isinstance(outcome, Exception) else None
        try:
            if isinstance(item, Work):
                item.done(outcome, error)
            else:
                item.done(error)
        except Exception:  # one caller's fault must not leave the others without an answer
            log.exception("an answer could not be delivered")
