"""Pars of the day in storage: who is at which date, and what came of it."""

import json

from sqlalchemy import Connection, text
from sqlmodel import Session, col, select

from twofold_service.storage.journal import Journal
from twofold_service.storage.readers import Readers
from twofold_service.storage.tables import DayRow, ParRow, PlayerRow, StandingRow
from twofold_service.storage.writer import NOBODY
from twofold_service.usecases.boards import daily_board
from twofold_service.usecases.values import Luck, Par, ParLevel

_CLAIM = text(
    "INSERT INTO par (date, process, claimed_at) VALUES (:date, :process, :now) ON CONFLICT (date) DO UPDATE"
    " SET process = excluded.process, claimed_at = excluded.claimed_at"
    " WHERE par.document IS NULL AND par.claimed_at < :silent"
)
_RENEW = text("UPDATE par SET claimed_at = :now WHERE date = :date AND process = :process AND document IS NULL")
_KEEP = text("UPDATE par SET document = :document, made_at = :now WHERE date = :date AND document IS NULL")


class StoredPars:
    """The part of ports.Store that is about pars."""

    def __init__(self, readers: Readers, journal: Journal) -> None:
        self._readers = readers
        self._journal = journal

    async def par(self, date: str) -> Par | None:
        return await self._readers.ask(lambda session: _par(session, date), moves=False)

    async def claim(self, process: str, now: int, silent: int) -> str | None:
        """The newest revealed date without a par that nobody has been at since `silent`; it is this process's now."""
        return await self._journal.run(lambda connection: _claim(connection, process, now, silent), games=NOBODY)

    async def renew(self, date: str, process: str, now: int) -> bool:
        """Whether the date is still this process's, which is at it."""
        values = {"date": date, "process": process, "now": now}
        return await self._journal.run(
            lambda connection: connection.execute(_RENEW, values).rowcount == 1, games=NOBODY
        )

    async def keep(self, date: str, par: Par, now: int) -> None:
        """Store a claimed date's par, once."""
        values = {"date": date, "document": _document(par), "now": now}
        await self._journal.run(lambda connection: connection.execute(_KEEP, values), games=NOBODY)

    async def scores(self, date: str) -> list[int]:
        """The scores of a date's first attempts, as its results list them."""
        query = select(StandingRow.minus_score).join(PlayerRow, col(PlayerRow.key) == col(StandingRow.player))
        query = query.where(StandingRow.board == daily_board(date, "first", "score"), text("NOT player.hidden"))
        return [-score for score in await self._readers.ask(lambda session: list(session.exec(query)), moves=False)]


def _claim(connection: Connection, process: str, now: int, silent: int) -> str | None:
    claimed = select(ParRow.date).where(col(ParRow.document).is_not(None) | (col(ParRow.claimed_at) >= silent))
    dates = select(DayRow.date).where(col(DayRow.revealed_at).is_not(None), col(DayRow.date).not_in(claimed))
    date: str | None = connection.execute(dates.order_by(col(DayRow.date).desc()).limit(1)).scalar()
    values = {"date": date, "process": process, "now": now, "silent": silent}
    return date if date is not None and connection.execute(_CLAIM, values).rowcount == 1 else None


def _par(session: Session, date: str) -> Par | None:
    row = session.get(ParRow, date)
    if row is None or row.document is None:
        return None
    levels, best, median, luck = json.loads(row.document)
    return Par(tuple(ParLevel(*level) for level in levels), best, median, Luck(*luck))


def _document(par: Par) -> bytes:
    """The figures as JSON, in the order of the value's fields."""
    return json.dumps(par, separators=(",", ":")).encode()
