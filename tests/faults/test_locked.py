"""Storage locked by somebody else: refused in time, nothing half done, and play goes on by itself."""

import sqlite3
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import httpx
import psycopg
import pytest

from tests.callers import Caller, Json, Live, answer, problem
from tests.faults.clockwork import pass_time, until
from tests.faults.serving import Serving
from tests.faults.steady import OverRest, all_playing, check
from tests.faults.table import form
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


@pytest.mark.alone
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


@pytest.mark.alone
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


@contextmanager
def locked_in_postgresql(url: str) -> Iterator[None]:
    """Another session holds the table of games."""
    with psycopg.connect(url) as other:
        other.execute("LOCK TABLE game IN ACCESS EXCLUSIVE MODE")
        yield
        other.rollback()


@pytest.mark.slow
@pytest.mark.alone
@pytest.mark.fault("5 database locked for 10 s")
@pytest.mark.parametrize(
    "kind", [pytest.param("sqlite", marks=pytest.mark.long), pytest.param("postgresql", marks=pytest.mark.postgres)]
)
def test_a_long_lock_under_load_costs_nothing_but_the_wait(new_serving, request, kind, line):
    database = request.getfixturevalue("postgres_url") if kind == "postgresql" else None
    wanted = {} if database is None else {"database": database}
    serving: Serving = new_serving(TWOFOLD_STORAGE_TIMEOUT_MS=str(round(TIMEOUT * 1000)), **wanted)
    serving.start()
    players = [Patient(serving.url, seed) for seed in range(4)]
    with all_playing(players) as moment:
        moment(0.5)
        with locked(serving.file) if database is None else locked_in_postgresql(database):
            moment(form(2.5, 10.0))
        moment(1.0)
    with Caller(serving.url) as caller:
        acknowledged = check(players, caller)
    slowest = max(each.slowest for each in players)
    refused = sum(each.refusals for each in players)
    line.ran(
        acknowledged=acknowledged,
        **{f"slowest_refusal_on_{kind}": f"{slowest:.2f} s", f"longest_pause_on_{kind}": longest_pause(players)},
    )
    assert refused > 0
    assert slowest < TIMEOUT + SPARE
    for each in players:
        each.caller.close()


class Patient(OverRest):
    """Notes how long refusals take."""

    def __init__(self, url: str, seed: int) -> None:
        super().__init__(url, seed)
        self.slowest, self.refusals = 0.0, 0
        self._asked = 0.0

    def next(self) -> Json:
        self._asked = time.monotonic()
        return super().next()

    def refused(self, problem: Json) -> bool:
        if problem["status"] == 503:
            self.slowest, self.refusals = max(self.slowest, time.monotonic() - self._asked), self.refusals + 1
        return super().refused(problem)


def longest_pause(players: Sequence[Patient]) -> str:
    return f"{max(each.longest for each in players):.1f} s"


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
