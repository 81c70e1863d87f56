"""Storage locked by somebody else: refused in time, nothing half done, and play goes on by itself."""

import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import httpx
import pytest

from tests.callers import Caller, Json, Live, answer, problem
from tests.faults.clockwork import pass_time, until
from tests.service import Hand
from twofold.clock import from_rfc3339

TIMEOUT = 1.1
SPARE = 1.0
"""Seconds that an answer may take besides; less than the timeout, so that to wait twice is found out."""
LIMIT = 120_000


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Another connection holds the database for writing."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@pytest.fixture
def patient(serve):
    """A service that waits a short while for a locked database."""
    return serve(storage_timeout_ms=round(TIMEOUT * 1000))


def test_commands_are_refused_in_time_and_go_on_by_themselves_over_rest(patient, join):
    me = join(patient.url)
    game = me.play(me.new(), 3)
    way = game["legal_moves"][0]
    with locked(patient.path):
        for ask in (
            lambda: me.ask(game["id"], "move", direction=way),
            lambda: me.ask(game["id"], "pause"),
            lambda: me.post("/games", json={"mode": "classic"}),
            lambda: me.post("/players", json={}),
        ):
            begun = time.monotonic()
            refused = ask()
            assert time.monotonic() - begun < TIMEOUT + SPARE
            problem(refused, 503, "storage_unavailable")
            assert me.game(game["id"])["version"] == game["version"]
    after = me.move(game["id"], way)["game"]
    assert after["version"] == game["version"] + 1


def test_nobody_waits_longer_than_the_timeout_and_play_goes_on_on_the_same_socket(patient, join):
    """Not who comes while others wait already, nor the sixth command of one game; and /healthz answers meanwhile."""
    players = [join(patient.url) for _ in range(4)]
    games = [caller.play(caller.new(), 3) for caller in players]

    def volley(live: Live, game: Json) -> float:
        """Six moves at once: how long until the last is refused."""
        begun = time.monotonic()
        numbers = [live.send("move", game=game["id"], direction=game["legal_moves"][0]) for _ in range(6)]
        for number in numbers:
            assert live.error(number)["code"] == "storage_unavailable"
        return time.monotonic() - begun

    with ExitStack() as stack:
        lives = [stack.enter_context(Live(patient.url, caller.token)) for caller in players]
        probe = stack.enter_context(httpx.Client(base_url=patient.url, trust_env=False))
        threads = stack.enter_context(ThreadPoolExecutor(len(lives)))
        with locked(patient.path):
            volleys, probes = [], []
            for live, game in zip(lives, games, strict=True):
                volleys.append(threads.submit(volley, live, game))
                time.sleep(TIMEOUT / 5)
                probes.append(probe.get("/healthz").elapsed.total_seconds())
            slowest = max(each.result() for each in volleys)
        print(f"\nslowest refusal {slowest:.2f} s with a timeout of {TIMEOUT} s", end="")
        assert slowest < TIMEOUT + SPARE
        assert min(probes) < 0.1
        for live, game in zip(lives, games, strict=True):
            event = live.ok("move", game=game["id"], direction=game["legal_moves"][0])["event"]
            assert event["version"] == game["version"] + 1


@pytest.mark.slow
def test_a_service_that_cannot_write_is_not_ready_and_is_so_again_by_itself(patient):
    with httpx.Client(base_url=patient.url, trust_env=False) as probe:
        with locked(patient.path):
            until(lambda: probe.get("/readyz").status_code == 503)
            assert probe.get("/healthz").status_code == 200
            metrics = probe.get("/metrics").text
        assert float(metrics.partition("\ntwofold_unwritten_seconds ")[2].split()[0]) > 3
        until(lambda: probe.get("/readyz").status_code == 200)


@pytest.fixture
def hand():
    return Hand()


@pytest.fixture
def timed(serve, hand):
    """A patient service whose time is moved by hand."""
    return serve(now=hand, storage_timeout_ms=round(TIMEOUT * 1000))


def last_event(caller: Caller, game: Json) -> Json:
    event: Json = answer(caller.get(f"/games/{game['id']}/events"))["items"][-1]
    return event


def test_a_timed_game_ends_on_time_although_storage_was_locked_at_its_deadline(timed, hand, join):
    me = join(timed.url)
    game = me.do(me.new("sprint")["id"], "start")["game"]
    pass_time(timed, hand, 119)
    with locked(timed.path):
        pass_time(timed, hand, 1.5)
        problem(me.ask(game["id"], "pause"), 503, "storage_unavailable")
        assert me.game(game["id"])["version"] == game["version"]
    until(lambda: pass_time(timed, hand, 0.2) and me.game(game["id"])["status"] == "over")
    event = last_event(me, game)
    assert (event["type"], event["cause"], event["active_ms"]) == ("over", "time_up", LIMIT)
    assert from_rfc3339(event["at"]) - from_rfc3339(game["started_at"]) == LIMIT * 1000


def test_a_connection_lost_while_storage_is_locked_pauses_a_timed_game_as_of_then(timed, hand, join):
    me = join(timed.url)
    game = me.new("sprint")
    live = Live(timed.url, me.token)
    live.ok("start", game=game["id"])
    pass_time(timed, hand, 5)
    with locked(timed.path):
        live.socket.close()
        time.sleep(TIMEOUT + 0.2)
        pass_time(timed, hand, 3)
    until(lambda: me.game(game["id"])["status"] == "paused")
    event = last_event(me, game)
    assert (event["cause"], event["active_ms"]) == ("disconnect", 5000)


def test_a_sleep_while_storage_is_locked_costs_nobody_time(timed, hand, join):
    me = join(timed.url)
    game = me.do(me.new("sprint")["id"], "start")["game"]
    pass_time(timed, hand, 5)
    with locked(timed.path):
        hand.forward(60)
        timed.do(lambda: timed.service.clocks.look(hand()))
        time.sleep(TIMEOUT + 0.2)
    until(lambda: pass_time(timed, hand, 0.2) and me.game(game["id"])["status"] == "paused")
    event = last_event(me, game)
    assert (event["cause"], event["active_ms"]) == ("outage", 5000)
