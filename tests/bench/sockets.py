"""Connections of the generator: HTTP/1.1 and WebSocket by hand, no more of either than the benchmark needs.

A connection is asked question by question while it is set up, then runs in a closed loop: each answer is handed to
`follow`, which says what to send next. Masking keys are zero, which spares the generator work and the server none.
"""

import asyncio
from collections.abc import Callable
from time import perf_counter_ns
from typing import TypeVar, cast

Follow = Callable[[bytes], bytes | None]
SUBPROTOCOL = "twofold.v1"
PATH = "/v1/ws"
TEXT, BINARY, PING = 1, 2, 9
NO_MASK = b"\0\0\0\0"
PONG = b"\x8a\x80" + NO_MASK


class Meter:
    """What a measurement counts; latencies (ns) only while it is open."""

    __slots__ = ("dry", "errors", "latencies", "lost", "open")

    def __init__(self) -> None:
        self.open = False
        self.latencies: list[int] = []
        self.errors = 0
        self.dry = 0
        self.lost = 0


class Client(asyncio.Protocol):
    """What both kinds have in common."""

    def __init__(self, meter: Meter) -> None:
        self.transport: asyncio.Transport
        self._meter = meter
        self._unread = b""
        self._asked: asyncio.Future[bytes] | None = None
        self._follow: Follow | None = None
        self._sent_at = 0
        self._closing = False
        self.halted: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._closing:
            self._meter.lost += 1
        if self._asked is not None and not self._asked.done():
            self._asked.set_exception(ConnectionError("the server closed the connection"))
        self._halt()

    def close(self) -> None:
        self._closing = True
        self.transport.close()

    async def ask(self, data: bytes) -> bytes:
        """Send, and return the answer."""
        self._asked = asyncio.get_running_loop().create_future()
        self.transport.write(data)
        return await self._asked

    def run(self, first: bytes, follow: Follow) -> None:
        """Begin the closed loop."""
        self._follow = follow
        self._sent_at = perf_counter_ns()
        self.transport.write(first)

    def stop(self) -> None:
        """End the closed loop after the next answer; `halted` is done then."""
        self._follow = None

    def answered(self, answer: bytes) -> None:
        if self._asked is not None:
            asked, self._asked = self._asked, None
            asked.set_result(answer)
            return
        if self._meter.open:
            self._meter.latencies.append(perf_counter_ns() - self._sent_at)
        following = None if self._follow is None else self._follow(answer)
        if following is None:
            self._halt()
            return
        self._sent_at = perf_counter_ns()
        self.transport.write(following)

    def _halt(self) -> None:
        if not self.halted.done():
            self.halted.set_result(None)


class Http(Client):
    """Answers are bodies; every one must tell its length."""

    def data_received(self, data: bytes) -> None:
        if self._unread:
            data = self._unread + data
        body = data.find(b"\r\n\r\n") + 4
        if body >= 4:
            at = data.find(b"ength: ") + 7  # servers differ in how they write content-length
            end = body + int(data[at : data.find(b"\r", at)])
            if len(data) >= end:
                self._unread = data[end:]
                self.answered(data[body:end])
                return
        self._unread = data


class WebSocket(Client):
    """Answers are messages that are no pushes; `told` is called for each push of an event."""

    def __init__(self, meter: Meter) -> None:
        super().__init__(meter)
        self._open = False
        self.told: Callable[[], None] | None = None

    async def shake_hands(self, port: int, subprotocol: str | None, path: str) -> None:
        answer = await self.ask(upgrade(port, subprotocol, path))
        if b" 101 " not in answer:
            raise ConnectionError(f"no WebSocket on port {port}: {answer[:200]!r}")

    def data_received(self, data: bytes) -> None:
        if self._unread:
            data = self._unread + data
        if not self._open:
            end = data.find(b"\r\n\r\n") + 4
            if end < 4:
                self._unread = data
                return
            self._open = True
            self.answered(data[:end])
            data = data[end:]
        self._unread = self._read_frames(data)

    def _read_frames(self, data: bytes) -> bytes:
        """Take the whole frames; what is left is the beginning of the next."""
        at, size = 0, len(data)
        while size - at >= 2:
            length, start = data[at + 1], at + 2
            if length == 126:
                start = at + 4
                length = int.from_bytes(data[at + 2 : start], "big")
            elif length == 127:
                start = at + 10
                length = int.from_bytes(data[at + 2 : start], "big")
            end = start + length
            if end > size or start > size:
                break
            opcode = data[at] & 15
            if opcode in (TEXT, BINARY):
                self.hear(data[start:end])
            elif opcode == PING:
                self.transport.write(PONG)
            at = end
        return data[at:]

    def hear(self, message: bytes) -> None:
        if not message.startswith(b'{"ev":'):
            self.answered(message)
        elif self.told is not None and message.startswith(b'{"ev":"event"'):
            self.told()


Socket = TypeVar("Socket", bound=WebSocket)


def text_frame(text: bytes) -> bytes:
    """A masked text frame of up to 65,535 bytes."""
    return _frame(TEXT, text)


def binary_frame(data: bytes) -> bytes:
    """The same for bytes."""
    return _frame(BINARY, data)


def _frame(opcode: int, payload: bytes) -> bytes:
    length = len(payload)
    if length < 126:
        return bytes((0x80 | opcode, 0x80 | length)) + NO_MASK + payload
    return bytes((0x80 | opcode, 0x80 | 126)) + length.to_bytes(2, "big") + NO_MASK + payload


def request(method: str, path: str, port: int, token: str | None = None, body: bytes = b"") -> bytes:
    """An HTTP/1.1 request of a connection that is kept open."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{port}"]
    if token is not None:
        lines.append(f"Authorization: Bearer {token}")
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


def upgrade(port: int, subprotocol: str | None, path: str = PATH) -> bytes:
    """The request that opens a WebSocket."""
    wanted = "" if subprotocol is None else f"Sec-WebSocket-Protocol: {subprotocol}\r\n"
    return (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n{wanted}\r\n"
    ).encode()


async def http(port: int, meter: Meter) -> Http:
    _, client = await asyncio.get_running_loop().create_connection(lambda: Http(meter), "127.0.0.1", port)
    return client


async def websocket(port: int, meter: Meter, subprotocol: str | None = None) -> WebSocket:
    return await connected(WebSocket(meter), port, subprotocol)


async def connected(client: Socket, port: int, subprotocol: str | None = None, path: str = PATH) -> Socket:
    """The client, once its WebSocket is open."""
    await asyncio.get_running_loop().create_connection(lambda: client, "127.0.0.1", port)
    await client.shake_hands(port, subprotocol, path)
    return client
