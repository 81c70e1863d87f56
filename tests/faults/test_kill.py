"""kill -9 under load: what was acknowledged is stored, once, and games go on."""

import random
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager

import pytest

from tests.faults.bots import Bot, CarefulBot
from tests.faults.clockwork import until
from tests.faults.serving import Serving
from tests.faults.table import Line, form

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
    """Let them play for so long, and until every game has gone on, however busy the machine."""
    before = [bot.acknowledged for bot in bots]
    with ThreadPoolExecutor(len(bots)) as threads:
        playing = [threads.submit(bot.play) for bot in bots]
        time.sleep(seconds)
        until(lambda: all(bot.acknowledged > then for bot, then in zip(bots, before, strict=True)), within=30)
        serving.kill()
        for bot in playing:
            bot.result(20)


def one_round(serving: Serving, bots: list[Bot], chance: random.Random, line: Line) -> None:
    """Play, kill, start again, and check every game that was open."""
    before = [bot.acknowledged for bot in bots]
    play_until_killed(serving, bots, chance.uniform(0.7, 1.4))
    after = [bot.acknowledged for bot in bots]
    seconds = serving.start()
    for bot in bots:
        game = bot.ledgers[-1].check(bot.caller)
        assert game["status"] != "running", "a stop of the service pauses every game"
    line.ran(acknowledged=sum(after) - sum(before), ready_again_after=f"{seconds:.2f} s")


def check_all(bots: list[Bot]) -> None:
    for bot in bots:
        for ledger in bot.ledgers:
            ledger.check(bot.caller)


@pytest.mark.slow
@pytest.mark.fault("1 kill -9 under load, SQLite")
def test_no_acknowledged_command_is_lost_or_doubled_by_kill_9_on_sqlite(new_serving, line):
    serving, chance = new_serving(), random.Random(9)
    serving.start()
    with crowd(serving.url) as bots:
        for _ in range(form(4, 50)):
            one_round(serving, bots, chance, line)
            with closing(sqlite3.connect(serving.file)) as beside:
                assert beside.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
                assert beside.execute("PRAGMA foreign_key_check").fetchall() == []
        check_all(bots)


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.fault("1 kill -9 under load, PostgreSQL")
def test_no_acknowledged_command_is_lost_or_doubled_by_kill_9_on_postgresql(new_serving, postgres_url, line):
    serving, chance = new_serving(database=postgres_url), random.Random(9)
    serving.start()
    with crowd(serving.url) as bots:
        for _ in range(form(1, 20)):
            one_round(serving, bots, chance, line)
        check_all(bots)
