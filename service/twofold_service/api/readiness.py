"""Whether this process should be sent requests."""

import asyncio
from collections.abc import Awaitable, Callable

from twofold_service.errors import Draining, StorageUnavailable

WITHIN = 3.0


class Readiness:
    """Ready once started, while storage answers, and until draining begins."""

    def __init__(self, storage_answers: Callable[[], Awaitable[None]]) -> None:
        self._storage_answers = storage_answers
        self.started = False
        self.draining = False

    async def check(self) -> None:
        """Draining, StorageUnavailable where it is not."""
        if self.draining:
            raise Draining
        if not self.started:
            raise StorageUnavailable("The service is starting.")
        try:
            await asyncio.wait_for(self._storage_answers(), WITHIN)
        except TimeoutError as error:
            raise StorageUnavailable from error
