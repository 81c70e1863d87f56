"""Routes of the rules alone, without a game: the modes, and what a direction does to a board."""

from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from twofold.board import Direction, cells_of, rows_of, shift
from twofold.errors import InvalidBoard
from twofold_service.api.deps import Json
from twofold_service.api.documented import told
from twofold_service.errors import Invalid
from twofold_service.wire.games import SlidesAsked, SlidesIn, SlidesOut, slides_out
from twofold_service.wire.modes import ModesOut, modes_out

router = APIRouter(tags=["rules"])
MOST_SLIDES = 256


@router.get("/modes", response_model=ModesOut, **told("listModes", "Modes and their options"))
async def modes() -> Response:
    """The modes and the options each leaves open; the first option is the default."""
    return Json(modes_out())


@router.post("/slides", response_model=SlidesOut | list[SlidesOut], **told("computeSlides", "Push a board"))
async def slides(body: SlidesAsked) -> Response:
    """What a direction does to a board, before the spawn; or the same for up to 256 of them."""
    if isinstance(body, SlidesIn):
        return Json(push(body, ("body",)))
    if len(body) > MOST_SLIDES:
        raise Invalid(errors=[(("body",), f"a list has at most {MOST_SLIDES} boards")])
    return Json([push(asked, ("body", place)) for place, asked in enumerate(body)])


def push(asked: SlidesIn, place: tuple[str | int, ...]) -> dict[str, Any]:
    """What one push does; Invalid, naming the place in the body, for what is no board."""
    try:
        size, cells = cells_of(asked.board)
    except InvalidBoard as error:
        raise Invalid(errors=[((*place, "board"), str(error))]) from error
    pushed = shift(size, cells, Direction(asked.direction))
    if pushed is None:
        return {"board": rows_of(size, cells), "moved": False, "score_delta": 0, "slides": []}
    board = rows_of(size, pushed.cells)
    return {"board": board, "moved": True, "score_delta": pushed.gain, "slides": slides_out(pushed.slides)}
