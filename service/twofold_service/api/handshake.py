"""The handshake of a socket: who may open one, and what everybody else is told."""

from typing import Any

from websockets.http11 import Request, Response
from websockets.server import ServerProtocol

from twofold_service.api.live import Connection, Shared
from twofold_service.errors import Draining, Forbidden, NotFound, ServiceError
from twofold_service.wire import session
from twofold_service.wire.encode import dumps

PATH = "/v1/ws"


def subprotocol(_: ServerProtocol, offered: Any) -> Any:
    """Which of the subprotocols offered is spoken."""
    return session.PROTOCOL if session.PROTOCOL in offered else None


def shake_hands(ws: ServerProtocol, request: Request, peer: str, connection: Connection, shared: Shared) -> Response:
    """What is answered: status 101 where the socket opens; the connection is closed where the library refuses it."""
    headers = {name.lower().encode("latin-1"): value.encode("latin-1") for name, value in request.headers.raw_items()}
    connection.address = shared.addresses.of(peer, headers)
    try:
        _check(request, shared)
        shared.live.open(connection)
    except ServiceError as error:
        return _rejection(ws, connection, error)
    response = ws.accept(request)
    if response.status_code != 101:
        response.headers["Sec-WebSocket-Version"] = "13"  # RFC 6455, section 4.4
        connection.close()
    return response


def speaks_another(ws: ServerProtocol, request: Request) -> bool:
    """Whether subprotocols were offered, and ours is not among them."""
    return not ws.subprotocol and "Sec-WebSocket-Protocol" in request.headers


def _check(request: Request, shared: Shared) -> None:
    if request.path.partition("?")[0] != PATH:
        raise NotFound(f"WebSockets are served at {PATH}.")
    if shared.draining:
        raise Draining
    own = {f"{scheme}://{host}" for host in request.headers.get_all("Host") for scheme in ("http", "https")}
    if not (own | shared.origins).issuperset(request.headers.get_all("Origin")):
        raise Forbidden("This origin may not open a WebSocket here.")


def _rejection(ws: ServerProtocol, connection: Connection, error: ServiceError) -> Response:
    response = ws.reject(error.status, dumps(connection.problem(error)).decode())
    del response.headers["Content-Type"]
    response.headers["Content-Type"] = "application/problem+json"
    return response
