"""Games over REST: made, listed, looked at, read event by event."""

import json

import pytest

from tests.callers import answer, problem, still

BOARD = [[1024, 1024, 0], [0, 0, 0], [0, 0, 0]]
FIELDS = {
    *("id", "mode", "size", "goal", "category", "status", "outcome", "final", "reached_goal", "board", "score"),
    *("best_score", "max_tile", "moves", "move_limit", "legal_moves", "undo", "clock", "pauses", "elapsed_ms"),
    *("ranked", "assisted", "spawn_index", "version", "commitment", "seed", "date", "attempt", "player", "visibility"),
    *("created_at", "started_at", "ended_at"),
}
EVENT_FIELDS = {
    *("version", "type", "at", "active_ms", "board", "score", "score_delta", "max_tile", "moves", "legal_moves"),
    *("spawn_index", "status", "outcome", "final", "reached_goal", "undo", "clock"),
}


def test_the_modes_are_told_with_their_options(stranger):
    modes = {mode["mode"]: mode for mode in answer(stranger.get("/modes"))["items"]}

    assert list(modes) == ["classic", "sprint", "break", "moves100", "daily", "practice"]
    assert (modes["classic"]["sizes"], modes["classic"]["undo_limits"]) == ([4, 5, 6], [1, 0, 5])
    assert (modes["sprint"]["time_limit_ms"], modes["break"]["time_limit_ms"]) == (120_000, 300_000)
    assert modes["moves100"]["move_limit"] == 100
    assert modes["practice"]["undo_limits"] == [None]


@pytest.mark.parametrize("mode", ["classic", "sprint", "break", "moves100", "daily", "practice"])
def test_a_new_game_has_every_field_and_its_place(me, mode):
    made = me.post("/games", json={"mode": mode})

    game = answer(made, 201)
    assert game.keys() == FIELDS
    assert made.headers["location"] == f"/v1/games/{game['id']}"
    assert made.headers["etag"] == '"1"'
    assert still(me.game(game["id"])) == still(game)


def test_a_new_game_says_what_it_is(me):
    game = me.new("classic", size=5, undo_limit=0)

    assert (game["size"], game["goal"], game["category"]) == (5, 2048, "classic-5-0")
    assert game["undo"] == {"limit": 0, "used": 0, "available": False}
    assert game["player"] == {"id": me.id, "name": None}
    assert (game["seed"], game["spawn_index"], game["version"], game["visibility"]) == (None, 2, 1, "public")
    assert (game["best_score"], game["ranked"], game["move_limit"], game["date"]) == (0, True, None, None)
    assert game["clock"].keys() == {"running", "active_ms", "limit_ms", "remaining_ms", "server_now"}


def test_practice_is_in_no_category_and_shows_its_seed(me):
    game = me.new("practice", seed="AB" * 32)

    assert (game["seed"], game["category"], game["best_score"], game["ranked"]) == ("ab" * 32, None, None, False)
    assert game["undo"]["limit"] is None


def test_tiles_beyond_32_bits_are_numbers_as_all_others(me):
    game = me.new("practice", board=[[2**40, 2**40, 0], [0, 0, 0], [0, 0, 0]])

    moved = me.move(game["id"], "left")["game"]

    assert (moved["board"][0][0], moved["score"], moved["max_tile"]) == (2**41, 2**41, 2**41)


def test_a_game_is_told_with_its_version_and_never_from_a_cache(me):
    game = me.play(me.new(), 3)

    told = me.get(f"/games/{game['id']}", headers={"If-None-Match": '"4"'})

    assert told.status_code == 200
    assert told.headers["etag"] == '"4"'
    assert told.headers["cache-control"] == "no-store"


def test_a_public_game_is_read_by_anybody(stranger, other, me):
    game = me.play(me.new(), 2)

    for reader in (stranger, other):
        for path in ("", "/events", "/export"):
            answer(reader.get(f"/games/{game['id']}{path}"))


def test_a_private_game_is_not_there_for_others(stranger, other, me):
    game = me.new(visibility="private")
    assert me.game(game["id"])["visibility"] == "private"

    for reader in (stranger, other):
        for path in ("", "/events", "/export"):
            problem(reader.get(f"/games/{game['id']}{path}"), 404, "not_found")
    problem(other.get(f"/games/{game['id']}/export?raw=1"), 404, "not_found")
    problem(other.ask(game["id"], "pause"), 404, "not_found")
    problem(other.post("/games", json={"mode": "classic", "replaces": game["id"]}), 404, "not_found")


def test_a_private_game_is_in_no_ranking(me):
    assert me.new(visibility="private")["ranked"] is False


def test_the_log_is_read_page_by_page(me):
    game = me.play(me.new("practice", size=5, seed="01" * 32), 11)

    pages, after = [], 0
    while after is not None:
        page = answer(me.get(f"/games/{game['id']}/events", params={"after": after, "limit": 5}))
        pages.append([event["version"] for event in page["items"]])
        after = page["next_after"]

    assert pages == [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [11, 12]]


@pytest.mark.parametrize("after", [12, 13, 999, 2**53])
def test_behind_the_end_of_the_log_there_is_nothing(me, after):
    game = me.play(me.new("practice", size=5, seed="01" * 32), 11)

    page = answer(me.get(f"/games/{game['id']}/events", params={"after": after}))

    assert page == {"items": [], "next_after": None}


def test_the_log_streams_to_its_end_and_says_so(me):
    game = me.play(me.new("practice", size=5, seed="01" * 32), 11)

    told = me.get(f"/games/{game['id']}/events?after=2", headers={"Accept": "application/x-ndjson"})

    lines = [json.loads(line) for line in told.text.splitlines()]
    assert told.headers["content-type"].startswith("application/x-ndjson")
    assert [line["version"] for line in lines[:-1]] == list(range(3, 13))
    assert lines[-1] == {"eof": True, "count": 10}


def test_an_event_tells_the_whole_story(me):
    game = me.new("practice", board=BOARD, seed="02" * 32)
    played = me.move(game["id"], "left")

    created, moved = answer(me.get(f"/games/{game['id']}/events"))["items"]

    assert created.keys() == EVENT_FIELDS
    assert moved.keys() == EVENT_FIELDS | {"direction", "slides", "spawn"}
    assert moved["slides"] == [
        {"from": 0, "to": 0, "value": 1024, "merged": True},
        {"from": 1, "to": 0, "value": 1024, "merged": True},
    ]
    assert (moved["status"], moved["reached_goal"], moved["score_delta"]) == ("won", True, 2048)
    assert moved == played["event"]


def test_an_event_never_changes_after_it_is_written(me):
    game = me.new()
    told = me.move(game["id"], game["legal_moves"][0])["event"]
    me.do(game["id"], "abandon")

    read = answer(me.get(f"/games/{game['id']}/events"))["items"]

    assert read[1] == told
    assert [("seed" in event) for event in read] == [False, False, True]
    assert read[2]["cause"] == "player"


def test_the_seed_stands_in_the_event_that_made_the_game_final_and_in_no_daily_s(me):
    game, daily = me.new(undo_limit=0), me.new("daily")

    ends = [me.do(each["id"], "abandon") for each in (game, daily)]

    assert ends[0]["event"]["seed"] == ends[0]["game"]["seed"]
    assert "seed" not in ends[1]["event"]
    assert ends[1]["game"]["seed"] is None


def test_games_are_listed_newest_first_and_from_page_to_page(me):
    ids = [me.new()["id"] for _ in range(5)]

    listed, cursor = [], None
    while True:
        page = answer(me.get("/games", params={"limit": 2, **({"cursor": cursor} if cursor else {})}))
        listed += [game["id"] for game in page["items"]]
        if (cursor := page["next_cursor"]) is None:
            break

    assert listed == ids[::-1]


def test_a_new_game_does_not_move_the_pages_that_are_read(me):
    ids = [me.new()["id"] for _ in range(4)]
    first = answer(me.get("/games?limit=2"))
    me.new()

    second = answer(me.get("/games", params={"limit": 2, "cursor": first["next_cursor"]}))

    assert [game["id"] for game in second["items"]] == ids[1::-1]


def test_lists_are_narrowed(me):
    over = me.do(me.new()["id"], "abandon")["game"]["id"]
    ready, running = me.new("sprint")["id"], me.new()["id"]

    found = {
        query: [game["id"] for game in answer(me.get(f"/games?{query}"))["items"]]
        for query in ("status=open", "status=over", "status=ready", "mode=classic", "mode=classic&status=running")
    }

    assert found == {
        "status=open": [running, ready],
        "status=over": [over],
        "status=ready": [ready],
        "mode=classic": [running, over],
        "mode=classic&status=running": [running],
    }


def test_a_key_makes_one_game(me):
    headers = {"Idempotency-Key": "k"}
    first = answer(me.post("/games", json={"mode": "classic"}, headers=headers), 201)

    again = me.post("/games", json={"mode": "classic"}, headers=headers)

    assert still(answer(again, 201)) == still(first) | {"replayed": True}
    assert again.headers["location"] == f"/v1/games/{first['id']}"
    problem(me.post("/games", json={"mode": "sprint"}, headers=headers), 422, "key_reused")
    assert len(answer(me.get("/games"))["items"]) == 1


def test_a_game_takes_the_place_of_another(me):
    old = me.new()

    new = me.new(replaces=old["id"])

    assert me.game(old["id"])["outcome"] == "abandoned"
    assert new["status"] == "running"


def test_slides_are_told_without_a_game(stranger):
    asked = {"board": [[2, 2, 0], [0, 4, 0], [0, 0, 0]], "direction": "left"}

    one, many = (
        stranger.post("/slides", json=asked),
        stranger.post("/slides", json=[asked, {**asked, "direction": "up"}]),
    )

    told = answer(one)
    assert (told["board"], told["moved"], told["score_delta"]) == ([[4, 0, 0], [4, 0, 0], [0, 0, 0]], True, 4)
    assert [slide["from"] for slide in told["slides"]] == [0, 1, 4]
    assert answer(many)[0] == told
    assert answer(many)[1]["board"] == [[2, 2, 0], [0, 4, 0], [0, 0, 0]]
    assert answer(many)[1]["moved"] is False


def test_slides_are_told_of_at_most_256_boards(stranger):
    asked = {"board": [[2, 2, 0], [0, 4, 0], [0, 0, 0]], "direction": "left"}

    assert len(answer(stranger.post("/slides", json=[asked] * 256))) == 256
    assert answer(stranger.post("/slides", json=[])) == []
    problem(stranger.post("/slides", json=[asked] * 257), 422, "invalid")


def test_the_place_of_a_bad_board_in_a_list_is_named(stranger):
    good = {"board": [[2, 2, 0], [0, 4, 0], [0, 0, 0]], "direction": "left"}
    bad = {"board": [[2, 3, 0], [0, 4, 0], [0, 0, 0]], "direction": "left"}

    refused = problem(stranger.post("/slides", json=[good, bad]), 422, "invalid")

    assert refused["errors"][0]["loc"] == ["body", 1, "board"]
