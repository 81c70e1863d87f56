"""Routes of games: create, list, look, log, record."""

from collections.abc import AsyncIterator
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from starlette.responses import Response, StreamingResponse

from twofold.game import Event
from twofold_service.api.deps import (
    CallOf,
    CurrentPlayer,
    Json,
    Key,
    MaybePlayer,
    Use,
    idempotency_key,
    signed_in,
)
from twofold_service.api.documented import NO_GAME, told
from twofold_service.errors import AttemptOpen, Busy, DailySealed, Draining, Forbidden, KeyReused, TooMany
from twofold_service.usecases.games import Wish
from twofold_service.usecases.values import CorruptRow, Header
from twofold_service.wire.encode import dumps
from twofold_service.wire.events import event_json
from twofold_service.wire.games import (
    EventsPage,
    GameOut,
    GamesPage,
    NewGameIn,
    corrupt_out,
    event_out,
    game_out,
)
from twofold_service.wire.paging import cursor_of, key_of
from twofold_service.wire.records import RawOut, RecordOut, raw_out

router = APIRouter(prefix="/games", tags=["games"])
Limit = Annotated[int, Query(ge=1, le=100)]
Status = Literal["open", "ready", "running", "paused", "won", "over"]
ModeName = Literal["classic", "sprint", "break", "moves100", "daily", "practice"]
NDJSON = "application/x-ndjson"


@router.post(
    "",
    status_code=201,
    response_model=GameOut,
    **told("createGame", "Begin a game", *NO_GAME, Forbidden, AttemptOpen, TooMany, KeyReused, Draining),
)
async def create(body: NewGameIn, player: CurrentPlayer, use: Use, call: CallOf, key: Key = None) -> Response:
    """Begin a game of a mode; `replaces` ends another of yours in the same step."""
    wish = Wish(**body.model_dump())
    view, replayed = await use.games.create(player, wish, idempotency_key(call))
    out = game_out(view, use.now())
    if replayed:
        out["replayed"] = True
    headers = {"Location": f"/v1/games/{view.header.id}", "ETag": f'"{view.game.version}"'}
    return Json(out, 201, headers)


@router.get("", response_model=GamesPage, **told("listGames", "My games"))
async def list_games(
    player: CurrentPlayer,
    use: Use,
    mode: ModeName | None = None,
    status: Status | None = None,
    limit: Limit = 20,
    cursor: str | None = None,
) -> Response:
    """Your games, newest first."""
    games, more = await use.reading.page(player, mode, status, limit, key_of(cursor))
    now = use.now()
    items = [corrupt_out(game) if isinstance(game, CorruptRow) else game_out(game, now) for game in games]
    return Json({"items": items, "next_cursor": cursor_of(more)})


@router.get("/{game_id}", response_model=GameOut, **told("getGame", "A game as it stands", *NO_GAME, DailySealed))
async def get(game_id: str, player: MaybePlayer, use: Use) -> Response:
    """A game as it stands; its version is the ETag."""
    view = await use.reading.view(game_id, player)
    return Json(game_out(view, use.now()), headers={"ETag": f'"{view.game.version}"'})


@router.get("/{game_id}/events", response_model=EventsPage, **told("getEvents", "A game's log", *NO_GAME, DailySealed))
async def events(
    game_id: str,
    player: MaybePlayer,
    use: Use,
    call: CallOf,
    after: Annotated[int, Query(ge=0, le=2**53)] = 0,
    limit: Limit = 100,
) -> Response:
    """The log after a version. With `Accept: application/x-ndjson` all of it, a line an event, and a last line."""
    if NDJSON.encode() in call.headers.get(b"accept", b""):
        header, _, stream = await use.reading.events(game_id, player, after)
        first = await anext(stream, None)  # what cannot be read is refused before a line is sent
        return StreamingResponse(_lines(header, first, stream), media_type=NDJSON)
    header, version, stream = await use.reading.events(game_id, player, after, limit)
    items = [event_out(event, daily=header.date is not None) async for event in stream]
    reached = items[-1]["version"] if items else after
    return Json({"items": items, "next_after": reached if reached < version else None})


@router.get(
    "/{game_id}/export",
    response_model=RecordOut | RawOut,
    **told("exportGame", "A game's record", *NO_GAME, DailySealed, Forbidden, Busy),
)
async def export(
    game_id: str, player: MaybePlayer, use: Use, raw: Annotated[Literal["1"] | None, Query()] = None
) -> Response:
    """The game's record, which proves itself. `raw=1`: the stored rows of your own game, readable or not."""
    if raw is not None:
        rows: RawOut = raw_out(await use.reading.raw(game_id, signed_in(player)))
        return Json(rows)
    return Json(await use.reading.export(game_id, player))


async def _lines(header: Header, first: Event | None, stream: AsyncIterator[Event]) -> AsyncIterator[bytes]:
    count = 0
    event = first
    while event is not None:
        count += 1
        yield event_json(event, daily=header.date is not None) + b"\n"
        event = await anext(stream, None)
    yield dumps({"eof": True, "count": count}) + b"\n"
