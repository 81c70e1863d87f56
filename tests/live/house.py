"""Inside a running service: what its sockets hold, a game kept busy, time moved on step by step."""

import asyncio
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from websockets.frames import Frame, Opcode

from tests.callers import WAIT, Bare, Caller, Json, Live
from tests.service import Hand, Running
from twofold_service.api.socket import LiveSocket

WAYS = ("left", "down", "right", "up")


def until(true: Callable[[], Any], wait: float = WAIT) -> Any:
    """What a question is answered once the answer is anything but false."""
    end = time.monotonic() + wait
    while not (answer := true()):
        assert time.monotonic() < end, f"not within {wait} s"
        time.sleep(0.02)
    return answer


def sockets(service: Running) -> list[LiveSocket]:
    return service.do(lambda: list(service.service.hub._sockets))


def outboxes(service: Running) -> list[int]:
    """How many bytes wait for each socket's other side."""
    return service.do(lambda: [one._transport.get_write_buffer_size() for one in service.service.hub._sockets])


def narrow(service: Running) -> None:
    """Let the system take next to nothing for sockets whose other side does not read."""

    def shrink() -> None:
        for one in service.service.hub._sockets:
            one._transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)

    service.do(shrink)


@contextmanager
def held(service: Running, game: str) -> Iterator[None]:
    """Keep a game busy: commands on it are in flight as long."""
    rooms = service.service.clocks._rooms
    go_on = asyncio.Event()
    entered = asyncio.Event()

    async def hold() -> None:
        async with rooms.held(game):
            entered.set()
            await go_on.wait()

    holding = service.do(lambda: asyncio.ensure_future(hold()))
    service.wait_for(entered.wait)
    try:
        yield
    finally:
        service.do(go_on.set)
        service.wait_for(lambda: holding)


def in_flight(service: Running, count: int) -> None:
    """Return once so many commands are in flight."""
    until(lambda: service.do(lambda: service.service.play.in_flight) == count)


def pass_time(service: Running, hand: Hand, seconds: float) -> None:
    """Move time on in steps that are no outage, and let every socket look at it."""
    end = hand.at + round(seconds * 1_000_000)
    while hand.at < end:
        hand.at = min(end, hand.at + 1_900_000)
        service.do(lambda: service.service.clocks.look(hand.at))
    for one in sockets(service):
        service.do(one.tick)


def pipeline(live: Live, game: str, moves: int) -> list[Json]:
    """Send so many moves round and round without waiting; what each was answered."""
    sent = [live.send("move", game=game, direction=WAYS[turn % 4]) for turn in range(moves)]
    replies = [live.reply(number) for number in sent]
    assert all("ok" in reply for reply in replies), replies
    return [reply["ok"] for reply in replies]


def heard(live: Live, replies: int) -> list[Json]:
    """The next frames, until so many of them were replies."""
    frames: list[Json] = []
    for frame in live.frames(WAIT):
        frames.append(frame)
        replies -= "id" in frame
        if not replies:
            break
    return frames


def long_game(caller: Caller, live: Live, events: int) -> Json:
    """A practice game of so many events."""
    game = caller.new("practice", size=8, seed="07" * 32)
    while (missing := events - caller.game(game["id"])["version"]) > 0:
        pipeline(live, game["id"], missing)
    return caller.game(game["id"])


def versions(pushes: list[Json]) -> list[int]:
    return [push["event"]["version"] for push in pushes if push["ev"] == "event"]


def masked(text: bytes) -> bytes:
    """A text frame as clients send it."""
    return Frame(Opcode.TEXT, text).serialize(mask=True)


def greet(bare: Bare, token: str | None = None) -> Json:
    """The answer to a bare socket's hello."""
    bare.command(id=0, op="hello", **({} if token is None else {"token": token}))
    return bare.text()


def knock(port: int, first: str, *headers: str) -> tuple[int, bytes, bytes]:
    """Status, head and body of what a request is answered; 0 where the connection ends without an answer."""
    with socket.create_connection(("127.0.0.1", port), timeout=WAIT) as knocking:
        knocking.sendall("\r\n".join([first, *headers, "", ""]).encode("latin-1"))
        data = b""
        while piece := knocking.recv(1 << 16):
            data += piece
            if b" 101 " in data[:20] and b"\r\n\r\n" in data:
                break
    head, _, body = data.partition(b"\r\n\r\n")
    return (int(head.split(b" ")[1]) if head else 0), head, body
