"""Analyses in storage."""

import zlib

from sqlalchemy import Connection, select, text
from sqlmodel import Session, col

from twofold_service.storage.journal import Journal
from twofold_service.storage.readers import Readers
from twofold_service.storage.tables import AnalysisRow
from twofold_service.storage.writer import NOBODY


class StoredAnalyses:
    """The part of ports.Store that is about analyses. Games are given by key, documents as JSON."""

    def __init__(self, readers: Readers, journal: Journal) -> None:
        self._readers = readers
        self._journal = journal

    async def analysis(self, game: int, depth: int, edition: int) -> bytes | None:
        """A game's analysis of an edition, where there is one."""
        return await self._readers.ask(lambda session: _analysis(session, game, depth, edition), moves=False)

    async def keep(self, game: int, depth: int, edition: int, document: bytes, now: int) -> None:
        """Store an analysis in the place of any there is; nothing where the game has gone."""
        await self._journal.run(lambda connection: _keep(connection, game, depth, edition, document, now), games=NOBODY)


def _analysis(session: Session, game: int, depth: int, edition: int) -> bytes | None:
    query = select(col(AnalysisRow.document)).where(col(AnalysisRow.game) == game, col(AnalysisRow.depth) == depth)
    packed = session.execute(query.where(col(AnalysisRow.edition) == edition)).scalar()
    return None if packed is None else zlib.decompress(packed)


def _keep(connection: Connection, game: int, depth: int, edition: int, document: bytes, now: int) -> None:
    values = {"game": game, "depth": depth, "edition": edition, "now": now, "document": zlib.compress(document)}
    connection.execute(_KEEP, values)


_KEEP = text(
    "INSERT INTO analysis (game, depth, edition, made_at, document)"
    " SELECT key, :depth, :edition, :now, :document FROM game WHERE key = :game"
    " ON CONFLICT (game, depth) DO UPDATE SET edition = excluded.edition, made_at = excluded.made_at,"
    " document = excluded.document"
)
