"""Players of the generator: what they have, and how they choose the next command from the last answer."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

from tests.bench.sockets import Http, Meter, http, request, text_frame

WAYS = (
    (b'"left"', b'"up"', b'"right"', b'"down"'),
    (b'"up"', b'"left"', b'"right"', b'"down"'),
)
COMMANDS = (b"start", b"resume", b"continue")
AT_ONCE = 32
Phrases = dict[bytes, bytes]


class Player:
    """A token, the game being played and games still to be started; `patience` is the most moves of one game."""

    __slots__ = ("_count", "_meter", "_phrases", "game", "is_rest", "patience", "port", "spare", "token")

    def __init__(self, port: int, token: str) -> None:
        self.port = port
        self.token = token
        self.game = ""
        self.spare: list[str] = []
        self.patience = 1 << 30
        self.is_rest = False
        self._count = 0
        self._phrases: Phrases = {}
        self._meter = Meter()

    def sit_down(self, meter: Meter, *, is_rest: bool) -> bytes:
        """Get ready for a closed loop; returns the REST request for the game as it stands."""
        self._meter, self.is_rest = meter, is_rest
        if not self.game:
            self.game = self.spare.pop()
        self._phrases = self._learn()
        return request("GET", f"/v1/games/{self.game}", self.port, self.token)

    def follow(self, answer: bytes) -> bytes | None:
        """The next thing to send; None where there is no game left to play."""
        self._count += 1
        at = answer.find(b'"status":"') + 10
        status = answer[at : at + 3] if at >= 10 else b""
        if status == b"run" and self._count <= self.patience:
            at = answer.find(b'"legal_moves":[')
            legal = answer[at : answer.find(b"]", at)]
            for way in WAYS[self._count & 1]:
                if way in legal:
                    return self._phrases[way]
        if status == b"won":
            return self._phrases[b"continue"]
        if status == b"rea":
            return self._phrases[b"start"]
        if status == b"pau" or b'"code":"paused"' in answer:
            return self._phrases[b"resume"]
        if not status:
            self._meter.errors += 1
        return self._next_game()

    def _next_game(self) -> bytes | None:
        if not self.spare:
            self._meter.dry += 1
            return None
        self.game, self._count = self.spare.pop(), 0
        self._phrases = self._learn()
        return self._phrases[b"start"]

    def _learn(self) -> Phrases:
        """Everything that can be said about the game, ready to be sent."""
        if self.is_rest:
            path = f"/v1/games/{self.game}"
            said = {
                way: request("POST", f"{path}/moves", self.port, self.token, b'{"direction":%b}' % way)
                for way in WAYS[0]
            }
            return said | {
                op: request("POST", f"{path}/{op.decode()}", self.port, self.token, b"{}") for op in COMMANDS
            }
        game = self.game.encode()
        said = {way: text_frame(b'{"id":1,"op":"move","game":"%b","direction":%b}' % (game, way)) for way in WAYS[0]}
        return said | {op: text_frame(b'{"id":1,"op":"%b","game":"%b"}' % (op, game)) for op in COMMANDS}


class Company:
    """The players of one server; they and their games are made as they are needed."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.players: list[Player] = []

    async def gather(self, count: int, games: int) -> list[Player]:
        """The first so many players, each with a game and at least so many to be started."""
        async with self._callers() as callers:
            newcomers = iter(range(count - len(self.players)))
            await asyncio.gather(*(self._welcome(caller, newcomers) for caller in callers))
            chosen = self.players[:count]
            missing = iter([player for player in chosen for _ in range(games + (not player.game) - len(player.spare))])
            await asyncio.gather(*(self._deal(caller, missing) for caller in callers))
        return chosen

    @asynccontextmanager
    async def _callers(self) -> AsyncIterator[list[Http]]:
        callers = [await http(self.port, Meter()) for _ in range(AT_ONCE)]
        try:
            yield callers
        finally:
            for caller in callers:
                caller.close()

    async def _welcome(self, caller: Http, newcomers: Iterator[int]) -> None:
        for _ in newcomers:
            made = await call(caller, request("POST", "/v1/players", self.port, None, b"{}"))
            self.players.append(Player(self.port, made["token"]))

    async def _deal(self, caller: Http, missing: Iterator[Player]) -> None:
        wish = b'{"mode":"classic","start":false}'
        for player in missing:
            made = await call(caller, request("POST", "/v1/games", self.port, player.token, wish))
            player.spare.append(made["id"])


async def call(caller: Http, asked: bytes) -> dict[str, Any]:
    """The JSON answer; RuntimeError where it is a problem."""
    answer: dict[str, Any] = json.loads(await caller.ask(asked))
    if "request_id" in answer:
        raise RuntimeError(f"refused: {answer['code']}: {answer.get('detail')}")
    return answer
