"""`python -m twofold verify`: one line a file, and a status that says whether all are valid."""

import io
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.engine.games import classic, practice, under_way
from twofold.__main__ import main
from twofold.parse import LIMIT_BYTES


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    wrong = practice().record()
    wrong["result"]["score"] += 1
    (tmp_path / "good.json").write_text(json.dumps(practice().record()), encoding="utf-8")
    (tmp_path / "hidden.json").write_text(json.dumps(under_way().record(show_seed=False)), encoding="utf-8")
    (tmp_path / "wrong.json").write_text(json.dumps(wrong), encoding="utf-8")
    (tmp_path / "torn.json").write_text(json.dumps(wrong)[:200], encoding="utf-8")
    return tmp_path


def test_a_valid_record_is_one_line_and_status_0(files, capsys):
    assert main(["verify", "good.json", "hidden.json"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "good.json: valid, proof seed, 2,080 points in 6 moves",
        "hidden.json: valid, proof consistent, 52 points in 10 moves",
    ]


def test_one_that_is_not_valid_makes_status_1_and_names_the_figures(files, capsys):
    assert main(["verify", "wrong.json", "good.json"]) == 1
    wrong, good = capsys.readouterr().out.splitlines()
    assert wrong.startswith("wrong.json: INVALID: digest: expected ")
    assert wrong.endswith("; result.score: expected 2080, found 2081")
    assert good.startswith("good.json: valid")


def test_what_is_no_record_is_said_with_the_place(files, capsys):
    assert main(["verify", "torn.json"]) == 1
    assert capsys.readouterr().out.startswith("torn.json: not a record: record: not JSON: ")


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("none.json", "none.json: cannot be read: No such file or directory"),
        (".", ".: cannot be read: Is a directory"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_readable_line(files, capsys, name, line):
    assert main(["verify", name]) == 1
    assert capsys.readouterr().out.splitlines() == [line]


def test_a_file_beyond_the_limit_is_not_read_to_its_end(files, capsys):
    with open("vast.json", "wb") as vast:
        vast.truncate(1 << 40)
    assert main(["verify", "vast.json"]) == 1
    assert f"longer than {LIMIT_BYTES} bytes" in capsys.readouterr().out


def test_a_dash_is_standard_input(capsys, monkeypatch):
    content = json.dumps(classic().record()).encode()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))
    assert main(["verify", "-"]) == 0
    assert capsys.readouterr().out == "-: valid, proof seed, 32 points in 8 moves\n"


@pytest.mark.parametrize("arguments", [[], ["verify"], ["prove", "x"], ["verify", "--fast", "x"]])
def test_wrong_usage_is_status_2(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: twofold" in capsys.readouterr().err


def test_the_module_runs_with_the_rule_book_alone(files):
    # -S leaves out every installed package
    source = Path(sys.modules["twofold"].__file__ or "").parent.parent
    command = [sys.executable, "-S", "-W", "error", "-m", "twofold", "verify", "good.json", "wrong.json"]
    done = subprocess.run(command, capture_output=True, text=True, env={"PYTHONPATH": str(source)}, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("good.json: valid, proof seed, 2,080 points in 6 moves\nwrong.json: INVALID: ")
