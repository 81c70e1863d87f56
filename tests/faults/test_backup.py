"""Backups made under load: as of one moment, whole, and every game of them plays on elsewhere."""

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.callers import Caller, answer
from tests.faults.bots import Bot, Ledger
from tests.faults.serving import CHECKOUT, Serving
from tests.faults.test_kill import crowd

pytestmark = [pytest.mark.slow, pytest.mark.fault("21 backup under load, and restored")]


def twofold(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "twofold_cli", *map(str, arguments)]
    return subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False, timeout=120)


def done(*arguments: object) -> str:
    ended = twofold(*arguments)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def refused(*arguments: object) -> str:
    ended = twofold(*arguments)
    assert ended.returncode == 1
    assert len(ended.stderr.splitlines()) == 1, ended.stderr
    return ended.stderr


def back_up_under_load(serving: Serving, database: str, file: Path, bots: list[Bot]) -> dict[str, set[int]]:
    """Copy while the bots play, then kill; the versions of each game that were acknowledged before the copy began."""
    with ThreadPoolExecutor(len(bots)) as threads:
        playing = [threads.submit(bot.play) for bot in bots]
        time.sleep(1.0)
        before = {ledger.game: set(ledger.acknowledged) for bot in bots for ledger in list(bot.ledgers)}
        begun, told = time.monotonic(), sum(bot.acknowledged for bot in bots)
        done("backup", file, "--database", database)
        print(
            f"\ncopied in {time.monotonic() - begun:.2f} s, {sum(b.acknowledged for b in bots) - told} acknowledged",
            end="",
        )
        assert sum(bot.acknowledged for bot in bots) > told, "nothing was played meanwhile"
        time.sleep(0.3)
        serving.kill()
        for bot in playing:
            bot.result(20)
    return before


def check_copy(url: str, bots: list[Bot], before: dict[str, set[int]]) -> int:
    """Every game in the copy is a beginning of what was acknowledged, whole, and replays; how many events there are."""
    total = 0
    for bot in bots:
        with Caller(url, bot.caller.token) as caller:
            for ledger in bot.ledgers:
                if caller.get(f"/games/{ledger.game}").status_code == 404:
                    assert not before.get(ledger.game), "a game of before is missing"
                    continue
                total += check_game(caller, ledger, before.get(ledger.game, set()))
    return total


def check_game(caller: Caller, ledger: Ledger, before: set[int]) -> int:
    version: int = caller.game(ledger.game)["version"]
    last = answer(caller.get(f"/games/{ledger.game}/events?after={version - 1}"))["items"][-1]
    end = version - 1 if last.get("cause") == "outage" else version  # that one is the new start's, not the copy's
    copied = Ledger(ledger.game, ledger.history.up_to(end))
    assert before <= copied.acknowledged.keys()
    copied.check(caller)
    return version


def test_a_backup_of_sqlite_under_load_has_all_that_was_acknowledged_before_and_plays_on(new_serving, tmp_path, line):
    serving, other, file = new_serving(), new_serving(), tmp_path / "copy.db"
    serving.start()
    with crowd(serving.url) as bots:
        before = back_up_under_load(serving, f"sqlite:///{serving.file}", file, bots)
        assert file.stat().st_mode & 0o777 == 0o600
        assert [path.name for path in tmp_path.iterdir()] == [file.name]
        there = f"sqlite:///{other.file}"
        assert "--overwrite" in refused("restore", file, "--database", there)
        done("restore", file, "--database", there, "--overwrite")
        other.start()
        assert "in use" in refused("restore", file, "--database", there, "--overwrite")
        line.ran(acknowledged=check_copy(other.url, bots, before))


@pytest.mark.postgres
def test_a_backup_of_postgresql_under_load_has_all_that_was_acknowledged_before_and_plays_on(
    new_serving, cluster, postgres_url, tmp_path, line
):
    there, file = cluster.create_database(), tmp_path / "copy.dump"
    serving, other = new_serving(database=postgres_url), new_serving(database=there)
    serving.start()
    with crowd(serving.url) as bots:
        before = back_up_under_load(serving, postgres_url, file, bots)
        done("restore", file, "--database", there)
        assert "--overwrite" in refused("restore", file, "--database", there)
        done("restore", file, "--database", there, "--overwrite")
        other.start()
        assert "in use" in refused("restore", file, "--database", there, "--overwrite")
        line.ran(acknowledged=check_copy(other.url, bots, before))
    other.kill()
    cluster.drop_database(there)
