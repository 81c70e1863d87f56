"""kill -9 under load: what was acknowledged is stored, once, and games go on."""

import random
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager

import pytest

from tests.faults.bots import Bot, CarefulBot
from tests.faults.serving import Serving

LIVE = ("classic", "classic", "practice", "break", "moves100")
CAREFUL = ("classic", "practice", "break")


@contextmanager
def crowd(url: str) -> Iterator[list[Bot]]:
    bots = [Bot(url, mode, seed) for seed, mode in enumerate(LIVE)]
    bots += [CarefulBot(url, mode, seed) for seed, mode in enumerate(CAREFUL, len(LIVE))]
    yield bots
    for bot in bots:
        bot.caller.close()


def play_until_killed(serving: Serving, bots: list[Bot], seconds: float) -> None:
    with ThreadPoolExecutor(len(bots)) as threads:
        playing = [threads.submit(bot.play) for bot in bots]
        time.sleep(seconds)
        serving.kill()
        for bot in playing:
            bot.result(20)


def one_round(serving: Serving, bots: list[Bot], chance: random.Random) -> str:
    """Play, kill, start again, and check every game that was open; figures to print."""
    before = [bot.acknowledged for bot in bots]
    play_until_killed(serving, bots, chance.uniform(0.7, 1.4))
    after = [bot.acknowledged for bot in bots]
    assert all(now > then for now, then in zip(after, before, strict=True)), "a game did not go on"
    seconds = serving.start()
    for bot in bots:
        game = bot.ledgers[-1].check(bot.caller)
        assert game["status"] != "running", "a stop of the service pauses every game"
    return f"{sum(after) - sum(before)} acknowledged, ready again after {seconds:.2f} s"


def check_all(bots: list[Bot]) -> None:
    for bot in bots:
        for ledger in bot.ledgers:
            ledger.check(bot.caller)


@pytest.mark.slow
def test_no_acknowledged_command_is_lost_or_doubled_by_kill_9_on_sqlite(new_serving):
    serving, chance = new_serving(), random.Random(9)
    serving.start()
    with crowd(serving.url) as bots:
        for _ in range(4):
            print("\nsqlite:", one_round(serving, bots, chance), end="")
            with closing(sqlite3.connect(serving.file)) as beside:
                assert beside.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
                assert beside.execute("PRAGMA foreign_key_check").fetchall() == []
        check_all(bots)


@pytest.mark.slow
@pytest.mark.postgres
def test_no_acknowledged_command_is_lost_or_doubled_by_kill_9_on_postgresql(new_serving, postgres_url):
    serving = new_serving(database=postgres_url)
    serving.start()
    with crowd(serving.url) as bots:
        print("\npostgresql:", one_round(serving, bots, random.Random(9)), end="")
        check_all(bots)
