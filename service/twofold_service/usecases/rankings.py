"""Rankings: pages of a board that fit together, one's own rank, and games of one date side by side."""

import asyncio
from typing import Any

from twofold.board import max_tile
from twofold.clock import MS
from twofold.compare import FEWEST, MOST, Comparison, compare
from twofold.errors import InvalidOption, NotComparable
from twofold.parse import parse
from twofold.rules import MODES
from twofold_service.errors import Invalid
from twofold_service.usecases.boards import Attempt, Mark, Order, Period, daily_board, leaderboard, of_bots, with_hints
from twofold_service.usecases.daily import Daily
from twofold_service.usecases.ports import Desk, Now, StandingStore
from twofold_service.usecases.reading import Reading
from twofold_service.usecases.values import Compared, GameView, Page, Player, Ranked, Result


class Rankings:
    """Answers who stands where. Nothing here writes."""

    def __init__(self, standings: StandingStore, daily: Daily, reading: Reading, desk: Desk, now: Now) -> None:
        self._standings = standings
        self._daily = daily
        self._reading = reading
        self._desk = desk
        self._now = now

    async def results(
        self,
        date: str,
        order: Order,
        attempt: Attempt,
        limit: int,
        mark: Mark | None,
        viewer: Player | None,
        *,
        assisted: bool = False,
        bots: bool = False,
    ) -> Page:
        """The results of a daily puzzle, people's or those of `bots`; where `assisted` ones are asked for, those of
        games with hints among them."""
        day = await self._daily.day(date)
        board = daily_board(day.date, attempt, order)
        return await self._page(board, limit, mark, viewer, assisted=assisted, bots=bots)

    async def best(self, date: str) -> Result | None:
        """The best first attempt of people at a date so far."""
        found = await self._standings.page(daily_board(date, "first", "score"), self._now(), None, 0, 1)
        return found[0].result if found else None

    async def leaderboard(
        self,
        mode: str,
        size: int | None,
        undo_limit: int | None,
        period: Period,
        limit: int,
        mark: Mark | None,
        viewer: Player | None,
        *,
        assisted: bool = False,
        bots: bool = False,
    ) -> Page:
        """The best finished game of each player in a category, of those that ended in the period that lasts now.

        People's, or those of `bots`. Games with hints are among them where `assisted` ones are asked for.
        """
        played = MODES[mode]
        try:
            category = played.category(played.rules(size, undo_limit))
        except InvalidOption as error:
            raise Invalid(errors=[(("query", error.field), str(error))]) from error
        if category is None:
            raise Invalid(errors=[(("query", "mode"), f"{mode} is in no ranking")])
        as_of = self._now() if mark is None else mark.as_of
        board = leaderboard(category, period, as_of)
        return await self._page(board, limit, mark, viewer, assisted=assisted, bots=bots)

    async def compare(self, date: str, games: list[str], viewer: Player | None, address: str) -> Compared:
        """Two to four games of a date side by side; Invalid for others, DailySealed for who is still to play."""
        day = await self._daily.day(date)
        if not FEWEST <= len(games) <= MOST or len(set(games)) < len(games):
            raise Invalid(errors=[(("query", "games"), f"{FEWEST} to {MOST} different games are compared")])
        views = [await self._reading.view(game, viewer) for game in games]
        for view in views:
            if view.header.date != day.date:
                raise Invalid(errors=[(("query", "games"), f"{view.header.id} is no game of {day.date}")])
        records = [await self._reading.export(game, viewer) for game in games]
        try:
            comparison: Comparison = await self._desk.do(address, compare_documents, records)
        except NotComparable as error:
            raise Invalid(errors=[(("query", "games"), str(error))]) from error
        results = await asyncio.gather(*[self._result(view) for view in views])
        return Compared(day.date, list(results), comparison)

    async def _page(
        self, board: str, limit: int, mark: Mark | None, viewer: Player | None, *, assisted: bool, bots: bool
    ) -> Page:
        board = of_bots(board) if bots else board
        as_of = self._now() if mark is None else mark.as_of
        before = 0 if mark is None else mark.before
        also = [with_hints(board)] if assisted else []
        found = await self._standings.page(board, as_of, mark.place if mark else None, before, limit + 1, also)
        own = None if viewer is None else await self._standings.own(board, as_of, viewer.key, also)
        shown = found[:limit]
        following = Mark(as_of, before + limit, shown[-1].place) if len(found) > limit else None
        return Page(as_of, [ranked.result for ranked in shown], following, own.result if own else None)

    async def _result(self, view: GameView) -> Result:
        """The game as the date's first attempts rank it; one that is not over, or is on no list, has no rank."""
        header, game = view.header, view.game
        if game.over and header.date is not None and header.attempt == 1:
            board = daily_board(header.date, "first", "score")
            board = of_bots(board) if header.player.bot else board
            ranked: Ranked | None = await self._standings.own(board, self._now(), header.player.key)
            if ranked is not None and ranked.result.game == header.id:
                return ranked.result
        return unranked(view, self._now())


def unranked(view: GameView, now: int) -> Result:
    """A game in the shape of a result."""
    header, game = view.header, view.game
    position = game.position
    return Result(
        rank=None,
        player=header.player,
        game=header.id,
        score=position.score,
        max_tile=max_tile(position.cells),
        moves=position.moves,
        active_ms=game.clock.active(now) // MS,
        goal_moves=position.goal_moves,
        goal_active_ms=None if position.goal_active is None else position.goal_active // MS,
        pauses=game.pauses,
        elapsed_ms=game.elapsed_ms,
        outcome=game.outcome,
        reached_goal=position.reached_goal,
        attempt=header.attempt,
        ended_at=game.ended_at,
        assisted=header.assisted,
    )


def compare_documents(documents: list[dict[str, Any]]) -> Comparison:
    """The games of some records side by side; a pure function that can run in another process."""
    return compare([parse(document) for document in documents])
