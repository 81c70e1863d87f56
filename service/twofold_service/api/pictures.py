"""Routes of pictures: a game's position as SVG and PNG, its path as GIF."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Header, Query
from fastapi.routing import APIRouter
from starlette.responses import Response

from twofold_service.api.deps import CallOf, MaybePlayer, Services, Use
from twofold_service.api.documented import NO_GAME, told
from twofold_service.api.door import Call
from twofold_service.errors import Busy, DailySealed
from twofold_service.usecases.pictures import Kind, Sight
from twofold_service.usecases.values import Player

router = APIRouter(prefix="/games", tags=["pictures"])
POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"
A_DAY = 86_400
"""How long a picture of a named version is kept without asking: it never changes, but its player may go."""


class Svg(Response):
    media_type = "image/svg+xml"


class Png(Response):
    media_type = "image/png"


class Gif(Response):
    media_type = "image/gif"


@dataclass(frozen=True, slots=True)
class Asked:
    """Which game, at which version, by whom, and the tags of what the caller holds."""

    game: str
    player: Player | None
    version: int | None
    held: frozenset[str]
    call: Call
    services: Services


async def asked(
    game_id: str,
    player: MaybePlayer,
    use: Use,
    call: CallOf,
    version: Annotated[int | None, Query(ge=1, le=2**53)] = None,
    if_none_match: Annotated[str | None, Header(alias="If-None-Match")] = None,
) -> Asked:
    held = frozenset(tag.strip().removeprefix("W/") for tag in (if_none_match or "").split(","))
    return Asked(game_id, player, version, held, call, use)


AskedOf = Annotated[Asked, Depends(asked)]


def pictured(operation_id: str, summary: str, *failures: Any) -> dict[str, Any]:
    """What all pictures declare."""
    options = told(operation_id, summary, *NO_GAME, DailySealed, *failures)
    options["responses"][304] = {"description": "The picture you hold is still the one."}
    return options


@router.get("/{game_id}/board.svg", response_class=Svg, **pictured("drawBoardSvg", "The position as SVG"))
async def board_svg(asked: AskedOf) -> Response:
    """The board with score and mode, of any size you like, and in words for those who do not see it."""
    return await _picture("board.svg", asked, Svg)


@router.get("/{game_id}/board.png", response_class=Png, **pictured("drawBoardPng", "The position as PNG", Busy))
async def board_png(asked: AskedOf) -> Response:
    """The board with score and mode, about 1080 pixels wide."""
    return await _picture("board.png", asked, Png)


@router.get("/{game_id}/replay.gif", response_class=Gif, **pictured("drawReplay", "The game as a GIF", Busy))
async def replay_gif(asked: AskedOf) -> Response:
    """The path to the position, moves that were taken back left out: at most 600 frames, evenly chosen, the first and
    the last among them."""
    return await _picture("replay.gif", asked, Gif)


async def _picture(kind: Kind, asked: Asked, answer: type[Response]) -> Response:
    sight = await asked.services.pictures.look(asked.game, asked.player, asked.version)
    headers = {"ETag": f'"{sight.tag}"', "Cache-Control": _caching(sight, named=asked.version is not None)}
    if asked.held & {headers["ETag"], "*"}:
        return Response(status_code=304, headers=headers)
    if answer is Svg:
        headers["Content-Security-Policy"] = POLICY
    return answer(await asked.services.pictures.draw(kind, sight, asked.call.address), headers=headers)


def _caching(sight: Sight, *, named: bool) -> str:
    """The game as it stands is asked for each time; what only some may see stays out of shared caches."""
    whose = "public" if sight.public else "private"
    return f"{whose}, max-age={A_DAY}, immutable" if named else f"{whose}, no-cache"
