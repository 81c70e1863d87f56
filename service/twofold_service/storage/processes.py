"""Living processes in storage: who keeps games, and when each was last heard of."""

import time
from collections.abc import Mapping

from sqlalchemy import Connection, delete
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
        """Store that this process lives; transactions of the journal do so too."""
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

    async def forget(self, last_heard: Mapping[str, int]) -> None:
        """Remove processes that have not been heard of since these instants."""
        await self._journal.run(lambda connection: _forget(connection, last_heard), games=NOBODY)


def _forget(connection: Connection, last_heard: Mapping[str, int]) -> None:
    for process, heartbeat in last_heard.items():
        silent = (col(ProcessRow.id) == process) & (col(ProcessRow.heartbeat) <= heartbeat)
        connection.execute(delete(ProcessRow).where(silent))


def newest_instant(database: Database) -> int:
    """The newest instant stored; 0 in an empty database."""
    with Session(database.reading) as session:
        return max(session.exec(select(ProcessRow.heartbeat)), default=0)


def register(database: Database, process: str, now: int) -> None:
    """Enter this process before it writes anything."""
    with Session(database.writing) as session:
        session.add(ProcessRow(id=process, heartbeat=now))
        session.commit()
