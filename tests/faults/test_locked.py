"""Storage locked by somebody else: refused in time, nothing half done, and play goes on by itself."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest

from tests.callers import DIRECTIONS, Live, problem
from tests.faults.clockwork import pass_time, until
from tests.service import Hand

TIMEOUT = 0.6
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


def legal(live: Live, game: str) -> str:
    """A direction that moves something, found without storage."""
    (ways,) = [frame["game"]["legal_moves"] for frame in [live.ok("watch", game=game)]]
    return str(ways[0])


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
            assert time.monotonic() - begun < TIMEOUT + 0.5
            problem(refused, 503, "storage_unavailable")
            assert me.game(game["id"])["version"] == game["version"]
    after = me.move(game["id"], way)["game"]
    assert after["version"] == game["version"] + 1


def test_commands_are_refused_in_time_and_go_on_by_themselves_on_the_same_socket(patient, join):
    me = join(patient.url)
    game = me.play(me.new(), 3)
    with Live(patient.url, me.token) as live:
        way = legal(live, game["id"])
        with locked(patient.path):
            begun = time.monotonic()
            numbers = []
            for _ in range(6):
                numbers.append((live.send("move", game=game["id"], direction=way), time.monotonic()))
                time.sleep(TIMEOUT / 4)
            slowest = 0.0
            for number, sent in numbers:
                assert live.error(number)["code"] == "storage_unavailable"
                slowest = max(slowest, time.monotonic() - sent)
            assert time.monotonic() - begun < 6 * TIMEOUT / 4 + TIMEOUT + 0.5
        live.hears_nothing_more()
        event = live.ok("move", game=game["id"], direction=way)["event"]
        assert event["version"] == game["version"] + 1


def test_everybody_waits_no_longer_than_the_timeout(patient, join):
    """Also who comes while others wait already."""
    players = [join(patient.url) for _ in range(5)]
    games = [caller.new() for caller in players]
    lives = [Live(patient.url, caller.token) for caller in players]
    slowest = 0.0
    with locked(patient.path):
        sent = []
        for live, game in zip(lives, games, strict=True):
            sent.append((live, live.send("pause", game=game["id"]), time.monotonic()))
            time.sleep(TIMEOUT / 3)
        for live, number, at in sent:
            assert live.error(number)["code"] == "storage_unavailable"
            slowest = max(slowest, time.monotonic() - at)
    for live in lives:
        live.socket.close()
    print(f"\nslowest refusal {slowest:.2f} s, timeout {TIMEOUT} s", end="")
