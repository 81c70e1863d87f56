"""Rankings read from storage: pages of a board, and one player's place on it."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, exists, select, tuple_
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func, text

from twofold.game import Outcome
from twofold_service.storage.readers import Readers
from twofold_service.storage.standings import PLACE
from twofold_service.storage.tables import PlayerRow, ResultRow, StandingRow
from twofold_service.usecases.boards import Place
from twofold_service.usecases.values import Player, Ranked, Result


class StoredStandings:
    """The part of ports.Store that is about rankings. Hidden players are on no board.

    With `also`, a ranking is of several boards together: in it each player stands once, with the best of their games.
    """

    def __init__(self, readers: Readers) -> None:
        self._readers = readers

    async def page(
        self, board: str, as_of: int, after: Place | None, before: int, limit: int, also: Sequence[str] = ()
    ) -> list[Ranked]:
        """Results on a board that had ended by an instant, from just behind a place; `before` of them come before."""
        boards = (board, *also)
        return await self._readers.ask(lambda session: _page(session, boards, as_of, after, before, limit), moves=False)

    async def own(self, board: str, as_of: int, player: int, also: Sequence[str] = ()) -> Ranked | None:
        """A player's own result on a board, with its rank."""
        return await self._readers.ask(lambda session: _own(session, (board, *also), as_of, player), moves=False)


def _page(
    session: Session, boards: Sequence[str], as_of: int, after: Place | None, before: int, limit: int
) -> list[Ranked]:
    found: list[Row[Any]] = []
    for board in boards:
        query = _listed(board, boards, as_of).order_by(*PLACE).limit(limit)
        if after is not None:
            query = query.where(tuple_(*PLACE) > tuple_(*after))
        found += session.execute(query)
    found.sort(key=lambda row: row[: len(PLACE)])
    return [_ranked(rank, row) for rank, row in enumerate(found[:limit], before + 1)]


def _own(session: Session, boards: Sequence[str], as_of: int, player: int) -> Ranked | None:
    for board in boards:
        found = session.execute(_listed(board, boards, as_of).where(col(StandingRow.player) == player)).first()
        if found is not None:
            its = found[: len(PLACE)]
            better = sum(session.execute(_better(other, boards, as_of, its)).scalar_one() for other in boards)
            return _ranked(better + 1, found)
    return None


def _better(board: str, boards: Sequence[str], as_of: int, its: Sequence[Any]) -> Any:
    """How many stand before a place, counted in the index of ranks without a look at each player."""
    hidden = select(col(PlayerRow.key)).where(text("hidden"))
    before = select(func.count()).select_from(StandingRow).where(tuple_(*PLACE) < tuple_(*its))
    return before.where(*_ended(board, as_of), *_best_of(board, boards, as_of), col(StandingRow.player).not_in(hidden))


def _listed(board: str, boards: Sequence[str], as_of: int) -> Any:
    query = select(*PLACE, *_PLAYER, *_GAME).select_from(StandingRow)
    query = query.join(ResultRow, col(ResultRow.game) == col(StandingRow.game))
    query = query.join(PlayerRow, col(PlayerRow.key) == col(StandingRow.player))
    return query.where(*_ended(board, as_of), *_best_of(board, boards, as_of), text("NOT player.hidden"))


def _best_of(board: str, boards: Sequence[str], as_of: int) -> list[Any]:
    """That the player has no better game on one of the other boards."""
    if len(boards) == 1:
        return []
    other = aliased(StandingRow)
    better = exists().where(
        col(other.board).in_([name for name in boards if name != board]),
        col(other.player) == col(StandingRow.player),
        col(other.ended_at) <= as_of,
        tuple_(*(col(getattr(other, name)) for name in Place._fields)) < tuple_(*PLACE),
    )
    return [~better]


def _ended(board: str, as_of: int) -> tuple[Any, ...]:
    return (col(StandingRow.board) == board, col(StandingRow.ended_at) <= as_of)


def _ranked(rank: int, row: Sequence[Any]) -> Ranked:
    place, player, (game, outcome, *figures) = row[:_FROM], row[_FROM:_TO], row[_TO:]
    told = dict(zip(_FIGURES, figures, strict=True))
    return Ranked(Result(rank, Player(*player), game, outcome=Outcome(outcome), **told), Place(*place))


_FIGURES = (
    *("score", "max_tile", "moves", "active_ms", "goal_moves", "goal_active_ms"),
    *("pauses", "elapsed_ms", "reached_goal", "attempt", "ended_at", "assisted"),
)
_PLAYER = tuple(col(getattr(PlayerRow, name)) for name in ("key", "id", "name", "hidden", "bot"))
_GAME = tuple(col(getattr(ResultRow, name)) for name in ("id", "outcome", *_FIGURES))
_FROM, _TO = len(PLACE), len(PLACE) + len(_PLAYER)
