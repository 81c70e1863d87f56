"""Routes of players: made without an account, on several devices."""

from fastapi import APIRouter
from starlette.responses import Response

from twofold.clock import rfc3339
from twofold_service.api.deps import NO_KEY, CallOf, CurrentPlayer, Json, Use
from twofold_service.api.documented import told
from twofold_service.errors import NotFound
from twofold_service.wire.games import PlayerOut, player_out
from twofold_service.wire.players import (
    LinkIn,
    LinkOut,
    NewPlayerOut,
    PlayerIn,
    RecordsOut,
    RenameIn,
    TokenIn,
    TokenOut,
    records_out,
)

router = APIRouter(prefix="/players", tags=["players"], dependencies=[NO_KEY])


@router.post("", status_code=201, response_model=NewPlayerOut, **told("createPlayer", "Become a player"))
async def create(use: Use, call: CallOf, body: PlayerIn | None = None) -> Response:
    """A new player, no account needed; the token is told only now. A program says that it is a `bot`, for good."""
    use.rates.count_new_player(call.address)
    wish = body or PlayerIn()
    player, token = await use.players.create(wish.name, bot=wish.bot)
    return Json({"player": player_out(player), "token": token}, 201)


@router.get("/me", response_model=PlayerOut, **told("getMe", "Who am I"))
async def me(player: CurrentPlayer) -> Response:
    """Who you are."""
    return Json(player_out(player))


@router.patch("/me", response_model=PlayerOut, **told("renameMe", "Take another name"))
async def rename(body: RenameIn, player: CurrentPlayer, use: Use) -> Response:
    """Another name, or none."""
    return Json(player_out(await use.players.rename(player, body.name)))


@router.delete("/me", status_code=204, **told("deleteMe", "Delete me and my games"))
async def delete(player: CurrentPlayer, use: Use) -> Response:
    """You and all your games are gone, at once and for good."""
    await use.players.delete(player)
    return Response(status_code=204)


@router.post("/me/token", response_model=TokenOut, **told("createToken", "Change the token"))
async def new_token(player: CurrentPlayer, use: Use, body: TokenIn | None = None) -> Response:
    """A new token; yours goes on until the new one is used, at most a minute."""
    return Json({"token": await use.players.new_token(player, others=body is not None and body.others)})


@router.post("/me/link", response_model=LinkOut, **told("createLink", "Link another device"))
async def new_link(player: CurrentPlayer, use: Use) -> Response:
    """A one-time code that makes another device yours, for ten minutes."""
    code, expires_at = await use.players.new_link(player)
    return Json({"code": code, "expires_at": rfc3339(expires_at)})


@router.post("/link", response_model=NewPlayerOut, **told("useLink", "Be the player of a link", NotFound))
async def use_link(body: LinkIn, use: Use, call: CallOf) -> Response:
    """Become the player who made the code."""
    player, token = await use.players.use_link(body.code, call.address)
    return Json({"player": player_out(player), "token": token})


@router.get("/me/records", response_model=RecordsOut, **told("getRecords", "My bests and sums"))
async def records(player: CurrentPlayer, use: Use) -> Response:
    """Your bests and sums, by category and in total."""
    return Json(records_out(*await use.players.records(player)))
