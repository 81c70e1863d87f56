"""Routes of the daily puzzle."""

from fastapi import APIRouter
from starlette.responses import Response

from twofold_service.api.deps import Json, Services, Use
from twofold_service.api.documented import told
from twofold_service.errors import Invalid, NotFound
from twofold_service.usecases.ports import Day
from twofold_service.wire.daily import DailyOut, daily_out

router = APIRouter(prefix="/daily", tags=["daily"])


@router.get("", response_model=DailyOut, **told("getToday", "Today's puzzle"))
async def today(use: Use) -> Response:
    """The puzzle of the UTC date now."""
    return await _told(use, await use.daily.today())


@router.get("/{date}", response_model=DailyOut, **told("getDaily", "The puzzle of a date", Invalid, NotFound))
async def of_date(date: str, use: Use) -> Response:
    """The puzzle of a UTC date, up to a week ahead."""
    return await _told(use, await use.daily.day(date))


async def _told(use: Services, day: Day) -> Response:
    players, best = await use.daily.standing(day.date)
    return Json(daily_out(day, players, best, use.now()))
