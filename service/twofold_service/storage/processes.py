"""Living processes in storage: who keeps games, and when each was last heard of."""

import time
from collections.abc import Sequence

from sqlalchemy import delete
from sqlmodel import Session, col, select

from twofold_service.errors import StorageFull
from twofold_service.storage.database import Database
from twofold_service.storage.journal import Journal
from twofold_service.storage.readers import Readers
from twofold_service.storage.tables import ProcessRow
from twofold_service.storage.writer import NOBODY


class StoredProcesses:
    """The part of ports.Store that is about processes."""

    def __init__(self, readers: Readers, journal: Journal) -> None:
        self._readers = readers
        self._journal = journal
        self._beaten_at = time.monotonic()

    async def beat(self) -> None:
        """Store that this process lives; every transaction of the journal does so too."""
        try:
            await self._journal.run(lambda _: None, games=NOBODY)
        except StorageFull:  # it answers, and what is there can be read
            self._beaten_at = time.monotonic()
            raise
        self._beaten_at = time.monotonic()

    def silent_for(self) -> float:
        """For how many seconds storage has taken no beat; one is tried every half second."""
        return time.monotonic() - self._beaten_at

    async def heartbeats(self) -> dict[str, int]:
        query = select(ProcessRow.id, ProcessRow.heartbeat)
        return await self._readers.ask(lambda session: dict(session.exec(query).all()), moves=False)

    async def forget(self, processes: Sequence[str]) -> None:
        gone = delete(ProcessRow).where(col(ProcessRow.id).in_(processes))
        await self._journal.run(lambda connection: connection.execute(gone))


def newest_instant(database: Database) -> int:
    """The newest instant stored; 0 in an empty database."""
    with Session(database.reading) as session:
        return max(session.exec(select(ProcessRow.heartbeat)), default=0)


def register(database: Database, process: str, now: int) -> None:
    """Enter this process before it writes anything."""
    with Session(database.writing) as session:
        session.add(ProcessRow(id=process, heartbeat=now))
        session.commit()
