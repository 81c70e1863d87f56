"""Lines: those who ask for long computations stand in one, by address, so that nobody has all of it."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from twofold_service.errors import Busy

LONGEST_LINE = 8
MOST_WAITING = 64


class Lines:
    """One at a time for each address, the others in line behind it."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._locks: dict[str, asyncio.Lock] = {}
        self._lines: Counter[str] = Counter()

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """Wait for the address's turn; Busy where its line, or all lines together, are too long."""
        if self._lines[address] >= LONGEST_LINE or self._lines.total() >= MOST_WAITING:
            raise Busy(f"{self._what} are queued up; try again in a moment.")
        self._lines[address] += 1
        try:
            async with self._locks.setdefault(address, asyncio.Lock()):
                yield
        finally:
            self._lines[address] -= 1
            if not self._lines[address]:
                del self._lines[address], self._locks[address]
