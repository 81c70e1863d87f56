"""The tables. Instants and spans are microseconds; boards are cells as the rule book has them."""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    Text,
    false,
    text,
)
from sqlmodel import Field, SQLModel

SQLModel.metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}

# SQLite numbers rows by itself only where the primary key's type is INTEGER
Number = BigInteger().with_variant(Integer(), "sqlite")

# SQLite's numbers have no width: what the column was once called stays, as another name would mean to copy the table
Attempt = Integer().with_variant(SmallInteger(), "sqlite")


def _key() -> Any:
    return Field(default=None, sa_column=Column(Number, primary_key=True))


def _of(table: str, *, primary: bool = False, index: bool = False) -> Any:
    reference = ForeignKey(f"{table}.key", ondelete="CASCADE")
    return Field(sa_column=Column(Number, reference, primary_key=primary, nullable=False, index=index))


def _big(*, null: bool = False, primary: bool = False, index: bool = False) -> Any:
    return Field(default=None, sa_column=Column(BigInteger, nullable=null, primary_key=primary, index=index))


def _small(*, null: bool = False) -> Any:
    return Field(default=None, sa_column=Column(SmallInteger, nullable=null))


def _small_key() -> Any:
    return Field(sa_column=Column(SmallInteger, primary_key=True, autoincrement=False))


def _attempt() -> Any:
    return Field(default=None, sa_column=Column(Attempt, nullable=True))


def _text(*, null: bool = False, unique: bool = False, primary: bool = False) -> Any:
    return Field(default=None, sa_column=Column(Text, nullable=null, unique=unique, primary_key=primary))


def _bytes(*, null: bool = False, unique: bool = False) -> Any:
    return Field(default=None, sa_column=Column(LargeBinary, nullable=null, unique=unique))


def _no() -> Any:
    """A flag that rows of earlier releases, and of those that still run beside this one, do not have."""
    return Field(default=False, sa_column=Column(Boolean, nullable=False, server_default=false()))


class PlayerRow(SQLModel, table=True):
    """`kept`: known to have moved, so not swept away after a week; `gone_at`: deleted, its games not yet removed.

    `bot`: a program, from its first day to its last.
    """

    __tablename__ = "player"
    __table_args__ = (
        Index("ix_player_hidden", "key", sqlite_where=text("hidden"), postgresql_where=text("hidden")),
        Index("ix_player_unkept", "created_at", sqlite_where=text("NOT kept"), postgresql_where=text("NOT kept")),
        Index(
            "ix_player_gone",
            "gone_at",
            sqlite_where=text("gone_at IS NOT NULL"),
            postgresql_where=text("gone_at IS NOT NULL"),
        ),
    )
    key: int = _key()
    id: str = _text(unique=True)
    name: str | None = _text(null=True)
    hidden: bool = False
    kept: bool = False
    created_at: int = _big()
    gone_at: int | None = _big(null=True)
    bot: bool = _no()


class TokenRow(SQLModel, table=True):
    """A token's hash; `expires_at` and `successor` once a newer one is to take its place."""

    __tablename__ = "token"
    key: int = _key()
    player: int = _of("player", index=True)
    hash: bytes = _bytes(unique=True)
    created_at: int = _big()
    used_at: int = _big()
    expires_at: int | None = _big(null=True)
    replaces: int | None = _big(null=True)


class LinkRow(SQLModel, table=True):
    """A player's one open code for another device."""

    __tablename__ = "link"
    player: int = _of("player", primary=True)
    hash: bytes = _bytes(unique=True)
    expires_at: int = _big()


class GameRow(SQLModel, table=True):
    """A game as of its last event; what a query filters by changes only when the status does.

    `assisted`: a hint was given in it. It is no part of the state, which follows from the log.
    """

    __tablename__ = "game"
    __table_args__ = (
        Index(
            "ix_game_open",
            "player",
            "key",
            sqlite_where=text("status <> 'over'"),
            postgresql_where=text("status <> 'over'"),
        ),
        Index(
            "ix_game_running",
            "keeper",
            sqlite_where=text("status = 'running'"),
            postgresql_where=text("status = 'running'"),
        ),
        Index(
            "ix_game_attempt",
            "player",
            "date",
            "attempt",
            unique=True,
            sqlite_where=text("date IS NOT NULL"),
            postgresql_where=text("date IS NOT NULL"),
        ),
        Index(
            "ix_game_date",
            "date",
            "attempt",
            "key",
            sqlite_where=text("date IS NOT NULL"),
            postgresql_where=text("date IS NOT NULL"),
        ),
        Index("ix_game_player", "player", "key"),
        Index("ix_game_mode", "player", "mode", "key"),
    )
    key: int = _key()
    id: str = _text(unique=True)
    player: int = _of("player")
    mode: str = _text()
    category: str | None = _text(null=True)
    size: int = _small()
    undo_limit: int | None = _small(null=True)
    private: bool = False
    date: str | None = _text(null=True)
    attempt: int | None = _attempt()
    seed: bytes = _bytes()
    given: bytes | None = _bytes(null=True)
    created_at: int = _big()
    keeper: str = _text()
    status: str = _text()
    outcome: str | None = _text(null=True)
    version: int = _big()
    cells: bytes = _bytes()
    score: int = _big()
    moves: int = _big()
    goal_moves: int | None = _big(null=True)
    goal_active: int | None = _big(null=True)
    made: int = _big()
    given_up: bool = False
    undos: int = _big()
    pauses: int = _big()
    banked: int = _big()
    since: int | None = _big(null=True)
    at: int = _big()
    started_at: int | None = _big(null=True)
    ended_at: int | None = _big(null=True)
    peak_score: int = _big()
    peak_tile: int = _big()
    assisted: bool = _no()


class EventRow(SQLModel, table=True):
    """One entry of a game's log. `frame`: the whole game at every 256th version, else the position an undo restored."""

    __tablename__ = "event"
    __table_args__ = ({"sqlite_with_rowid": False},)
    game: int = _of("game", primary=True)
    version: int = _big(primary=True)
    type: int = _small()
    direction: int | None = _small(null=True)
    cause: int | None = _small(null=True)
    at: int = _big()
    active: int = _big()
    cell: int | None = _small(null=True)
    tile: int | None = _small(null=True)
    frame: bytes | None = _bytes(null=True)


class BatchRow(SQLModel, table=True):
    """Moves that were committed together and are not all in `game` and `event` yet, as JSON."""

    __tablename__ = "batch"
    number: int = _key()
    moves: bytes = _bytes()


class CommandKeyRow(SQLModel, table=True):
    """An idempotency key of a game and what it was used for; `made` is the event's version, none for a no-op."""

    __tablename__ = "command_key"
    __table_args__ = ({"sqlite_with_rowid": False},)
    game: int = _of("game", primary=True)
    name: str = _text(primary=True)
    op: str = _text()
    direction: str | None = _text(null=True)
    version: int | None = _big(null=True)
    made: int | None = _big(null=True)
    at: int = _big(index=True)


class CreateKeyRow(SQLModel, table=True):
    """An idempotency key of a player for creating games."""

    __tablename__ = "create_key"
    player: int = _of("player", primary=True)
    name: str = _text(primary=True)
    fingerprint: str = _text()
    game: int = _of("game", index=True)
    at: int = _big(index=True)


class BestRow(SQLModel, table=True):
    """A player's peaks in a category over all games that were ever over; open games' peaks stand in their rows."""

    __tablename__ = "best"
    player: int = _of("player", primary=True)
    category: str = _text(primary=True)
    score: int = _big()
    max_tile: int = _big()


class ResultRow(SQLModel, table=True):
    """A game that is over now and counts in rankings, its times in ms; the row goes when an undo revives it."""

    __tablename__ = "result"
    __table_args__ = (
        Index("ix_result_best", "player", "category", text("score DESC")),
        Index("ix_result_date", "player", "date"),
    )
    game: int = _of("game", primary=True)
    id: str = _text()
    player: int = _of("player")
    category: str = _text()
    date: str | None = _text(null=True)
    attempt: int | None = _attempt()
    score: int = _big()
    max_tile: int = _big()
    moves: int = _big()
    active_ms: int = _big()
    goal_moves: int | None = _big(null=True)
    goal_active_ms: int | None = _big(null=True)
    pauses: int = _big()
    elapsed_ms: int | None = _big(null=True)
    outcome: str = _text()
    reached_goal: bool = False
    ended_at: int = _big()
    assisted: bool = _no()
    bot: bool = _no()


class StandingRow(SQLModel, table=True):
    """A player's best game on a board, with what it is ranked by (usecases/boards.py): smaller is better."""

    __tablename__ = "standing"
    __table_args__ = (
        Index("ix_standing_rank", "board", "first", "second", "minus_score", "moves", "active_ms", "ended_at", "id"),
        {"sqlite_with_rowid": False},
    )
    board: str = _text(primary=True)
    player: int = _of("player", primary=True, index=True)
    game: int = _of("game", index=True)
    first: int = _big()
    second: int = _big()
    minus_score: int = _big()
    moves: int = _big()
    active_ms: int = _big()
    ended_at: int = _big()
    id: str = _text()


class AnalysisRow(SQLModel, table=True):
    """A final game looked over at a depth: JSON, packed by zlib. One of an earlier `edition` is as good as none."""

    __tablename__ = "analysis"
    game: int = _of("game", primary=True)
    depth: int = _small_key()
    edition: int = _small()
    made_at: int = _big()
    document: bytes = _bytes()


class DayRow(SQLModel, table=True):
    """The seed of a UTC date, stored when its commitment is first published; revealed once all its games are closed."""

    __tablename__ = "day"
    date: str = _text(primary=True)
    seed: bytes = _bytes()
    published_at: int = _big()
    revealed_at: int | None = _big(null=True)


class ParRow(SQLModel, table=True):
    """What the solver makes of a revealed date's tiles: the process that is at it and was so last, then the figures."""

    __tablename__ = "par"
    date: str = _text(primary=True)
    process: str = _text()
    claimed_at: int = _big()
    made_at: int | None = _big(null=True)
    document: bytes | None = _bytes(null=True)


class ProcessRow(SQLModel, table=True):
    """A process that keeps games, and its newest instant: at most a second old while it lives."""

    __tablename__ = "process"
    id: str = _text(primary=True)
    heartbeat: int = _big()
