"""Routes of the daily puzzle."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from twofold_service.api.deps import CallOf, Json, MaybePlayer, Services, Use
from twofold_service.api.documented import told
from twofold_service.api.games import Limit
from twofold_service.errors import Busy, CorruptGame, DailySealed, Invalid, NotFound
from twofold_service.usecases.boards import Attempt, Order
from twofold_service.usecases.values import Day
from twofold_service.wire.daily import DailyOut, daily_out
from twofold_service.wire.paging import mark_of
from twofold_service.wire.rankings import ComparisonOut, ResultsPage, compared_out, page_out

router = APIRouter(prefix="/daily", tags=["daily"])


@router.get("", response_model=DailyOut, **told("getToday", "Today's puzzle"))
async def today(use: Use) -> Response:
    """The puzzle of the UTC date now."""
    return await _told(use, await use.daily.today())


@router.get("/{date}", response_model=DailyOut, **told("getDaily", "The puzzle of a date", Invalid, NotFound))
async def of_date(date: str, use: Use) -> Response:
    """The puzzle of a UTC date, up to a week ahead."""
    return await _told(use, await use.daily.day(date))


@router.get("/{date}/results", response_model=ResultsPage, **told("getResults", "Results of a date", Invalid, NotFound))
async def results(
    date: str,
    player: MaybePlayer,
    use: Use,
    order: Order = "score",
    attempt: Attempt = "first",
    limit: Limit = 20,
    cursor: str | None = None,
    assisted: bool = False,
    bots: bool = False,
) -> Response:
    """Who played a date how well, people or, with `bots`, bots; with your token, where you stand."""
    page = await use.rankings.results(
        date, order, attempt, limit, mark_of(cursor), player, assisted=assisted, bots=bots
    )
    return Json(page_out(page, order))


@router.get(
    "/{date}/compare",
    response_model=ComparisonOut,
    **told("compareGames", "Games side by side", Invalid, NotFound, DailySealed, CorruptGame, Busy),
)
async def compare(
    date: str, games: Annotated[str, Query(max_length=300)], player: MaybePlayer, use: Use, call: CallOf
) -> Response:
    """Two to four games of a date, move by move: how far they go together, where they part, how each went on."""
    return Json(compared_out(await use.rankings.compare(date, games.split(","), player, call.address)))


async def _told(use: Services, day: Day) -> Response:
    players, best = await use.daily.players(day.date), await use.rankings.best(day.date)
    return Json(daily_out(day, players, best, await use.pars.of_date(day.date), use.now()))
