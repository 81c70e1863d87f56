"""The bus over Redis: what it says, and what becomes of it when Redis goes."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from redis.asyncio import Redis

from tests.engine.table import Table
from tests.faults.redis_server import RedisServer
from twofold_service.bus.memory import MemoryBus
from twofold_service.bus.redis import MOST_GATHERED, RedisBus, channel_of, living_time
from twofold_service.usecases.values import Header, Player, Told

CHANNEL = channel_of(bytes(32))
ADA = Player(7, "ada", "Ada", token=70)


class End:
    """One process's end of the bus, and what it has heard of the others."""

    def __init__(self, url: str, name: str) -> None:
        self.here = MemoryBus()
        self.bus = RedisBus(self.here, url, CHANNEL, name, lambda: 42)
        self.heard: list[Any] = []
        self.again = 0
        self.bus.hear |= {kind: self._ear(kind) for kind in ("event", "renamed", "gone", "token", "left")}
        self.bus.reconnected = self._reconnected

    def _ear(self, kind: str) -> Callable[[Any], None]:
        return lambda what: self.heard.append((kind, what))

    def _reconnected(self) -> None:
        self.again += 1

    async def hears(self, *expected: Any, within: float = 10.0) -> None:
        await until(lambda: self.heard == list(expected), within)
        self.heard.clear()


async def until(true: Callable[[], bool], within: float = 10.0) -> None:
    async with asyncio.timeout(within):
        while not true():  # noqa: ASYNC110 - what is waited for is told by nothing else
            await asyncio.sleep(0.01)


@asynccontextmanager
async def ends(url: str, *names: str) -> AsyncIterator[list[End]]:
    made = [End(url, name) for name in names]
    tasks = [asyncio.create_task(end.bus.run()) for end in made]
    try:
        await until(lambda: all(end.bus.is_heard for end in made))
        yield made
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def told(version: int = 2) -> Told:
    table = Table().play(version - 1)
    header = Header(1, "game1", ADA, "practice", None, False, None, None, None, "", 0)
    return Told(header, table.events[-1], None)


async def test_others_hear_ids_and_versions_and_the_teller_hears_itself_at_once(redis):
    async with ends(redis.url, "one", "other") as (one, other):
        mine: list[Any] = []
        one.here.on_told.append(mine.append)
        one.here.on_token_ended.append(mine.append)
        event = told()
        one.bus.tell(event)
        one.bus.tell_renamed(ADA)
        one.bus.tell_gone(8)
        one.bus.tell_token_ended(70)
        assert mine == [event, 70]
        await other.hears(("event", ["game1", 2]), ("renamed", 7), ("gone", 8), ("token", 70))
        assert one.heard == []


async def test_a_message_holds_ids_and_numbers_and_nothing_else(redis):
    """No seed, no token, no name, no board."""
    async with ends(redis.url, "one") as (one,), Redis.from_url(redis.url) as beside, beside.pubsub() as heard:
        await heard.subscribe(CHANNEL)
        await heard.get_message(timeout=5)
        one.bus.tell(told())
        one.bus.tell_renamed(ADA)
        while b"event" not in (message := (await heard.get_message(timeout=5))["data"]):
            pass
        assert json.loads(message.partition(b" ")[2]) == {"event": [["game1", 2]], "renamed": [7]}


async def test_what_is_told_within_milliseconds_is_one_message(redis):
    async with ends(redis.url, "one") as (one,), Redis.from_url(redis.url) as beside, beside.pubsub() as heard:
        await heard.subscribe(CHANNEL)
        await heard.get_message(timeout=5)
        for number in range(500):
            one.bus.send("left", number)
        while b"left" not in (message := (await heard.get_message(timeout=5))["data"]):
            pass
        assert json.loads(message.partition(b" ")[2]) == {"left": list(range(500))}


async def test_what_is_told_while_redis_is_away_is_told_when_it_is_back_if_it_is_still_news(tmp_path):
    redis = RedisServer(tmp_path)
    redis.start()
    try:
        async with ends(redis.url, "one", "other") as (one, other):
            redis.kill()
            await until(lambda: not one.bus.is_heard and not other.bus.is_heard)
            one.bus.send("left", "game1")
            one.bus.tell_token_ended(70)
            await asyncio.sleep(0.3)  # it tries to send meanwhile
            assert other.heard == []
            redis.start()
            await until(lambda: other.again == 2 and one.again == 2)
            one.bus.tell_gone(8)
            await until(lambda: ("gone", 8) in other.heard)
            assert ("left", "game1") not in other.heard
    finally:
        redis.kill()


async def test_without_redis_what_has_gathered_is_bounded(tmp_path):
    end = End(RedisServer(tmp_path).url, "one")
    for number in range(3 * MOST_GATHERED):
        end.bus.send("event", ["game", number])
    assert sum(len(items) for items in end.bus._gathered.values()) <= MOST_GATHERED


@pytest.mark.parametrize(
    "message", [b"", b"other", b"other {", b"other []", b'other {"event": 1}', b'other {"new": [1]}']
)
async def test_a_message_that_means_nothing_here_harms_nobody(redis, message):
    async with ends(redis.url, "one", "third") as (one, third), Redis.from_url(redis.url) as beside:
        await beside.publish(CHANNEL, message)
        third.bus.tell_gone(1)
        await one.hears(("gone", 1))


async def test_who_starts_asks_a_living_process_for_the_time(redis):
    assert await asyncio.to_thread(living_time, redis.url, CHANNEL, "new") is None
    async with ends(redis.url, "one"):
        assert await asyncio.to_thread(living_time, redis.url, CHANNEL, "new") == 42


def test_services_that_share_a_redis_have_channels_of_their_own():
    assert channel_of(b"a" * 32) != channel_of(b"b" * 32)


async def test_what_somebody_waits_for_leaves_at_once_however_many_take_part(redis):
    async with ends(redis.url, "one", "other") as (one, other):
        one.bus._senders |= {b"%d" % number: 1e12 for number in range(1000)}  # messages are 3 s apart now
        one.bus.send("left", "game1")
        one.bus.send("left", "game2")
        await other.hears(("left", "game1"), ("left", "game2"), within=2.5)
        one.bus.send("left", "game3")
        await other.hears(("left", "game3"), within=2.5)
