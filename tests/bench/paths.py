"""A whole move in this process without a network: through the real protocol class, or the real ASGI app."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from statistics import median
from typing import Any

import uvicorn
from uvicorn.server import ServerState

from tests.bench.players import Player
from tests.bench.sockets import SUBPROTOCOL, Meter, text_frame, upgrade
from twofold_service.app import Service

MOVES = 1500
Say = Callable[[], Awaitable[bytes]]


class Ear(asyncio.Transport):
    """A transport with nothing behind it, which keeps what was written last."""

    def __init__(self) -> None:
        super().__init__()
        self.heard = b""
        self.written = asyncio.Event()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return ("127.0.0.1", 1) if name == "peername" else default

    def write(self, data: "bytes | bytearray | memoryview[Any]") -> None:
        self.heard = bytes(data)
        self.written.set()

    def get_write_buffer_size(self) -> int:
        return 0

    def is_closing(self) -> bool:
        return False

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass

    def close(self) -> None:
        pass

    def abort(self) -> None:
        pass


async def over_ws(service: Service, token: str, spare: list[str], repeats: int) -> float:
    """CPU microseconds of a command over the live channel; games are taken from `spare`."""
    ear = Ear()
    config = uvicorn.Config(service.asgi, ws="none", lifespan="off", log_config=None)
    protocol = service.hub.protocol(config, ServerState(), {})
    protocol.connection_made(ear)

    def saying(data: bytes) -> Say:
        async def say() -> bytes:
            ear.heard = b""
            protocol.data_received(data)
            if not ear.heard:
                ear.written.clear()
                await ear.written.wait()
            return ear.heard

        return say

    await saying(upgrade(0, SUBPROTOCOL))()
    await saying(text_frame(json.dumps({"id": 0, "op": "hello", "token": token}).encode()))()
    return await _played(saying, token, spare, repeats, is_rest=False)


async def over_rest(service: Service, token: str, spare: list[str], repeats: int) -> float:
    """The same over REST."""

    def saying(data: bytes) -> Say:
        head, _, body = data.partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        method, path, _ = first.split(" ")
        fields = [line.partition(": ")[::2] for line in lines]
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": [(name.lower().encode(), value.encode()) for name, value in fields],
            "client": ("127.0.0.1", 1),
        }
        heard = b""

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            nonlocal heard
            heard += message.get("body", b"")

        async def say() -> bytes:
            await service.asgi(scope, receive, send)
            return heard

        return say

    return await _played(saying, token, spare, repeats, is_rest=True)


async def _played(
    saying: Callable[[bytes], Say], token: str, spare: list[str], repeats: int, *, is_rest: bool
) -> float:
    """Median CPU microseconds of a command, from the bytes that came to those that go."""
    player = Player(0, token)
    player.spare = spare
    player.sit_down(Meter(), is_rest=is_rest)
    following = player.follow(b'"status":"ready"')
    taken = []
    for _ in range(MOVES * repeats):
        if following is None:
            raise RuntimeError("no game left")
        say = saying(following)
        spent = time.thread_time_ns()
        answer = await say()
        taken.append(time.thread_time_ns() - spent)
        following = player.follow(answer)
    return median(taken) / 1e3
