"""`twofold analyse`: a record looked over on this machine, in words and for programs."""

import json
from pathlib import Path

import pytest

from tests.engine.table import DOWN, Table
from twofold_cli.looks.explaining import reasons
from twofold_solver.reasons import Code
from twofold_solver.solver import Solver

RISKY = [[4, 8, 4, 2], [32, 16, 8, 2], [8, 2, 16, 8], [128, 8, 2, 16]]
FIELDS: dict[str, dict[str, object]] = {
    "corner_left": {"tile": 256, "cell": 0, "to": 4},
    "edge_left": {"tile": 1024, "cell": 7, "to": 6},
    "corner_missed": {"tile": 64, "cell": 15},
    "corner_at_risk": {"tile": 256, "cell": 12, "chance": 0.2, "better": 0.05},
    "end_possible": {"chance": 0.9, "better": 0.0},
    "chain_broken": {"tiles": [256, 128], "cells": [1, 2]},
    "merge_missed": {"tile": 128},
    "cells_closed": {"worse": 1, "better": 2},
    "small_between": {"tile": 2, "cell": 1, "between": [128, 256]},
    "gap_between": {"cell": 1, "between": [128, 256]},
}


pytestmark = pytest.mark.usefixtures("weights_cache")


def test_a_turning_point_is_told_with_its_boards_and_reasons(run, write):
    table = Table("practice", given=RISKY).wait(1_500).move(DOWN)

    told = run("analyse", write("game.json", table))

    assert (told.status, told.err) == (0, "")
    assert told.lines[:2] == ["Practice 4×4 by Zoë – Ω", "4 points in 1 move, 0:01.5 of play, no moves"]
    assert told.lines[2].startswith("accuracy 0.0 of 100, ")
    assert told.lines[3] == "1 blunder, 0 mistakes, 0 inaccuracies"
    assert told.out.split("Turning points\n\n")[1].splitlines()[1:] == [
        "  before             after down         after up",
        "    4   8   4   2      4   8   4   ·      4   8   4   4",
        "   32  16   8   2     32  16   8   4     32  16   8   8",
        "    8   2  16   8      8   2  16   8      8   2  16  16",
        "  128   8   2  16    128   8   2  16    128   8   2   ·",
        "  after down, the next tile ends the game with a chance of 90%; after up with none",
    ]


def test_as_json_it_is_the_document_with_the_games_id(run, write):
    name = write("game.json", Table("classic").play(30))

    document = json.loads(run("analyse", name, "--json", "--depth", "1").out)

    assert (document["game"], document["depth"], document["moves"]) == ("game-classic", 1, 30)
    assert len(document["points"]["loss"]) == 30


def test_a_record_that_does_not_prove_itself_is_not_analysed(run, write):
    name = write("game.json", Table("classic").play(30))
    record = json.loads(Path(name).read_text())
    record["result"]["score"] += 4
    Path(name).write_text(json.dumps(record))

    told = run("analyse", name)

    assert (told.status, told.out) == (1, "")
    assert told.err.startswith("twofold: ") and "not analysed: digest: " in told.err and told.err.count("\n") == 1


def test_a_game_without_moves_has_nothing_to_analyse(run, write):
    assert run("analyse", write("game.json", Table("break"))).lines[2:] == ["no moves were made: nothing to analyse"]


def test_other_sizes_are_judged_without_points(run, write):
    table = Table("practice", given=[[2, 4, 0], [0, 0, 0], [0, 0, 2]]).play(4)

    told = run("analyse", write("game.json", table)).out

    assert "without points to expect" in told
    assert "of 4 moves as the solver would have played" in told
    assert "accuracy" not in told and "Turning" not in told


def test_what_is_no_record_is_one_line(run, home):
    (home / "work/game.json").write_text("{}")

    assert run("analyse", "game.json").err == "twofold: game.json: not a record: format: missing\n"
    (home / "work/folder").mkdir()
    assert run("analyse", "folder").err == "twofold: folder: cannot be read: Is a directory\n"
    assert run("analyse", "game.json", "--depth", "5").status == 2


def test_missing_weights_are_one_line(run, write, monkeypatch, tmp_path):
    opened, missing = Solver.opened, tmp_path / "4x4.weights"
    monkeypatch.setattr(Solver, "opened", lambda: opened(missing))

    told = run("analyse", write("game.json", Table("classic").play(3)))

    assert (told.status, told.out) == (1, "")
    assert told.err == f"twofold: {missing}: cannot be read: No such file or directory\n"


@pytest.mark.parametrize("code", Code)
def test_every_reason_has_words(code):
    (sentence,) = reasons("down", "up", [{"code": code.value, **FIELDS[code.value]}], 4)

    assert "down" in sentence or "up" in sentence


def test_a_reason_of_a_later_release_is_left_out():
    assert reasons("down", "up", [{"code": "unheard_of"}], 4) == []
