"""What routes are given: the use cases, and who calls."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Header, Request
from starlette.responses import Response

from twofold_service.api.door import Call
from twofold_service.api.limits import Rates
from twofold_service.errors import Invalid, Unauthorized
from twofold_service.usecases.analyses import Analyses
from twofold_service.usecases.daily import Daily
from twofold_service.usecases.games import Games
from twofold_service.usecases.hints import Hints
from twofold_service.usecases.pars import Pars
from twofold_service.usecases.pictures import Pictures
from twofold_service.usecases.play import Play
from twofold_service.usecases.players import Players
from twofold_service.usecases.ports import Now
from twofold_service.usecases.rankings import Rankings
from twofold_service.usecases.reading import Reading
from twofold_service.usecases.values import Player
from twofold_service.wire.encode import dumps


@dataclass(slots=True)
class Services:
    """The use cases behind the routes, as app.py puts them together."""

    players: Players
    games: Games
    reading: Reading
    play: Play
    daily: Daily
    rankings: Rankings
    pictures: Pictures
    hints: Hints
    analyses: Analyses
    pars: Pars
    rates: Rates
    now: Now


class Json(Response):
    """An answer of plain values, encoded once."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return dumps(content)


def call_of(request: Request) -> Call:
    call: Call = request.state.call
    return call


def services_of(request: Request) -> Services:
    services: Services = request.state.services
    return services


async def caller(services: Services, call: Call) -> Player | None:
    """The player of the request's token, None without one; Unauthorized for a wrong one, RateLimited."""
    header = call.headers.get(b"authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(b" ")
    if scheme.lower() != b"bearer" or not token:
        raise Unauthorized("The Authorization header is written: Bearer <token>.")
    text = token.strip().decode("latin-1")
    player = services.players.known(text) or await services.players.by_token(text)
    call.player = player.id
    services.rates.count_player(player.key)
    return player


async def maybe_player(request: Request) -> Player | None:
    return await caller(services_of(request), call_of(request))


async def current_player(request: Request) -> Player:
    return signed_in(await caller(services_of(request), call_of(request)))


def signed_in(player: Player | None) -> Player:
    if player is None:
        raise Unauthorized
    return player


def idempotency_key(call: Call) -> str | None:
    """The request's Idempotency-Key, None without one; Invalid for what is none."""
    header = call.headers.get(b"idempotency-key")
    if header is None:
        return None
    key = header.decode("latin-1")
    if not is_key(key):
        raise Invalid(errors=[(("header", "Idempotency-Key"), "a key has 1 to 64 printable ASCII characters")])
    return key


def is_key(key: str) -> bool:
    return 1 <= len(key) <= 64 and key.isascii() and key.isprintable()


async def no_key(request: Request) -> None:
    if b"idempotency-key" in call_of(request).headers:
        raise Invalid(errors=[(("header", "Idempotency-Key"), "calls about players take no key")])


async def call(request: Request) -> Call:
    return call_of(request)


async def services(request: Request) -> Services:
    return services_of(request)


# coroutines, because a plain function would be called in a thread of its own
CallOf = Annotated[Call, Depends(call)]
Use = Annotated[Services, Depends(services)]
MaybePlayer = Annotated[Player | None, Depends(maybe_player)]
CurrentPlayer = Annotated[Player, Depends(current_player)]
NO_KEY = Depends(no_key)
Key = Annotated[str | None, Header(alias="Idempotency-Key", max_length=64)]
