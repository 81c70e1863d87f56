"""The route that checks records."""

from fastapi import APIRouter
from starlette.responses import Response

from twofold_service.api.deps import CallOf, Json, MaybePlayer, Use
from twofold_service.api.documented import told
from twofold_service.errors import Busy, Invalid
from twofold_service.wire.records import VerifiedOut, verified_out

router = APIRouter(tags=["records"])


@router.post(
    "/verify",
    response_model=VerifiedOut,
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/RecordOut"}}},
        }
    },
    **told("verifyRecord", "Prove a game", Invalid, Busy),
)
async def verify(call: CallOf, player: MaybePlayer, use: Use) -> Response:
    """Replay a record, check every figure of it, and say whether the game was played here."""
    return Json(verified_out(await use.reading.verify(call.body, player, call.address)))
