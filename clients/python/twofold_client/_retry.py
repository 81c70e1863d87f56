"""When what failed is tried again: exponential backoff with full jitter, `Retry-After` honoured, a total deadline.

Pure arithmetic over a given clock and chance, shared by both clients and the live connection; who waits is theirs.
"""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from twofold_client.errors import TwofoldError

FURTHEST_DOUBLING = 32


@dataclass(frozen=True, slots=True)
class Retry:
    """How long is tried, all attempts and pauses together, and the first and longest pause, in seconds.

    `patience` is how long a live connection may be gone before it gives up; None is for ever.
    """

    deadline: float = 30.0
    first: float = 0.1
    longest: float = 5.0
    patience: float | None = 120.0
    chance: Callable[[], float] = field(default=random.random, repr=False)
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)

    def pause(self, failures: int) -> float:
        """Anything from nothing to twice as much as the last time: full jitter."""
        return self.chance() * min(self.longest, self.first * 2.0 ** min(failures, FURTHEST_DOUBLING))

    def begin(self) -> "Attempts":
        return Attempts(self)


class Attempts:
    """The attempts at one call."""

    def __init__(self, retry: Retry) -> None:
        self._retry = retry
        self._ends = retry.clock() + retry.deadline
        self._failures = 0

    @property
    def left(self) -> float:
        """Seconds until the deadline."""
        return self._ends - self._retry.clock()

    def after(self, error: TwofoldError, *, repeatable: bool) -> float:
        """How long to wait before the next attempt; raises the error where there is to be none.

        What is not repeatable is tried again only where nothing can have been done.
        """
        if not error.retryable or not (repeatable or error.untouched):
            raise error
        pause = (error.retry_after or 0.0) + self._retry.pause(self._failures)
        self._failures += 1
        if pause >= self.left:
            raise error
        return pause
