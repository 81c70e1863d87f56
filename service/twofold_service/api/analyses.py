"""The route of analyses."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from twofold_service.api.deps import CallOf, Json, MaybePlayer, Use
from twofold_service.api.documented import NO_GAME, told
from twofold_service.api.hints import DepthAsked
from twofold_service.api.leaving import while_there
from twofold_service.errors import Busy, DailySealed, NotFinal, SolverUnavailable
from twofold_service.usecases.values import Underway
from twofold_service.wire.analyses import AnalysisOut, UnderwayOut, underway_out
from twofold_service.wire.hints import DEPTH

router = APIRouter(prefix="/games", tags=["solver"])
ASK_AGAIN = {"Retry-After": "1"}
UNDERWAY: dict[str, Any] = {
    "model": UnderwayOut,
    "description": "It is being made: how far it is.",
    "content": {
        "application/json": {
            "examples": {"running": {"summary": "running", "value": underway_out(Underway(True, 0.4))}}
        }
    },
}


def analysed() -> dict[str, Any]:
    """What the route declares."""
    options = told("getAnalysis", "A game looked over", *NO_GAME, DailySealed, NotFinal, Busy, SolverUnavailable)
    options["responses"][202] = UNDERWAY
    return options


@router.get("/{game_id}/analysis", response_model=AnalysisOut, **analysed())
async def analysis(
    game_id: str, player: MaybePlayer, request: Request, use: Use, call: CallOf, depth: DepthAsked = DEPTH
) -> Response:
    """What each move of a final game lost, and what would have been better: kept once it was made.

    While it is being made, 202 says how far it is; who watches the game over the WebSocket is told so as well. Who goes
    before an answer, or was told 202 and does not ask again within 15 seconds, lets the work end if nobody else waits.
    """
    found = await while_there(request, use.analyses.of_game(game_id, player, depth, call.address))
    if isinstance(found, Underway):
        return Json(underway_out(found), 202, ASK_AGAIN)
    return Response(found, media_type="application/json")
