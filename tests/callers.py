"""Those who call the service: over REST, over the live channel, and over a bare socket."""

import json
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import ExitStack
from statistics import mean
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.sync.client import connect

from twofold.board import Direction, cells_of, empty_cells, shift

Json = dict[str, Any]
WAIT = 30.0
_NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # without the slow reading of certificates that nobody needs here
DIRECTIONS = ("up", "down", "left", "right")
ORDER = (Direction.LEFT, Direction.DOWN, Direction.RIGHT, Direction.UP)


class Caller(httpx.Client):
    """Somebody over REST: a player, or a stranger without a token. Paths are below `/v1`."""

    def __init__(self, url: str, token: str | None = None) -> None:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        super().__init__(base_url=url + "/v1", headers=headers, timeout=30, trust_env=False, verify=_NO_TLS)
        self.url = url
        self.token = token
        self.id = ""

    def new(self, mode: str = "classic", **wish: Any) -> Json:
        """A new game."""
        game: Json = answer(self.post("/games", json={"mode": mode, **wish}), 201)
        return game

    def game(self, game: str) -> Json:
        found: Json = answer(self.get(f"/games/{game}"))
        return found

    def ask(
        self, game: str, op: str, *, key: str | None = None, match: str | None = None, **body: Any
    ) -> httpx.Response:
        """A command, whatever comes of it."""
        headers = {name: value for name, value in (("Idempotency-Key", key), ("If-Match", match)) if value is not None}
        return self.post(f"/games/{game}/{'moves' if op == 'move' else op}", json=body, headers=headers)

    def do(self, game: str, op: str, **more: Any) -> Json:
        """A command that is accepted."""
        done: Json = answer(self.ask(game, op, **more))
        return done

    def move(self, game: str, direction: str, **more: Any) -> Json:
        return self.do(game, "move", direction=direction, **more)

    def play(self, game: Json, moves: int) -> Json:
        """The game after so many moves, each the first legal one of left, down, right and up; with care in need."""
        for _ in range(moves):
            game = self.move(game["id"], careful(*cells_of(game["board"])))["game"]
        return game


def careful(size: int, cells: bytes) -> Direction:
    """Where to go, so that a game lasts: the first legal way of `ORDER`.

    With little room left, where most of it is expected after the next tile and the move after it.
    """
    after = {way: slid.cells for way in ORDER if (slid := shift(size, cells, way)) is not None}
    if cells.count(0) >= size:
        return next(iter(after))

    def room(left: bytes) -> float:
        nexts = [left[:cell] + b"\1" + left[cell + 1 :] for cell in empty_cells(left)]
        return mean(
            max((slid.cells.count(0) for way in ORDER if (slid := shift(size, board, way))), default=-50)
            for board in nexts
        )

    return max(after, key=lambda way: room(after[way]))


def player(url: str, name: str | None = None) -> Caller:
    """A new player."""
    with Caller(url) as stranger:
        made = answer(stranger.post("/players", json={} if name is None else {"name": name}), 201)
    caller = Caller(url, made["token"])
    caller.id = made["player"]["id"]
    return caller


def answer(response: httpx.Response, status: int = 200) -> Any:
    assert response.status_code == status, f"{response.status_code} {response.text[:500]}"
    return response.json()


def problem(response: httpx.Response, status: int, code: str) -> Json:
    """The problem document of a refusal, which must be one of this status and code and whole."""
    assert response.headers["content-type"] == "application/problem+json", response.text[:300]
    document: Json = response.json()
    assert (response.status_code, document["code"]) == (status, code), response.text[:500]
    assert document["status"] == status
    assert document["request_id"] == response.headers["x-request-id"] != ""
    assert {type(document[name]) for name in ("type", "title", "detail")} == {str}
    assert document["retryable"] is (status in (429, 503, 507))
    assert ("retry-after" in response.headers) is document["retryable"]
    return document


def still(value: Any) -> Any:
    """An answer without the instants at which it was given."""
    if isinstance(value, dict):
        return {
            key: still(part) for key, part in value.items() if key not in ("server_now", "active_ms", "remaining_ms")
        }
    return [still(part) for part in value] if isinstance(value, list) else value


class Live:
    """A live connection that keeps replies and pushes apart."""

    def __init__(self, url: str, token: str | None = None, *, hello: bool = True, **options: Any) -> None:
        address = url.replace("http", "ws", 1) + "/v1/ws"
        options = {"subprotocols": ["twofold.v1"], **options}
        connecting = connect(address, max_size=None, max_queue=None, ping_interval=None, proxy=None, **options)
        self._open = ExitStack()
        self.socket = self._open.enter_context(connecting)
        self.pushes: list[Json] = []
        self._number = 0
        if hello:
            self.welcome = self.ok("hello", **({} if token is None else {"token": token}))

    def __enter__(self) -> "Live":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._open.close()

    def send(self, op: str, **fields: Any) -> int:
        self._number += 1
        self.socket.send(json.dumps({"id": self._number, "op": op, **fields}))
        return self._number

    def reply(self, number: int | str | None, wait: float = WAIT) -> Json:
        """The reply to a command; pushes that come before it are kept."""
        for frame in self.frames(wait):
            if "ev" in frame:
                self.pushes.append(frame)
            else:
                assert frame["id"] == number, frame
                return frame
        raise AssertionError

    def ok(self, op: str, **fields: Any) -> Json:
        frame = self.reply(self.send(op, **fields))
        assert "ok" in frame, frame
        result: Json = frame["ok"]
        return result

    def refused(self, op: str, **fields: Any) -> Json:
        return self.error(self.send(op, **fields))

    def error(self, number: int | str | None = None) -> Json:
        frame = self.reply(number)
        assert "error" in frame, frame
        document: Json = frame["error"]
        assert {"type", "title", "status", "code", "detail", "retryable", "request_id"} <= document.keys()
        return document

    def push(self, ev: str = "event", wait: float = WAIT) -> Json:
        """The next push of a kind."""
        for place, frame in enumerate(self.pushes):
            if frame["ev"] == ev:
                return self.pushes.pop(place)
        for frame in self.frames(wait):
            assert "ev" in frame, frame
            if frame["ev"] == ev:
                return frame
            self.pushes.append(frame)
        raise AssertionError

    def events(self, count: int) -> list[Json]:
        return [self.push()["event"] for _ in range(count)]

    def hears_nothing_more(self) -> None:
        """No event lies unread: all that the service had told is before the answer to a ping."""
        self.ok("ping")
        assert [frame for frame in self.pushes if frame["ev"] == "event"] == []

    def frames(self, wait: float) -> Iterator[Json]:
        end = time.monotonic() + wait
        while (left := end - time.monotonic()) > 0:
            yield json.loads(self.socket.recv(timeout=left))
        raise TimeoutError(f"nothing of the kind within {wait} s")

    def closed(self, wait: float = WAIT) -> int:
        """Read on until the service closes; its close code."""
        try:
            for frame in self.frames(wait):
                self.pushes.append(frame)
        except ConnectionClosed as over:
            return over.rcvd.code if over.rcvd else 1006
        raise AssertionError


class Bare:
    """A WebSocket handshake on a plain socket, for frames that no client library would send."""

    def __init__(self, port: int, *headers: str, receive_buffer: int | None = None) -> None:
        self.socket = socket.socket()
        if receive_buffer is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(WAIT)
        self.socket.connect(("127.0.0.1", port))
        lines = ["GET /v1/ws HTTP/1.1", f"Host: 127.0.0.1:{port}", "Upgrade: websocket", "Connection: Upgrade"]
        lines += ["Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13", *headers]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        self._read = b""
        while b"\r\n\r\n" not in self._read:
            self._read += self._receive()
        head, _, self._read = self._read.partition(b"\r\n\r\n")
        self.status = int(head.split(b" ")[1])

    def __enter__(self) -> "Bare":
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, data: bytes, opcode: Opcode = Opcode.TEXT, *, fin: bool = True, mask: bool = True) -> None:
        self.socket.sendall(Frame(opcode, data, fin).serialize(mask=mask))

    def command(self, **frame: Any) -> None:
        self.send(json.dumps(frame).encode())

    def frame(self) -> tuple[int, bytes]:
        """Opcode and payload of the next frame; EOFError at the end of the stream."""
        opcode, length = self._take(2)
        size = {126: 2, 127: 8}.get(length & 127, 0)
        length = int.from_bytes(self._take(size), "big") if size else length
        return opcode & 15, self._take(length)

    def text(self) -> Json:
        """The next text frame."""
        while (frame := self.frame())[0] != Opcode.TEXT:
            assert frame[0] != Opcode.CLOSE, frame
        read: Json = json.loads(frame[1])
        return read

    def closed(self) -> int:
        """Read on until the close frame; its code."""
        while (frame := self.frame())[0] != Opcode.CLOSE:
            pass
        return int.from_bytes(frame[1][:2], "big")

    def _take(self, count: int) -> bytes:
        while len(self._read) < count:
            self._read += self._receive()
        taken, self._read = self._read[:count], self._read[count:]
        return taken

    def _receive(self) -> bytes:
        data = self.socket.recv(1 << 16)
        if not data:
            raise EOFError
        return data
