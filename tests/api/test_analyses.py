"""Analyses over REST and the live channel: of final games, made once and kept."""

import json
import time

import pytest

from tests.callers import answer, problem
from tests.test_openapi import check, rest
from twofold.parse import parse
from twofold.replay import replay
from twofold_solver.analysis import analyse, path_of
from twofold_solver.reasons import Code
from twofold_solver.solver import Solver

WITHIN = 60.0  # the first one waits for the solver's process


def found(caller, game, **query):
    """The analysis, asked for until it is there."""
    end = time.monotonic() + WITHIN
    while time.monotonic() < end:
        response = caller.get(f"/games/{game['id']}/analysis", params=query)
        if response.status_code != 202:
            return answer(response)
        assert response.headers["retry-after"] == "1"
        assert response.json()["state"] in ("queued", "running")
    raise TimeoutError


@pytest.fixture
def finished(me):
    """Forty moves, of which one was taken back, and one more; then given up."""
    game = me.play(me.new(), 39)
    me.do(game["id"], "undo")
    return me.do(me.play(me.game(game["id"]), 2)["id"], "abandon")["game"]


def events(caller, game):
    """The game's log as the rule book plays it."""
    return replay(parse(answer(caller.get(f"/games/{game['id']}/export"))))


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_it_is_what_the_solver_says_of_the_final_path(stranger, finished, depth):
    said = found(stranger, finished, depth=depth)

    log = answer(stranger.get(f"/games/{finished['id']}/events", params={"limit": 100}))["items"]
    assert said["moves"] == finished["moves"] == 40
    assert said["points"]["score"][-1] == finished["score"]
    assert (said["game"], said["size"], said["depth"], said["trained"]) == (finished["id"], 4, depth, True)
    played = [event["direction"] for event in log if event["type"] == "move"]
    assert said["points"]["played"] == [*played[:38], *played[39:]]
    expected = analyse(Solver.opened(), path_of(events(stranger, finished)), depth).document()
    assert {name: said[name] for name in expected} == json.loads(json.dumps(expected))


def test_two_moves_are_looked_at_where_nothing_is_said(stranger, finished):
    assert found(stranger, finished) == found(stranger, finished, depth=2)


def test_it_is_as_its_document_says(stranger, finished):
    check(rest(), {"$ref": "#/components/schemas/Analysis"}, found(stranger, finished))


def test_each_reason_there_is_is_named_in_the_document():
    assert set(rest()["components"]["schemas"]["Reason"]["properties"]["code"]["enum"]) == {code.value for code in Code}


@pytest.mark.parametrize("size", [3, 5])
def test_other_sizes_are_looked_over_without_points(me, size):
    game = me.do(me.play(me.new("practice", size=size), 12)["id"], "abandon")["game"]

    said = found(me, game, depth=4)

    assert (said["trained"], said["moves"], said["accuracy"], said["turning_points"]) == (False, 12, None, [])


def test_a_game_without_a_move_has_an_empty_one(me):
    said = found(me, me.do(me.new()["id"], "abandon")["game"])
    assert (said["moves"], said["accuracy"], said["points"]["score"]) == (0, None, [])


def test_it_is_made_once_and_kept(serve, join):
    service = serve()
    me = join(service.url)
    game = me.do(me.play(me.new(), 10)["id"], "abandon")["game"]
    first = found(me, game)
    service.service.analyses._desk = None  # nobody is asked any more

    assert found(me, game) == first


def test_a_game_that_can_go_on_or_be_revived_has_none(me):
    game = me.new("moves100")
    problem(me.get(f"/games/{game['id']}/analysis"), 409, "not_final")
    game = me.play(game, 100)
    assert (game["status"], game["final"]) == ("over", False)
    problem(me.get(f"/games/{game['id']}/analysis"), 409, "not_final")
    assert found(me, me.do(game["id"], "abandon")["game"])["moves"] == 100


@pytest.mark.parametrize("depth", ["0", "5", "x"])
def test_a_depth_out_of_range_is_refused_by_its_name(me, finished, depth):
    refused = problem(me.get(f"/games/{finished['id']}/analysis", params={"depth": depth}), 422, "invalid")
    assert [error["loc"] for error in refused["errors"]] == [["query", "depth"]]


def test_nobody_knows_of_a_private_one_or_of_none(me, other, stranger):
    game = me.do(me.new(visibility="private")["id"], "abandon")["game"]

    for caller in (other, stranger):
        problem(caller.get(f"/games/{game['id']}/analysis"), 404, "not_found")
    problem(me.get("/games/nosuchgame/analysis"), 404, "not_found")


def test_it_goes_with_its_player(join, url, stranger):
    leaving = join(url)
    game = leaving.do(leaving.play(leaving.new(), 5)["id"], "abandon")["game"]
    found(stranger, game)

    leaving.delete("/players/me")

    problem(stranger.get(f"/games/{game['id']}/analysis"), 404, "not_found")


def test_who_watches_the_game_is_told_when_it_is_there(me, stranger, live, finished):
    watching = live()
    watching.ok("watch", game=finished["id"])

    found(stranger, finished)

    push = watching.push("analysis")
    while push["progress"] < 1:
        push = watching.push("analysis")
    assert push == {"ev": "analysis", "game": finished["id"], "depth": 2, "progress": 1.0}
