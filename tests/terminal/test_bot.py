"""`twofold bot` on a real service: a player like any other, marked as what it is."""

import itertools
import json
import os
import signal
import subprocess
import sys

import pytest

from twofold.game import EventType
from twofold.replay import replay
from twofold_cli import tokens
from twofold_client import Client, errors
from twofold_client.values import Problem
from twofold_solver.solver import Solver


@pytest.fixture(autouse=True)
def here(service, weights_cache, monkeypatch):
    monkeypatch.setenv("TWOFOLD_SERVER", service.url)


def games(url, level=1):
    with Client(url, tokens.kept(f"{url}#bot-{level}")) as bot:
        return list(bot.games())


def test_it_plays_its_games_and_tells_them(run, url):
    told = run("bot", "--level", "1", "--mode", "moves100", "--games", "2")

    assert (told.status, told.err) == (0, "")
    second, first = games(url)
    assert [line.split(":")[0] for line in told.lines] == [first.id, second.id]
    assert told.lines[0].startswith(f"{first.id}: {first.score:,} points in 100 moves, highest tile {first.max_tile}, ")
    assert told.lines[0].endswith(" of play, move limit")


def test_it_is_a_bot_and_the_same_one_next_time(run, url):
    for _ in range(2):
        run("bot", "--level", "2", "--mode", "moves100", "--name", "Tilly")

    one, other = games(url, 2)
    assert one.player == other.player
    assert (one.player.name, one.player.bot) == ("Tilly", True)
    with Client(url) as reader:
        assert one.player in [result.player for result in reader.leaderboard("moves100", bots=True)]


def test_it_goes_the_solver_s_way(run, url):
    run("bot", "--level", "3", "--mode", "moves100")
    (game,) = games(url, 3)

    with Client(url) as reader:
        events = list(replay(reader.record(game.id).parsed))

    solver = Solver.opened()
    for before, event in itertools.pairwise(events):
        if event.type is EventType.MOVE:
            assert event.direction == solver.advise(4, before.game.position.cells, 3).best
    assert events[-1].game.final, "what it will not undo it gives up"


def test_a_game_that_was_left_open_goes_on_and_beyond_the_goal(run, url):
    with Client(url) as bot:
        bot.join(bot=True)
        tokens.keep(f"{url}#bot-4", bot.token or "")
        game = bot.new_game("practice", board=[[1024, 1024, 0], [4, 8, 2], [2, 4, 8]])
        game.pause()

    told = run("bot", "--level", "4", "--mode", "practice", "--size", "3", "--json")

    document = json.loads(told.out)
    assert (document["game"], document["outcome"], document["mode"]) == (game.id, "no_moves", "practice")
    assert document["reached_goal"] and document["max_tile"] >= 2048 and document["moves"] > 1
    with Client(url) as reader:
        assert reader.game(game.id).state.final, "what it will not undo it gives up"


def test_the_clock_of_a_timed_game_is_started(run, serve, clock, monkeypatch):
    service = serve(now=clock)
    monkeypatch.setenv("TWOFOLD_SERVER", service.url)
    with Client(service.url) as bot:
        bot.join(bot=True)
        tokens.keep(f"{service.url}#bot-1", bot.token or "")
        bot.new_game("sprint")

    document = json.loads(run("bot", "--level", "1", "--mode", "sprint", "--json").out)

    assert (document["outcome"], document["active_ms"]) == ("no_moves", 0)


def endless(url: str) -> "subprocess.Popen[str]":
    """A bot that plays game after game; Ctrl+C ends it, whatever started the tests ignores."""
    options = ("--level", "1", "--games", "0", "--mode", "moves100", "--json")
    return subprocess.Popen(
        ["env", "--default-signal=INT", sys.executable, "-m", "twofold_cli", "bot", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"TWOFOLD_SERVER": url},
    )


def test_ctrl_c_leaves_the_game_to_be_gone_on_with(process, home):
    with endless(process.url) as bot:
        assert bot.stdout is not None and json.loads(bot.stdout.readline())["moves"] == 100
        bot.send_signal(signal.SIGINT)
        _, told = bot.communicate(timeout=30)

    assert bot.returncode == 130
    assert told == "stopped; the open game goes on with the next `twofold bot`\n"


def test_it_goes_on_when_the_service_comes_back(process, home):
    with endless(process.url) as bot:
        assert bot.stdout is not None and bot.stdout.readline()
        process.kill()
        process.start()
        for _ in range(2):
            assert json.loads(bot.stdout.readline())["moves"] == 100
        bot.send_signal(signal.SIGINT)
        bot.communicate(timeout=30)


def test_two_programs_that_play_one_game_are_told_so_in_one_line(run, url, monkeypatch):
    told = Problem("about:blank", "Another version", 409, "stale_version", "It is at another version.", False, "1")

    async def always_late(*_):
        raise errors.StaleVersion(told)

    monkeypatch.setattr("twofold_cli.robot._step", always_late)

    ended = run("bot", "--level", "1")

    assert (ended.status, ended.out) == (1, "")
    assert ended.err == (
        f"twofold: {url}: another program plays the open game of this bot; TWOFOLD_TOKEN may name another bot\n"
    )


def test_a_person_s_token_is_refused(run, url, monkeypatch):
    with Client(url) as person:
        person.join("Ada")
        monkeypatch.setenv("TWOFOLD_TOKEN", person.token or "")

    told = run("bot", "--level", "1")

    assert (told.status, told.out) == (2, "")
    assert told.err == f"twofold: {url}: the token is a person's; bots play as players of their own\n"


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (("--level", "1", "--mode", "chess"), "mode: the modes are "),
        (("--level", "1", "--mode", "sprint", "--size", "5"), "size: sprint is played on 4"),
        (("--level", "5"), "Invalid value for '--level'"),
        ((), "Missing option '--level'"),
    ],
)
def test_what_cannot_be_played_is_one_line(run, options, line):
    told = run("bot", *options)

    assert told.status == 2
    assert told.err.startswith(f"twofold: {line}") and told.err.count("\n") == 1


def test_a_service_that_is_not_there_is_one_line(run, monkeypatch):
    monkeypatch.setattr("twofold_cli.servers.WITHIN", 0.2)
    told = run("bot", "--level", "1", "--server", "http://127.0.0.1:9")

    assert told.status == 3
    assert told.err.startswith("twofold: http://127.0.0.1:9: ") and told.err.count("\n") == 1
