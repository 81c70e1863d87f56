"""Standings: each player's best finished game on every board, kept as games end and as ends are undone."""

from functools import cache
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, insert, select, tuple_
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import col, text

from twofold_service.storage.tables import ResultRow, StandingRow
from twofold_service.usecases.boards import PERIODS, Finish, Place, boards, bounds, leaderboard, place

PLACE = tuple(col(getattr(StandingRow, name)) for name in Place._fields)


def enter(connection: Connection, row: ResultRow) -> None:
    """Store a result, and put it on every board where it is its player's best."""
    connection.execute(_INSERT_RESULT, row.model_dump())
    finish = _finish(row)
    places = {board: place(order, finish) for board, order in boards(finish).items()}
    _put(connection, row.player, row.game, places)


def withdraw(connection: Connection, player: int, game: int) -> None:
    """Take a game's result away, and let the player's next best take its places."""
    gone = connection.execute(_TAKE_RESULT, {"number": game}).first()
    if gone is None:
        return
    finish = _finish(gone)
    stood = delete(StandingRow).where(
        col(StandingRow.player) == player, col(StandingRow.board).in_(boards(finish)), col(StandingRow.game) == game
    )
    lost = connection.execute(stood.returning(col(StandingRow.board)))
    for (board,) in lost.all():
        following = _next_best(connection, player, board, finish)
        if following is not None:
            order = boards(finish)[board]
            _put(connection, player, following.game, {board: place(order, _finish(following))})


def _next_best(connection: Connection, player: int, board: str, gone: Finish) -> Row[Any] | None:
    """The player's best result that may stand on a board where one of theirs stood."""
    if board.startswith("daily/"):
        query = select(*_RESULT).where(col(ResultRow.player) == player, col(ResultRow.date) == gone.date)
        rows = [row for row in connection.execute(query) if board in boards(_finish(row))]
        order = boards(gone)[board]
        return min(rows, key=lambda row: place(order, _finish(row)), default=None)
    period = next(period for period in PERIODS if leaderboard(gone.category, period, gone.ended_at) == board)
    start, end = bounds(period, gone.ended_at)
    query = select(*_RESULT).where(col(ResultRow.player) == player, col(ResultRow.category) == gone.category)
    query = query.where(col(ResultRow.ended_at) >= start, col(ResultRow.ended_at) < end)
    if gone.date is not None:
        query = query.where(col(ResultRow.attempt) == 1)
    order_by = (text("score DESC"), *(col(getattr(ResultRow, name)) for name in Place._fields[3:]))
    return connection.execute(query.order_by(*order_by).limit(1)).first()


def _put(connection: Connection, player: int, game: int, places: dict[str, Place]) -> None:
    """Let a game stand on boards, except where its player has a better one there."""
    rows = [{"board": board, "player": player, "game": game, **its._asdict()} for board, its in places.items()]
    connection.execute(_put_sql(connection.dialect.name), rows)


@cache
def _put_sql(dialect: str) -> Any:
    new = (postgresql if dialect == "postgresql" else sqlite).insert(StandingRow)
    taken = {name: new.excluded[name] for name in ("game", *Place._fields)}
    is_better = tuple_(*[new.excluded[name] for name in Place._fields]) < tuple_(*PLACE)
    return new.on_conflict_do_update(index_elements=["board", "player"], set_=taken, where=is_better)


def _finish(row: Any) -> Finish:
    return Finish(*(getattr(row, name) for name in Finish.__slots__))


_RESULT = tuple(col(getattr(ResultRow, name)) for name in ("game", *Finish.__slots__))
_INSERT_RESULT = insert(ResultRow)
_TAKE_RESULT = delete(ResultRow).where(col(ResultRow.game) == bindparam("number")).returning(*_RESULT)
