"""The route of the leaderboards."""

from fastapi import APIRouter
from starlette.responses import Response

from twofold_service.api.deps import Json, MaybePlayer, Use
from twofold_service.api.documented import told
from twofold_service.api.games import Limit, ModeName
from twofold_service.errors import Invalid
from twofold_service.usecases.boards import Period
from twofold_service.wire.paging import mark_of
from twofold_service.wire.rankings import ResultsPage, page_out

router = APIRouter(prefix="/leaderboards", tags=["leaderboards"])


@router.get("", response_model=ResultsPage, **told("getLeaderboard", "A leaderboard", Invalid))
async def leaderboard(
    mode: ModeName,
    player: MaybePlayer,
    use: Use,
    size: int | None = None,
    undo_limit: int | None = None,
    period: Period = "all",
    limit: Limit = 20,
    cursor: str | None = None,
    assisted: bool = False,
    bots: bool = False,
) -> Response:
    """The best finished game of each player in a category, of the UTC day, ISO week or month that lasts, or of all.

    People's; with `bots`, those of bots.
    """
    page = await use.rankings.leaderboard(
        mode, size, undo_limit, period, limit, mark_of(cursor), player, assisted=assisted, bots=bots
    )
    return Json(page_out(page, "score"))
