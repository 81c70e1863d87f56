"""Standings: each player's best finished game on every board, kept as games end and as ends are undone."""

from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select
from sqlmodel import col, text

from twofold_service.storage.tables import ResultRow, StandingRow
from twofold_service.usecases.boards import PERIODS, Finish, Place, boards, bounds, leaderboard, place

PLACE = tuple(col(getattr(StandingRow, name)) for name in Place._fields)


def enter(connection: Connection, row: ResultRow) -> None:
    """Store a result, and put it on every board where it is its player's best."""
    connection.execute(insert(ResultRow).values(row.model_dump()))
    finish = _finish(row)
    wanted = boards(finish)
    columns: list[Any] = [StandingRow.board, *PLACE]
    query = select(*columns).where(col(StandingRow.player) == row.player, col(StandingRow.board).in_(wanted))
    held = {board: Place(*its) for board, *its in connection.execute(query)}
    better = {board: place(order, finish) for board, order in wanted.items()}
    better = {board: its for board, its in better.items() if board not in held or its < held[board]}
    _put(connection, row.player, row.game, better)


def withdraw(connection: Connection, player: int, game: int) -> None:
    """Take a game's result away, and let the player's next best take its places."""
    gone = connection.execute(delete(ResultRow).where(col(ResultRow.game) == game).returning(*_RESULT)).first()
    if gone is None:
        return
    finish = _finish(gone)
    lost = connection.execute(
        delete(StandingRow)
        .where(
            col(StandingRow.player) == player, col(StandingRow.board).in_(boards(finish)), col(StandingRow.game) == game
        )
        .returning(col(StandingRow.board))
    )
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
    if not places:
        return
    connection.execute(delete(StandingRow).where(col(StandingRow.player) == player, col(StandingRow.board).in_(places)))
    rows = [{"board": board, "player": player, "game": game, **its._asdict()} for board, its in places.items()]
    connection.execute(insert(StandingRow), rows)


def _finish(row: Any) -> Finish:
    return Finish(*(getattr(row, name) for name in Finish.__slots__))


_RESULT = tuple(col(getattr(ResultRow, name)) for name in ("game", *Finish.__slots__))
