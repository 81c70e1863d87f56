"""JSON of failures: problem documents (RFC 9457), the same over REST and live."""

from typing import NotRequired

from typing_extensions import TypedDict

from twofold_service.errors import ServiceError
from twofold_service.wire.games import GameOut, game_out

MEDIA_TYPE = "application/problem+json"


class FieldError(TypedDict):
    loc: list[str | int]
    msg: str


class Problem(TypedDict):
    """What went wrong: `code` is stable; `errors` names the fields at fault; `game` is as it stands now."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    retryable: bool
    request_id: str
    errors: NotRequired[list[FieldError]]
    game: NotRequired[GameOut]


def problem(error: ServiceError, request_id: str, now: int) -> Problem:
    out: Problem = {
        "type": f"/docs/problems#{error.code}",
        "title": error.title,
        "status": error.status,
        "code": error.code,
        "detail": error.detail,
        "retryable": error.retryable,
        "request_id": request_id,
    }
    if error.errors:
        out["errors"] = [{"loc": list(loc), "msg": message} for loc, message in error.errors]
    if error.game is not None:
        out["game"] = game_out(error.game, now)
    return out
