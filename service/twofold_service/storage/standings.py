"""Standings: each player's best finished game on every board, kept as games end and as ends are undone."""

from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, select
from sqlmodel import col, text

from twofold_service.storage.changes import insert_many, write
from twofold_service.storage.statements import Row
from twofold_service.storage.tables import ResultRow, StandingRow
from twofold_service.usecases.boards import (
    PERIODS,
    Finish,
    Order,
    Period,
    Place,
    apart,
    boards,
    bounds,
    leaderboard,
    place,
)

PLACE = tuple(col(getattr(StandingRow, name)) for name in Place._fields)


class Result(NamedTuple):
    """A game that is over and counts: keys of game and player, and what rankings show and look at."""

    game: int
    player: int
    pauses: int
    elapsed_ms: int | None
    outcome: str
    reached_goal: bool
    finish: Finish


def enter(connection: Connection, results: list[Result]) -> None:
    """Store results, and put each on every board where it is its player's best."""
    rows = [(*result[:-1], *_figures(result.finish)) for result in results]
    places = _places([(result.player, result.game, boards(result.finish), result.finish) for result in results])
    write(connection, [(_INSERT_RESULT, rows), (_PUT, places)])


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
            orders = {board: boards(finish)[board]}
            write(connection, [(_PUT, _places([(player, following.game, orders, _finish(following))]))])


def _next_best(connection: Connection, player: int, board: str, gone: Finish) -> Any:
    """The player's best result that may stand on a board where one of theirs stood."""
    if board.startswith("daily/"):
        query = select(*_RESULT).where(col(ResultRow.player) == player, col(ResultRow.date) == gone.date)
        rows = [row for row in connection.execute(query) if board in boards(_finish(row))]
        order = boards(gone)[board]
        return min(rows, key=lambda row: place(order, _finish(row)), default=None)
    period = next(period for period in PERIODS if board == _of_period(gone, period))
    start, end = bounds(period, gone.ended_at)
    query = select(*_RESULT).where(col(ResultRow.player) == player, col(ResultRow.category) == gone.category)
    query = query.where(col(ResultRow.assisted) == gone.assisted)
    query = query.where(col(ResultRow.ended_at) >= start, col(ResultRow.ended_at) < end)
    if gone.date is not None:
        query = query.where(col(ResultRow.attempt) == 1)
    order_by = (text("score DESC"), *(col(getattr(ResultRow, name)) for name in Place._fields[3:]))
    return connection.execute(query.order_by(*order_by).limit(1)).first()


def _of_period(finish: Finish, period: Period) -> str:
    return apart(leaderboard(finish.category, period, finish.ended_at), finish)


def _places(games: list[tuple[int, int, dict[str, Order], Finish]]) -> list[Row]:
    """Each player's best of these games (player and game by their keys) on every board."""
    best: dict[tuple[str, int], Row] = {}
    for player, game, orders, finish in games:
        for board, order in orders.items():
            row = (board, player, game, *place(order, finish))
            if (board, player) not in best or row[3:] < best[board, player][3:]:
                best[board, player] = row
    return list(best.values())


def _figures(finish: Finish) -> list[Any]:
    return [getattr(finish, name) for name in Finish.__slots__]


def _finish(row: Any) -> Finish:
    return Finish(*(getattr(row, name) for name in Finish.__slots__))


_RESULT = tuple(col(getattr(ResultRow, name)) for name in ("game", *Finish.__slots__))
_STANDING = ("board", "player", "game", *Place._fields)
_UNLESS_BETTER = (
    " ON CONFLICT (board, player) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in _STANDING[2:])
    + f" WHERE ({', '.join(f'excluded.{name}' for name in Place._fields)})"
    + f" < ({', '.join(f'standing.{name}' for name in Place._fields)})"
)
_PUT = insert_many("standing", _STANDING, _UNLESS_BETTER)
_INSERT_RESULT = insert_many("result", (*Result._fields[:-1], *Finish.__slots__))
_TAKE_RESULT = delete(ResultRow).where(col(ResultRow.game) == bindparam("number")).returning(*_RESULT)
