"""The desk: long computations in a process of their own, a few waiting, one an address."""

import asyncio
import logging
import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from itertools import count
from multiprocessing import resource_tracker
from typing import Any, ClassVar

from twofold_service.counting import Queue
from twofold_service.errors import Busy

log = logging.getLogger("twofold.desk")
LONGEST_QUEUE = 16
LOOK_EVERY = 0.1
TRACKERS_WORDS = "ignore:resource_tracker:UserWarning"
STOPS = 16
CURRENT, PROGRESS = STOPS, STOPS + 1


class ProcessDesk:
    """Starts its one worker at the first use; a worker that dies is replaced.

    The worker gives way to other processes by its `niceness`.
    """

    def __init__(self, niceness: int = 0) -> None:
        self._spawn = multiprocessing.get_context("spawn")
        self._pool: ProcessPoolExecutor | None = None
        self._addresses: set[str] = set()
        self._niceness = niceness
        self._numbers = count(1)
        self._slate: Any = None
        self.counts = Queue()

    async def do(self, address: str, call: Callable[..., Any], *arguments: Any) -> Any:
        """The call's answer; Busy when the queue is full or holds a job of this address already."""
        if address in self._addresses or len(self._addresses) >= LONGEST_QUEUE:
            self.counts.refused += 1
            raise Busy("This kind of work is queued up; try again in a moment.")
        self._addresses.add(address)
        self.counts.inside += 1
        asked = time.monotonic()
        try:
            begun, answer = await asyncio.get_running_loop().run_in_executor(self._opened(), _timed, call, *arguments)
            self.counts.waits.add(max(0.0, begun - asked))
            return answer
        except BrokenProcessPool as error:
            log.warning("the worker process died; the next job gets a new one")
            self._pool = None
            raise Busy("The work was interrupted; try again.") from error
        finally:
            self._addresses.discard(address)
            self.counts.inside -= 1

    async def follow(
        self, address: str, told: Callable[[float], None], call: Callable[..., Any], *arguments: Any
    ) -> Any:
        """The same for a call whose first argument wants to hear from 0 to 1 how much is done; `told` hears it here.

        Where this is cancelled, the call ends at the next such word.
        """
        number = next(self._numbers)
        looking = asyncio.ensure_future(self._look(number, told))
        try:
            return await self.do(address, _followed, number, call, *arguments)
        except asyncio.CancelledError:
            if self._slate is not None:
                self._slate[number % STOPS] = number
            raise
        finally:
            looking.cancel()

    async def _look(self, number: int, told: Callable[[float], None]) -> None:
        """Tell how far the worker is, as long as it is at this call."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            if self._slate is not None and self._slate[CURRENT] == number:
                told(self._slate[PROGRESS])

    def _opened(self) -> ProcessPoolExecutor:
        if self._pool is None:
            _track_quietly()
            self._slate = self._spawn.RawArray("d", STOPS + 2)
            self._pool = ProcessPoolExecutor(1, self._spawn, initializer=_begin, initargs=(self._slate, self._niceness))
        return self._pool

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


def _track_quietly() -> None:
    """Start what removes the semaphores that a killed service leaves, so that it does not warn of having done so."""
    sys.warnoptions.append(TRACKERS_WORDS)
    try:
        resource_tracker.ensure_running()
    finally:
        sys.warnoptions.remove(TRACKERS_WORDS)


def _timed(call: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    """In the worker: when it came to the call, by a clock that all processes of a machine share; and the answer."""
    return time.monotonic(), call(*arguments)


class Stopped(Exception):
    """In the worker: nobody waits for this call any more."""


class _Worker:
    """What the worker shares with its parent: numbers of calls to be stopped, of the one it is at, how far that is."""

    slate: ClassVar[Any] = None


def _followed(number: int, call: Callable[..., Any], *arguments: Any) -> Any:
    slate = _Worker.slate

    def told(share: float) -> None:
        if slate[number % STOPS] == number:
            raise Stopped
        slate[PROGRESS] = share
        slate[CURRENT] = number

    told(0.0)
    return call(told, *arguments)


def _begin(slate: Any, niceness: int) -> None:
    """In the worker, before all else."""
    _Worker.slate = slate
    with suppress(OSError):  # a sandbox may forbid it
        os.nice(niceness)
    _end_with_parent()


def _end_with_parent() -> None:
    """In the worker: end when the service is gone, be it killed, which a worker would outlive for ever."""

    def wait() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=wait, name="parent", daemon=True).start()
