"""The supervisor: a process that starts workers, starts another where one dies, and ends them all."""

import logging
import os
import signal
import time
from collections.abc import Callable

log = logging.getLogger("twofold.supervisor")
SIGNALS = {signal.SIGTERM, signal.SIGINT, signal.SIGCHLD}
KILL_AFTER = 9.0
LIVED_LONG = 10.0
FIRST_WAIT, LONGEST_WAIT = 0.1, 5.0
TICK = 0.5


class Supervisor:
    """Keeps so many workers alive: copies of this process that call `work` and end with it.

    `work` gets a descriptor that can be read once the supervisor is gone. Must be run where there are no threads.
    """

    def __init__(self, work: Callable[[int], None], count: int) -> None:
        self._work = work
        self._count = count
        self._born: dict[int, float] = {}
        self._wait = FIRST_WAIT
        self._not_before = 0.0
        self._lifeline = os.pipe()

    def run(self) -> None:
        """Return after SIGTERM or SIGINT, when all workers have ended."""
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # where it is ignored, nobody learns who has ended
        while True:
            while len(self._born) < self._count and time.monotonic() >= self._not_before:
                self._start()
            came = signal.sigtimedwait(SIGNALS, TICK)
            self._bury()
            if came is not None and came.si_signo != signal.SIGCHLD:
                break
        self._end()

    def _start(self) -> None:
        worker = os.fork()
        if worker:
            self._born[worker] = time.monotonic()
            return
        status = 1
        try:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
            os.close(self._lifeline[1])
            self._work(self._lifeline[0])
            status = 0
        except BaseException:
            log.exception("a worker failed")
        finally:
            logging.shutdown()
            os._exit(status)

    def _bury(self) -> None:
        """Take note of workers that have ended; whoever dies young makes the next one wait, longer each time."""
        while self._born:
            worker, status = os.waitpid(-1, os.WNOHANG)
            if not worker:
                return
            born = self._born.pop(worker, None)
            if born is None:  # an orphan of a worker: in a container all of them become children of the first process
                continue
            lived = time.monotonic() - born
            code = os.waitstatus_to_exitcode(status)
            log.warning("worker %d ended (%s) after %.1f s; another takes its place", worker, _said(code), lived)
            self._wait = FIRST_WAIT if lived > LIVED_LONG else min(2 * self._wait, LONGEST_WAIT)
            self._not_before = time.monotonic() + self._wait

    def _end(self) -> None:
        """Tell all workers to leave, and end those that do not in time."""
        log.info("stopping %d workers", len(self._born))
        self._signal(signal.SIGTERM)
        until = time.monotonic() + KILL_AFTER
        while self._born and time.monotonic() < until:
            worker, _ = os.waitpid(-1, os.WNOHANG)
            if worker:
                self._born.pop(worker, None)
            else:
                signal.sigtimedwait({signal.SIGCHLD}, TICK)
        self._signal(signal.SIGKILL)

    def _signal(self, number: signal.Signals) -> None:
        for worker in self._born:
            os.kill(worker, number)


def _said(code: int) -> str:
    return f"by signal {-code}" if code < 0 else f"status {code}"
