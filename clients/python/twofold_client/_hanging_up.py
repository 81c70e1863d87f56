"""What it means that a live connection was not opened, or was closed."""

import json

from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage, InvalidStatus, NegotiationError

from twofold_client._wire import GATEWAY, PROBLEM, refusal
from twofold_client.errors import (
    NotOurs,
    ProtocolError,
    ServerVanished,
    TooMany,
    TwofoldError,
    Unauthorized,
    WrongVersion,
)
from twofold_client.values import Problem

BAD_TOKEN, OTHER_VERSION = 4500, 4504
FOR_GOOD = (1007, 1009, *range(4500, 4600))


def meaning(closed: ConnectionClosed) -> TwofoldError:
    """The error that a close tells of: one to stop at, or one after which to connect again."""
    if closed.rcvd is None:
        return ServerVanished("the live connection was lost")
    code, reason = closed.rcvd.code, closed.rcvd.reason
    told = f"the service closed the live connection: {code} {reason}".rstrip()
    if code == BAD_TOKEN:
        return _unauthorized(reason or "this token is not known")
    if code == OTHER_VERSION:
        return WrongVersion(told)
    return ProtocolError(told) if code in FOR_GOOD else ServerVanished(told)


def not_opened(error: Exception, *, reopening: bool) -> TwofoldError:
    """The error that a failed handshake tells of. When we were connected before, a limit on sockets may still count
    the one that was lost."""
    match error:
        case InvalidStatus():
            return _refused(error, reopening=reopening)
        case NegotiationError():
            return WrongVersion(f"no protocol in common: {_line(error)}")
        case InvalidMessage() if isinstance(error.__cause__, EOFError | OSError):
            return ServerVanished("the live connection was lost in the handshake")
        case InvalidHandshake():
            return NotOurs(f"no WebSocket of ours: {_line(error)}")
        case TimeoutError():
            return ServerVanished("no live connection in time")
        case OSError():
            return ServerVanished(f"no live connection: {_line(error)}")
        case _:
            return ServerVanished(f"no live connection: {type(error).__name__}")


def _refused(error: InvalidStatus, *, reopening: bool) -> TwofoldError:
    response = error.response
    if response.headers.get("content-type", "").startswith(PROBLEM):
        try:
            refused = refusal(json.loads(response.body or b""))
        except ValueError:
            return NotOurs("a live connection refused with what is no JSON")
        refused.retryable = refused.retryable or (reopening and isinstance(refused, TooMany))
        return refused
    told = f"expected a WebSocket, got {response.status_code}"
    return NotOurs(told, passing=response.status_code in GATEWAY)


def _unauthorized(detail: str) -> Unauthorized:
    title = "A valid token is needed"
    return Unauthorized(Problem("/docs/problems#unauthorized", title, 401, "unauthorized", detail, False, ""))


def _line(error: BaseException) -> str:
    return str(error).partition("\n")[0] or type(error).__name__
