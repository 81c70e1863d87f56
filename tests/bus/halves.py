"""Two processes' use cases in one test, on one PostgreSQL, with one clock that only the test moves."""

from typing import Any

from tests.service import SECRET, Hand, settings
from tests.usecases.house import House
from twofold_service.app import assemble
from twofold_service.storage.database import Database


class Half(House):
    """One process's use cases; what others have written it finds when it looks."""

    def __init__(self, url: str, now: Hand, **wanted: Any) -> None:
        wished = settings(database=url, **wanted)
        self.take_in(assemble(wished, SECRET, Database(url, wished.storage_timeout_ms), now=now), now)
        assert self.service.others is not None
        self.others = self.service.others

    async def open(self) -> "Half":
        """The process lives. It begins nothing by itself: tests look, and let time pass."""
        self.service.journal.start()
        await self.daily.publish()
        return self

    async def look(self) -> None:
        """Look for what others have written, and tell those who watch."""
        await self.others.lookout.look()
        for game in list(self.others.following._behind):
            async with self.rooms.held(game) as room:
                await self.others.following.catch_up(room)
        self.others.following._behind.clear()
