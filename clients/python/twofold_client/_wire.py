"""Between calls and HTTP, without a socket: what is sent, and what an answer or a failure means."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypedDict, TypeVar
from uuid import uuid4

import httpx

from twofold import __version__
from twofold_client._call import JSON, Call
from twofold_client._reading import read
from twofold_client._retry import Attempts
from twofold_client.errors import (
    BY_CODE,
    NotOurs,
    ServerVanished,
    ServiceError,
    SlowAnswer,
    TwofoldError,
)
from twofold_client.values import GameState, Problem

Answer = TypeVar("Answer")
AGENT = f"twofold-client/{__version__}"
PROBLEM = "application/problem+json"
LARGEST_ANSWER = 64 * 2**20
DEFAULT_URL = "http://127.0.0.1:8000"
LIMITS = httpx.Limits(max_connections=40, max_keepalive_connections=40)
GATEWAY = (502, 503, 504)


class Request(TypedDict):
    """What httpx is asked."""

    method: str
    url: str
    params: dict[str, Any]
    headers: dict[str, str]
    content: bytes | None
    timeout: httpx.Timeout


@dataclass(slots=True)
class Wire:
    """Where the service is, as whom it is spoken to, and how long one attempt may take."""

    url: str
    token: str | None
    timeout: float

    def __post_init__(self) -> None:
        _check(self.url)
        self.url = self.url.rstrip("/")

    @property
    def live_url(self) -> str:
        return "ws" + self.url[len("http") :] + "/v1/ws"

    def request(self, call: Call[Any], left: float) -> Request:
        """The call as httpx takes it; the attempt ends with the time that is left."""
        headers = {"Accept": f"{call.media}, {PROBLEM}", "User-Agent": AGENT}
        if self.token is not None:
            headers["Authorization"] = f"Bearer {_sendable('a token', self.token)}"
        if call.key is not None:
            headers["Idempotency-Key"] = _sendable("a key", call.key)
        content = None
        if call.json is not None:
            headers["Content-Type"] = JSON
            content = json.dumps(call.json, ensure_ascii=False, separators=(",", ":")).encode()
        within = max(0.001, min(self.timeout, left))
        return {
            "method": call.method,
            "url": self.url + call.target,
            "params": dict(call.params),
            "headers": headers,
            "content": content,
            "timeout": httpx.Timeout(within, pool=max(0.001, left)),
        }


class Body:
    """An answer's content as it comes, no longer and no later than it may."""

    def __init__(self, attempts: Attempts) -> None:
        self._attempts = attempts
        self.content = bytearray()

    def take(self, chunk: bytes) -> None:
        self.content += chunk
        if len(self.content) > LARGEST_ANSWER:
            raise NotOurs(f"the answer is longer than {LARGEST_ANSWER} bytes")
        if self._attempts.left <= 0:
            raise SlowAnswer("the answer has not ended in time")


def answer(call: Call[Answer], response: httpx.Response, content: bytes | bytearray) -> Answer:
    """What the service said; a refusal or anything that is no answer of its own is raised."""
    media = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media == PROBLEM:
        raise refusal(_parsed(call, response, content), _seconds(response.headers.get("retry-after")))
    if response.status_code == 204 and call.method == "DELETE":
        return call.take(None)
    if response.is_success and media == call.media:
        return call.take(_parsed(call, response, content) if media == JSON else content)
    told = f"{response.status_code} {media or 'without a content type'}"
    passing = response.status_code in GATEWAY or response.status_code == 429
    retry_after = _seconds(response.headers.get("retry-after"))
    raise NotOurs(f"expected {call.media}, got {told}", passing=passing, retry_after=retry_after)


def refusal(document: object, retry_after: float | None = None) -> ServiceError:
    """The error that a problem document tells of."""
    problem = read(Problem, document)
    game = None if problem.game is None else read(GameState, problem.game, "game")
    return BY_CODE.get(problem.code, ServiceError)(problem, retry_after=retry_after, game=game)


def _parsed(call: Call[Any], response: httpx.Response, content: bytes | bytearray) -> object:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        passing = response.status_code in GATEWAY
        raise NotOurs(f"{response.status_code} with what is no JSON", passing=passing) from None


def _seconds(header: str | None) -> float | None:
    """Retry-After in seconds; a date is not waited for, as it is told by another clock."""
    return float(header) if header is not None and header.isdecimal() else None


@contextmanager
def failures(call: Call[Any]) -> Iterator[None]:
    """Whatever httpx or the reading of an answer raises, as one of our errors that names the call."""
    try:
        yield
    except (httpx.ConnectError, httpx.ConnectTimeout) as error:
        raise _named(call, ServerVanished(f"no connection: {_reason(error)}", untouched=True)) from error
    except httpx.PoolTimeout as error:
        raise _named(call, SlowAnswer("no free connection in time", untouched=True)) from error
    except httpx.TimeoutException as error:
        raise _named(call, SlowAnswer("no answer in time")) from error
    except (httpx.NetworkError, httpx.RemoteProtocolError, httpx.ProxyError) as error:
        raise _named(call, ServerVanished(f"the connection was lost: {_reason(error)}")) from error
    except httpx.DecodingError as error:
        raise _named(call, NotOurs(f"the answer cannot be decoded: {_reason(error)}")) from error
    except httpx.InvalidURL as error:
        raise ValueError(f"{call.operation} cannot be asked: {_reason(error)}") from error
    except TwofoldError as error:
        raise _named(call, error) from error.__cause__


def _check(url: str) -> None:
    """ValueError where this is no address of a service; one with a password in it is not repeated."""
    try:
        parts = httpx.URL(url)
        parts.host.encode("idna")
    except (httpx.InvalidURL, ValueError):
        parts = httpx.URL()
    if parts.userinfo:
        raise ValueError("the address of a service has no user and no password; the token tells who you are")
    there = parts.scheme in ("http", "https") and parts.host and (parts.port is None or 0 < parts.port < 65536)
    if not there or parts.query or parts.fragment:
        raise ValueError(f"the address of a service is like http://host:8000, not {url!r}")


def _sendable(what: str, value: str) -> str:
    """What a header can carry. Others would be told of by the libraries below, who repeat a secret in their errors."""
    if not re.fullmatch("[!-~]([ -~]*[!-~])?", value):
        raise ValueError(f"{what} is of printable ASCII characters, without spaces at its ends")
    return value


def _named(call: Call[Any], error: TwofoldError) -> TwofoldError:
    error.call = call
    return error


def _reason(error: Exception) -> str:
    return str(error).partition("\n")[0] or type(error).__name__


def new_key() -> str:
    return uuid4().hex
