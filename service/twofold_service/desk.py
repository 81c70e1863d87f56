"""The desk: long computations in a process of their own, a few waiting, one an address."""

import asyncio
import logging
import multiprocessing
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from twofold_service.counting import Queue
from twofold_service.errors import Busy

log = logging.getLogger("twofold.desk")
LONGEST_QUEUE = 16


class ProcessDesk:
    """Starts its one worker at the first use; a worker that dies is replaced."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._addresses: set[str] = set()
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
            if self._pool is None:
                spawn = multiprocessing.get_context("spawn")
                self._pool = ProcessPoolExecutor(1, spawn, initializer=_end_with_parent)
            begun, answer = await asyncio.get_running_loop().run_in_executor(self._pool, _timed, call, *arguments)
            self.counts.waits.add(max(0.0, begun - asked))
            return answer
        except BrokenProcessPool as error:
            log.warning("the worker process died; the next job gets a new one")
            self._pool = None
            raise Busy("The work was interrupted; try again.") from error
        finally:
            self._addresses.discard(address)
            self.counts.inside -= 1

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


def _timed(call: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    """In the worker: when it came to the call, by a clock that all processes of a machine share; and the answer."""
    return time.monotonic(), call(*arguments)


def _end_with_parent() -> None:
    """In the worker: end when the service is gone, be it killed, which a worker would outlive for ever."""

    def wait() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=wait, name="parent", daemon=True).start()
