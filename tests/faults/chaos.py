"""A proxy that duplicates, reorders, delays and cuts frames: a seed decides what becomes of each, a shell does it."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import count
from typing import NamedTuple

LONGEST_DELAY = 0.05
HELD_FOR = 0.05
"""Seconds that a frame waits for one to overtake it."""
_CONTROL = 0x08


class Rates(NamedTuple):
    """How probable each is for a frame."""

    duplicate: float = 0.0
    reorder: float = 0.0
    delay: float = 0.0
    cut: float = 0.0


class Step(NamedTuple):
    """After so many seconds these bytes are passed on; then the connection is cut, or goes on."""

    delay: float
    data: bytes
    cut: bool = False


class Way:
    """One direction of one connection: frames in, steps out, the same for the same seed, name and rates.

    Control frames, and the first frame, without which nothing has begun, pass as they are.
    """

    def __init__(self, seed: int, name: str, rates: Rates) -> None:
        self._chance = random.Random(f"{seed} {name}")
        self._rates = rates
        self._began = False
        self._held: list[Step] = []

    def take(self, frame: bytes) -> list[Step]:
        """What becomes of the next frame, and of one that it overtakes."""
        if frame[0] & _CONTROL:
            return [Step(0.0, frame)]
        if not self._began:
            self._began = True
            return [Step(0.0, frame)]
        steps, reorders = self._fate(frame)
        if reorders and not self._held and not steps[-1].cut:
            self._held = steps
            return []
        return steps + self.release()

    def release(self) -> list[Step]:
        """Nothing came that could have overtaken what is held."""
        held, self._held = self._held, []
        return held

    @property
    def holds(self) -> bool:
        return bool(self._held)

    def heal(self) -> None:
        """Nothing happens to any frame from now on."""
        self._rates = Rates()

    def _fate(self, frame: bytes) -> tuple[list[Step], bool]:
        """All is drawn for every frame, so what one rate makes of it moves no later draw."""
        draws = [self._chance.random() for _ in range(4)]
        delay, share = self._chance.uniform(0, LONGEST_DELAY), self._chance.random()
        duplicates, reorders, delays, cuts = (draw < rate for draw, rate in zip(draws, self._rates, strict=True))
        if cuts:
            return [Step(0.0, frame[: int(share * len(frame))], cut=True)], False
        first = Step(delay if delays else 0.0, frame)
        return [first, Step(0.0, frame)] if duplicates else [first], reorders


class Frames:
    """The WebSocket frames in a stream of bytes; what comes before them, the head of a handshake, is the first."""

    def __init__(self) -> None:
        self._data = b""
        self.has_head = False

    def feed(self, data: bytes) -> list[bytes]:
        """The frames that are whole by now."""
        self._data += data
        return list(self._whole())

    def _whole(self) -> Iterator[bytes]:
        while length := self._length():
            frame, self._data = self._data[:length], self._data[length:]
            self.has_head = True
            yield frame

    def _length(self) -> int:
        """How long the first is, 0 where that, or the rest of it, is still to come."""
        if not self.has_head:
            head, end, _ = self._data.partition(b"\r\n\r\n")
            return len(head) + len(end) if end else 0
        if len(self._data) < 2:
            return 0
        short, is_masked = self._data[1] & 127, self._data[1] & 128
        size = {126: 2, 127: 8}.get(short, 0)
        if len(self._data) < 2 + size:
            return 0
        length = int.from_bytes(self._data[2 : 2 + size], "big") if size else short
        length += 2 + size + (4 if is_masked else 0)
        return length if len(self._data) >= length else 0


class Proxy:
    """Listens on a port of its own; connections are numbered as they come."""

    def __init__(self, port: int, seed: int, up: Rates, down: Rates) -> None:
        self._behind, self._seed = port, seed
        self._rates = {"up": up, "down": down}
        self._numbers = count()
        self._ways: list[Way] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self.url = ""
        self.cuts = self.frames = 0

    def heal(self) -> None:
        """From now on frames pass as they are, on connections that are open and on new ones."""
        self._rates = dict.fromkeys(self._rates, Rates())
        for way in self._ways:
            way.heal()

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        number = next(self._numbers)
        behind = await asyncio.open_connection("127.0.0.1", self._behind)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._pump(f"{number} up", reader, behind[1]))
                group.create_task(self._pump(f"{number} down", behind[0], writer))
        except* (OSError, EOFError):
            pass
        finally:
            for each in (writer, behind[1]):
                each.transport.abort()
            self._tasks.discard(task)

    async def _pump(self, name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        way, frames = Way(self._seed, name, self._rates[name.split()[1]]), Frames()
        self._ways.append(way)
        while True:
            try:
                data = await asyncio.wait_for(reader.read(1 << 16), HELD_FOR if way.holds else None)
            except TimeoutError:
                await self._do(way.release(), writer)
                continue
            if not data:
                raise EOFError
            for frame in frames.feed(data):
                self.frames += 1
                await self._do(way.take(frame) if frame[:4] not in (b"GET ", b"HTTP") else [Step(0.0, frame)], writer)

    async def _do(self, steps: Sequence[Step], writer: asyncio.StreamWriter) -> None:
        for step in steps:
            if step.delay:
                await asyncio.sleep(step.delay)
            writer.write(step.data)
            if step.cut:
                self.cuts += 1
                with suppress(OSError):
                    await writer.drain()
                await asyncio.sleep(0)
                raise EOFError
            await writer.drain()

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@asynccontextmanager
async def chaos(port: int, seed: int, up: Rates, down: Rates) -> AsyncIterator[Proxy]:
    """A proxy before a port of this machine; the same seed decides the same."""
    proxy = Proxy(port, seed, up, down)
    server = await asyncio.start_server(proxy.connected, "127.0.0.1", 0)
    proxy.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        async with server:
            yield proxy
            server.close()
            await proxy.close()
    finally:
        await proxy.close()
