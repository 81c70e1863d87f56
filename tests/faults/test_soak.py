"""A soak: players come, play, watch and go for a long time, and memory, tasks and descriptors stay what they were."""

import asyncio
import json
import os
import random
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from statistics import quantiles
from typing import NamedTuple

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect

from tests.callers import DIRECTIONS, Caller, Json, player
from tests.faults.bots import BY_STATE, Ledger
from tests.faults.clockwork import until
from tests.faults.serving import CHECKOUT, Serving
from tests.faults.steady import OFF
from tests.faults.table import Line, form
from twofold_service.storage.readers import THREADS

PLAYERS = form(20, 40)
WARM = form(3.0, 60.0)
SECONDS = form(12.0, 1200.0)
PACE = form(0.03, 0.1)
"""Seconds between a player's commands, on average."""
STAY = 6.0
"""Seconds that a player stays connected, on average."""
MIB = 1 << 20
GROWTH = form(8 * MIB, 4 * MIB)
"""What memory may grow by in the second half. In the short form it is hardly warm by then; in the long one what is
remembered of rows of boards still grows to its bounds (2.5 MiB from 180,000 to 360,000 moves played without a service),
while a game kept by each that was played would be 7 MiB, a socket kept by each visit 80."""
STEADY = 30
"""Samples in a row, some 30 ms apart, that are alike once all is quiet."""
FILES = 2 * (THREADS + 1) + 2
"""Two for each reader and the writer, one for what these share, and the lock."""
DESCRIPTORS = 12
"""How many more a moment may have than another: connections of requests come and go."""


class Sample(NamedTuple):
    """`files` are descriptors of the database's; its connections are opened as they are needed, and kept."""

    at: float
    memory: int
    files: int
    descriptors: int
    tasks: int
    sockets: int


class Visitor:
    """A player who plays one game after the other, watches another's, and comes and goes."""

    def __init__(self, url: str, number: int, answers: list[float]) -> None:
        self.url, self.answers = url, answers
        self.caller = player(url)
        self.ledger: Ledger | None = None
        self.acknowledged = self.games = self.visits = 0
        self._chance = random.Random(number)
        self._numbers = count()

    async def stay(self, everybody: "Sequence[Visitor]", enough: asyncio.Event) -> None:
        address = self.url.replace("http", "ws") + "/v1/ws"
        while not enough.is_set():
            with suppress(*OFF):
                async with connect(address, proxy=None, ping_interval=None) as socket:
                    self.visits += 1
                    await self._ask(socket, {"op": "hello", "token": self.caller.token})
                    other = self._chance.choice(everybody).ledger
                    if other is not None:
                        await self._ask(socket, {"op": "watch", "game": other.game})
                    await self._play(socket, enough)
                    if self._chance.random() < 0.5:
                        socket.transport.abort()
        if self.ledger is not None:
            await self._leave(self.ledger)

    async def _play(self, socket: ClientConnection, enough: asyncio.Event) -> None:
        leaves = time.monotonic() + self._chance.uniform(0, 2 * STAY)
        while time.monotonic() < leaves and not enough.is_set():
            if self.ledger is None:
                mode, wish = self._chance.choice([("classic", {}), ("practice", {"size": 3})])
                game = await asyncio.to_thread(self.caller.new, mode, **wish)
                self.ledger = Ledger(game["id"])
            ledger, begun = self.ledger, time.monotonic()
            await self._command(socket, ledger, {"op": "move", "direction": self._chance.choice(DIRECTIONS)})
            self.answers.append(time.monotonic() - begun)
            if ledger.over:
                await self._leave(ledger)
            await asyncio.sleep(self._chance.uniform(0, 2 * PACE))

    async def _command(self, socket: ClientConnection, ledger: Ledger, command: Json) -> None:
        call = ledger.send(command)
        try:
            frame = await self._ask(socket, {"game": ledger.game, **command})
        except OFF:
            ledger.lose()
            raise
        if "ok" in frame:
            ledger.note(call, frame["ok"]["event"])
        else:
            assert frame["error"]["code"] in BY_STATE, frame
            ledger.refuse(call, frame["error"])
            if frame["error"]["code"] == "paused":
                await self._command(socket, ledger, {"op": "resume"})

    async def _ask(self, socket: ClientConnection, frame: Json) -> Json:
        number = next(self._numbers)
        await socket.send(json.dumps({"id": number, **frame}))
        while True:
            heard: Json = json.loads(await asyncio.wait_for(socket.recv(), 10))
            if heard.get("id") == number:
                return heard

    async def _leave(self, ledger: Ledger) -> None:
        """Check a game that is over, and forget it."""
        self.ledger = None
        await asyncio.to_thread(ledger.check_log, self.caller)
        self.acknowledged += len(ledger.acknowledged)
        self.games += 1


def sample(serving: Serving, probe: httpx.Client) -> Sample:
    page = probe.get("/metrics").text

    def told(name: str) -> int:
        found = re.search(rf"^{name} (\S+)$", page, re.M)
        assert found is not None
        return int(float(found[1]))

    process = Path(f"/proc/{serving.process.pid}")
    resident = int((process / "statm").read_text().split()[1]) * 4096
    files = [leads_to(descriptor).startswith(str(serving.file)) for descriptor in (process / "fd").iterdir()]
    tasks, sockets = told("twofold_tasks"), told("twofold_sockets")
    return Sample(time.monotonic(), resident, sum(files), len(files) - sum(files), tasks, sockets)


def leads_to(descriptor: Path) -> str:
    """What it is of; nothing where it has just been closed."""
    with suppress(FileNotFoundError):
        return os.readlink(descriptor)
    return ""


def quiet(serving: Serving, probe: httpx.Client, like: Sample | None = None) -> Sample:
    """What there is once nobody is there any more, and it is like that of before, or the same for a while."""
    seen: list[Sample] = []

    def settled() -> bool:
        seen.append(sample(serving, probe))
        others = [like] if like else seen[-STEADY:]
        alike = all((one.descriptors, one.tasks) == (seen[-1].descriptors, seen[-1].tasks) for one in others)
        return seen[-1].sockets == 0 and alike and (like is not None or len(seen) >= STEADY)

    until(settled, within=30)
    return seen[-1]


def slope(samples: Sequence[Sample]) -> float:
    """Bytes a second by which memory grows, by least squares."""
    times, sizes = [one.at for one in samples], [one.memory for one in samples]
    at, size = sum(times) / len(times), sum(sizes) / len(sizes)
    above = sum((a - at) * (b - size) for a, b in zip(times, sizes, strict=True))
    return above / sum((a - at) ** 2 for a in times)


async def soak(
    serving: Serving, probe: httpx.Client, visitors: Sequence[Visitor], line: Line, seconds: float
) -> list[Sample]:
    """Let them all come and go for so long; a sample every second."""
    enough, samples, ends = asyncio.Event(), [], time.monotonic() + seconds
    async with asyncio.TaskGroup() as group:
        for visitor in visitors:
            group.create_task(visitor.stay(visitors, enough))
        while time.monotonic() < ends:
            await asyncio.sleep(1)
            samples.append(await asyncio.to_thread(sample, serving, probe))
            for path in ("/v1/leaderboards?mode=classic", "/v1/daily", "/"):
                assert (await asyncio.to_thread(probe.get, path)).status_code == 200
            line.ran(0, games=sum(v.games for v in visitors), memory=f"{samples[-1].memory / MIB:.1f} MiB")
        enough.set()
    return samples


@pytest.mark.slow
@pytest.mark.fault("20 soak")
def test_memory_tasks_and_descriptors_are_flat_while_players_come_and_go(new_serving, line):
    small = (str(CHECKOUT / "tests/faults/small.py"),)
    serving: Serving = new_serving(entry=small, TWOFOLD_CACHED_GAMES="100")
    serving.start()
    answers: list[float] = []
    visitors = [Visitor(serving.url, number, answers) for number in range(PLAYERS)]
    with httpx.Client(base_url=serving.url, trust_env=False) as probe:
        asyncio.run(soak(serving, probe, visitors, line, WARM))
        close_all(visitors)
        first = quiet(serving, probe)
        answers.clear()
        samples = asyncio.run(soak(serving, probe, visitors, line, SECONDS))
        close_all(visitors)
        last = quiet(serving, probe, first)

    second_half = samples[len(samples) // 2 :]
    growth = slope(second_half) * SECONDS / 2
    spread = [one.descriptors - one.sockets for one in second_half]
    line.ran(
        sum(visitor.visits for visitor in visitors),
        acknowledged=sum(visitor.acknowledged for visitor in visitors),
        memory=f"{samples[0].memory / MIB:.1f} to {samples[-1].memory / MIB:.1f} MiB",
        growth_in_the_second_half=f"{growth / MIB:+.2f} MiB",
        descriptors=f"{min(spread)} to {max(spread)} beside sockets",
        tasks=f"{min(s.tasks for s in second_half)} to {max(s.tasks for s in second_half)}",
        **{name: f"{quantiles(part, n=100)[98] * 1000:.1f} ms" for name, part in halves(answers).items()},
    )
    assert (last.tasks, last.descriptors) == (first.tasks, first.descriptors)
    assert last.files <= FILES
    assert growth < GROWTH
    assert max(spread) - min(spread) <= DESCRIPTORS + PLAYERS
    assert "Traceback" not in serving.log


def close_all(visitors: Sequence[Visitor]) -> None:
    """Close their connections for requests."""
    for visitor in visitors:
        visitor.caller.close()
        visitor.caller = Caller(visitor.url, visitor.caller.token)


def halves(answers: Sequence[float]) -> dict[str, Sequence[float]]:
    middle = len(answers) // 2
    return {"p99 of the first half": answers[:middle], "of the second": answers[middle:]}
