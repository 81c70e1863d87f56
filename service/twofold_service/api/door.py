"""The door: what happens to every HTTP request before a route sees it and to every answer after.

A request gets an id, an address and an instant of arrival (its body has been read); rates and sizes are looked at;
whatever goes wrong leaves as a problem document. The commands of a game go straight to their routes from here.
"""

import logging
import time
from collections.abc import Awaitable, Callable, MutableMapping
from itertools import count
from typing import Any

from twofold_service.api.addresses import Addresses
from twofold_service.api.limits import Rates
from twofold_service.api.problems import problem_response, respond
from twofold_service.counting import Requests
from twofold_service.errors import Internal, Invalid, ServiceError, TooLarge, UnsupportedMedia
from twofold_service.loglines import CURRENT
from twofold_service.usecases.ports import Now, RandomBytes

log = logging.getLogger("twofold.http")
Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]
Header = tuple[bytes, bytes]

UNCOUNTED = ("/healthz", "/readyz", "/metrics")
MARKING = "/hint"
"""The end of the one path whose GET changes something: a HEAD of it does not (RFC 9110, section 9.2.1)."""
NOWHERE = "none"
"""The route of a request that came to none."""


class Call:
    """What the door knows of a request; the ids of its game and its player are told by its route."""

    __slots__ = ("address", "arrived", "body", "game", "headers", "id", "peer", "player", "route")

    def __init__(self, id_: str, headers: dict[bytes, bytes], peer: str, address: str) -> None:
        self.id = id_
        self.headers = headers
        self.peer = peer
        self.address = address
        self.arrived = 0
        self.body = b""
        self.route = NOWHERE
        self.game = self.player = ""


class Door:
    """Wraps the app, whose routes find `services` in the request's state.

    `hot` has the routes that are reached without the app, by the last part of a game's path.
    """

    def __init__(
        self,
        app: Asgi,
        services: object,
        hot: dict[str, Asgi],
        counts: Requests,
        *,
        now: Now,
        random: RandomBytes,
        rates: Rates,
        addresses: Addresses,
        body_limit: Callable[[str], int],
    ) -> None:
        self._app = app
        self._services = services
        self._hot = {verb: (route, f"/v1/games/{{game_id}}/{verb}") for verb, route in hot.items()}
        self._counts = counts
        self._now = now
        self._rates = rates
        self._addresses = addresses
        self._body_limit = body_limit
        self._ids = (f"{random(6).hex()}{number:x}" for number in count(1))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        peer = scope["client"][0] if scope.get("client") else ""
        call = Call(next(self._ids), headers, peer, self._addresses.of(peer, headers))
        scope["state"] = {"call": call, "services": self._services}
        CURRENT.set(call)
        began, status = time.monotonic(), 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (b"x-request-id", call.id.encode()), *_always(message)]
            await send(message)

        try:
            await self._enter(scope, call, receive, sending)
        except ServiceError as error:
            await respond(sending, *problem_response(error, call.id, self._now()))
        except Exception:
            log.exception("a request failed")
            if not status:
                await respond(sending, *problem_response(Internal(), call.id, self._now()))
        finally:
            if status:
                self._counts.answer(scope["method"], call.route, status, time.monotonic() - began)
                log.debug("%s %s: %d", scope["method"], call.route, status)

    async def _enter(self, scope: Scope, call: Call, receive: Receive, send: Send) -> None:
        path = scope["path"]
        if path not in UNCOUNTED:
            self._rates.count_address(call.address)
        if scope["method"] in ("POST", "PATCH", "PUT", "DELETE"):
            call.body = await self._read(scope, receive)
            kind = call.headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
            if call.body and kind != b"application/json":
                raise UnsupportedMedia
        elif scope["method"] == "HEAD" and not path.endswith(MARKING):
            # what GET answers; the server below, which sees its own scope, sends no body
            scope = {**scope, "method": "GET"}
        call.arrived = self._now()
        route = self._route(scope, path, call)
        if route is not None:
            await route(scope, receive, send)
            return
        replay = [{"type": "http.request", "body": call.body, "more_body": False}]

        async def receiving() -> Message:
            return replay.pop() if replay else await receive()

        try:
            await self._app(scope, receiving, send)
        finally:
            _note_route(scope, call)

    def _route(self, scope: Scope, path: str, call: Call) -> Asgi | None:
        """The route of a command on a game, where the path is one."""
        if scope["method"] != "POST" or not path.startswith("/v1/games/"):
            return None
        game, _, verb = path[len("/v1/games/") :].partition("/")
        route, template = self._hot.get(verb, (None, NOWHERE))
        if route is not None:
            scope["path_params"] = {"game_id": game}
            call.route, call.game = template, game
        return route

    async def _read(self, scope: Scope, receive: Receive) -> bytes:
        limit = self._body_limit(scope["path"])
        body = b""
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise Invalid("The request ended before its body.")
            body += bytes(message.get("body", b""))
            if len(body) > limit:
                raise TooLarge(f"This path takes bodies of up to {limit} bytes.")
            if not message.get("more_body", False):
                return body


def _note_route(scope: Scope, call: Call) -> None:
    """What the app's routing has found: a template, never the path itself."""
    route = scope.get("route")
    if route is not None:
        call.game = scope["path_params"].get("game_id", "")
        call.route = ("/v1" if scope["path"].startswith("/v1/") else "") + route.path


def _always(message: Message) -> tuple[Header, ...]:
    """What every answer says; that it is not to be stored, and loads nothing, where it does not say otherwise."""
    said = dict(message["headers"])
    return (*_ALWAYS, *[header for header in _ELSE if header[0] not in said])


_ALWAYS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", b"ETag, Location, Retry-After, X-Request-Id"),
)
_ELSE = (
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
)
