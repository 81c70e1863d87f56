"""show, verify, compare, players: records on the terminal and in pipes, and usage, without a service."""

import io
import json
import os
import pty
import subprocess
import sys
from types import SimpleNamespace

import pytest

from tests.engine import games
from tests.engine.table import DOWN, LEFT, RIGHT, SEED, UP, Table
from twofold.parse import LIMIT_BYTES

ESCAPE = "\x1b]0;owned\x07\x1b[2J"


def named(table: Table, id: str, name: str | None = None):
    """A record of the table under another id."""
    document = table.record()
    document["game"] |= {"id": id, "player": {"id": "p", "name": name}}
    return document


@pytest.fixture
def two(home):
    """Two games of one seed that part at the third move."""
    for name, ways in (("a.json", (LEFT, DOWN, RIGHT)), ("b.json", (LEFT, DOWN, UP))):
        table = Table("classic").wait(1_000)
        table.move(*ways).play(20).abandon()
        with open(name, "w", encoding="utf-8") as file:
            json.dump(named(table, name[0], f"Player {name[0]}"), file)
    return "a.json", "b.json"


def feed(monkeypatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content), isatty=lambda: False))


@pytest.mark.parametrize("game", games.PLAYED)
def test_show_tells_every_event_where_there_is_no_terminal(run, write, game):
    table = games.PLAYED[game]()
    shown = run("show", write("game.json", table))
    assert (shown.status, shown.err) == (0, "")
    assert shown.lines[1].startswith(f"{table.game.position.score:,} point")
    assert shown.lines[2].startswith("valid, proof seed")
    rows = shown.lines[5:]
    assert [int(row.split()[0]) for row in rows[: len(table.events)]] == list(range(len(table.events)))
    assert shown.lines[-1].startswith("└")


def test_show_as_json_has_every_position(run, write):
    table = games.classic()
    told = json.loads(run("show", "--json", write("game.json", table)).out)
    assert len(told["steps"]) == len(table.events)
    assert told["steps"][-1]["board"] == told["result"]["board"]
    assert (told["valid"], told["proof"], told["player"]) == (True, "seed", "Zoë – Ω")


def test_show_reads_standard_input(run, monkeypatch):
    feed(monkeypatch, json.dumps(games.daily().record()).encode())
    assert run("show", "-").lines[0] == "Daily 4×4 of 2027-01-15 by Zoë – Ω"


def test_show_says_that_a_record_is_not_valid(run, write, home):
    document = games.classic().record()
    document["result"]["score"] += 1
    with open("wrong.json", "w", encoding="utf-8") as file:
        json.dump(document, file)
    assert run("show", "wrong.json").lines[2].startswith("INVALID: digest: expected ")


def test_nobody_s_name_steers_the_terminal(run, home):
    for id in ("a", "b"):
        with open(id, "w", encoding="utf-8") as file:
            json.dump(named(Table("classic").play(3).abandon(), id + ESCAPE, ESCAPE), file)
    for command in (("show", "a"), ("compare", "a", "b"), ("show", ESCAPE), ("verify", ESCAPE)):
        ended = run(*command)
        assert "\x1b" not in ended.out + ended.err


@pytest.mark.parametrize("verb", ["show", "compare"])
@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"", "not a record: record: not JSON: "),
        (b"<!doctype html>", "not a record: record: not JSON: "),
        (b"\xff\xfe", "not a record: record: not UTF-8 from place 0 on"),
        (
            b'{"format": "twofold.record/2"}',
            'not a record: format: expected twofold.record/1, found "twofold.record/2"',
        ),
        (b"[" * 100_000, "not a record: record: nested too deeply"),
    ],
)
def test_what_is_no_record_is_one_line(run, two, verb, content, line):
    with open("bad.json", "wb") as file:
        file.write(content)
    ended = run(verb, "bad.json", *(two[:1] if verb == "compare" else ()))
    assert (ended.status, ended.out) == (1, "")
    assert ended.err.startswith(f"twofold: bad.json: {line}") and ended.err.count("\n") == 1


def test_a_game_that_cannot_have_been_is_one_line_with_its_place(run, home):
    document = games.classic().record()
    document["events"][0][1] = {"left": "up", "down": "up"}[document["events"][0][1]]
    document["events"][1][0] = "resume"
    document["events"][1][1] = document["events"][1][4] = None
    with open("never.json", "w", encoding="utf-8") as file:
        json.dump(document, file)
    ended = run("show", "never.json")
    assert ended.status == 1
    assert ended.err.startswith("twofold: never.json: not a record: events.1: no resume is possible here")


@pytest.mark.parametrize("verb", ["show", "verify"])
def test_a_vast_file_is_not_read_to_its_end(run, home, verb):
    with open("vast.json", "wb") as vast:
        vast.truncate(1 << 40)
    ended = run(verb, "vast.json")
    assert ended.status == 1
    assert f"longer than {LIMIT_BYTES} bytes" in ended.out + ended.err


@pytest.mark.parametrize(("name", "why"), [("none.json", "No such file or directory"), (".", "Is a directory")])
def test_a_file_that_cannot_be_read_is_one_line(run, home, name, why):
    assert run("show", name) == (1, "", f"twofold: {name}: cannot be read: {why}\n")


def test_verify_tells_each_file_in_a_line_and_the_whole_by_its_status(run, write):
    good = write("good.json", games.moves100())
    ended = run("verify", good, "none.json", good)
    assert ended.status == 1
    assert [line.split(":")[0] for line in ended.lines] == ["good.json", "none.json", "good.json"]
    assert run("verify", good).status == 0


def test_verify_as_json_is_an_object_a_line(run, write, monkeypatch):
    good = write("good.json", games.moves100())
    with open(good, "rb") as file:
        feed(monkeypatch, file.read())
    told = [json.loads(line) for line in run("verify", "--json", good, "-", "none.json").lines]
    assert [(one["file"], one["valid"]) for one in told] == [("good.json", True), ("-", True), ("none.json", False)]


def test_the_progress_bar_on_a_terminal_leaves_piped_lines_alone(write):
    files = [write(f"{number}.json", games.daily()) for number in range(12)]
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "twofold_cli", "verify", *files]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=slave, check=True)
    os.close(slave)
    bar = os.read(master, 1 << 16).decode(errors="replace")
    os.close(master)
    assert [line.split(b":")[0].decode() for line in done.stdout.splitlines()] == files
    assert "verifying" in bar and "valid, proof" not in bar


def test_compare_shows_figures_bars_and_the_fork(run, two):
    ended = run("compare", *two)
    assert ended.status == 0
    assert ended.lines[1].split()[:3] == ["A", "Player", "a"]
    bars = [line for line in ended.lines if set("▁▂▃▄▅▆▇█") & set(line)]
    assert len(bars) == 8 and all(len(line) <= 80 for line in ended.lines)
    assert "2 moves in common; at move 3, A goes right, B goes up:" in ended.lines
    assert ended.lines[-1].startswith("└")


def test_compare_as_json_is_the_rule_book_s_comparison(run, two):
    told = json.loads(run("compare", "--json", *two).out)
    assert (told["common_moves"], told["fork"]["move"]) == (2, 3)
    assert told["fork"]["choices"] == [{"game": "a", "direction": "right"}, {"game": "b", "direction": "up"}]
    assert len(told["series"][0]["score"]) == 24
    assert told["games"][1] == {"game": "b", "player": "Player b"}


@pytest.mark.parametrize(
    ("others", "status", "line"),
    [
        ([], 2, "2 to 4 games are compared, these are 1"),
        (["a.json"], 1, "a game is compared with others, not with itself"),
        (["other.json"], 1, "games are compared that have one seed and the same rules; these have not"),
        (["none.json"], 2, "none.json: no such file; games are compared from files, or by their ids on a service"),
        (["b.json"] * 4, 2, "2 to 4 games are compared, these are 5"),
    ],
)
def test_what_cannot_be_compared_is_one_line(run, two, others, status, line):
    with open("other.json", "w", encoding="utf-8") as file:
        json.dump(named(Table("classic", seed=SEED[::-1]).play(3), "other"), file)
    assert run("compare", "a.json", *others) == (status, "", f"twofold: {line}\n")


@pytest.mark.parametrize("change", [("hide", "ada"), ("rename", "ada", "Ada")])
@pytest.mark.parametrize("left", [[], ["twofold.db"]])
def test_a_folder_without_a_database_is_told_in_one_line_and_gets_none(run, home, change, left):
    for name in left:
        open(name, "wb").close()
    ended = run("players", *change, "--database", "sqlite:///twofold.db")
    line = "database: there is none of Twofold's in twofold.db; serve or migrate makes one"
    assert ended == (1, "", f"twofold: {line}\n")
    assert os.listdir() == left


@pytest.mark.parametrize("command", [("nope",), ("show",), ("daily", "--order", "x"), ("verify", "--fast", "x")])
def test_wrong_usage_is_one_line_and_status_2(run, command):
    ended = run(*command)
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("twofold: ") and ended.err.count("\n") == 1


def test_without_arguments_the_verbs_are_listed(run):
    ended = run()
    assert all(verb in ended.out for verb in ("play", "show", "verify", "daily", "compare", "export", "serve"))
    assert (ended.status, ended.err) == (2, "")


def test_a_reader_that_goes_away_is_no_traceback(write):
    name = write("long.json", Table("practice", given=[[2] * 8] * 8).play(400))
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "twofold_cli", "show", name]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.parametrize("command", ["show game.json", "verify game.json", "--version", "openapi --folder /dev/null"])
def test_what_cannot_be_written_is_one_line(write, command):
    write("game.json", games.daily())
    with open("/dev/full", "wb") as full:
        arguments = [sys.executable, "-m", "twofold_cli", *command.split()]
        done = subprocess.run(arguments, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(b"twofold: ") and done.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    ("command", "status"),
    [("verify game.json >&-", 0), ("show game.json >&-", 0), ("verify - <&-", 1), ("show - <&-", 1), ("nope 2>&-", 2)],
)
def test_a_stream_that_the_caller_has_closed_is_no_traceback(write, command, status):
    write("game.json", games.daily())
    shell = ["/bin/sh", "-c", f'"$0" -m twofold_cli {command}', sys.executable]
    done = subprocess.run(shell, capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["--mode", "chess"], "mode: the modes are classic, sprint, break, moves100, daily, practice"),
        (["--mode", "sprint", "--size", "5"], "size: sprint is played on 4"),
        (["--undo-limit", "3"], "undo_limit: classic has 0 or 1 or 5 undos"),
        (["--seed", "12"], "seed: 64 hex digits"),
        (["--seed", "0" * 64], "seed: is for practice alone"),
        (["--mode", "practice", "--date", "1.1.2027"], "date: YYYY-MM-DD"),
        (["--mode", "practice", "--board", "[[1]]"], "board: a board has 3 to 8 rows, this has 1"),
        (["--mode", "practice", "--board", "2,4"], "board: rows of face values, like [[2,0,4],[0,0,0],[0,0,2]]"),
        (["--game", "x"], "a game is gone on with on a service: name it by --server"),
        ([], "the game is played on a terminal; input or output is none"),
    ],
)
def test_a_game_that_is_not_to_be_had_is_one_line(run, options, line):
    assert run("play", *options) == (2, "", f"twofold: {line}\n")


def without(modules, *arguments):
    """The command in a Python that lacks these modules."""
    program = (
        f"import sys\nfor name in {modules!r}: sys.modules[name] = None\n"
        "from twofold_cli.__main__ import main\nmain(sys.argv[1:])"
    )
    return subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("verb", "module", "extra"),
    [
        ("play", "textual", "tui"),
        ("daily", "httpx", "client"),
        ("migrate", "sqlmodel", "service"),
        ("train run.npz", "numba", "train"),
        ("analyse -", "numpy", "solver"),
        ("bot --level 1", "numpy", "solver"),
        ("bot --level 1", "httpx", "client"),
    ],
)
def test_a_missing_extra_is_named(home, verb, module, extra):
    done = without((module,), *verb.split())
    assert (done.returncode, done.stdout) == (1, "")
    line = f"this command needs the extra `{extra}` ({module} is missing): pip install 'twofold[{extra}]'"
    assert done.stderr == f"twofold: {line}\n"


def test_a_module_of_our_own_that_is_missing_is_no_missing_extra(home):
    done = without(("twofold_client._retry",), "daily")
    assert done.stderr.startswith("Traceback") and "needs the extra" not in done.stderr


@pytest.mark.parametrize("verb", ["verify", "show"])
def test_records_are_read_without_the_client_and_the_screens(write, verb):
    absent = "textual", "httpx", "websockets", "twofold_client", "dotenv", "fastapi"
    done = without(absent, verb, write("game.json", games.daily()))
    assert (done.returncode, done.stderr) == (0, "")
