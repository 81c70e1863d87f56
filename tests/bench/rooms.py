"""CPU microseconds of a move by room: the service's own functions, called in this process without a network.

`path` is a whole move through the real protocol class or the real ASGI app, from the bytes that came in to those that
go out, with the journal left out (`runner.memory`). Frames in and out, decode, engine and encode are parts of it.
"""

import asyncio
import json
import random
import socket
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import patch

import uvicorn
from uvicorn.server import ServerState

from tests.bench import engine
from tests.bench.players import Player as Playing
from tests.bench.runner import memory
from tests.bench.sockets import SUBPROTOCOL, Meter, text_frame, upgrade
from twofold.board import Direction
from twofold.game import Event, Game, Status
from twofold_service.app import Service, assemble
from twofold_service.settings import Settings
from twofold_service.storage.database import Database
from twofold_service.storage.journal import Journal
from twofold_service.storage.writer import Writer
from twofold_service.usecases.games import Wish
from twofold_service.usecases.ports import Append
from twofold_service.usecases.values import GameView, Header, Player
from twofold_service.wire import frames, framing
from twofold_service.wire.encode import dumps
from twofold_service.wire.games import event_out, game_out

BATCHES = (1, 8, 32, 128)
COMMITS = {1: 100, 8: 40, 32: 20, 128: 8}
USUAL_BATCH = 8
"""About what forms under load: 4 to 12 moves were seen at 64 and 512 players when the benchmark was written."""
SAMPLE = 2000
PATH_MOVES = 1500
Say = Callable[[], Awaitable[bytes]]
MASKED = text_frame(b'{"id":1,"op":"move","game":"01kbaaaaaaaaaaaaaaaaaaaaaa","direction":"left"}')


@dataclass(frozen=True, slots=True)
class Commit:
    """What a move costs the journal in a batch: CPU, and time on the clock with the disk's share, both in us."""

    cpu: float
    clock: float


@dataclass(frozen=True, slots=True)
class Rooms:
    """CPU microseconds per move."""

    frame_in: float
    frame_out: float
    decode: float
    engine: float
    encode: float
    encode_rest: float
    send: float
    path_ws: float
    path_rest: float
    journal: dict[int, Commit]


def middle(measured: Sequence[Rooms]) -> Rooms:
    """Each figure's median."""

    def of(figure: Callable[[Rooms], float]) -> float:
        return median(map(figure, measured))

    return Rooms(
        frame_in=of(lambda rooms: rooms.frame_in),
        frame_out=of(lambda rooms: rooms.frame_out),
        decode=of(lambda rooms: rooms.decode),
        engine=of(lambda rooms: rooms.engine),
        encode=of(lambda rooms: rooms.encode),
        encode_rest=of(lambda rooms: rooms.encode_rest),
        send=of(lambda rooms: rooms.send),
        path_ws=of(lambda rooms: rooms.path_ws),
        path_rest=of(lambda rooms: rooms.path_rest),
        journal={
            batch: Commit(
                median(rooms.journal[batch].cpu for rooms in measured),
                median(rooms.journal[batch].clock for rooms in measured),
            )
            for batch in BATCHES
        },
    )


def measure(database: Path, repeats: int) -> Rooms:
    """Every room, in turn."""
    moves = list(_moves(SAMPLE))
    events = [event for _, event in moves]
    text = MASKED[6:]
    view = _view(events[0].game)
    replies = [dumps(event_out(event, daily=False)) for event in events]

    def move() -> None:
        for game, event in moves:
            assert event.direction is not None
            game.move(event.direction, event.game.at)

    def encode() -> None:
        for event in events:
            dumps(event_out(event, daily=False))

    def encode_rest() -> None:
        for event in events:
            dumps({"event": event_out(event, daily=False), "game": game_out(view._replace(game=event.game), 0)})

    journal, path_ws, path_rest = asyncio.run(_in_service(database, repeats))
    return Rooms(
        frame_in=_each(lambda: [framing.plain_messages(MASKED) for _ in range(SAMPLE)], repeats),
        frame_out=_each(lambda: [framing.framed(reply) for reply in replies], repeats),
        decode=_each(lambda: [frames.read(text) for _ in range(SAMPLE)], repeats),
        engine=_each(move, repeats),
        encode=_each(encode, repeats),
        encode_rest=_each(encode_rest, repeats),
        send=_send(replies, repeats),
        path_ws=path_ws,
        path_rest=path_rest,
        journal=journal,
    )


def _each(work: Callable[[], object], repeats: int) -> float:
    """Median CPU microseconds of one of SAMPLE calls."""
    work()
    return median(_cpu(work) for _ in range(repeats)) * 1e6 / SAMPLE


def _cpu(work: Callable[[], object]) -> float:
    began = time.thread_time()
    work()
    return time.thread_time() - began


def _moves(count: int) -> Iterator[tuple[Game, Event]]:
    """Moves, each with the game before it, of games played as the generator plays them."""
    chance = random.Random(2048)
    game = engine.new_game(chance)
    for number in range(count):
        event = _move(game, number)
        yield game, event
        game = event.game if event.game.status is Status.RUNNING else engine.new_game(chance)


def _move(game: Game, number: int) -> Event:
    legal = game.legal_moves
    liked = (Direction.LEFT, Direction.UP)[:: 1 if number % 2 else -1]
    way = next((way for way in liked if way in legal), legal[-1])
    event = game.move(way, game.at + engine.STEP)
    assert event is not None
    return event


def _view(game: Game) -> GameView:
    header = Header(
        key=1,
        id="01kbaaaaaaaaaaaaaaaaaaaaaa",
        player=Player(1, "01kbbbbbbbbbbbbbbbbbbbbbbb", None),
        mode="classic",
        category="classic-4-1",
        private=False,
        date=None,
        attempt=None,
        reveals_at=None,
        commitment="0" * 64,
        created_at=0,
    )
    return GameView(header, game, 0)


def _send(replies: list[bytes], repeats: int) -> float:
    """One send of a reply on a loopback connection; reading it at the other end is not counted."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        near = socket.create_connection(listening.getsockname())
        far, _ = listening.accept()
    with near, far:
        near.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        taken = []
        for _ in range(repeats + 1):
            spent = 0.0
            for start in range(0, SAMPLE, 20):
                few = replies[start : start + 20]
                began = time.thread_time()
                for reply in few:
                    near.sendall(reply)
                spent += time.thread_time() - began
                left = sum(map(len, few))
                while left:
                    left -= len(far.recv(left))
            taken.append(spent * 1e6 / SAMPLE)
    return median(taken[1:])


async def _in_service(path: Path, repeats: int) -> tuple[dict[int, Commit], float, float]:
    """What needs a service put together: the journal's commits, and the whole paths."""
    database = Database(f"sqlite:///{path}", 3000)
    database.hold()
    database.migrate()
    service = assemble(Settings(rate_limits="off"), bytes(32), database)
    await service.start()
    try:
        player, token = await service.players.create(None)
        views = [(await service.games.create(player, Wish("classic"), None))[0] for _ in range(max(BATCHES))]
        spare = [
            (await service.games.create(player, Wish("classic", start=False), None))[0].header.id
            for _ in range(PATH_MOVES * (repeats + 1) * 2 // 80)
        ]
        with patch.object(Journal, "append", memory):
            path_ws = await _path_ws(service, token, spare, repeats)
            path_rest = await _path_rest(service, token, spare, repeats)
        await service.journal.stop()  # from here on its commits are made by a writer of our own
        games = deque((view.header, view.game) for view in views)
        writer = Writer(database, "bench", service.now)
        journal = {batch: await asyncio.to_thread(_commits, writer, games, batch, repeats) for batch in BATCHES}
        writer.drop_connection()
    finally:
        await service.stop()
    return journal, path_ws, path_rest


def _commits(writer: Writer, games: deque[tuple[Header, Game]], batch: int, repeats: int) -> Commit:
    cpu, clock = [], []
    for number in range(COMMITS[batch] * repeats):
        appends: list[Append] = []
        for _ in range(batch):
            header, game = games.popleft()
            event = _move(game, number)
            appends.append(Append(header, game, event, False, None, event.game.at))
            if event.game.status is Status.RUNNING:
                games.append((header, event.game))
        began, spent = time.perf_counter(), time.thread_time()
        outcomes = writer.write([*appends], wait=True)
        cpu.append((time.thread_time() - spent) * 1e6 / batch)
        clock.append((time.perf_counter() - began) * 1e6 / batch)
        if any(outcomes):
            raise RuntimeError(f"a batch was not written: {outcomes[0]!r}")
    return Commit(median(cpu), median(clock))


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


async def _path_ws(service: Service, token: str, spare: list[str], repeats: int) -> float:
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


async def _path_rest(service: Service, token: str, spare: list[str], repeats: int) -> float:
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
    player = Playing(0, token)
    player.spare = spare
    player.sit_down(Meter(), is_rest=is_rest)
    following = player.follow(b'"status":"ready"')
    taken = []
    for _ in range(PATH_MOVES * repeats):
        if following is None:
            raise RuntimeError("no game left")
        say = saying(following)
        spent = time.thread_time_ns()
        answer = await say()
        taken.append(time.thread_time_ns() - spent)
        following = player.follow(answer)
    return median(taken) / 1e3
