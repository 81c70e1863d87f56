"""Rankings read from storage: pages of a board, and one player's place on it."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select, tuple_
from sqlmodel import Session, col, func, text

from twofold.game import Outcome
from twofold_service.storage.readers import Readers
from twofold_service.storage.standings import PLACE
from twofold_service.storage.tables import PlayerRow, ResultRow, StandingRow
from twofold_service.usecases.boards import Place
from twofold_service.usecases.values import Player, Ranked, Result


class StoredStandings:
    """The part of ports.Store that is about rankings. Hidden players are on no board."""

    def __init__(self, readers: Readers) -> None:
        self._readers = readers

    async def page(self, board: str, as_of: int, after: Place | None, before: int, limit: int) -> list[Ranked]:
        """Results on a board that had ended by an instant, from just behind a place; `before` of them come before."""
        return await self._readers.ask(lambda session: _page(session, board, as_of, after, before, limit), moves=False)

    async def own(self, board: str, as_of: int, player: int) -> Ranked | None:
        """A player's own result on a board, with its rank."""
        return await self._readers.ask(lambda session: _own(session, board, as_of, player), moves=False)


def _page(session: Session, board: str, as_of: int, after: Place | None, before: int, limit: int) -> list[Ranked]:
    query = _listed(board, as_of).order_by(*PLACE).limit(limit)
    if after is not None:
        query = query.where(tuple_(*PLACE) > tuple_(*after))
    return [_ranked(rank, row) for rank, row in enumerate(session.execute(query), before + 1)]


def _own(session: Session, board: str, as_of: int, player: int) -> Ranked | None:
    found = session.execute(_listed(board, as_of).where(col(StandingRow.player) == player)).first()
    if found is None:
        return None
    better = session.execute(_better(board, as_of, found[: len(PLACE)])).scalar_one()
    return _ranked(better + 1, found)


def _better(board: str, as_of: int, its: Sequence[Any]) -> Any:
    """How many stand before a place, counted in the index of ranks without a look at each player."""
    hidden = select(col(PlayerRow.key)).where(text("hidden"))
    before = select(func.count()).select_from(StandingRow).where(*_ended(board, as_of), tuple_(*PLACE) < tuple_(*its))
    return before.where(col(StandingRow.player).not_in(hidden))


def _listed(board: str, as_of: int) -> Any:
    query = select(*PLACE, *_PLAYER, *_GAME).select_from(StandingRow)
    query = query.join(ResultRow, col(ResultRow.game) == col(StandingRow.game))
    query = query.join(PlayerRow, col(PlayerRow.key) == col(StandingRow.player))
    return query.where(*_ended(board, as_of), text("NOT player.hidden"))


def _ended(board: str, as_of: int) -> tuple[Any, ...]:
    return (col(StandingRow.board) == board, col(StandingRow.ended_at) <= as_of)


def _ranked(rank: int, row: Sequence[Any]) -> Ranked:
    place, player, (game, outcome, *figures) = row[:_FROM], row[_FROM:_TO], row[_TO:]
    told = dict(zip(_FIGURES, figures, strict=True))
    return Ranked(Result(rank, Player(*player), game, outcome=Outcome(outcome), **told), Place(*place))


_FIGURES = (
    *("score", "max_tile", "moves", "active_ms", "goal_moves", "goal_active_ms"),
    *("pauses", "elapsed_ms", "reached_goal", "attempt", "ended_at"),
)
_PLAYER = tuple(col(getattr(PlayerRow, name)) for name in ("key", "id", "name", "hidden"))
_GAME = tuple(col(getattr(ResultRow, name)) for name in ("id", "outcome", *_FIGURES))
_FROM, _TO = len(PLACE), len(PLACE) + len(_PLAYER)
