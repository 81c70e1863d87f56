"""Failures: a problem document each, whatever is sent, and nothing changed by it; never a 5xx."""

import json

import pytest

from tests.callers import answer, problem, still

JSON = {"Content-Type": "application/json"}
DEEP = b'{"a":' * 10_000 + b"1" + b"}" * 10_000
ROUTES = {
    "/v1/players": "POST",
    "/v1/players/me": "DELETE, GET, PATCH",
    "/v1/players/me/token": "POST",
    "/v1/players/me/link": "POST",
    "/v1/players/link": "POST",
    "/v1/players/me/records": "GET",
    "/v1/modes": "GET",
    "/v1/slides": "POST",
    "/v1/verify": "POST",
    "/v1/games": "GET, POST",
    "/v1/games/abc": "GET",
    "/v1/games/abc/moves": "POST",
    "/v1/games/abc/undo": "POST",
    "/v1/games/abc/events": "GET",
    "/v1/games/abc/export": "GET",
    "/v1/daily": "GET",
    "/v1/daily/2027-01-15": "GET",
    "/v1/daily/2027-01-15/results": "GET",
    "/v1/daily/2027-01-15/compare": "GET",
    "/v1/leaderboards": "GET",
    "/v1/openapi.json": "GET",
    "/healthz": "GET",
    "/readyz": "GET",
    "/metrics": "GET",
    "/docs": "GET",
    "/": "GET, HEAD",
}


@pytest.mark.parametrize(
    "path", ["/nowhere", "/page/", "/v1", "/v1/", "/v2/games", "/v1/games/", "/v1/games/a/b/c", "/v1/games//moves/"]
)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "PATCH"])
def test_a_path_there_is_not(stranger, url, method, path):
    problem(stranger.request(method, url + path), 404, "not_found")


@pytest.mark.parametrize("path", ROUTES)
def test_a_method_a_path_does_not_take_is_answered_with_those_it_takes(stranger, url, path):
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} - set(ROUTES[path].split(", ")):
        refused = stranger.request(method, url + path)

        problem(refused, 405, "method_not_allowed")
        assert refused.headers["allow"] == ROUTES[path]


def test_an_unknown_method_is_a_method_too(stranger, url):
    problem(stranger.request("PROPFIND", url + "/v1/games"), 405, "method_not_allowed")


@pytest.mark.parametrize("path", ["/games", "/players/me", "/players/me/records"])
def test_without_a_token_one_is_asked_for_it(stranger, path):
    refused = stranger.get(path)

    problem(refused, 401, "unauthorized")
    assert refused.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer x", "Basic eDp5", "x", "Bearer \xff", "Bearer " + "x" * 5000])
def test_what_is_no_token_is_refused_even_where_none_is_needed(stranger, me, header):
    headers = {"Authorization": header.encode("latin-1")}
    game = me.new()["id"]

    for path in ("/players/me", "/games", f"/games/{game}"):
        problem(stranger.get(path, headers=headers), 401, "unauthorized")


def test_the_scheme_of_a_token_is_read_in_any_case(me, stranger):
    answer(stranger.get("/players/me", headers={"Authorization": f"bEARER  {me.token}"}))


@pytest.mark.parametrize("path", ["/games", "/players", "/slides", "/verify"])
@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "application/jsonp"])
def test_a_body_that_is_not_called_json_is_refused(me, path, kind):
    problem(me.post(path, content=b'{"mode":"classic"}', headers={"Content-Type": kind}), 415, "unsupported_media_type")


def test_a_body_may_be_called_json_with_a_charset(me):
    kind = {"Content-Type": "Application/JSON; charset=utf-8"}

    answer(me.post("/games", content=b'{"mode":"classic"}', headers=kind), 201)


@pytest.mark.parametrize(
    ("path", "limit"), [("/games", 1 << 16), ("/players", 1 << 16), ("/slides", 1 << 18), ("/games/abc/moves", 1 << 16)]
)
def test_a_body_that_is_too_large_is_refused(me, path, limit):
    just = me.post(path, content=b'"' + b"x" * (limit - 2) + b'"', headers=JSON)
    over = me.post(path, content=b'"' + b"x" * (limit - 1) + b'"', headers=JSON)
    streamed = me.post(path, content=iter([b"x" * 1000] * (limit // 1000 + 1)), headers=JSON)

    assert just.status_code != 413
    problem(over, 413, "too_large")
    problem(streamed, 413, "too_large")


MALFORMED = {
    "empty": b" ",
    "unfinished": b'{"mode":"classic"',
    "trailing": b'{"mode":"classic"} x',
    "single quotes": b"{'mode':'classic'}",
    "comma": b'{"mode":"classic",}',
    "no json": b"mode=classic",
    "not utf-8": b'{"mode":"cl\xe4ssic"}',
    "deep": DEEP,
    "deep list": b"[" * 60_000,
    "nan": b'{"mode":NaN}',
    "infinity": b'{"mode":"classic","size":Infinity}',
    "huge": b'{"mode":"classic","size":1' + b"0" * 6000 + b"}",
    "exponent": b'{"mode":"classic","size":1e999}',
    "surrogate": b'{"mode":"\\ud800"}',
    "surrogate name": b'{"\\ud800":1}',
    "surrogate in place": b'{"mode":"practice","board":[[{"\\udfff":2}]]}',
    "nul": b'{"mode":"classic\\u0000"}',
    "nul name": b'{"mode":"classic","\\u0000":1}',
    "list": b"[]",
    "null": b"null",
    "text": b'"classic"',
    "number": b"3",
    "bool": b"true",
}


@pytest.mark.parametrize("name", MALFORMED)
@pytest.mark.parametrize("path", ["/games", "/players/link", "/slides", "/verify", "/games/{}/moves"])
def test_what_is_no_such_document_is_refused(me, path, name):
    if (path, name) == ("/slides", "list"):
        return
    game = me.new()

    refused = me.post(path.format(game["id"]), content=MALFORMED[name], headers=JSON)

    problem(refused, 422, "invalid")
    json.loads(refused.content)
    assert still(me.game(game["id"])) == still(game)


@pytest.mark.parametrize(
    ("body", "loc"),
    [
        ({}, ["body", "board"]),
        ([{}], ["body", 0, "board"]),
        ({"board": [[2]], "direction": "left", "why": 1}, ["body", "why"]),
        (5, ["body"]),
    ],
)
def test_of_two_shapes_of_a_body_the_one_meant_is_told_of(me, body, loc):
    refused = problem(me.post("/slides", json=body), 422, "invalid")

    assert refused["errors"][0]["loc"] == loc
    assert all(fault["loc"][:1] == ["body"] and "list" not in fault["msg"] for fault in refused["errors"])


def test_a_body_nested_beyond_reading_is_told_of_in_words(me):
    refused = problem(me.post("/games", content=b"[" * 20_000, headers=JSON), 422, "invalid")

    assert refused["detail"] == "The body cannot be read as JSON."


@pytest.mark.parametrize("name", ["a\nb", " ", "\u202eevil"])
def test_a_name_that_is_none_is_refused_in_our_words(me, name):
    refused = problem(me.post("/players", json={"name": name}), 422, "invalid")

    assert refused["errors"][0]["msg"].startswith("a name has ")


@pytest.mark.parametrize("path", ["/players", "/players/me/token"])
@pytest.mark.parametrize("name", [name for name in MALFORMED if name not in ("null",)])
def test_a_body_that_may_be_missing_must_be_right_where_it_is_there(me, path, name):
    problem(me.post(path, content=MALFORMED[name], headers=JSON), 422, "invalid")


def test_the_last_of_two_fields_of_a_name_counts(me):
    made = answer(me.post("/games", content=b'{"mode":"sprint","mode":"classic"}', headers=JSON), 201)

    assert made["mode"] == "classic"


@pytest.mark.parametrize(
    ("body", "loc"),
    [
        ({}, ["body", "mode"]),
        ({"mode": "blitz"}, ["body", "mode"]),
        ({"mode": ["classic"]}, ["body", "mode"]),
        ({"mode": "classic", "size": 7}, ["body", "size"]),
        ({"mode": "classic", "size": "4"}, ["body", "size"]),
        ({"mode": "classic", "size": 4.0}, ["body", "size"]),
        ({"mode": "classic", "size": True}, ["body", "size"]),
        ({"mode": "classic", "size": 10**40}, ["body", "size"]),
        ({"mode": "classic", "undo_limit": False}, ["body", "undo_limit"]),
        ({"mode": "classic", "undo_limit": -1}, ["body", "undo_limit"]),
        ({"mode": "classic", "start": 1}, ["body", "start"]),
        ({"mode": "classic", "visibility": "hidden"}, ["body", "visibility"]),
        ({"mode": "classic", "surprise": None}, ["body", "surprise"]),
        ({"mode": "classic", "seed": "00" * 32}, ["body", "seed"]),
        ({"mode": "practice", "seed": "0" * 63}, ["body", "seed"]),
        ({"mode": "practice", "seed": "0" * 64 + "\n"}, ["body", "seed"]),
        ({"mode": "practice", "seed": "g" * 64}, ["body", "seed"]),
        ({"mode": "practice", "board": []}, ["body", "board"]),
        ({"mode": "practice", "board": [[2, 2], [2, 2]]}, ["body", "board"]),
        ({"mode": "practice", "board": [[2] * 9] * 9}, ["body", "board"]),
        ({"mode": "practice", "board": [[0] * 3] * 3}, ["body", "board"]),
        ({"mode": "practice", "board": [[2, 0, 0], [0, -2, 0], [0, 0, 0]]}, ["body", "board"]),
        ({"mode": "practice", "board": [[2, 0, 0], [0, 1, 0], [0, 0, 0]]}, ["body", "board"]),
        ({"mode": "practice", "board": [[2, 0, 0], [0, 2**41, 0], [0, 0, 0]]}, ["body", "board"]),
        ({"mode": "practice", "board": [[2, 0, 0], [0, 10**40, 0], [0, 0, 0]]}, ["body", "board"]),
        ({"mode": "practice", "board": [[2, 0, 0], [0, 2.0, 0], [0, 0, 0]]}, ["body", "board", 1, 1]),
        ({"mode": "practice", "board": "2 0 0"}, ["body", "board"]),
        ({"mode": "practice", "date": "2027-02-30"}, None),
        ({"mode": "daily", "date": "2027-01-15"}, ["body", "date"]),
        ({"mode": "classic", "replaces": 5}, ["body", "replaces"]),
    ],
)
def test_the_field_of_a_new_game_at_fault_is_named(me, body, loc):
    refused = problem(me.post("/games", json=body), 422, "invalid")

    assert loc is None or refused["errors"][0]["loc"][: len(loc)] == loc
    assert answer(me.get("/games"))["items"] == []


@pytest.mark.parametrize(
    "query",
    [
        *("limit=0", "limit=101", "limit=-1", "limit=x", "limit=", "limit=1.5", "limit=1e1", "limit=%00"),
        *("mode=blitz", "mode=", "status=corrupt", "status=%00"),
        *("cursor=", "cursor=x", "cursor=%00", "cursor=ZzE6", "cursor=ZzE6MA", "cursor=ZzE6LTE", "cursor=ZzE6MTIz%0A"),
        *("cursor=%FF", "cursor=" + "A" * 5000, "cursor=MTIz", "cursor=ZzE6OTk5OTk5OTk5OTk5OTk5OTk5OTk5OQ"),
    ],
)
def test_a_query_that_is_not_as_it_must_be_is_refused_by_name(me, query):
    refused = problem(me.get(f"/games?{query}"), 422, "invalid")

    assert refused["errors"][0]["loc"] == ["query", query.partition("=")[0]]


@pytest.mark.parametrize("query", ["after=-1", "after=x", "after=9999999999999999999", "limit=0", "limit=101"])
def test_a_part_of_the_log_that_cannot_be_is_refused(me, query):
    problem(me.get(f"/games/{me.new()['id']}/events?{query}"), 422, "invalid")


@pytest.mark.parametrize("raw", ["0", "true", "", "2"])
def test_raw_is_one_or_not_there(me, raw):
    problem(me.get(f"/games/{me.new()['id']}/export?raw={raw}"), 422, "invalid")


@pytest.mark.parametrize("game", ["constructor", "%00", "%2e%2e", "a%2fb", "%F0%9F%8E%B2", "x" * 200, "0" * 26, "%ff"])
@pytest.mark.parametrize("path", ["", "/events", "/export", "/export?raw=1"])
def test_a_game_there_is_not(me, game, path):
    problem(me.get(f"/games/{game}{path}"), 404, "not_found")


def test_nothing_is_told_to_be_wrong_twice(me):
    refused = me.get("/games?limit=0")

    assert refused.headers.get_list("content-type") == ["application/problem+json"]
    assert refused.headers.get_list("x-request-id") == [refused.json()["request_id"]]


def test_requests_are_numbered_apart(stranger):
    ids = [stranger.get("/modes").headers["x-request-id"] for _ in range(20)]

    assert len(set(ids)) == 20


@pytest.mark.parametrize("path", ["/modes", "/nowhere", "/games", "/daily"])
def test_every_answer_says_that_it_is_what_it_says_and_not_to_be_kept(stranger, path):
    told = stranger.get(path)

    assert told.headers["x-content-type-options"] == "nosniff"
    assert told.headers["referrer-policy"] == "no-referrer"
    assert told.headers["cache-control"] == "no-store"


def test_a_fault_of_ours_is_told_without_its_secrets(serve, join, monkeypatch):
    service = serve()
    me = join(service.url)

    def fail(*_):
        raise ValueError("a secret")

    monkeypatch.setattr(service.service.daily, "_now", fail)

    refused = me.get("/daily")
    problem(refused, 500, "internal")
    assert "secret" not in refused.text
