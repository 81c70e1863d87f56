"""Whether this process lives, and whether it should be sent requests."""

import asyncio
from collections.abc import Awaitable, Callable

from twofold_service.errors import Busy, Draining, Internal, StorageUnavailable

WITHIN = 3.0
LONGEST_STAND = 2.0


class Readiness:
    """Ready once started, while storage answers and takes what is written, and until draining begins.

    `unwritten` and `standing` tell for how many seconds nothing could be stored, and how long the loop has stood still.
    """

    def __init__(
        self,
        storage_answers: Callable[[], Awaitable[None]],
        unwritten: Callable[[], float] = lambda: 0.0,
        standing: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._storage_answers = storage_answers
        self._unwritten = unwritten
        self._standing = standing
        self.started = False
        self.draining = False
        self.broken = False

    def check_life(self) -> None:
        """Internal where a part of the service has stopped by itself, which only a new start mends."""
        if self.broken:
            raise Internal("A part of the service has stopped; it must be started again.")

    async def check(self) -> None:
        """Draining, StorageUnavailable, Busy or Internal where it is not ready."""
        if self.draining:
            raise Draining
        if not self.started:
            raise StorageUnavailable("The service is starting.")
        self.check_life()
        if self._standing() > LONGEST_STAND:
            raise Busy("The event loop does not come round.")
        if (seconds := self._unwritten()) > WITHIN:
            raise StorageUnavailable(f"Nothing could be written for {seconds:.0f} s.")
        try:
            await asyncio.wait_for(self._storage_answers(), WITHIN)
        except TimeoutError as error:
            raise StorageUnavailable from error
