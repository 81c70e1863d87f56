"""The benchmarks that are scripts run, and a simulated day is the same each time it is made."""

import re
import subprocess
import sys
from pathlib import Path
from random import Random

from tests.bench import commits, crowd, pictures, rooms
from twofold.daily import opens_at
from twofold.game import Outcome

ROOT = Path(__file__).parent.parent
DATE = "2027-01-15"


def finished(seed: int, number: int) -> list[str]:
    log = list(crowd.played(bytes(32), opens_at(DATE), Random(f"{seed} {DATE} {number}")))
    return [repr(event) for event in log]


def test_a_seed_makes_the_same_crowd_and_another_another_one():
    first, again, other = ([finished(seed, number) for number in range(3)] for seed in (1, 1, 2))

    assert first == again
    assert all(one not in first for one in other)


def test_a_crowd_gives_up_gets_stuck_and_reaches_the_goal():
    games = [list(crowd.played(bytes(32), 0, Random(number)))[-1].game for number in range(60)]

    assert {game.outcome for game in games} == {Outcome.ABANDONED, Outcome.NO_MOVES}
    assert {game.position.reached_goal for game in games} == {False, True}
    assert min(game.position.moves for game in games) > 0


def test_the_day_of_a_small_crowd_is_measured():
    command = [sys.executable, "-m", "tests.bench.day", "--players", "130", "--rounds", "2"]

    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True, timeout=120)

    assert done.returncode == 0, done.stderr
    rows = re.findall(r"^(.+?)  +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+$", done.stdout, re.MULTILINE)
    assert len(rows) == 1 + 4 * 5
    assert {"score: first page", "time: last page", "moves: page in the middle"} <= set(rows)


def test_every_picture_is_drawn():
    made = {title: draw() for title, draw in pictures.pictures(30)}

    assert [title.partition(",")[0] for title in made] == ["board.svg"] * 2 + ["board.png"] * 2 + ["replay.gif"] * 3
    assert all(made.values())


def test_a_move_is_measured_by_room_and_the_middle_of_one_is_itself(tmp_path):
    measured = rooms.measure(tmp_path / "rooms.db", 1)

    assert rooms.middle([measured]) == measured
    assert tuple(measured.journal) == commits.BATCHES
    assert 0 < measured.engine < measured.path_ws
