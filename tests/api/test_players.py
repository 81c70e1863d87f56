"""Players over REST: made without an account, named, on several devices, gone when they wish."""

import pytest

from tests.callers import Caller, answer, problem

ABOUT_PLAYERS = [
    ("POST", "/players", {}),
    ("GET", "/players/me", None),
    ("PATCH", "/players/me", {"name": "x"}),
    ("POST", "/players/me/token", {}),
    ("POST", "/players/me/link", None),
    ("POST", "/players/link", {"code": "00000000"}),
    ("GET", "/players/me/records", None),
    ("DELETE", "/players/me", None),
]


def with_token(caller, token):
    return caller.get("/players/me", headers={"Authorization": f"Bearer {token}"})


@pytest.mark.parametrize("body", [b"", b"{}", b"null", b'{"name":null}'])
def test_a_player_needs_no_name(stranger, body):
    headers = {"Content-Type": "application/json"} if body else {}

    made = answer(stranger.post("/players", content=body, headers=headers), 201)

    assert made.keys() == {"player", "token"}
    assert made["player"]["name"] is None
    assert answer(with_token(stranger, made["token"])) == made["player"]


@pytest.mark.parametrize(
    "name", ["a", "x" * 32, "Ada Lovelace", "Łukasz", "日本語", "🎲", "e\u0301", "<b>", "–", " a "]
)
def test_a_name_is_kept_as_it_is_written(join, url, name):
    me = join(url, name)

    assert answer(me.get("/players/me"))["name"] in (name, "é")
    assert me.new()["player"]["name"] in (name, "é")


@pytest.mark.parametrize(
    "name",
    [
        *("", " ", "   ", "x" * 33, "x" * 5000, "a\0b", "a\nb", "a\tb", "a\x7fb", "a\u202eb", "a\u200fb", "a\u2066b"),
        *("a\u2028b", "a\ufeffb", "a\ue000b", "a\u0378b", 5, ["a"], True),
    ],
)
def test_what_is_no_name_is_refused(me, stranger, name):
    for refused in (stranger.post("/players", json={"name": name}), me.patch("/players/me", json={"name": name})):
        assert problem(refused, 422, "invalid")["errors"][0]["loc"] == ["body", "name"]

    assert answer(me.get("/players/me"))["name"] is None


def test_a_name_is_counted_as_it_is_composed(join, url):
    name = "e\u0301" * 32

    assert answer(join(url, name).get("/players/me"))["name"] == "é" * 32


def test_a_new_name_shows_in_games_at_once_and_may_be_taken_off(join, url, stranger):
    me = join(url, "one")
    game = me.new()["id"]

    answer(me.patch("/players/me", json={"name": "two"}))
    assert me.game(game)["player"]["name"] == "two"

    answer(me.patch("/players/me", json={"name": None}))
    assert me.game(game)["player"]["name"] is None


def test_a_new_name_must_be_said(me):
    assert problem(me.patch("/players/me", json={}), 422, "invalid")["errors"][0]["loc"] == ["body", "name"]


def test_the_old_token_serves_until_the_new_one_is_used(me):
    new = answer(me.post("/players/me/token", json={}))["token"]

    statuses = [me.get("/players/me"), with_token(me, new), me.get("/players/me"), with_token(me, new)]

    assert new != me.token
    assert [told.status_code for told in statuses] == [200, 200, 401, 200]


def test_the_old_token_serves_a_minute_at_most(timed, join, clock):
    me = join(timed.url)
    new = answer(me.post("/players/me/token"))["token"]
    clock.forward(59)
    before = me.get("/players/me").status_code
    clock.forward(1)

    assert (before, me.get("/players/me").status_code, with_token(me, new).status_code) == (200, 401, 200)


def test_all_others_may_be_ended(me, url):
    code = answer(me.post("/players/me/link"))["code"]
    device = answer(me.post("/players/link", json={"code": code}))["token"]

    answer(me.post("/players/me/token", json={"others": True}))

    assert with_token(me, device).status_code == 401
    assert me.get("/players/me").status_code == 200


def test_a_link_makes_another_device_the_player_s(me, stranger):
    link = answer(me.post("/players/me/link"))

    linked = answer(stranger.post("/players/link", json={"code": link["code"].lower()}))

    assert link.keys() == {"code", "expires_at"}
    assert linked["player"]["id"] == me.id
    assert answer(with_token(stranger, linked["token"]))["id"] == me.id
    problem(stranger.post("/players/link", json={"code": link["code"]}), 404, "not_found")


def test_a_link_serves_ten_minutes(timed, join, clock):
    me = join(timed.url)
    code = answer(me.post("/players/me/link"))["code"]

    clock.forward(600)

    problem(me.post("/players/link", json={"code": code}), 404, "not_found")


def test_after_ten_wrong_codes_the_address_is_told_to_wait(timed, join, clock):
    me = join(timed.url)
    for _ in range(10):
        problem(me.post("/players/link", json={"code": "WRONG000"}), 404, "not_found")

    refused = me.post("/players/link", json={"code": "WRONG000"})

    problem(refused, 429, "rate_limited")
    assert 3500 < int(refused.headers["retry-after"]) <= 3601
    clock.forward(3600)
    problem(me.post("/players/link", json={"code": "WRONG000"}), 404, "not_found")


@pytest.mark.parametrize("code", ["", "x" * 65, 12345678, None])
def test_what_is_no_code_is_refused(stranger, code):
    problem(stranger.post("/players/link", json={"code": code}), 422, "invalid")


def test_a_deleted_player_is_gone_with_all_games(me, other, stranger):
    public, private = me.new(), me.new(visibility="private")

    deleted = me.delete("/players/me")

    assert (deleted.status_code, deleted.content) == (204, b"")
    problem(me.get("/players/me"), 401, "unauthorized")
    for game in (public, private):
        for path in ("", "/events", "/export"):
            problem(stranger.get(f"/games/{game['id']}{path}"), 404, "not_found")
    problem(other.ask(public["id"], "pause"), 404, "not_found")


@pytest.mark.parametrize(("method", "path", "body"), ABOUT_PLAYERS)
def test_calls_about_players_take_no_key(me, method, path, body):
    more = {} if body is None else {"json": body}

    refused = me.request(method, path, headers={"Idempotency-Key": "k"}, **more)

    assert problem(refused, 422, "invalid")["errors"][0]["loc"] == ["header", "Idempotency-Key"]
    assert me.get("/players/me").status_code == 200


def test_records_sum_up_games_as_they_stand(me):
    practice = me.new("practice")
    me.play(practice, 9)
    first = me.play(me.new(), 12)
    me.do(first["id"], "abandon")
    second = me.play(me.new(), 5)
    me.play(me.new("classic", size=5, undo_limit=5), 3)
    me.do(me.new("daily")["id"], "abandon")
    me.do(me.new("daily")["id"], "abandon")

    records = answer(me.get("/players/me/records"))

    categories = {record["category"]: record for record in records["categories"]}
    assert list(categories) == ["classic-4-1", "classic-5-5", "daily-4-1"]
    classic = categories["classic-4-1"]
    assert (classic["mode"], classic["size"], classic["undo_limit"]) == ("classic", 4, 1)
    assert (classic["finished"], classic["goals"], classic["moves"]) == (1, 0, 17)
    assert classic["best_score"] == max(first["score"], second["score"])
    assert classic["best_max_tile"] == max(first["max_tile"], second["max_tile"])
    assert (len(records["daily_dates"]), records["daily_attempts"]) == (1, 2)
    assert (records["totals"]["moves"], records["totals"]["finished"]) == (20, 3)


def test_no_undo_lowers_a_best(me):
    game = me.new()
    while game["score"] == 0:
        game = me.play(game, 1)
    me.do(game["id"], "undo")

    (record,) = answer(me.get("/players/me/records"))["categories"]

    assert record["best_score"] == game["score"]
    assert record["moves"] == game["moves"] - 1


def test_the_time_of_open_games_counts(timed, join, clock):
    me = join(timed.url)
    me.new("moves100")
    clock.forward(1.5)

    (record,) = answer(me.get("/players/me/records"))["categories"]

    assert record["active_ms"] == 1500


def test_a_new_player_has_no_records(me):
    records = answer(me.get("/players/me/records"))

    assert (records["categories"], records["daily_dates"], records["daily_attempts"]) == ([], [], 0)
    assert set(records["totals"].values()) == {0}


def test_a_player_who_is_hidden_beside_the_service_is_so_within_five_seconds(timed, join, clock, stranger):
    me = join(timed.url, "Ada")
    game = me.new()["id"]
    reader = Caller(timed.url)
    assert reader.game(game)["player"]["name"] == "Ada"
    hide = "UPDATE player SET hidden = 1"
    timed.wait_for(lambda: timed.service.journal.run(lambda connection: connection.exec_driver_sql(hide)))

    clock.forward(5.1)

    assert reader.game(game)["player"]["name"] == "–"
    assert answer(me.get("/players/me"))["id"] == me.id
    reader.close()
