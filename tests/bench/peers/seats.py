"""Players of the peers, seated: a connection to each, what to send first and how to go on."""

import asyncio
import math
from collections.abc import Callable
from typing import NamedTuple

from tests.bench.peers import boardgame, colyseus, node
from tests.bench.players import call
from tests.bench.sockets import (
    Client,
    Follow,
    Http,
    Meter,
    WebSocket,
    binary_frame,
    connected,
    http,
    request,
    text_frame,
    websocket,
)

WISH = b'{"numPlayers":1}'
NAMED = b'{"playerID":"%b","playerName":"bench"}' % boardgame.PLAYER.encode()
JOIN_WITHIN = 10.0
GUESSED_RATE = 8_000.0
"""Moves a second that boardgame.io will not exceed by much."""


class Seat(NamedTuple):
    client: Client
    first: bytes
    follow: Follow


class Room(WebSocket):
    """Colyseus's: joins when it is told to; its answers are patches, the state before them is `state`."""

    def __init__(self, meter: Meter) -> None:
        super().__init__(meter)
        self.state: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    def hear(self, message: bytes) -> None:
        if message[0] == colyseus.JOIN:
            self.transport.write(binary_frame(colyseus.JOINED))
        elif message[0] == colyseus.STATE:
            self.state.set_result(message)
        elif message[0] == colyseus.PATCH:
            self.answered(message)
        else:
            self._meter.errors += 1


class Namespace(WebSocket):
    """boardgame.io's: joins when it is told to, and answers pings; news of who is connected are no answers."""

    def __init__(self, meter: Meter) -> None:
        super().__init__(meter)
        self.joined: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def hear(self, message: bytes) -> None:
        if message.startswith(boardgame.ANSWERS):
            self.answered(message)
        elif message == boardgame.PING:
            self.transport.write(text_frame(boardgame.PONG))
        elif message.startswith(boardgame.OPEN):
            self.transport.write(text_frame(boardgame.CONNECT))
        elif message.startswith(boardgame.CONNECT):
            self.joined.set_result(None)


async def take(kind: str, port: int, meter: Meter, players: int, seconds: float) -> list[Seat]:
    """Seats at a peer for so many players, with games for so many seconds."""
    caller = await http(port, Meter())
    try:
        if kind == "colyseus":
            return [await _at_colyseus(caller, port, meter) for _ in range(players)]
        if kind == "boardgame":
            await caller.ask(request("DELETE", "/matches", port))
            matches = 1 + math.ceil(GUESSED_RATE * seconds / players / boardgame.PATIENCE)
            return [await _at_boardgame(caller, port, meter, matches) for _ in range(players)]
        return [await _at_node(port, meter) for _ in range(players)]
    finally:
        caller.close()


async def _at_colyseus(caller: Http, port: int, meter: Meter) -> Seat:
    seat = await call(caller, request("POST", f"/matchmake/create/{colyseus.ROOM}", port, body=b"{}"))
    path = f"/{seat['processId']}/{seat['roomId']}?sessionId={seat['sessionId']}"
    client = await connected(Room(meter), port, path=path)
    board = colyseus.Board(meter)
    first = board.follow(await asyncio.wait_for(client.state, JOIN_WITHIN))
    return Seat(client, binary_frame(first), _framed(board.follow, binary_frame))


async def _at_boardgame(caller: Http, port: int, meter: Meter, matches: int) -> Seat:
    row = boardgame.Row([await _match(caller, port) for _ in range(matches)], meter)
    client = await connected(Namespace(meter), port, path=boardgame.PATH)
    await asyncio.wait_for(client.joined, JOIN_WITHIN)
    first = row.next_match()
    assert first is not None
    return Seat(client, text_frame(first), _framed(row.follow, text_frame))


async def _match(caller: Http, port: int) -> boardgame.Match:
    games = f"/games/{boardgame.GAME}"
    made = (await call(caller, request("POST", f"{games}/create", port, body=WISH)))["matchID"]
    joined = await call(caller, request("POST", f"{games}/{made}/join", port, body=NAMED))
    return made, joined["playerCredentials"]


async def _at_node(port: int, meter: Meter) -> Seat:
    client = await websocket(port, meter)
    return Seat(client, text_frame(node.LOOK), _framed(node.Table(meter).follow, text_frame))


def _framed(follow: Follow, frame: Callable[[bytes], bytes]) -> Follow:
    """The same in WebSocket frames."""

    def framed(answer: bytes) -> bytes | None:
        following = follow(answer)
        return None if following is None else frame(following)

    return framed
