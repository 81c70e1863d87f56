"""Games in storage: load, list, create, and their logs."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, delete, func, insert, text, tuple_
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from twofold.daily import reveals_at
from twofold.game import Game
from twofold.spawn import commitment
from twofold_service.errors import CorruptGame, TooMany
from twofold_service.storage.appends import append_all, keep_results
from twofold_service.storage.codec import (
    EVENT,
    STATE,
    Unreadable,
    event_row,
    game_of_row,
    rules_of,
    state_of,
)
from twofold_service.storage.journal import Journal
from twofold_service.storage.players import shown
from twofold_service.storage.readers import Readers
from twofold_service.storage.statements import execute, insert_sql, mark_of
from twofold_service.storage.tables import CommandKeyRow, CreateKeyRow, EventRow, GameRow, PlayerRow
from twofold_service.storage.writer import NOBODY
from twofold_service.usecases.ports import Append, KeyConflict, NewGame, VersionConflict
from twofold_service.usecases.values import CorruptRow, Header, Player, Standing, StoredGame

log = logging.getLogger("twofold.storage")


_STANDING = text(
    "SELECT game.version, game.keeper, (SELECT coalesce(max(score), 0) FROM (SELECT score FROM best"
    " WHERE player = game.player AND category = game.category UNION ALL SELECT peak_score FROM game AS other"
    " WHERE other.player = game.player AND other.category = game.category AND other.status <> 'over') AS peaks),"
    " game.assisted FROM game JOIN player ON player.key = game.player WHERE game.id = :game AND player.gone_at IS NULL"
)
_ASSIST = "UPDATE game SET assisted = {mark} WHERE key = {mark} AND status <> 'over'"
_OPEN = text("SELECT count(*) FROM game WHERE player = :player AND status <> 'over'")
_COUNTING = text(  # not waited for: no two batches wait for each other
    "SELECT pg_try_advisory_xact_lock(2048, CAST(:player % 2147483647 AS integer))"
)
NEAR_LIMIT = 64
"""More processes than this are not expected to begin a game for one player at the same instant."""


class StoredGames:
    """The part of ports.Store that is about games."""

    def __init__(self, readers: Readers, journal: Journal, process: str) -> None:
        self._readers = readers
        self._journal = journal
        self._process = process

    def append(self, item: Append) -> None:
        self._journal.append(item)

    async def load(self, game: str) -> StoredGame | None:
        """The game by its id; CorruptGame where the stored row is none."""
        return await self._readers.ask(lambda session: _load(session, game))

    async def standing(self, game: str) -> Standing | None:
        """Where the game stands; None where there is none, or its player has gone."""
        return await self._readers.ask(lambda session: _standing(session, game))

    async def versions(self, games: Sequence[str]) -> dict[str, int]:
        """The versions of some games; those whose player has gone are left out."""
        query = select(GameRow.id, GameRow.version).join(PlayerRow, col(PlayerRow.key) == col(GameRow.player))
        query = query.where(col(GameRow.id).in_(games), col(PlayerRow.gone_at).is_(None))
        return await self._readers.ask(lambda session: dict(session.exec(query).all()))

    async def page(
        self, player: Player, mode: str | None, status: str | None, limit: int, before: int | None
    ) -> tuple[list[StoredGame | CorruptRow], int | None]:
        """A player's games, newest first, those older than the key `before`; and the key to go on from."""
        return await self._readers.ask(lambda session: _page(session, player, mode, status, limit, before))

    async def created_by_key(self, player: int, name: str) -> tuple[str, str] | None:
        """Fingerprint and game id a creation key was used for."""
        return await self._readers.ask(lambda session: _created_by_key(session, player, name), moves=False)

    async def latest_attempt(self, player: int, date: str) -> str | None:
        """Id of the player's newest game of a date."""
        return await self._readers.ask(lambda session: _attempt(session, player, date, newest=True), moves=False)

    async def first_attempt(self, player: int, date: str) -> str | None:
        return await self._readers.ask(lambda session: _attempt(session, player, date, newest=False), moves=False)

    async def create(self, new: NewGame, closing: Sequence[Append]) -> StoredGame:
        """Store a game and the events that close others in one transaction; KeyConflict, TooMany."""
        games = new.header.player.key
        return await self._journal.run(lambda connection: self._create(connection, new, closing), games=games)

    async def mark_assisted(self, game: int) -> bool:
        """Keep of a game (by key) that a hint was given in it, and whether that is kept: not once it is over."""
        rows = [(True, game)]
        return await self._journal.run(
            lambda connection: execute(connection, _ASSIST.format(mark=mark_of(connection)), rows) == 1, games=NOBODY
        )

    async def kept_by(self, processes: Sequence[str]) -> list[str]:
        """Ids of running games that these processes keep."""
        query = select(GameRow.id).where(text("status = 'running'"), col(GameRow.keeper).in_(processes))
        return await self._readers.ask(lambda session: list(session.exec(query)), moves=False)

    async def forget_keys(self, before: int, limit: int) -> int:
        """Remove idempotency keys older than an instant, some at a time; how many there were."""
        return await self._journal.run(lambda connection: _forget_keys(connection, before, limit), games=NOBODY)

    async def of_date(self, date: str, after: int, limit: int) -> list[tuple[int, str]]:
        """Keys and ids of a date's games with keys above `after`, in that order."""
        return await self._readers.ask(lambda session: _of_date(session, date, after, limit), moves=False)

    def _create(self, connection: Connection, new: NewGame, closing: Sequence[Append]) -> StoredGame:
        append_all(connection, list(closing), self._process)
        header = new.header
        if new.open_limit is not None:
            _count_open(connection, header.player.key, new.open_limit)
        if header.date is not None:
            latest = select(func.max(GameRow.attempt)).where(
                col(GameRow.player) == header.player.key, col(GameRow.date) == header.date
            )
            header = replace(header, attempt=(connection.execute(latest).scalar_one() or 0) + 1)
        row = _new_row(header, new.event.game, self._process)
        try:
            key = connection.execute(insert(GameRow).values(row).returning(col(GameRow.key))).scalar_one()
        except IntegrityError as error:  # the same attempt at a daily, made by another process
            raise VersionConflict from error
        header = replace(header, key=key)
        execute(connection, insert_sql("event", EVENT, mark_of(connection)), [event_row(key, new.event)])
        if new.key is not None:
            _remember(connection, new, header)
        if new.event.game.over:
            keep_results(connection, [(header, new.event)])
        best = 0 if header.category is None else _best(connection, header.player.key, header.category)
        return StoredGame(header, new.event.game, best, self._process)


def _count_open(connection: Connection, player: int, limit: int) -> None:
    """TooMany where a player may begin no more games; VersionConflict where another process is just counting, too."""
    count = connection.execute(_OPEN, {"player": player}).scalar_one()
    if count > limit - NEAR_LIMIT and connection.dialect.name == "postgresql":
        if not connection.execute(_COUNTING, {"player": player}).scalar_one():
            raise VersionConflict
        count = connection.execute(_OPEN, {"player": player}).scalar_one()
    if count >= limit:
        raise TooMany(f"You have {limit} open games; finish or abandon some first.")


def _remember(connection: Connection, new: NewGame, header: Header) -> None:
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    row = CreateKeyRow(
        player=header.player.key,
        name=new.key or "",
        fingerprint=new.fingerprint,
        game=header.key,
        at=header.created_at,
    )
    statement = dialect.insert(CreateKeyRow).values(row.model_dump()).on_conflict_do_nothing()
    if connection.execute(statement.returning(col(CreateKeyRow.name))).first() is None:
        raise KeyConflict


def _new_row(header: Header, game: Game, process: str) -> dict[str, Any]:
    row = {
        "id": header.id,
        "player": header.player.key,
        "mode": header.mode,
        "category": header.category,
        "size": game.rules.size,
        "undo_limit": game.rules.undo_limit,
        "private": header.private,
        "date": header.date,
        "attempt": header.attempt,
        "seed": game.seed,
        "given": game.given,
        "created_at": header.created_at,
        "keeper": process,
    }
    return row | dict(zip(STATE, state_of(game), strict=True))


def _load(session: Session, game: str) -> StoredGame | None:
    found = session.exec(
        select(GameRow, PlayerRow).join(PlayerRow, col(PlayerRow.key) == col(GameRow.player)).where(GameRow.id == game)
    ).first()
    if found is None or found[1].gone_at is not None:
        return None
    stored = _stored(session, *found)
    log = select(EventRow.version, EventRow.at).where(EventRow.game == found[0].key)
    last = session.exec(log.order_by(col(EventRow.version).desc()).limit(1)).first()
    if last is None or tuple(last) != (found[0].version, found[0].at):
        raise corrupt(game, "its log does not end where the game stands")
    return stored


def _standing(session: Session, game: str) -> Standing | None:
    found = session.connection().execute(_STANDING, {"game": game}).first()
    if found is None:
        return None
    version, keeper, best, assisted = found
    return Standing(version, keeper, best, bool(assisted))


def _stored(session: Session, row: GameRow, player: PlayerRow) -> StoredGame:
    try:
        game = game_of_row(row, rules_of(row.mode, row.size, row.undo_limit))
        header = _header(row, shown(player.key, player.id, player.name, player.hidden, player.bot))
    except (Unreadable, ValueError, TypeError) as error:
        raise corrupt(row.id, str(error)) from error
    best = 0 if row.category is None else _best(session.connection(), row.player, row.category)
    return StoredGame(header, game, best, row.keeper)


def _header(row: GameRow, player: Player) -> Header:
    return Header(
        key=row.key,
        id=row.id,
        player=player,
        mode=row.mode,
        category=row.category,
        private=row.private,
        date=row.date,
        attempt=row.attempt,
        reveals_at=None if row.date is None else reveals_at(row.date),
        commitment=commitment(bytes(row.seed)).hex(),
        created_at=int(row.created_at),
        assisted=bool(row.assisted),
    )


def _best(connection: Connection, player: int, category: str) -> int:
    """A player's best score in a category: over finished games, and over those still open."""
    best = text(
        "SELECT max(score) FROM (SELECT score FROM best WHERE player = :player AND category = :category UNION ALL"
        " SELECT peak_score FROM game WHERE player = :player AND category = :category AND status <> 'over') AS peaks"
    )
    return connection.execute(best, {"player": player, "category": category}).scalar() or 0


def corrupt(game: str, why: str) -> CorruptGame:
    log.error("the game is left as it is: %s", why, extra={"game": game})
    return CorruptGame()


def _page(
    session: Session, player: Player, mode: str | None, status: str | None, limit: int, before: int | None
) -> tuple[list[StoredGame | CorruptRow], int | None]:
    query = select(GameRow, PlayerRow).join(PlayerRow, col(PlayerRow.key) == col(GameRow.player))
    query = query.where(GameRow.player == player.key).order_by(col(GameRow.key).desc()).limit(limit + 1)
    if before is not None:
        query = query.where(GameRow.key < before)
    if mode is not None:
        query = query.where(GameRow.mode == mode)
    if status == "open":
        query = query.where(text("game.status <> 'over'"))  # written out, so that the index of open games serves
    elif status is not None:
        query = query.where(GameRow.status == status)
    rows = session.exec(query).all()
    games: list[StoredGame | CorruptRow] = []
    for row, owner in rows[:limit]:
        try:
            games.append(_stored(session, row, owner))
        except CorruptGame:
            games.append(CorruptRow(row.id, row.mode))
    return games, rows[limit - 1][0].key if len(rows) > limit else None


def _attempt(session: Session, player: int, date: str, *, newest: bool) -> str | None:
    order = col(GameRow.attempt).desc() if newest else col(GameRow.attempt)
    query = select(GameRow.id).where(GameRow.player == player, GameRow.date == date)
    return session.exec(query.order_by(order).limit(1)).first()


def _forget_keys(connection: Connection, before: int, limit: int) -> int:
    count = 0
    for row in (CommandKeyRow, CreateKeyRow):
        owner = col(row.game) if row is CommandKeyRow else col(CreateKeyRow.player)
        old = select(owner, col(row.name)).where(col(row.at) < before).limit(limit)
        keys = [tuple(key) for key in connection.execute(old)]
        if keys:
            connection.execute(delete(row).where(tuple_(owner, col(row.name)).in_(keys)))
        count += len(keys)
    return count


def _of_date(session: Session, date: str, after: int, limit: int) -> list[tuple[int, str]]:
    query = select(GameRow.key, GameRow.id).where(GameRow.date == date, GameRow.key > after)
    return list(session.exec(query.order_by(col(GameRow.key)).limit(limit)))


def _created_by_key(session: Session, player: int, name: str) -> tuple[str, str] | None:
    query = select(CreateKeyRow.fingerprint, GameRow.id).join(GameRow, col(GameRow.key) == col(CreateKeyRow.game))
    return session.exec(query.where(CreateKeyRow.player == player, CreateKeyRow.name == name)).first()
