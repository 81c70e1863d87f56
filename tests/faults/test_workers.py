"""Several workers under a supervisor: each dies alone, all of them leave together."""

import os
import signal
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TypeVar

import httpx
import pytest

from tests.callers import Caller, Json, Live, answer, player
from tests.faults.clockwork import until
from tests.faults.serving import Serving
from tests.ports import row

pytestmark = [pytest.mark.slow, pytest.mark.postgres]
T = TypeVar("T")


@pytest.fixture
def serving(new_serving, postgres_url, redis) -> Serving:
    serving: Serving = new_serving(database=postgres_url, TWOFOLD_REDIS=redis.url, TWOFOLD_WORKERS="2")
    serving.start()
    until(lambda: serving.log.count("serving on") == 2, within=30)
    return serving


def workers_of(serving: Serving) -> list[int]:
    main = serving.process.pid
    children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
    return [int(child) for child in children]


def is_alive(process: int) -> bool:
    with suppress(FileNotFoundError):
        return ") Z " not in Path(f"/proc/{process}/stat").read_text()
    return False


def test_a_killed_worker_is_replaced_and_its_games_are_paused_once(serving):
    first = workers_of(serving)
    with ExitStack() as stack:

        def play() -> tuple[Caller, Json]:
            caller = stack.enter_context(player(serving.url))
            return caller, caller.new("break", start=True)

        playing = shared_out(serving, 6, play)
        begun = time.monotonic()
        os.kill(first[0], signal.SIGKILL)
        until(lambda: len(set(workers_of(serving)) - {first[0]}) == 2, within=30)
        assert first[1] in workers_of(serving)

        def states() -> list[str]:
            with Caller(serving.url) as anybody:  # connections of the dead worker are gone
                return [anybody.game(game["id"])["status"] for _, game in playing]

        until(lambda: serving.log.count("serving on") == 3, within=30)
        until(lambda: "paused" in states(), within=30)
        print(f"\ngames of the dead worker were paused after {time.monotonic() - begun:.1f} s at most", end="")
        for (caller, game), state in zip(playing, states(), strict=True):
            with Caller(serving.url, caller.token) as again:
                log = answer(again.get(f"/games/{game['id']}/events"))["items"]
                causes = [event["cause"] for event in log if event["type"] == "pause"]
                assert causes == ["outage"] or (causes, state) == ([], "running")
                assert again.game(game["id"])["pauses"] == 0
    assert "by signal 9" in serving.log


def test_each_worker_tells_of_itself_at_a_port_of_its_own(new_serving, postgres_url, redis):
    held = row(2)
    own = held[0].number
    where = {"TWOFOLD_WORKERS": "2", "TWOFOLD_WORKER_PORT": str(own)}
    serving: Serving = new_serving(database=postgres_url, TWOFOLD_REDIS=redis.url, **where)
    serving.start()

    def told(port: int) -> str:
        with suppress(httpx.HTTPError):
            return httpx.get(f"http://127.0.0.1:{port}/metrics", trust_env=False).text
        return ""

    def heard() -> list[str]:
        return [page for page in map(told, (own, own + 1)) if "twofold_bus_heard 1.0" in page]

    first, second = until(lambda: heard() if len(heard()) == 2 else None, within=30) or ("", "")

    assert first != second
    with player(serving.url) as caller:
        caller.play(caller.new(), 3)
    moves = [page.partition('op="move",result="done"} ')[2].split()[0] for page in map(told, (own, own + 1))]
    assert sum(map(float, moves)) == 3


def test_sockets_are_shared_out_and_all_hear_everything(serving):
    with ExitStack() as stack:
        caller = stack.enter_context(player(serving.url))
        game = caller.new("practice", size=8)
        lives = shared_out(serving, 12, lambda: stack.enter_context(Live(serving.url, caller.token)))
        for live in lives:
            live.ok("watch", game=game["id"])
        caller.play(game, 20)
        for live in lives:
            assert [event["version"] for event in live.events(20)] == list(range(2, 22))


def shared_out(serving: Serving, least: int, connect: Callable[[], T]) -> list[T]:
    """So many who are connected, or as many more as it takes until every worker has some: it is left to chance."""
    connected: list[T] = []
    while len(connected) < least or not all_have_connections(serving):
        assert len(connected) < 60, "the kernel leaves out a worker"
        connected.append(connect())
    return connected


def all_have_connections(serving: Serving) -> bool:
    return all(connections_of(worker, serving.port) for worker in workers_of(serving))


def connections_of(process: int, port: int) -> int:
    """How many of a process's descriptors are connections to a port of its own."""
    inodes = set()
    for descriptor in Path(f"/proc/{process}/fd").iterdir():
        with suppress(OSError):
            target = os.readlink(descriptor)
            if target.startswith("socket:["):
                inodes.add(target[8:-1])
    lines = [line.split() for line in Path(f"/proc/{process}/net/tcp").read_text().splitlines()[1:]]
    return sum(line[1].endswith(f":{port:04X}") and line[3] == "01" and line[9] in inodes for line in lines)


def test_sigterm_ends_all_workers_in_good_order(serving):
    workers = workers_of(serving)
    with player(serving.url) as caller, Live(serving.url, caller.token) as live:
        game = caller.new("break", start=True)
        live.ok("watch", game=game["id"])
        status, seconds = serving.terminate()
        assert live.closed() == 1012
        assert "draining" in [push["ev"] for push in live.pushes]
    print(f"\ntwo workers left within {seconds:.1f} s", end="")
    assert (status, seconds < 10) == (0, True)
    assert not any(is_alive(worker) for worker in workers)

    serving.start()
    with Caller(serving.url, caller.token) as again:
        log = answer(again.get(f"/games/{game['id']}/events"))["items"]
    assert [(event["type"], event["cause"]) for event in log[1:]] == [("pause", "outage")]


def test_workers_leave_by_themselves_when_their_supervisor_is_killed(serving):
    workers = workers_of(serving)
    serving.kill()
    until(lambda: not any(is_alive(worker) for worker in workers), within=30)
    assert serving.log.count("the supervisor is gone") == 2
