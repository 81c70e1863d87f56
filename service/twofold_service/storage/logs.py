"""Logs in storage: events, keyframes, used keys, and a game's rows as they are."""

from typing import Any

from sqlmodel import Session, col, select

from twofold.game import Game
from twofold_service.storage.codec import (
    EVENT,
    FRAME_EVERY,
    STATE,
    Unreadable,
    game_of,
    load_frame,
    log_row,
    rules_of,
)
from twofold_service.storage.games import corrupt
from twofold_service.storage.readers import Readers
from twofold_service.storage.tables import CommandKeyRow, EventRow, GameRow, PlayerRow
from twofold_service.usecases.values import LogRow, RawGame, UsedKey


class StoredLogs:
    """The part of ports.Store that is about logs."""

    def __init__(self, readers: Readers) -> None:
        self._readers = readers

    async def log(self, game: str, after: int, limit: int) -> list[LogRow]:
        """Events after a version, in order, gapless; CorruptGame where one is missing or unreadable."""
        return await self._readers.ask(lambda session: _log(session, game, after, limit))

    async def frame(self, game: str, version: int) -> Game:
        """The game as of the newest keyframe at or before a version."""
        return await self._readers.ask(lambda session: _frame(session, game, version))

    async def used_key(self, game: int, name: str) -> UsedKey | None:
        return await self._readers.ask(lambda session: _used_key(session, game, name), moves=False)

    async def raw(self, game: str) -> RawGame | None:
        """A game's stored rows as they are, readable or not, without its seed."""
        return await self._readers.ask(lambda session: _raw(session, game))


def _log(session: Session, game: str, after: int, limit: int) -> list[LogRow]:
    columns = [col(getattr(EventRow, name)) for name in EVENT[1:]]
    query = select(*columns).join(GameRow, col(GameRow.key) == col(EventRow.game))
    query = query.where(GameRow.id == game, EventRow.version > after).order_by(col(EventRow.version)).limit(limit)
    try:
        entries = [log_row(row) for row in session.exec(query)]
    except Unreadable as error:
        raise corrupt(game, str(error)) from error
    for place, entry in enumerate(entries, after + 1):
        if entry.version != place:
            raise corrupt(game, f"event {place} is missing")
    return entries


def _frame(session: Session, game: str, version: int) -> Game:
    place = max(1, version - version % FRAME_EVERY)
    query = select(GameRow, EventRow.frame).join(EventRow, col(EventRow.game) == col(GameRow.key))
    found = session.exec(query.where(GameRow.id == game, EventRow.version == place)).first()
    try:
        if found is None or found[1] is None:
            raise Unreadable(f"keyframe {place} is missing")
        row, frame = found
        values = load_frame(frame)
        if len(values) != len(STATE):
            raise Unreadable(f"keyframe {place} is not whole")
        return game_of(rules_of(row.mode, row.size, row.undo_limit), row.seed, row.given, values)
    except Unreadable as error:
        raise corrupt(game, str(error)) from error


def _used_key(session: Session, game: int, name: str) -> UsedKey | None:
    row = session.exec(select(CommandKeyRow).where(CommandKeyRow.game == game, CommandKeyRow.name == name)).first()
    return None if row is None else UsedKey(row.op, row.direction, row.version, row.made)


def _raw(session: Session, game: str) -> RawGame | None:
    found = session.exec(
        select(GameRow, PlayerRow).join(PlayerRow, col(PlayerRow.key) == col(GameRow.player)).where(GameRow.id == game)
    ).first()
    if found is None or found[1].gone_at is not None:
        return None
    row, player = found
    events = session.exec(select(EventRow).where(EventRow.game == row.key).order_by(col(EventRow.version))).all()
    return RawGame(
        player=player.key,
        private=row.private,
        game=_plain(row.model_dump(exclude={"seed", "player", "keeper"}, warnings=False)),
        events=[_plain(event.model_dump(exclude={"game"}, warnings=False)) for event in events],
    )


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    return {name: bytes(value).hex() if isinstance(value, bytes | memoryview) else value for name, value in row.items()}
