"""Records over REST: exported, verified, their origin told; raw rows for a game that cannot be read."""

import json

import httpx
import pytest

from tests.callers import answer, problem, still
from twofold.record import digest

JSON = {"Content-Type": "application/json"}


@pytest.fixture
def game(me):
    """A finished game."""
    return me.do(me.play(me.new(), 15)["id"], "abandon")["game"]


def export(caller, game):
    return answer(caller.get(f"/games/{game['id']}/export"))


def verified(caller, record):
    return answer(caller.post("/verify", json=record))


def sealed(record, **parts):
    changed = {**record, **parts}
    return changed | {"digest": digest(changed)}


def damage(service, game, change):
    """A stored row of the game changed behind the service's back."""
    room = service.turns._rooms.get(game["id"])
    if room is not None:
        service.do(lambda: service.turns._rooms.drop(room))
    statement = change.replace("{}", "(SELECT key FROM game WHERE id = ?)")
    service.wait_for(
        lambda: service.service.journal.run(lambda connection: connection.exec_driver_sql(statement, (game["id"],)))
    )


def test_a_finished_game_s_record_is_proved_by_its_seed(game, stranger):
    record = export(stranger, game)

    told = verified(stranger, record)

    assert told.keys() == {"valid", "proof", "origin", "findings", "result"}
    assert (told["valid"], told["proof"], told["origin"], told["findings"]) == (True, "seed", "stored", [])
    assert told["result"] == record["result"]
    assert record["seed"] == game["seed"]
    assert record["digest"] == digest(record)


def test_a_running_game_s_record_is_consistent_and_stays_stored_when_it_goes_on(me, stranger):
    game = me.play(me.new(), 8)
    record = export(stranger, game)
    me.do(me.play(game, 5)["id"], "abandon")

    told = verified(stranger, record)

    assert (told["valid"], told["proof"], told["origin"]) == (True, "consistent", "stored")
    assert record["seed"] is None


def test_a_changed_record_is_not_valid_and_a_fresh_digest_does_not_help(game, stranger):
    record = export(stranger, game)
    result = record["result"] | {"score": record["result"]["score"] + 4}

    as_it_was, fresh = (
        verified(stranger, record | {"result": result}),
        verified(stranger, sealed(record, result=result)),
    )

    assert (as_it_was["valid"], fresh["valid"], fresh["origin"]) == (False, False, "differs")
    for told in (as_it_was, fresh):
        assert ["result", "score"] in [finding["loc"] for finding in told["findings"]]


def test_a_record_that_is_only_said_to_be_of_here_is_unknown(game, stranger):
    record = export(stranger, game)

    told = verified(stranger, sealed(record, game=record["game"] | {"id": "elsewhere"}))

    assert (told["valid"], told["origin"]) == (True, "unknown")


def test_another_s_private_game_is_unknown_and_one_s_own_is_stored(me, other):
    game = me.do(me.play(me.new(visibility="private"), 6)["id"], "abandon")["game"]
    record = export(me, game)

    assert (verified(me, record)["origin"], verified(other, record)["origin"]) == ("stored", "unknown")
    assert verified(other, record)["valid"]


@pytest.mark.parametrize(
    ("change", "loc"),
    [
        ({"format": "twofold.record/2"}, ["body", "format"]),
        ({"events": [["dance", None, 0, None, None]]}, ["body", "events", 0, 0]),
        ({"digest": 5}, ["body", "digest"]),
        ({"surprise": 1}, ["body"]),
        ({"result": None}, ["body", "result"]),
    ],
)
def test_a_damaged_record_is_refused_with_the_place(game, stranger, change, loc):
    refused = problem(stranger.post("/verify", json=export(stranger, game) | change), 422, "invalid")

    assert refused["errors"][0]["loc"] == loc


@pytest.mark.parametrize(
    "content", [b"", b"{", b'{"format":"twofold.record/1","format":"twofold.record/1"}', b"\x00", b"[NaN]"]
)
def test_what_is_no_record_is_refused(stranger, content):
    problem(stranger.post("/verify", content=content, headers=JSON), 422, "invalid")


def test_a_record_may_be_larger_than_other_bodies_but_not_endless(stranger):
    large = stranger.post("/verify", content=b'"' + b"x" * (1 << 20) + b'"', headers=JSON)
    endless = stranger.post("/verify", content=b'"' + b"x" * (8 << 20) + b'"', headers=JSON)

    problem(large, 422, "invalid")
    problem(endless, 413, "too_large")


def test_the_stored_rows_are_told_to_their_player_only(me, other, stranger, game):
    raw = f"/games/{game['id']}/export?raw=1"

    rows = answer(me.get(raw))

    assert rows.keys() == {"game", "events"}
    assert len(rows["events"]) == game["version"]
    assert game["seed"] not in json.dumps(rows)
    problem(other.get(raw), 403, "forbidden")
    problem(stranger.get(raw), 401, "unauthorized")


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE game SET cells = substr(cells, 1, 3) WHERE key = {}",
        "UPDATE game SET cells = 'no bytes' WHERE key = {}",
        "UPDATE game SET score = 'many' WHERE key = {}",
        "UPDATE game SET version = 99 WHERE key = {}",
        "DELETE FROM event WHERE version > 3 AND game = {}",
    ],
)
def test_a_game_that_cannot_be_read_is_told_so_listed_so_kept_and_replaced(service, me, stranger, change):
    game, sound = me.play(me.new(), 6), me.new()
    damage(service, game, change)
    path = f"/games/{game['id']}"

    problem(me.get(path), 409, "corrupt_game")
    problem(stranger.get(path), 409, "corrupt_game")
    problem(me.get(path + "/export"), 409, "corrupt_game")
    problem(me.ask(game["id"], "pause"), 409, "corrupt_game")
    assert answer(me.get(path + "/export?raw=1"))["events"]
    listed = answer(me.get("/games"))["items"]
    assert [each["id"] for each in listed] == [sound["id"], game["id"]]
    assert still(me.game(sound["id"])) == still(sound)
    assert me.new(replaces=game["id"])["status"] == "running"


def test_a_game_whose_row_cannot_be_read_shows_in_lists_as_what_it_is(service, me):
    game = me.new()
    damage(service, game, "UPDATE game SET score = 4 WHERE key = {}")

    assert answer(me.get("/games"))["items"] == [{"id": game["id"], "mode": "classic", "status": "corrupt"}]
    assert answer(me.get("/players/me/records"))["totals"]["moves"] == 0


def test_a_log_that_cannot_be_read_is_told_so(service, me):
    game = me.play(me.new(), 6)
    damage(service, game, "UPDATE event SET cell = 99 WHERE version = 4 AND game = {}")
    path = f"/games/{game['id']}/events"

    problem(me.get(path), 409, "corrupt_game")
    assert len(answer(me.get(path + "?limit=3"))["items"]) == 3


def test_a_stream_of_a_log_that_cannot_be_read_has_no_end_line(service, me):
    game = me.play(me.new(), 6)
    damage(service, game, "UPDATE event SET cell = 99 WHERE version = 4 AND game = {}")

    with pytest.raises(httpx.RemoteProtocolError):
        me.get(f"/games/{game['id']}/events", headers={"Accept": "application/x-ndjson"})
