"""Players, their tokens and links in storage."""

from collections.abc import Awaitable, Sequence
from typing import Any

from sqlalchemy import Connection, delete, func, insert, text, update
from sqlmodel import Session, col, select

from twofold_service.errors import NotFound
from twofold_service.storage.database import Database
from twofold_service.storage.journal import Journal
from twofold_service.storage.readers import Readers
from twofold_service.storage.tables import EventRow, GameRow, LinkRow, PlayerRow, TokenRow
from twofold_service.storage.writer import NOBODY
from twofold_service.usecases.values import CategoryRecord, Player, StoredToken

MAX_TOKENS = 5
EVENTS_A_STEP = 10_000


class StoredPlayers:
    """The part of ports.Store that is about players. Tokens and codes come and are kept as hashes."""

    def __init__(self, readers: Readers, journal: Journal) -> None:
        self._readers = readers
        self._journal = journal

    async def create(self, player: str, name: str | None, token: bytes, now: int, *, bot: bool = False) -> StoredToken:
        return await self._journal.run(
            lambda connection: _create(connection, player, name, token, now, bot), games=NOBODY
        )

    async def by_token(self, token: bytes) -> StoredToken | None:
        return await self._readers.ask(lambda session: _by_token(session, token), moves=False)

    async def living(self, tokens: Sequence[int], now: int) -> set[int]:
        """Those of some tokens (their keys) that have not ended."""
        lives = (col(TokenRow.expires_at).is_(None)) | (col(TokenRow.expires_at) > now)
        query = select(TokenRow.key).where(col(TokenRow.key).in_(tokens), lives)
        return await self._readers.ask(lambda session: set(session.exec(query)), moves=False)

    async def player(self, key: int) -> Player | None:
        """A player as others see it; None for a deleted one."""
        return await self._readers.ask(lambda session: _player(session, key), moves=False)

    async def rename(self, key: int, name: str | None) -> None:
        rename = update(PlayerRow).where(col(PlayerRow.key) == key).values(name=name)
        await self._journal.run(lambda connection: connection.execute(rename), games=NOBODY)

    async def delete(self, key: int, now: int) -> None:
        """Take the player and everything of theirs out of sight; `sweep` removes the rows later."""
        await self._journal.run(lambda connection: _delete(connection, key, now), games=key)

    async def add_token(
        self, player: int, token: bytes, now: int, replaces: int | None, expires_at: int | None
    ) -> list[int]:
        """Store a token; the keys of tokens that end by it at once (more than five)."""
        return await self._journal.run(
            lambda connection: _add_token(connection, player, token, now, replaces, expires_at), games=NOBODY
        )

    async def end_tokens(self, player: int, *, but: int | None = None, only: int | None = None) -> list[int]:
        """End one of a player's tokens, or all but one; the keys of those that ended."""
        return await self._journal.run(lambda connection: _end_tokens(connection, player, but, only), games=NOBODY)

    def touch_token(self, token: int, now: int) -> Awaitable[object]:
        """Note that a token was used. It is written in its turn; whether that succeeds, nobody needs to wait for."""
        used = update(TokenRow).where(col(TokenRow.key) == token).values(used_at=now)
        noted = self._journal.run(lambda connection: connection.execute(used), games=NOBODY)
        noted.add_done_callback(lambda noted: noted.exception())
        return noted

    async def put_link(self, player: int, code: bytes, expires_at: int) -> None:
        """Store the player's one open code, in the place of an earlier one."""
        await self._journal.run(lambda connection: _put_link(connection, player, code, expires_at), games=NOBODY)

    async def take_link(self, code: bytes, token: bytes, now: int) -> tuple[StoredToken, list[int]] | None:
        """Use up a code for a new token of its player, with the keys of tokens that end by it; None for a wrong one."""
        return await self._journal.run(lambda connection: _take_link(connection, code, token, now), games=NOBODY)

    async def records(self, player: int, now: int) -> tuple[list[CategoryRecord], list[str], int]:
        """Per category, the dates and the number of daily attempts."""
        return await self._readers.ask(lambda session: _records(session, player, now))

    async def sweep(self, before: int, limit: int) -> int:
        """Remove what deleted players left, and players who never moved since before an instant; how much was done."""
        return await self._journal.run(lambda connection: _sweep(connection, before, limit))


def _create(connection: Connection, player: str, name: str | None, token: bytes, now: int, bot: bool) -> StoredToken:
    row = {"id": player, "name": name, "hidden": False, "kept": False, "created_at": now, "bot": bot}
    key = connection.execute(insert(PlayerRow).values(row).returning(col(PlayerRow.key))).scalar_one()
    _add_token(connection, key, token, now, None, None)
    stored = _by_token_query(token)
    return _stored_token(connection.execute(stored).one())


def _by_token_query(token: bytes) -> Any:
    columns = (PlayerRow.key, PlayerRow.id, PlayerRow.name, PlayerRow.hidden, PlayerRow.bot)
    token_columns = (
        TokenRow.key,
        TokenRow.created_at,
        TokenRow.used_at,
        TokenRow.expires_at,
        TokenRow.replaces,
    )
    query = select(*columns, *token_columns).join(PlayerRow, col(PlayerRow.key) == col(TokenRow.player))  # type: ignore[call-overload]
    return query.where(TokenRow.hash == token, col(PlayerRow.gone_at).is_(None))


def _by_token(session: Session, token: bytes) -> StoredToken | None:
    row = session.exec(_by_token_query(token)).first()
    return None if row is None else _stored_token(row)


HIDDEN_NAME = "–"


def shown(key: int, player: str, name: str | None, hidden: bool, bot: bool, token: int = 0) -> Player:
    """A player as everybody sees them: a hidden one without the name."""
    return Player(key, player, HIDDEN_NAME if hidden else name, bool(hidden), bool(bot), token)


def _stored_token(row: Sequence[Any]) -> StoredToken:
    key, player, name, hidden, bot, token, created_at, used_at, expires_at, replaces = row
    return StoredToken(shown(key, player, name, hidden, bot, token), created_at, used_at, expires_at, replaces)


def _player(session: Session, key: int) -> Player | None:
    row = session.get(PlayerRow, key)
    if row is None or row.gone_at is not None:
        return None
    return shown(row.key, row.id, row.name, row.hidden, row.bot)


def _delete(connection: Connection, key: int, now: int) -> None:
    for statement in ("token", "link", "standing", "result", "best"):
        connection.execute(text(f"DELETE FROM {statement} WHERE player = :key"), {"key": key})  # noqa: S608
    connection.execute(update(PlayerRow).where(col(PlayerRow.key) == key).values(gone_at=now, name=None))


def _add_token(
    connection: Connection, player: int, token: bytes, now: int, replaces: int | None, expires_at: int | None
) -> list[int]:
    if replaces is not None:
        connection.execute(update(TokenRow).where(col(TokenRow.key) == replaces).values(expires_at=expires_at))
    row = {"player": player, "hash": token, "created_at": now, "used_at": now, "replaces": replaces}
    connection.execute(insert(TokenRow).values(row))
    order = (col(TokenRow.used_at).desc(), col(TokenRow.key).desc())
    surplus = select(TokenRow.key).where(TokenRow.player == player).order_by(*order).offset(MAX_TOKENS)
    ended = [key for (key,) in connection.execute(surplus)]
    connection.execute(delete(TokenRow).where(col(TokenRow.key).in_(ended)))
    return ended


def _end_tokens(connection: Connection, player: int, but: int | None, only: int | None) -> list[int]:
    query = delete(TokenRow).where(col(TokenRow.player) == player)
    if only is None:
        query = query.where(col(TokenRow.key) != but)
    else:
        query = query.where(col(TokenRow.key) == only)
        successor = update(TokenRow).where(col(TokenRow.player) == player, col(TokenRow.replaces) == only)
        connection.execute(successor.values(replaces=None))
    return [key for (key,) in connection.execute(query.returning(col(TokenRow.key)))]


def _put_link(connection: Connection, player: int, code: bytes, expires_at: int) -> None:
    connection.execute(delete(LinkRow).where(col(LinkRow.player) == player))
    connection.execute(insert(LinkRow).values(player=player, hash=code, expires_at=expires_at))


def _take_link(connection: Connection, code: bytes, token: bytes, now: int) -> tuple[StoredToken, list[int]] | None:
    taken = delete(LinkRow).where(col(LinkRow.hash) == code).returning(col(LinkRow.player), col(LinkRow.expires_at))
    row = connection.execute(taken).first()
    if row is None or row.expires_at <= now:
        return None
    ended = _add_token(connection, row.player, token, now, None, None)
    stored = connection.execute(_by_token_query(token)).first()
    if stored is None:
        raise NotFound
    return _stored_token(stored), ended


def _records(session: Session, player: int, now: int) -> tuple[list[CategoryRecord], list[str], int]:
    sums = text(
        "SELECT category, max(mode) AS mode, max(size) AS size, max(undo_limit) AS undo_limit,"
        " max(peak_score) AS best_score, max(peak_tile) AS best_max_tile,"
        " sum(CASE WHEN status = 'over' THEN 1 ELSE 0 END) AS finished,"
        " sum(CASE WHEN goal_moves IS NOT NULL THEN 1 ELSE 0 END) AS goals, sum(moves) AS moves,"
        " sum(banked + CASE WHEN since IS NULL THEN 0 ELSE :now - since END) AS active,"
        " sum(CASE WHEN assisted THEN 1 ELSE 0 END) AS assisted"
        " FROM game WHERE player = :player AND category IS NOT NULL GROUP BY category ORDER BY category"
    )
    rows = session.connection().execute(sums, {"player": player, "now": now}).all()
    dates = session.exec(
        select(GameRow.date, func.count())
        .where(GameRow.player == player, col(GameRow.date).is_not(None))
        .group_by(col(GameRow.date))
        .order_by(col(GameRow.date))
    ).all()
    records = [
        CategoryRecord(
            category=row.category,
            mode=row.mode,
            size=row.size,
            undo_limit=row.undo_limit,
            best_score=row.best_score,
            best_max_tile=row.best_max_tile,
            finished=int(row.finished),
            goals=int(row.goals),
            moves=int(row.moves),
            active=int(row.active),
            assisted=int(row.assisted),
        )
        for row in rows
    ]
    return records, [date for date, _ in dates if date], sum(count for _, count in dates)


def _sweep(connection: Connection, before: int, limit: int) -> int:
    idle = select(PlayerRow.key).where(text("NOT kept"), col(PlayerRow.created_at) < before).limit(limit)
    keys = [key for (key,) in connection.execute(idle)]
    moved = {
        key
        for (key,) in connection.execute(
            select(GameRow.player).where(col(GameRow.player).in_(keys), col(GameRow.peak_tile) > 0).distinct()
        )
    }
    connection.execute(update(PlayerRow).where(col(PlayerRow.key).in_(moved)).values(kept=True))
    for key in keys:
        if key not in moved:
            _delete(connection, key, before)
    return len(keys) + _remove_gone(connection, limit)


def _remove_gone(connection: Connection, limit: int) -> int:
    """Remove some rows of a deleted player: events first, ten thousand at most, so that no single step is long."""
    gone = connection.execute(text("SELECT key FROM player WHERE gone_at IS NOT NULL LIMIT 1")).scalar()
    if gone is None:
        return 0
    games = [key for (key,) in connection.execute(select(GameRow.key).where(col(GameRow.player) == gone).limit(limit))]
    left = EVENTS_A_STEP
    for game in games:
        log = select(EventRow.version).where(EventRow.game == game).order_by(col(EventRow.version)).limit(left)
        versions = [version for (version,) in connection.execute(log)]
        last = max(versions, default=0)
        connection.execute(delete(EventRow).where(col(EventRow.game) == game, col(EventRow.version) <= last))
        left -= len(versions)
        if not left:
            return 1
        connection.execute(delete(GameRow).where(col(GameRow.key) == game))
    if len(games) < limit:
        connection.execute(delete(PlayerRow).where(col(PlayerRow.key) == gone))
    return 1


def change_player(database: Database, player: str, values: dict[str, Any]) -> bool:
    """Change a player's row from outside the service; False where there is none."""
    with database.writing.begin() as connection:
        return connection.execute(update(PlayerRow).where(col(PlayerRow.id) == player).values(values)).rowcount == 1
