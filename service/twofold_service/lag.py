"""How late the event loop is: a clock that should tick ten times a second, and how much later it does."""

import asyncio
import time

from twofold_service.counting import Histogram

EVERY = 0.1


class LoopLag:
    """Ticks until cancelled; `standing` tells how long the loop has not come round, which it does every `EVERY` s."""

    def __init__(self) -> None:
        self.lags = Histogram()
        self._due: float | None = None

    async def run(self) -> None:
        while True:
            self._due = time.monotonic() + EVERY
            await asyncio.sleep(EVERY)
            self.lags.add(max(0.0, time.monotonic() - self._due))

    @property
    def standing(self) -> float:
        """Seconds by which the next tick is overdue; 0 before the first."""
        return 0.0 if self._due is None else max(0.0, time.monotonic() - self._due)
