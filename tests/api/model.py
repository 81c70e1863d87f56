"""The service over HTTP beside the plain engine as its model: the same commands at the same instants."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, multiple, rule

from tests.callers import Json
from tests.usecases.house import House
from twofold import errors
from twofold.board import Direction
from twofold.game import Cause, Event, EventType, Game, Position, Status
from twofold_service.usecases.values import GameView, Header, Player
from twofold_service.wire.games import event_out, game_out
from twofold_service.wire.sample import plain

OPS = ("start", "undo", "pause", "resume", "continue", "abandon")
GAP = [[0, 2, 4, 8], [8, 2, 4, 8], [2, 4, 8, 16], [16, 8, 4, 2]]
HALVES = [[1024, 1024, 0], [0, 0, 0], [0, 0, 0]]
CORNER = [[2, 0, 0], [0, 0, 0], [0, 0, 0]]

Use = tuple[str, str | None, int | None]


@dataclass
class Played:
    """A game as the engine has it: its log, and the positions on its path."""

    header: Header
    log: list[Event]
    path: list[Position] = field(default_factory=list)
    keys: dict[str, tuple[Use, Event | None]] = field(default_factory=dict)
    touched: int = 0

    def __post_init__(self) -> None:
        self.path.append(self.log[0].game.position)

    @property
    def game(self) -> Game:
        return self.log[-1].game

    def keep(self, event: Event | None) -> None:
        if event is None:
            return
        self.log.append(event)
        if event.type is EventType.MOVE:
            self.path.append(event.game.position)
        elif event.type is EventType.UNDO:
            self.path.pop()

    def decide(self, op: str, direction: Direction | None, at: int) -> Event | None:
        game = self.game
        match op:
            case "move":
                assert direction is not None
                return game.move(direction, at)
            case "undo":
                return game.undo(at, self.path[-2] if len(self.path) > 1 else None)
            case "continue":
                return game.go_on(at)
            case _:
                decided: Event = getattr(game, op)(at)
                return decided


class Here:
    """A desk without a process of its own, which would be started anew for every example."""

    async def do(self, address: str, call: Callable[..., Any], *arguments: Any) -> Any:
        return call(*arguments)


class Service(RuleBasedStateMachine):
    """What the service answers is what the engine says, through restarts, lost memory, sleep and repeats."""

    games = Bundle("games")

    def __init__(self, new_database: Callable[[], Path]) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.house: House = self.run(House(new_database()).open())
        self.played: list[Played] = []
        self.keys = 0
        self.client: httpx.AsyncClient
        self.me: Player
        self.connect()

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.runner.run(work)

    def connect(self) -> None:
        self.house.reading._desk = Here()
        transport = httpx.ASGITransport(self.house.service.asgi)
        self.client = httpx.AsyncClient(transport=transport, base_url="http://service/v1")

    def teardown(self) -> None:
        for played in self.played:
            self.look(played)
            self.verify(played)
        self.read_records()
        self.run(self.client.aclose())
        self.run(self.house.close())
        self.runner.close()

    def call(self, method: str, path: str, **more: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.token}", **more.pop("headers", {})}
        response: httpx.Response = self.run(self.client.request(method, path, headers=headers, **more))
        return response

    @property
    def now(self) -> int:
        return self.house.now.at

    @initialize(target=games, seed=st.binary(min_size=32, max_size=32))
    def join(self, seed: bytes) -> Any:
        self.me, self.token = self.run(self.house.players.create("Ada"))
        wishes: list[Json] = [{"mode": "classic", "undo_limit": 5}, {"mode": "practice", "seed": seed.hex()}]
        return multiple(*[self.begin_one(wish, None) for wish in wishes])

    # commands

    @rule(
        target=games,
        wish=st.one_of(
            st.builds(
                lambda size, undos: {"mode": "classic", "size": size, "undo_limit": undos},
                st.sampled_from([4, 5, 6]),
                st.sampled_from([0, 1, 5]),
            ),
            st.sampled_from([{"mode": "sprint"}, {"mode": "sprint", "start": True}, {"mode": "moves100"}]),
            st.builds(
                lambda size, seed: {"mode": "practice", "size": size, "seed": seed.hex()},
                st.integers(3, 8),
                st.binary(min_size=32, max_size=32),
            ),
            st.builds(
                lambda board, seed: {"mode": "practice", "board": board, "seed": seed.hex()},
                st.sampled_from([GAP, HALVES, CORNER]),
                st.binary(min_size=32, max_size=32),
            ),
        ),
        replaces=st.integers(0, 20),
    )
    def begin(self, wish: Json, replaces: int) -> Any:
        old = self.played[replaces] if replaces < len(self.played) else None
        if len(self.played) > 5 and old is None:
            return multiple()
        return self.begin_one(wish, old)

    @rule(played=games, steps=st.lists(st.sampled_from(Direction), min_size=4, max_size=16))
    def move_on(self, played: Played, steps: list[Direction]) -> None:
        self.ready(played)
        for direction in steps:
            self.ask(played, "move", direction, None, None, as_match=False)

    @rule(
        played=games,
        op=st.sampled_from(("move", "move", *OPS)),
        direction=st.sampled_from(Direction),
        behind=st.sampled_from([None, None, 0, 0, 1, -1]),
        as_match=st.booleans(),
        key=st.sampled_from([None, None, "new", "old"]),
    )
    def command(
        self, played: Played, op: str, direction: Direction, behind: int | None, as_match: bool, key: str | None
    ) -> None:
        version = None if behind is None else max(1, played.game.version - behind)
        if key == "new" or (key == "old" and not played.keys):
            self.keys += 1
            key = f"k{self.keys}"
        elif key == "old":
            key = list(played.keys)[-1]
        self.ask(played, op, direction if op == "move" else None, version, key, as_match=as_match)

    @rule(
        played=games,
        steps=st.lists(st.sampled_from(Direction), min_size=3, max_size=20),
        times=st.integers(1, 14),
        forgotten=st.booleans(),
    )
    def take_back(self, played: Played, steps: list[Direction], times: int, forgotten: bool) -> None:
        self.move_on(played, steps)
        if forgotten:
            self.forget(played)
        for _ in range(times):
            self.ask(played, "undo", None, None, None, as_match=False)

    @rule(
        played=games,
        op=st.sampled_from(("move", "move", *OPS)),
        way=st.sampled_from(Direction),
        versioned=st.booleans(),
        between=st.lists(st.sampled_from(Direction), max_size=2),
        change=st.sampled_from([None, None, "version", "direction", "op"]),
    )
    def repeat(
        self, played: Played, op: str, way: Direction, versioned: bool, between: list[Direction], change: str | None
    ) -> None:
        """What was done under a key is answered again, and what is not quite that is refused."""
        if op in ("move", "pause"):
            self.ready(played)
        self.keys += 1
        key, version = f"k{self.keys}", played.game.version if versioned else None
        self.ask(played, op, way if op == "move" else None, version, key, as_match=False)
        for direction in between:
            self.ask(played, "move", direction, None, None, as_match=False)
        if change == "version":
            version = played.game.version if version is None else None
        elif change == "direction":
            way = next(other for other in Direction if other is not way)
        elif change == "op":
            op = "undo" if op == "move" else "move"
        self.ask(played, op, way if op == "move" else None, version, key, as_match=False)

    @rule(played=games)
    def linger(self, played: Played) -> None:
        """Commands that change nothing keep a game from falling idle, from then on."""
        self.ready(played)
        self.wait(30.0)
        for direction in Direction:
            if direction not in played.game.legal_moves:
                self.ask(played, "move", direction, None, None, as_match=False)
        self.wait(301.0)

    # time, memory, lives

    @rule(kind=st.sampled_from(["wait", "wait", "sleep", "restart"]), length=st.sampled_from([0, 0, 1, 2]))
    def pass_time(self, kind: str, length: int) -> None:
        if kind == "wait":
            self.wait((0.001, 2.0, 130.0)[length])
        elif kind == "sleep":
            self.sleep((2.5, 30.0, 400.0)[length])
        elif all(played.touched <= played.game.at for played in self.played):
            self.restart((0.0, 1.0, 3600.0)[length])

    def wait(self, seconds: float) -> None:
        self.run(self.house.wait(seconds))
        for played in self.played:
            played.keep(played.game.due(self.now, played.touched))

    def sleep(self, seconds: float) -> None:
        """The process stands still: an outage as of when it was last awake."""
        asleep = self.now
        self.run(self.house.sleep(seconds))
        self.outage(asleep)

    def restart(self, gap: float) -> None:
        """The process dies, and another takes its place."""
        self.run(self.client.aclose())
        self.run(self.house.beat())
        died = self.now
        self.house = self.run(self.house.again(gap))
        self.connect()
        self.outage(died)

    def forget(self, played: Played) -> None:
        """Memory is only a cache, but for the arrival of no-ops."""
        room = self.house.rooms.get(played.header.id)
        if room is not None and played.touched <= played.game.at:
            self.house.rooms.drop(room)

    # what is seen

    @rule(played=games, after=st.integers(0, 40))
    def read_log(self, played: Played, after: int) -> None:
        page = self.call("GET", f"/games/{played.header.id}/events?after={after}&limit=7").json()

        expected = played.log[after : after + 7]
        assert page["items"] == [plain(event_out(event, daily=False)) for event in expected]

    @rule(played=games)
    def verify(self, played: Played) -> None:
        record = self.call("GET", f"/games/{played.header.id}/export").json()

        told = self.call("POST", "/verify", json=record).json()

        assert (told["valid"], told["origin"]) == (True, "stored"), told

    @rule(played=games)
    def look(self, played: Played) -> None:
        assert self.call("GET", f"/games/{played.header.id}").json() == self.told(played)

    def read_records(self) -> None:
        told = self.call("GET", "/players/me/records").json()

        ranked = [played for played in self.played if played.header.category is not None]
        assert told["totals"]["moves"] == sum(played.game.position.moves for played in ranked)
        assert told["totals"]["finished"] == sum(played.game.over for played in ranked)
        assert told["totals"]["best_score"] == max([played.game.peak_score for played in ranked], default=0)

    # the model's side

    def begin_one(self, wish: Json, old: Played | None) -> Played:
        body = wish if old is None else wish | {"replaces": old.header.id}
        made = self.call("POST", "/games", json=body)
        assert made.status_code == 201, made.text
        if old is not None and not old.game.final:
            old.keep(old.game.abandon(self.now))
        room = self.house.rooms.get(made.json()["id"])
        assert room is not None and room.game.version == 1
        played = Played(room.header, [Event(EventType.CREATED, room.game)])
        self.played.append(played)
        assert made.json() == self.told(played)
        return played

    def ready(self, played: Played) -> None:
        """What a player does who wants to move."""
        op = {Status.READY: "start", Status.PAUSED: "resume", Status.WON: "continue"}.get(played.game.status)
        if op is not None:
            self.ask(played, op, None, None, None, as_match=False)

    def ask(
        self,
        played: Played,
        op: str,
        direction: Direction | None,
        version: int | None,
        key: str | None,
        *,
        as_match: bool,
    ) -> None:
        """A command to both; the answers must agree."""
        status, expected = self.expect(played, op, direction, version, key, as_match=as_match)
        body: Json = {} if direction is None else {"direction": direction.value}
        headers = {} if key is None else {"Idempotency-Key": key}
        if version is not None and as_match:
            headers["If-Match"] = f'"{version}"'
        elif version is not None:
            body["version"] = version

        path = f"/games/{played.header.id}/{'moves' if op == 'move' else op}"
        response = self.call("POST", path, json=body, headers=headers)

        told = response.json()
        assert (response.status_code, {name: told.get(name) for name in expected}) == (status, expected), told

    def expect(
        self,
        played: Played,
        op: str,
        direction: Direction | None,
        version: int | None,
        key: str | None,
        *,
        as_match: bool,
    ) -> tuple[int, Json]:
        use: Use = (op, None if direction is None else direction.value, version)
        used = None if key is None else played.keys.get(key)
        refusal: tuple[int, Json] | None = None
        event = None
        if version not in (None, played.game.version):
            refusal = 412 if as_match else 409, {"code": "stale_version", "game": self.told(played)}
        else:
            try:
                event = played.decide(op, direction, self.now)
            except errors.Refusal as refused:
                refusal = 409, {"code": refused.code}
            else:
                if event is None:
                    played.touched = self.now
        if used is not None:
            if used[0] != use:
                return 422, {"code": "key_reused"}
            return 200, self.answer(played, op, used[1]) | {"replayed": True}
        if refusal is not None:
            return refusal
        if key is not None:
            played.keys[key] = (use, event)
        played.keep(event)
        return 200, self.answer(played, op, event)

    def answer(self, played: Played, op: str, event: Event | None) -> Json:
        told = {"event": None if event is None else plain(event_out(event, daily=False)), "game": self.told(played)}
        return told | ({"moved": event is not None} if op == "move" else {})

    def told(self, played: Played) -> Json:
        category = played.header.category
        best = max(each.game.peak_score for each in self.played if each.header.category == category)
        told: Json = plain(game_out(GameView(replace(played.header, player=self.me), played.game, best), self.now))
        return told

    def outage(self, at: int) -> None:
        for played in self.played:
            if played.game.status is Status.RUNNING:
                played.keep(played.game.pause(at, Cause.OUTAGE))
            played.touched = 0
