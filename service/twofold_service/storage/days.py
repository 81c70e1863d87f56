"""Daily puzzles in storage."""

from collections.abc import Sequence

from sqlalchemy import Connection, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, col, func, select

from twofold_service.storage.journal import Journal
from twofold_service.storage.readers import Readers
from twofold_service.storage.tables import DayRow, GameRow, PlayerRow, ResultRow
from twofold_service.usecases.ports import Day, Player, Result


class StoredDays:
    """The part of ports.Store that is about daily puzzles."""

    def __init__(self, readers: Readers, journal: Journal) -> None:
        self._readers = readers
        self._journal = journal

    async def publish(self, days: Sequence[Day], now: int) -> None:
        """Store the seeds of dates that have none yet; one that stands there stays."""
        await self._journal.run(lambda connection: _publish(connection, days, now))

    async def day(self, date: str) -> Day | None:
        return await self._readers.ask(lambda session: _day(session, date))

    async def standing(self, date: str) -> tuple[int, Result | None]:
        """How many players have begun the date, and the best first attempt."""
        return await self._readers.ask(lambda session: _standing(session, date))

    async def unrevealed(self, before: str) -> list[str]:
        """Dates before another whose games may not all be closed yet."""
        query = select(DayRow.date).where(DayRow.date < before, col(DayRow.revealed_at).is_(None))
        return await self._readers.ask(lambda session: list(session.exec(query)))

    async def mark_revealed(self, date: str, now: int) -> None:
        mark = update(DayRow).where(col(DayRow.date) == date).values(revealed_at=now)
        await self._journal.run(lambda connection: connection.execute(mark))


def _publish(connection: Connection, days: Sequence[Day], now: int) -> None:
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    rows = [DayRow(date=day.date, seed=day.seed, published_at=now).model_dump() for day in days]
    connection.execute(dialect.insert(DayRow).values(rows).on_conflict_do_nothing())


def _day(session: Session, date: str) -> Day | None:
    row = session.get(DayRow, date)
    return None if row is None else Day(row.date, bytes(row.seed))


def _standing(session: Session, date: str) -> tuple[int, Result | None]:
    players = session.exec(select(func.count()).where(GameRow.date == date, GameRow.attempt == 1)).one()
    query = select(ResultRow, PlayerRow).join(PlayerRow, col(PlayerRow.key) == col(ResultRow.player))
    query = query.where(ResultRow.date == date, ResultRow.attempt == 1, text("NOT player.hidden"))
    order = (
        col(ResultRow.score).desc(),
        ResultRow.moves,
        ResultRow.active_ms,
        ResultRow.ended_at,
        ResultRow.id,
    )
    best = session.exec(query.order_by(*order).limit(1)).first()  # type: ignore[arg-type]
    return players, None if best is None else result_of(1, *best)


def result_of(rank: int, row: ResultRow, player: PlayerRow) -> Result:
    return Result(
        rank=rank,
        player=Player(player.key, player.id, player.name, player.hidden),
        game=row.id,
        score=row.score,
        max_tile=row.max_tile,
        moves=row.moves,
        active_ms=row.active_ms,
        goal_moves=row.goal_moves,
        goal_active_ms=row.goal_active_ms,
        pauses=row.pauses,
        elapsed_ms=row.elapsed_ms,
        outcome=row.outcome,
        reached_goal=row.reached_goal,
        attempt=row.attempt,
        ended_at=row.ended_at,
    )
