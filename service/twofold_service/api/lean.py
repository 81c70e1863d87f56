"""The lean route: a command's request answered without FastAPI's request machinery, documented by it all the same.

FastAPI reads the endpoint's signature for the OpenAPI document. A request itself is read here: the body by the model
the endpoint names, the caller from the header, the version from `If-Match`; nothing is validated twice.
"""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import Depends, Header
from fastapi.routing import APIRoute
from pydantic import ValidationError

from twofold_service.api.deps import Key, Services, caller, idempotency_key, signed_in
from twofold_service.api.door import Call, Receive, Scope, Send
from twofold_service.api.problems import invalid, respond
from twofold_service.errors import Invalid, StaleVersion
from twofold_service.usecases.values import Player
from twofold_service.wire.encode import dumps
from twofold_service.wire.games import CommandIn


class Order:
    """A command's circumstances: whose, on which game, at which version, when, and under which key."""

    __slots__ = ("arrived", "body", "game", "key", "matched", "player", "services")

    def __init__(self, services: Services, call: Call, game: str, player: Player, body: CommandIn) -> None:
        self.services = services
        self.game = game
        self.player = player
        self.body = body
        self.arrived = call.arrived
        self.key = idempotency_key(call)
        self.matched = _matched(call)
        if self.matched is not None and body.version not in (None, self.matched):
            raise Invalid(errors=[(("body", "version"), "differs from If-Match")])

    @property
    def version(self) -> int | None:
        return self.body.version if self.matched is None else self.matched


def _documented(
    game_id: str,
    key: Key = None,
    if_match: Annotated[str | None, Header(alias="If-Match")] = None,
) -> Order:
    raise RuntimeError("a lean route makes its orders itself")


OrderOf = Annotated[Order, Depends(_documented)]
Endpoint = Callable[..., Awaitable[Any]]


class LeanRoute(APIRoute):
    """A route whose endpoint takes `order` and `body`."""

    def __init__(self, path: str, endpoint: Endpoint, **options: Any) -> None:
        super().__init__(path, endpoint, **options)
        self.model: type[CommandIn] = endpoint.__annotations__["body"]
        self.app = self.answer

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        call: Call = scope["state"]["call"]
        services: Services = scope["state"]["services"]
        player = signed_in(await caller(services, call))
        game = scope["path_params"]["game_id"]
        try:
            order = self._order(services, call, game, player)
        except Invalid:
            await services.reading.own(game, player)  # whose game it is comes before what is wrong with the command
            raise
        try:
            answer = await self.endpoint(order=order, body=order.body)
        except StaleVersion as stale:
            if order.matched is not None:
                stale.status = 412
            raise
        etag = (b"etag", b'"%d"' % answer["game"]["version"])
        await respond(send, 200, [(b"content-type", b"application/json"), etag], dumps(answer))

    def _order(self, services: Services, call: Call, game: str, player: Player) -> Order:
        try:
            body = self.model.model_validate_json(call.body or b"{}")
        except ValidationError as error:
            raise invalid(error, "body") from error
        return Order(services, call, game, player, body)


def _matched(call: Call) -> int | None:
    """The version in If-Match; `*` matches any."""
    header = call.headers.get(b"if-match")
    if header is None or header.strip() == b"*":
        return None
    text = header.strip().decode("latin-1")
    number = text.strip('"')
    if text != f'"{number}"' or not number.isdecimal() or not number.isascii() or len(number) > 16:
        raise Invalid(errors=[(("header", "If-Match"), 'one version in quotes is expected, like "7"')])
    return int(number)
