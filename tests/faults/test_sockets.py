"""Sockets by the hundred that come back at once, sockets whose other side is gone, and some that nobody reads."""

import asyncio
import json
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from statistics import median, quantiles

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect

from tests.callers import Bare, Caller, Json, Live, player
from tests.faults.bots import log_of
from tests.faults.clockwork import until
from tests.faults.serving import CHECKOUT, Serving
from tests.faults.steady import OFF
from tests.faults.table import form
from tests.live.house import greet, pipeline

pytestmark = pytest.mark.slow
SOCKETS, OWNERS = form(100, 500), 20
RESUMED_WITHIN = 10.0
BUSY = 5.0
"""Seconds that a request may take while all come back. They, who asks and the service share a machine's few cores, so
this is a bound for a busy one; what the table tells is the figure to look at, half a second on a quiet one."""
SLOW = form(10, 40)
MIB = 1 << 20


class Fan:
    """A socket that watches a game, and comes back to it until it is told to go."""

    def __init__(self, url: str, token: str, game: str, *, jitter: float) -> None:
        self.address = url.replace("http", "ws") + "/v1/ws"
        self.token, self.game, self.jitter = token, game, jitter
        self.heard: list[Json] = []
        self.is_there = asyncio.Event()

    @property
    def told(self) -> int:
        """The newest version it knows."""
        return self.heard[-1]["version"] if self.heard else 1

    async def stay(self) -> None:
        while True:
            try:
                async with connect(
                    self.address, proxy=None, ping_interval=None, open_timeout=20, close_timeout=1
                ) as socket:
                    await self._watch(socket)
            except OFF:
                self.is_there.clear()
                await asyncio.sleep(0.05 + random.uniform(0, self.jitter))

    async def _watch(self, socket: ClientConnection) -> None:
        await socket.send(json.dumps({"id": 1, "op": "hello", "token": self.token}))
        await socket.send(json.dumps({"id": 2, "op": "watch", "game": self.game, "since": self.told}))
        async for text in socket:
            frame: Json = json.loads(text)
            if frame.get("id") == 2:
                assert frame["ok"]["recovered"], frame
                self.is_there.set()
            elif frame.get("ev") == "event":
                self.heard.append(frame["event"])


@contextmanager
def asked_all_the_while(url: str, path: str) -> Iterator[list[tuple[int, float]]]:
    """Status and seconds of one request after the other, once the service is there at all."""
    answers: list[tuple[int, float]] = []
    enough = threading.Event()

    def ask() -> None:
        with httpx.Client(base_url=url, trust_env=False, timeout=30) as probe:
            while not enough.is_set():
                begun = time.monotonic()
                try:
                    answers.append((probe.get(path).status_code, time.monotonic() - begun))
                except httpx.HTTPError:
                    enough.wait(0.02)
                enough.wait(0.005)

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        yield answers
    finally:
        enough.set()
        asking.join()


async def storm(serving: Serving, fans: Sequence[Fan], owners: Sequence[tuple[Caller, Json]]) -> tuple[float, float]:
    """Kill, start, and let all come back: after how many seconds the last had, and the slowest percent of requests."""
    async with asyncio.TaskGroup() as group:
        staying = [group.create_task(fan.stay()) for fan in fans]
        await asyncio.gather(*(fan.is_there.wait() for fan in fans))
        await asyncio.to_thread(serving.kill)
        await become(lambda: not any(fan.is_there.is_set() for fan in fans))
        await asyncio.to_thread(serving.start)
        back = time.monotonic()
        with asked_all_the_while(serving.url, f"/v1/games/{owners[0][1]['id']}") as answers:
            async with asyncio.timeout(RESUMED_WITHIN):
                await asyncio.gather(*(fan.is_there.wait() for fan in fans))
            took = time.monotonic() - back
            await asyncio.sleep(0.2)
        assert {status for status, _ in answers} <= {200, 429, 503}
        for caller, game in owners:
            now = await asyncio.to_thread(caller.game, game["id"])
            if now["status"] == "paused":
                await asyncio.to_thread(caller.do, game["id"], "resume")
            await asyncio.to_thread(caller.play, now, 2)
        versions = {game["id"]: caller.game(game["id"])["version"] for caller, game in owners}
        await become(lambda: all(fan.told == versions[fan.game] for fan in fans))
        for task in staying:
            task.cancel()
    return took, quantiles([seconds for _, seconds in answers], n=100)[98]


async def become(true: Callable[[], bool]) -> None:
    """Return once it is true; meanwhile the sockets go on."""
    end = time.monotonic() + RESUMED_WITHIN
    for _ in iter(true, True):
        assert time.monotonic() < end, "it does not come about"
        await asyncio.sleep(0.02)


@pytest.mark.fault("10 reconnect storm of 500")
@pytest.mark.parametrize("jitter", form([0.0], [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]))
def test_all_sockets_come_back_at_once_after_a_restart_and_miss_nothing(new_serving, jitter, line):
    serving: Serving = new_serving()
    serving.start()
    with ExitStack() as stack:
        callers = [stack.enter_context(player(serving.url)) for _ in range(OWNERS)]
        owners = [(caller, caller.new("practice", size=8)) for caller in callers]
        fans = [
            Fan(serving.url, str(caller.token), game["id"], jitter=jitter)
            for caller, game in owners
            for _ in range(SOCKETS // OWNERS)
        ]
        took, slowest = asyncio.run(storm(serving, fans, owners))
        logs = {game["id"]: log_of(caller, game["id"]) for caller, game in owners}
    for fan in fans:
        assert fan.heard == logs[fan.game][1:], "everything since the game was made, once and in order"
    line.ran(SOCKETS, all_back_within=f"{took:.2f} s", p99_of_requests=f"{slowest * 1000:.0f} ms")
    assert slowest < BUSY
    assert "Traceback" not in serving.log


@pytest.mark.alone
@pytest.mark.fault("6 slow readers")
def test_slow_readers_are_cut_off_cost_little_memory_and_delay_nobody(new_serving, line):
    serving: Serving = new_serving(entry=(str(CHECKOUT / "tests/faults/small.py"),))
    serving.start()
    with ExitStack() as stack:
        caller = stack.enter_context(player(serving.url))
        playing, fan = (stack.enter_context(Live(serving.url, caller.token)) for _ in range(2))
        for _ in range(3):  # caches are warm then
            acknowledged, alone = played(caller, playing, [fan])
        before = most = memory(serving)
        slow = [stack.enter_context(Bare(serving.port, receive_buffer=4096)) for _ in range(SLOW)]
        for bare in slow:
            greet(bare)
        watched: list[float] = []
        while cut_off(serving) < SLOW:
            moves, seconds = played(caller, playing, [fan, *slow])
            acknowledged, watched = acknowledged + moves, watched + seconds
            most = max(most, memory(serving))
            assert len(watched) < 5000, "nobody is cut off"
    grown = (most - before) / SLOW / MIB
    line.ran(
        SLOW,
        acknowledged=acknowledged,
        memory_each=f"{grown:.2f} MiB",
        a_move=f"{median(watched) * 1000:.1f} ms, without them {median(alone) * 1000:.1f} ms",
    )
    assert grown < 1
    assert median(watched) < 2 * median(alone) + 0.005


def played(caller: Caller, playing: Live, watching: Sequence[Live | Bare]) -> tuple[int, list[float]]:
    """A game that they watch: how many events it came to, and how long some of its moves took, one at a time."""
    game, seconds = caller.new("practice", size=8)["id"], []
    for one in watching:
        if isinstance(one, Live):
            one.ok("watch", game=game)
        else:
            with suppress(OSError):  # one that was cut off
                one.command(id=1, op="watch", game=game)
    for _ in range(10):
        pipeline(playing, game, 50)
        begun = time.monotonic()
        playing.ok("move", game=game, direction="left")
        seconds.append(time.monotonic() - begun)
    events = caller.game(game)["version"] - 1
    for one in watching:
        if isinstance(one, Live):
            assert [event["version"] for event in one.events(events)] == list(range(2, events + 2))
    return events, seconds


def memory(serving: Serving) -> int:
    """Bytes that the process holds."""
    return int(Path(f"/proc/{serving.process.pid}/statm").read_text().split()[1]) * 4096


def cut_off(serving: Serving) -> int:
    """How many sockets were closed for being slow."""
    page = httpx.get(serving.url + "/metrics", trust_env=False).text
    return int(float(page.partition('twofold_sockets_closed_total{code="4000"} ')[2].split()[0]))


@pytest.mark.long
@pytest.mark.fault("7 half-open sockets")
def test_sockets_whose_other_side_is_gone_are_closed_and_their_players_come_back(new_serving, line):
    """Their system still takes what is sent; nobody answers a ping."""
    serving: Serving = new_serving()
    serving.start()
    with ExitStack() as stack:
        callers = [stack.enter_context(player(serving.url)) for _ in range(20)]
        games = [caller.new("sprint")["id"] for caller in callers]
        gone = [stack.enter_context(Bare(serving.port)) for _ in callers]
        for bare, caller, game in zip(gone, callers, games, strict=True):
            greet(bare, caller.token)
            bare.command(id=1, op="start", game=game)
            bare.text()
        begun = time.monotonic()
        until(
            lambda: all(caller.game(game)["status"] == "paused" for caller, game in zip(callers, games, strict=True)),
            20,
        )
        took = time.monotonic() - begun
        assert {bare.closed() for bare in gone} == {4001}
        for caller, game in zip(callers, games, strict=True):
            with Live(serving.url, caller.token) as live:
                paused = live.ok("watch", game=game, since=2)
                event = live.push()["event"]
                assert (paused["recovered"], event["cause"]) == (True, "disconnect")
                assert event["active_ms"] <= took * 1000
                assert live.ok("resume", game=game)["event"]["status"] == "running"
    line.ran(len(gone), gone_after=f"{took:.1f} s")
