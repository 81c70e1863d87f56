"""CPU microseconds of a move by room: the service's own functions, called in this process without a network.

`path` is a whole move through the real protocol class or the real ASGI app, from the bytes that came in to those that
go out, with the journal left out (`paths`). Frames in and out, decode, engine and encode are parts of it; `commits`
are what the journal adds.
"""

import asyncio
import random
import socket
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, fields
from pathlib import Path
from statistics import median
from unittest.mock import patch

from tests.bench import engine, paths
from tests.bench.commits import BATCHES, Commit, commits
from tests.bench.runner import memory
from tests.bench.sockets import text_frame
from twofold.game import Event, Game, Status
from twofold_service.app import assemble
from twofold_service.settings import Settings
from twofold_service.storage.database import Database
from twofold_service.storage.games import StoredGames
from twofold_service.storage.writer import Writer
from twofold_service.usecases.games import Wish
from twofold_service.usecases.values import GameView, Header, Player
from twofold_service.wire import frames, framing
from twofold_service.wire.encode import dumps
from twofold_service.wire.events import event_json
from twofold_service.wire.games import event_out, game_out

SAMPLE = 2000
MASKED = text_frame(b'{"id":1,"op":"move","game":"01kbaaaaaaaaaaaaaaaaaaaaaa","direction":"left"}')


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
    figures = {
        field.name: median(getattr(rooms, field.name) for rooms in measured)
        for field in fields(Rooms)
        if field.name != "journal"
    }
    journal = {
        batch: Commit(
            median(rooms.journal[batch].cpu for rooms in measured),
            median(rooms.journal[batch].clock for rooms in measured),
        )
        for batch in BATCHES
    }
    return Rooms(**figures, journal=journal)


def measure(database: Path, repeats: int) -> Rooms:
    """Every room, in turn."""
    moves = list(_moves(SAMPLE))
    events = [event for _, event in moves]
    text = MASKED[6:]
    view = _view(events[0].game)
    replies = [event_json(event, daily=False) for event in events]

    def move() -> None:
        for game, event in moves:
            assert event.direction is not None
            game.move(event.direction, event.game.at)

    def encode() -> None:
        for event in events:
            event_json(event, daily=False)

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
        event = engine.liked_move(game, number)
        yield game, event
        game = event.game if event.game.status is Status.RUNNING else engine.new_game(chance)


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
            for _ in range(paths.MOVES * (repeats + 1) * 2 // 80)
        ]
        with patch.object(StoredGames, "append", memory):
            path_ws = await paths.over_ws(service, token, spare, repeats)
            path_rest = await paths.over_rest(service, token, spare, repeats)
    finally:
        await service.stop()
    games = deque((view.header, view.game) for view in views)
    with closing(Database(f"sqlite:///{path}", 3000)) as alone:  # no heartbeat of the service comes between
        writer = Writer(alone, "bench", service.now)
        journal = {batch: commits(writer, games, batch, repeats) for batch in BATCHES}
        writer.drop_connection()
    return journal, path_ws, path_rest
