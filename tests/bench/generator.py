"""The generator: the process that plays. Orders come in on stdin, one JSON object a line, answers go out on stdout."""

import asyncio
import gc
import json
import math
import os
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from typing import Any, TypeVar

import uvloop

from tests.bench import peers, proc
from tests.bench.figures import Window, percentile
from tests.bench.peers import seats
from tests.bench.players import AT_ONCE, Company, Player
from tests.bench.sockets import SUBPROTOCOL, Client, Follow, Meter, WebSocket, http, request, text_frame, websocket

SHORTEST_GAME = 90
GUESSED_RATE = {"ws": 15_000.0, "rest": 6_000.0}
GUESSED_RATE_OF_ONE = {"ws": 6_000.0, "rest": 3_000.0}
ECHOED = b'{"id":1,"op":"move","game":"01kbaaaaaaaaaaaaaaaaaaaaaa","direction":"left"}'
POSTED = b'{"direction":"left"}'
HALT_WITHIN = 20.0
PLAY_OUT_WITHIN = 180.0
SETTLE = 1.5
HEARD_BY = 6.0
Given = TypeVar("Given")
Made = TypeVar("Made")

_companies: dict[int, Company] = {}
_rates: dict[tuple[int, str, int], float] = {}


async def play(kind: str, port: int, pid: int, players: int, seconds: float, warm_up: float) -> dict[str, Any]:
    """Closed loop of `ws` or `rest` players of the service, of `echo` or `post` connections of a bare server, or of
    a peer's players."""
    meter = Meter()
    clients: list[Client] = []
    starts: list[Callable[[], None]] = []
    try:
        if kind in peers.NAMES:
            taken = await seats.take(kind, port, meter, players, seconds + warm_up)
            pairs = [(seat.client, seat.first) for seat in taken]
            follows: Sequence[Follow] = [seat.follow for seat in taken]
        elif kind in ("ws", "rest"):
            company = await _company(kind, port, players, seconds + warm_up)
            pairs = await _all(lambda player: _seat(player, kind, meter), company)
            follows = [player.follow for player in company]
        else:
            pairs = await _all(lambda _: _bare(kind, port, meter), range(players))
            expected = b'"moved"' if kind == "post" else b'"op"'
            follows = [_repeat(first, expected, meter) for _, first in pairs]
        for (client, first), follow in zip(pairs, follows, strict=True):
            clients.append(client)
            starts.append(partial(client.run, first, follow))
        window = await _measure(clients, starts, meter, pid, seconds, warm_up)
    finally:
        for client in clients:
            client.close()
    _rates[port, kind, players] = window.rate
    return asdict(window)


async def fan_out(port: int, pid: int, watchers: int, moves: int) -> dict[str, Any]:
    """Milliseconds from sending a move until the last of the watchers was told, for so many moves."""
    meter = Meter()
    (player,) = await _companies.setdefault(port, Company(port)).gather(1, 2)
    owner, first = await _seat(player, "ws", meter)
    watching: list[WebSocket] = []
    waited: list[float] = []
    untold = 0
    everybody: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def told() -> None:
        nonlocal untold
        untold -= 1
        if not untold and not everybody.done():
            everybody.set_result(None)

    try:
        command: bytes | None = first
        game = player.game
        watching += await _all(lambda _: _watcher(port, meter, None, game), range(watchers))
        for watcher in watching:
            watcher.told = told
        for _ in range(moves):
            assert command is not None
            untold, everybody = watchers, asyncio.get_running_loop().create_future()
            sent = time.perf_counter()
            answer = await owner.ask(command)
            if untold:
                await asyncio.wait_for(everybody, 10)
            waited.append((time.perf_counter() - sent) * 1e3)
            command = player.follow(answer)
            if player.game != game:
                break
            await asyncio.sleep(0.02)
    finally:
        for client in (owner, *watching):
            client.close()
    return {"milliseconds": waited}


async def open_games(port: int, pid: int, database: str, games: int, moves: int) -> dict[str, Any]:
    """Bytes a running game costs the server, after so many moves; and its share of the database file."""
    company = _companies.setdefault(port, Company(port))
    await _warm_up(company)
    before, stored = await _rss(pid), _size(database)
    players = await company.gather(64, -(-games // 64))
    held = sum(len(player.spare) for player in players)
    meter = Meter()
    await _play_out(players, moves, meter)
    return {"bytes": (await _rss(pid) - before) / held, "stored": (_size(database) - stored) / held, "games": held}


async def idle_sockets(port: int, pid: int, sockets: int) -> dict[str, Any]:
    """Bytes an idle player costs the server: the game with its player, then the connection that watches it."""
    company = _companies.setdefault(port, Company(port))
    await _warm_up(company)
    before = await _rss(pid)
    players = (await company.gather(sockets + 8, 0))[8:]
    games = await _rss(pid)
    meter = Meter()
    clients: list[WebSocket] = []
    try:
        clients += await _all(lambda player: _watcher(port, meter, player.token, player.spare[0]), players)
        await asyncio.sleep(HEARD_BY)
        connected = await _rss(pid)
    finally:
        for client in clients:
            client.close()
    return {"game": (games - before) / sockets, "socket": (connected - games) / sockets, "lost": meter.lost}


async def _company(kind: str, port: int, players: int, seconds: float) -> list[Player]:
    """Players with games enough for so many seconds."""
    company = _companies.setdefault(port, Company(port))
    guess = GUESSED_RATE_OF_ONE[kind] if players == 1 else GUESSED_RATE[kind]
    rate = _rates.get((port, kind, players), guess)
    return await company.gather(players, math.ceil(1.5 * rate * seconds / players / SHORTEST_GAME))


async def _seat(player: Player, kind: str, meter: Meter) -> tuple[Client, bytes]:
    """A connection of the player's, and what to send first."""
    look = player.sit_down(meter, is_rest=kind == "rest")
    caller = await http(player.port, meter)
    first = player.follow(await caller.ask(look))
    if first is None:
        raise RuntimeError("a player has no game left")
    if kind == "rest":
        return caller, first
    caller.close()
    client = await websocket(player.port, meter, SUBPROTOCOL)
    await _greet(client, player.token)
    return client, first


async def _greet(client: WebSocket, token: str | None) -> None:
    hello = {"id": 0, "op": "hello"} | ({} if token is None else {"token": token})
    _check(await client.ask(text_frame(json.dumps(hello).encode())))


async def _watcher(port: int, meter: Meter, token: str | None, game: str) -> WebSocket:
    """A connection that watches a game."""
    client = await websocket(port, meter, SUBPROTOCOL)
    await _greet(client, token)
    _check(await client.ask(text_frame(json.dumps({"id": 0, "op": "watch", "game": game}).encode())))
    return client


async def _all(make: Callable[[Given], Coroutine[Any, Any, Made]], given: Sequence[Given]) -> list[Made]:
    """One made of each given, some at a time."""
    made: list[Made] = []
    for start in range(0, len(given), AT_ONCE):
        made += await asyncio.gather(*map(make, given[start : start + AT_ONCE]))
    return made


def _check(answer: bytes) -> None:
    if b'"ok":' not in answer:
        raise RuntimeError(f"refused: {answer[:300]!r}")


async def _bare(kind: str, port: int, meter: Meter) -> tuple[Client, bytes]:
    if kind == "post":
        return await http(port, meter), request("POST", "/moves", port, "x" * 43, POSTED)
    return await websocket(port, meter), text_frame(ECHOED)


def _repeat(sent: bytes, expected: bytes, meter: Meter) -> Callable[[bytes], bytes | None]:
    def follow(answer: bytes) -> bytes | None:
        if expected not in answer:
            meter.errors += 1
        return sent

    return follow


async def _measure(
    clients: Sequence[Client],
    starts: Sequence[Callable[[], None]],
    meter: Meter,
    pid: int,
    seconds: float,
    warm_up: float,
) -> Window:
    pids = proc.family(pid)
    gc.collect()
    gc.disable()
    for start in starts:
        start()
    await asyncio.sleep(warm_up)
    cpu, own, began = proc.cpu_seconds(pids), time.process_time(), time.perf_counter()
    meter.open = True
    await asyncio.sleep(seconds)
    meter.open = False
    cpu, own, took = (
        proc.cpu_seconds(pids) - cpu,
        time.process_time() - own,
        time.perf_counter() - began,
    )
    gc.enable()
    for client in clients:
        client.stop()
    with suppress(TimeoutError):
        await asyncio.wait_for(asyncio.gather(*(client.halted for client in clients)), HALT_WITHIN)
    ordered = sorted(meter.latencies)
    p50, p99 = percentile(ordered, 0.5) / 1e6, percentile(ordered, 0.99) / 1e6
    return Window(len(ordered), took, cpu, own, p50, p99, meter.errors, meter.dry, meter.lost)


async def _warm_up(company: Company) -> None:
    """Let the server meet what comes once, so that growth is growth."""
    await _play_out(await company.gather(8, 8), 20, Meter())


async def _play_out(players: Sequence[Player], moves: int, meter: Meter) -> None:
    """So many moves in each of the players' games."""
    seats = []
    for player in players:
        player.patience = moves
        seats.append(await _seat(player, "ws", meter))
    for (client, first), player in zip(seats, players, strict=True):
        client.run(first, player.follow)
    await asyncio.wait_for(asyncio.gather(*(client.halted for client, _ in seats)), PLAY_OUT_WITHIN)
    for client, _ in seats:
        client.close()


async def _rss(pid: int) -> int:
    await asyncio.sleep(SETTLE)
    return proc.rss_bytes(pid)


def _size(database: str) -> int:
    return sum(os.path.getsize(path) for path in (database, database + "-wal") if os.path.exists(path))


_ORDERS: dict[str, Callable[..., Awaitable[dict[str, Any]]]] = {
    "play": play,
    "fan_out": fan_out,
    "open_games": open_games,
    "idle_sockets": idle_sockets,
}


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends with its stdin
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        for line in sys.stdin:
            order = json.loads(line)
            try:
                answer = runner.run(_obey(order))
            except Exception as error:
                answer = {"failed": f"{type(error).__name__}: {error}"}
            print(json.dumps(answer), flush=True)


async def _obey(order: dict[str, Any]) -> dict[str, Any]:
    return await _ORDERS[order.pop("do")](**order)


if __name__ == "__main__":
    main()
