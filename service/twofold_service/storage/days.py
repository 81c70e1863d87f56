"""Daily puzzles in storage."""

from collections.abc import Sequence

from sqlalchemy import Connection, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, col, func, select

from twofold_service.storage.journal import Journal
from twofold_service.storage.readers import Readers
from twofold_service.storage.tables import DayRow, GameRow, PlayerRow
from twofold_service.storage.writer import NOBODY
from twofold_service.usecases.values import Day


class StoredDays:
    """The part of ports.Store that is about daily puzzles."""

    def __init__(self, readers: Readers, journal: Journal) -> None:
        self._readers = readers
        self._journal = journal

    async def publish(self, days: Sequence[Day], now: int) -> None:
        """Store the seeds of dates that have none yet; one that stands there stays."""
        await self._journal.run(lambda connection: _publish(connection, days, now), games=NOBODY)

    async def day(self, date: str) -> Day | None:
        return await self._readers.ask(lambda session: _day(session, date), moves=False)

    async def players(self, date: str) -> int:
        """How many players have begun the date, those left out who are deleted by now."""
        begun = select(func.count()).where(GameRow.date == date, GameRow.attempt == 1)
        gone = select(PlayerRow.key).where(text("gone_at IS NOT NULL"))
        of_gone = begun.where(col(GameRow.player).in_(gone))
        return await self._readers.ask(
            lambda session: session.exec(begun).one() - session.exec(of_gone).one(), moves=False
        )

    async def unrevealed(self, before: str) -> list[str]:
        """Dates before another whose games may not all be closed yet."""
        query = select(DayRow.date).where(DayRow.date < before, col(DayRow.revealed_at).is_(None))
        return await self._readers.ask(lambda session: list(session.exec(query)), moves=False)

    async def mark_revealed(self, date: str, now: int) -> None:
        mark = update(DayRow).where(col(DayRow.date) == date).values(revealed_at=now)
        await self._journal.run(lambda connection: connection.execute(mark), games=NOBODY)


def _publish(connection: Connection, days: Sequence[Day], now: int) -> None:
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    rows = [DayRow(date=day.date, seed=day.seed, published_at=now).model_dump() for day in days]
    connection.execute(dialect.insert(DayRow).values(rows).on_conflict_do_nothing())


def _day(session: Session, date: str) -> Day | None:
    row = session.get(DayRow, date)
    return None if row is None else Day(row.date, bytes(row.seed))
