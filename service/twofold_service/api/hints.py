"""Routes of hints."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from twofold.errors import GameOver
from twofold_service.api.deps import CallOf, CurrentPlayer, Json, Use
from twofold_service.api.documented import NO_GAME, told
from twofold_service.api.leaving import while_there
from twofold_service.errors import Busy, Forbidden, SolverUnavailable
from twofold_service.wire.hints import (
    DEPTH,
    MAX_DEPTH,
    MIN_DEPTH,
    GameHintOut,
    HintIn,
    HintOut,
    game_hint_out,
    hint_out,
)

router = APIRouter(tags=["solver"])
DepthAsked = Annotated[int, Query(ge=MIN_DEPTH, le=MAX_DEPTH)]


@router.post("/hints", response_model=HintOut, **told("getHint", "What a board is worth", Busy, SolverUnavailable))
async def of_board(body: HintIn, request: Request, use: Use, call: CallOf) -> Response:
    """What each direction of a board is worth, and the best of them. No game knows of it."""
    hint = await while_there(request, use.hints.of_board(body.board, body.depth, call.address))
    return Json(hint_out(hint))


@router.get(
    "/games/{game_id}/hint",
    response_model=GameHintOut,
    **told("getGameHint", "A hint", *NO_GAME, Forbidden, GameOver, Busy, SolverUnavailable),
)
async def of_game(
    game_id: str, player: CurrentPlayer, request: Request, use: Use, call: CallOf, depth: DepthAsked = DEPTH
) -> Response:
    """What each direction of your own game is worth as it stands.

    Time goes on meanwhile. From then on the game is `assisted`: it counts in those rankings alone that ask for such.
    """
    view, hint = await while_there(request, use.hints.of_game(game_id, player, depth, call.address))
    return Json(game_hint_out(view, hint))
