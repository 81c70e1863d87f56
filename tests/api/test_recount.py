"""A player's records are what a recount of the stored logs gives, whatever was played, undone, left and survived."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from tests.callers import Json, answer
from tests.usecases.house import House
from twofold import rules
from twofold.board import max_tile
from twofold.clock import MS
from twofold.game import Event, EventType, Position, Status
from twofold_service.errors import ServiceError
from twofold_service.usecases.values import GameView

GOAL = 32
"""Soon reached, so that games are won, continued, and lose their goal again by an undo."""

MODES = ("classic", "classic", "sprint", "break", "moves100", "daily", "daily", "practice")
OPS = ("undo", "undo", "undo", "pause", "resume", "continue", "abandon", "start")
SECONDS = (0.0004, 0.0507, 3.0, 131.0, 301.0)
ONE_AFTER_REVEAL = 2 * 86_400.0

Step = tuple[Any, ...]
STEPS: st.SearchStrategy[Step] = st.one_of(
    st.tuples(st.just("begin"), st.sampled_from(MODES), st.sampled_from([None, None, 0, 5]), st.booleans()),
    st.tuples(st.just("play"), st.integers(0, 9), st.integers(1, 30), st.integers(0, 99)),
    st.tuples(st.just("play_out"), st.sampled_from(MODES), st.sampled_from(SECONDS), st.sampled_from(OPS)),
    st.tuples(st.just("order"), st.integers(0, 9), st.lists(st.sampled_from(OPS), min_size=1, max_size=6)),
    st.tuples(st.sampled_from(["wait", "sleep", "restart"]), st.sampled_from(SECONDS)),
    st.tuples(st.just("sleep"), st.just(ONE_AFTER_REVEAL)),
)


class Life:
    """A player's life in a service that is restarted now and then."""

    def __init__(self, house: House) -> None:
        self.seeds = Random(1)
        self.enter(house)
        self.games: list[GameView] = []

    def enter(self, house: House) -> None:
        """Be served there, with the same tiles in every run."""
        self.house = house
        house.games._random = self.seeds.randbytes

    async def join(self) -> None:
        self.me, self.token = await self.house.players.create("Ada")

    async def do(self, step: Step) -> None:
        kind, *details = step
        with suppress(ServiceError):  # a refusal changes nothing, and that is counted too
            await getattr(self, kind)(*details)

    async def begin(self, mode: str, undo_limit: int | None, private: bool) -> None:
        wish: Json = {"undo_limit": undo_limit} if mode == "classic" else {}
        visibility = "private" if private else "public"
        self.games.append(await self.house.begin(self.me, mode, visibility=visibility, **wish))

    async def play(self, number: int, moves: int, chance: int) -> None:
        """So many moves, or until no more can be made; what a player has to say before a move is said."""
        game, luck = self._game(number), Random(chance)
        for _ in range(moves):
            now = (await self.house.see(game)).game
            if now.status is Status.WON and luck.random() < 0.5:
                return
            before = {Status.READY: "start", Status.PAUSED: "resume", Status.WON: "continue"}.get(now.status)
            if before is not None:
                now = (await self.house.do(game, before)).view.game
            if not now.legal_moves:
                return
            self.house.now.forward(luck.choice((0.000_7, 0.05)))
            await self.house.move(game, luck.choice(now.legal_moves))

    async def play_out(self, mode: str, seconds: float, op: str) -> None:
        """A game to its end, by moves or by time, and what is said then."""
        await self.begin(mode, None, False)
        await self.play(0, 400 if mode in ("classic", "moves100") else 6, len(self.games))
        await self.wait(seconds)
        await self.order(0, [op])

    async def order(self, number: int, ops: list[str]) -> None:
        for op in ops:
            with suppress(ServiceError):
                await self.house.do(self._game(number), op)

    async def wait(self, seconds: float) -> None:
        await self.house.wait(seconds)

    async def sleep(self, seconds: float) -> None:
        await self.house.sleep(seconds)
        await self.house.daily.publish()
        await self.house.daily.reveal()

    async def restart(self, seconds: float) -> None:
        await self.house.beat()
        self.enter(await self.house.again(seconds))

    async def told(self) -> Json:
        """What the service says of the player's records."""
        transport = httpx.ASGITransport(self.house.service.asgi)
        async with httpx.AsyncClient(transport=transport, base_url="http://service/v1") as client:
            records: Json = answer(
                await client.get("/players/me/records", headers={"Authorization": f"Bearer {self.token}"})
            )
        return records

    async def recount(self) -> Json:
        """The same from nothing but the logs."""
        counts: dict[str, Json] = {}
        for game in self.games:
            category, log = game.header.category, await self.house.log(game)
            if category is not None:
                own = counts.setdefault(category, _nothing(game))
                _count(own, log, self.house.now())
        dailies = [game.header.date for game in self.games if game.header.date is not None]
        totals = {
            name: sum(own[name] for own in counts.values()) for name in ("finished", "goals", "moves", "assisted")
        }
        totals |= {
            name: max((own[name] for own in counts.values()), default=0) for name in ("best_score", "best_max_tile")
        }
        totals["active_ms"] = sum(own["active"] for own in counts.values()) // MS
        for own in counts.values():
            own["active_ms"] = own.pop("active") // MS
        return {
            "categories": [counts[category] for category in sorted(counts)],
            "daily_dates": sorted(set(dailies)),
            "daily_attempts": len(dailies),
            "totals": totals,
        }

    def _game(self, number: int) -> GameView:
        """One of the games begun, the newest most of the time."""
        return self.games[-1 - min(number // 3, len(self.games) - 1)]


def _nothing(game: GameView) -> Json:
    played = game.game.rules
    named = {"category": game.header.category, "mode": game.header.mode}
    counts = dict.fromkeys(("best_score", "best_max_tile", "finished", "goals", "moves", "active", "assisted"), 0)
    return named | {"size": played.size, "undo_limit": played.undo_limit} | counts


def _count(own: Json, log: list[Event], now: int) -> None:
    """Add one game: peaks after any move, all else as the game stands."""
    path: list[Position] = [log[0].game.position]
    for event in log[1:]:
        if event.type is EventType.MOVE:
            path.append(event.game.position)
            own["best_score"] = max(own["best_score"], path[-1].score)
            own["best_max_tile"] = max(own["best_max_tile"], max_tile(path[-1].cells))
        elif event.type is EventType.UNDO:
            path.pop()
    own["finished"] += log[-1].game.status is Status.OVER
    own["goals"] += path[-1].reached_goal
    own["moves"] += path[-1].moves
    own["active"] += log[-1].game.clock.active(now)


@pytest.fixture(scope="module")
def goal_soon() -> Iterator[None]:
    as_named = rules.Mode.rules
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rules.Mode, "rules", lambda *options: replace(as_named(*options), goal=GOAL))
        yield


@pytest.mark.usefixtures("goal_soon")
def test_records_equal_a_recount_of_the_logs(new_database: Callable[[], Path]):
    seen: set[str] = set()

    async def live(steps: list[Step]) -> None:
        first = House(new_database())
        life = Life(await first.open())
        try:
            await life.join()
            await life.begin("classic", 1, False)
            for step in steps:
                await life.do(step)
            assert await life.told() == await life.recount()
            for game in life.games:
                seen.update(_marks(await life.house.log(game)))
        finally:
            await first.close()

    @settings(
        max_examples=60,
        phases=[Phase.explicit, Phase.generate],  # to shrink what was found may take minutes
        deadline=None,
        derandomize=True,
        print_blob=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(steps=st.lists(STEPS, min_size=4, max_size=25))
    @example(steps=[("play_out", mode, 131.0, "undo") for mode in MODES * 2])
    def check(steps: list[Step]) -> None:
        asyncio.run(live(steps))

    check()
    ends = {"no_moves", "time_up", "move_limit", "abandoned"}
    assert seen >= {"undo", "pause", "resume", "continue", "start", "end undone", "goal undone", *ends}


def _marks(log: list[Event]) -> Iterator[str]:
    """What happened in a game, so that the test knows that it met everything."""
    for before, event in pairwise(log):
        yield event.type.value
        if event.game.outcome is not None:
            yield event.game.outcome.value
        if event.type is EventType.UNDO and before.game.over and not event.game.over:
            yield "end undone"
        if before.game.position.reached_goal and not event.game.position.reached_goal:
            yield "goal undone"
