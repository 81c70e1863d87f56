"""Commands over REST: at the version one saw, once under a key, refused by their codes."""

import pytest

from tests.callers import DIRECTIONS, answer, problem, still

OPS = ("move", "start", "undo", "pause", "resume", "continue", "abandon")
CORNER = [[2, 0, 0], [0, 0, 0], [0, 0, 0]]


def fields(op):
    return {"direction": "left"} if op == "move" else {}


def test_a_move_is_answered_with_its_event_and_the_game(me):
    game = me.new()

    moved = me.ask(game["id"], "move", direction=game["legal_moves"][0])

    told = answer(moved)
    assert told.keys() == {"moved", "event", "game"}
    assert (told["moved"], told["event"]["version"], told["game"]["version"]) == (True, 2, 2)
    assert moved.headers["etag"] == '"2"'
    assert told["game"]["board"] == told["event"]["board"]


def test_a_no_op_costs_nothing(me):
    game = me.new("practice", board=CORNER)

    told = me.move(game["id"], "left")

    assert (told["moved"], told["event"]) == (False, None)
    assert still(told["game"]) == still(game)


@pytest.mark.parametrize("body", [b"", b"{}", b'{"version":1}', b'{"version":null}'])
def test_a_command_needs_no_body(me, body):
    game = me.new()
    headers = {"Content-Type": "application/json"} if body else {}

    told = answer(me.post(f"/games/{game['id']}/pause", content=body, headers=headers))

    assert told.keys() == {"event", "game"}
    assert (told["event"]["type"], told["event"]["cause"], told["game"]["pauses"]) == ("pause", "player", 1)


def test_a_whole_life(me):
    game = me.new("practice", board=[[1024, 1024, 0], [0, 0, 0], [0, 0, 0]], start=False)["id"]

    statuses = [
        me.do(game, op, **fields(op))["game"]["status"]
        for op in ("start", "pause", "resume", "move", "continue", "undo", "abandon")
    ]

    assert statuses == ["running", "paused", "running", "won", "running", "running", "over"]


@pytest.mark.parametrize(
    ("prepared", "codes"),
    [
        ((), "- already_started nothing_to_undo - not_paused not_won -"),
        (("pause",), "paused already_started nothing_to_undo not_running - not_won -"),
        (("abandon",), "game_over game_over game_over game_over game_over game_over game_over"),
    ],
)
def test_what_a_state_does_not_allow_is_refused_and_changes_nothing(me, prepared, codes):
    for op, code in zip(OPS, codes.split(), strict=True):
        game = me.new()
        for step in prepared:
            game = me.do(game["id"], step)["game"]

        asked = me.ask(game["id"], op, **fields(op))

        if code == "-":
            answer(asked)
        else:
            problem(asked, 409, code)
            assert still(me.game(game["id"])) == still(game)


def test_a_game_that_waits_is_not_started_by_anything_else(me):
    game = me.new("sprint")["id"]

    for op in ("move", "undo", "pause", "resume", "continue"):
        problem(me.ask(game, op, **fields(op)), 409, "not_started")

    assert me.do(game, "start")["game"]["status"] == "running"


def test_a_stale_version_brings_the_game_as_it_stands(me):
    game = me.play(me.new(), 1)

    refused = problem(me.ask(game["id"], "pause", version=1), 409, "stale_version")

    assert still(refused["game"]) == still(game)
    assert me.do(game["id"], "pause", version=2)["event"]["version"] == 3


def test_a_version_in_if_match_is_refused_as_a_precondition(me):
    game = me.play(me.new(), 1)

    refused = problem(me.ask(game["id"], "pause", match='"1"'), 412, "stale_version")

    assert refused["game"]["version"] == 2
    assert me.do(game["id"], "pause", match='"2"')["event"]["version"] == 3


def test_if_match_and_version_may_both_be_given_where_they_agree(me):
    game = me.new()["id"]

    assert me.do(game, "pause", match='"1"', version=1)["event"]["version"] == 2
    refused = problem(me.ask(game, "resume", match='"2"', version=1), 422, "invalid")
    assert refused["errors"][0]["loc"] == ["body", "version"]


def test_any_version_matches_a_star(me):
    assert me.do(me.play(me.new(), 2)["id"], "pause", match="*")["event"]["version"] == 4


@pytest.mark.parametrize(
    "match", ["1", '"1', 'W/"1"', '"1", "2"', '"x"', '""', '"-1"', '"1.0"', '"' + "9" * 40 + '"', "''"]
)
def test_if_match_is_one_version_in_quotes(me, match):
    refused = problem(me.ask(me.new()["id"], "pause", match=match), 422, "invalid")

    assert refused["errors"][0]["loc"] == ["header", "If-Match"]


def test_a_key_is_answered_again_as_before_with_the_game_as_it_stands(me):
    game = me.new()
    way = game["legal_moves"][0]
    first = me.move(game["id"], way, key="k")
    me.do(game["id"], "abandon")

    again = me.move(game["id"], way, key="k")

    assert (again["event"], again["moved"], again["replayed"]) == (first["event"], True, True)
    assert (again["game"]["status"], again["game"]["version"]) == ("over", 3)
    assert "replayed" not in first


def test_a_no_op_under_a_key_is_answered_again(me):
    game = me.new("practice", board=CORNER)["id"]
    me.move(game, "left", key="k")
    me.move(game, "right")

    again = me.move(game, "left", key="k")

    assert (again["moved"], again["event"], again["replayed"], again["game"]["version"]) == (False, None, True, 2)


def test_a_key_serves_one_command(me):
    game = me.new("practice", board=CORNER)["id"]
    me.move(game, "right", key="k")

    problem(me.ask(game, "move", direction="down", key="k"), 422, "key_reused")
    problem(me.ask(game, "pause", key="k"), 422, "key_reused")
    problem(me.ask(game, "move", direction="right", version=2, key="k"), 422, "key_reused")


@pytest.mark.parametrize("key", ["", "x" * 65, "tab\there", "ä"])
def test_a_key_has_one_to_sixty_four_printable_characters(me, key):
    headers = {"Idempotency-Key": key.encode("latin-1")}

    for path in (f"/games/{me.new()['id']}/pause", "/games"):
        refused = problem(
            me.post(path, json={} if path != "/games" else {"mode": "classic"}, headers=headers), 422, "invalid"
        )
        assert refused["errors"][0]["loc"] == ["header", "Idempotency-Key"]


def test_a_key_of_sixty_four_characters_serves(me):
    assert me.do(me.new()["id"], "pause", key="k" * 64)["event"]["version"] == 2


@pytest.mark.parametrize("op", OPS)
def test_nobody_plays_the_game_of_another(me, other, stranger, op):
    game = me.new()

    problem(other.ask(game["id"], op, **fields(op)), 403, "forbidden")
    refused = stranger.ask(game["id"], op, **fields(op))

    problem(refused, 401, "unauthorized")
    assert refused.headers["www-authenticate"] == "Bearer"
    assert still(me.game(game["id"])) == still(game)


def test_a_game_there_is_not_is_not_found_before_its_command_is_read(me):
    for game in ("constructor", "0" * 26, "%00", "x" * 100, "%F0%9F%8E%B2"):
        problem(me.post(f"/games/{game}/moves", json={"direction": "north"}), 404, "not_found")


def test_whose_game_it_is_comes_before_what_is_wrong_with_the_command(me, other):
    problem(other.post(f"/games/{me.new()['id']}/moves", json={"direction": "north"}), 403, "forbidden")


@pytest.mark.parametrize(
    ("body", "loc"),
    [
        ({}, ["body", "direction"]),
        ({"direction": "north"}, ["body", "direction"]),
        ({"direction": "LEFT"}, ["body", "direction"]),
        ({"direction": None}, ["body", "direction"]),
        ({"direction": 0}, ["body", "direction"]),
        ({"direction": ["left"]}, ["body", "direction"]),
        ({"direction": "left", "version": "1"}, ["body", "version"]),
        ({"direction": "left", "version": True}, ["body", "version"]),
        ({"direction": "left", "version": 0}, ["body", "version"]),
        ({"direction": "left", "version": -1}, ["body", "version"]),
        ({"direction": "left", "version": 1.5}, ["body", "version"]),
        ({"direction": "left", "version": 10**30}, ["body", "version"]),
        ({"direction": "left", "surprise": 1}, ["body", "surprise"]),
        ({"direction": "left", "key": "k"}, ["body", "key"]),
        ([], ["body"]),
        ("left", ["body"]),
    ],
)
def test_the_field_at_fault_is_named(me, body, loc):
    game = me.new()

    refused = problem(me.post(f"/games/{game['id']}/moves", json=body), 422, "invalid")

    assert refused["errors"][0]["loc"] == loc
    assert me.game(game["id"])["version"] == 1


def test_null_is_no_body(me):
    path = f"/games/{me.new()['id']}/pause"

    problem(me.post(path, content=b"null", headers={"Content-Type": "application/json"}), 422, "invalid")


def test_ways_that_are_not_there_are_refused(me):
    game = me.new()["id"]

    for way in DIRECTIONS:
        problem(me.post(f"/games/{game}/{way}", json={}), 404, "not_found")
