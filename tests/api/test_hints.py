"""Hints over REST: of any board and of one's own game, which shows it, and where it then counts."""

import pytest

from tests.callers import answer, problem

BOARD = [[2, 4, 8, 16], [2, 0, 0, 8], [0, 0, 0, 4], [0, 0, 0, 2]]
ONE_WAY = [[0, 2, 4, 8], [0, 4, 8, 2], [0, 8, 2, 4], [0, 2, 4, 8]]
STUCK = [[2, 4, 2, 4], [4, 2, 4, 2], [2, 4, 2, 4], [4, 2, 4, 2]]
RESULTS = "/daily/2027-01-15/results"


@pytest.fixture
def finished():
    """A player's finished game, with or without a hint on the way."""

    def play(player, moves, *, hint=False, mode="classic"):
        game = player.play(player.new(mode), moves)
        if hint:
            answer(player.get(f"/games/{game['id']}/hint"))
        return player.do(game["id"], "abandon")["game"]

    return play


@pytest.fixture
def dated(timed):
    """The service whose time is `clock`."""
    return timed


def listed(page):
    return [result["game"] for result in page["items"]]


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_each_direction_that_changes_the_board_has_a_value_and_the_best_is_the_highest(stranger, depth):
    hint = answer(stranger.post("/hints", json={"board": BOARD, "depth": depth}))

    assert set(hint["values"]) == {"up", "down", "left", "right"}
    assert hint["best"] == max(hint["values"], key=hint["values"].get)
    assert (hint["size"], hint["depth"], hint["trained"]) == (4, depth, True)


def test_two_moves_are_looked_at_where_nothing_is_said(stranger):
    without = answer(stranger.post("/hints", json={"board": BOARD}))
    assert without == answer(stranger.post("/hints", json={"board": BOARD, "depth": 2}))


def test_a_direction_that_changes_nothing_has_no_value(stranger):
    hint = answer(stranger.post("/hints", json={"board": ONE_WAY}))
    assert (list(hint["values"]), hint["best"]) == (["left"], "left")


def test_a_tile_over_32768_is_looked_at_as_a_smaller_one(stranger):
    hint = answer(stranger.post("/hints", json={"board": [[131072, 65536, 2, 0], *BOARD[1:]]}))
    assert hint["trained"]


@pytest.mark.parametrize("size", [3, 5, 6, 7, 8])
def test_other_sizes_are_judged_more_simply_and_say_so(stranger, size):
    board = [[2, 4, *[0] * (size - 2)], *[[0] * size] * (size - 1)]

    hint = answer(stranger.post("/hints", json={"board": board, "depth": 4}))

    assert (hint["size"], hint["depth"], hint["trained"]) == (size, 2, False)
    assert hint["best"] in hint["values"]


@pytest.mark.parametrize(
    "board",
    [
        [],
        [[2, 2], [0, 0]],
        [[2] + [0] * 8] * 9,
        [[2, 0, 0], [0, 0], [0, 0, 0]],
        [[3, 0, 0], [0, 0, 0], [0, 0, 0]],
        [[1, 0, 0], [0, 0, 0], [0, 0, 0]],
        [[-2, 0, 0], [0, 0, 0], [0, 0, 0]],
        [[2**41, 0, 0], [0, 0, 0], [0, 0, 0]],
        [["2", 0, 0], [0, 0, 0], [0, 0, 0]],
        [[0] * 4] * 4,
        STUCK,
        None,
        "2048",
    ],
)
def test_what_is_no_board_or_cannot_be_moved_is_refused_by_its_name(stranger, board):
    refused = problem(stranger.post("/hints", json={"board": board}), 422, "invalid")
    assert {tuple(error["loc"][:2]) for error in refused["errors"]} == {("body", "board")}


@pytest.mark.parametrize("depth", [0, 5, -1, 2.5, "2", None])
def test_a_depth_out_of_range_is_refused_by_its_name(stranger, depth):
    refused = problem(stranger.post("/hints", json={"board": BOARD, "depth": depth}), 422, "invalid")
    assert [error["loc"] for error in refused["errors"]] == [["body", "depth"]]


@pytest.mark.parametrize("depth", ["0", "5", "x"])
def test_so_it_is_for_a_game(me, depth):
    refused = problem(me.get(f"/games/{me.new()['id']}/hint", params={"depth": depth}), 422, "invalid")
    assert [error["loc"] for error in refused["errors"]] == [["query", "depth"]]


def test_a_game_s_hint_is_that_of_its_board_at_its_version(me, stranger):
    game = me.play(me.new(), 5)

    hint = answer(me.get(f"/games/{game['id']}/hint", params={"depth": 3}))

    version = hint.pop("version")
    assert hint == answer(stranger.post("/hints", json={"board": game["board"], "depth": 3}))
    assert version == game["version"]
    assert set(hint["values"]) == set(game["legal_moves"])


def test_a_head_is_no_hint(me):
    game = me.new()["id"]
    response = me.head(f"/games/{game}/hint")

    assert (response.status_code, response.headers["allow"]) == (405, "GET")
    assert not me.game(game)["assisted"]


def test_a_hint_shows_in_the_game_and_in_lists_and_changes_nothing_else(me, stranger):
    game = me.play(me.new(), 5)

    answer(me.get(f"/games/{game['id']}/hint"))

    seen = answer(stranger.get(f"/games/{game['id']}"))
    changed = {name for name in game if name != "clock" and seen[name] != game[name]}
    assert (changed, seen["assisted"], seen["ranked"]) == ({"assisted", "ranked"}, True, False)
    assert [item["assisted"] for item in answer(me.get("/games"))["items"]] == [True]
    assert me.play(seen, 1)["assisted"]


@pytest.mark.parametrize("mode", ["sprint", "daily", "practice"])
def test_every_mode_has_hints_whether_its_clock_runs_or_not(me, mode):
    game = me.new(mode)
    assert answer(me.get(f"/games/{game['id']}/hint"))["best"] in game["legal_moves"]


def test_a_game_that_is_over_has_no_hint_until_an_undo_revives_it(me):
    game = me.new("moves100")["id"]
    me.do(game, "abandon")

    problem(me.get(f"/games/{game}/hint"), 409, "game_over")

    assert me.game(game)["assisted"] is False


def test_who_is_not_its_player_gets_no_hint_and_leaves_it_unassisted(me, other, stranger):
    game = me.new()["id"]

    problem(other.get(f"/games/{game}/hint"), 403, "forbidden")
    problem(stranger.get(f"/games/{game}/hint"), 401, "unauthorized")
    problem(me.get("/games/nosuchgame/hint"), 404, "not_found")

    assert me.game(game)["assisted"] is False


def test_an_assisted_game_is_on_no_leaderboard_that_does_not_ask_for_it(serve, join, finished):
    url = serve().url
    ada, bob, eve = (join(url, name) for name in ("Ada", "Bob", "Eve"))
    helped, plain = finished(ada, 60, hint=True), finished(ada, 5)
    bobs, eves = finished(bob, 20), finished(eve, 40, hint=True)

    board = answer(ada.get("/leaderboards", params={"mode": "classic"}))
    together = answer(ada.get("/leaderboards", params={"mode": "classic", "assisted": "true"}))

    assert listed(board) == [bobs["id"], plain["id"]]
    assert (board["me"]["game"], board["me"]["rank"], board["me"]["assisted"]) == (plain["id"], 2, False)
    assert listed(together) == [helped["id"], eves["id"], bobs["id"]]
    assert [result["assisted"] for result in together["items"]] == [True, True, False]
    assert (together["me"]["game"], together["me"]["rank"]) == (helped["id"], 1)


def test_pages_of_both_together_fit_and_count_each_player_once(serve, join, finished):
    url = serve().url
    players = [join(url) for _ in range(4)]
    for number, player in enumerate(players):
        finished(player, 10 + 7 * number, hint=number % 2 == 0)
        finished(player, 8 + 5 * number, hint=number % 2 == 1)
    query = {"mode": "classic", "assisted": "true", "limit": "1"}

    pages = [answer(players[0].get("/leaderboards", params=query))]
    while cursor := pages[-1]["next_cursor"]:
        pages.append(answer(players[0].get("/leaderboards", params={**query, "cursor": cursor})))

    results = [page["items"][0] for page in pages]
    assert [result["rank"] for result in results] == [1, 2, 3, 4]
    assert {result["player"]["id"] for result in results} == {player.id for player in players}
    own = [answer(player.get("/leaderboards", params=query))["me"] for player in players]
    assert sorted(own, key=lambda result: result["rank"]) == results


@pytest.mark.parametrize("order", ["score", "max_tile", "moves", "time"])
def test_so_it_is_for_the_results_of_a_date(dated, join, finished, order):
    ada, bob = join(dated.url), join(dated.url)
    helped, plain = finished(ada, 60, hint=True, mode="daily"), finished(bob, 5, mode="daily")

    assert listed(answer(ada.get(RESULTS, params={"order": order}))) == [plain["id"]]
    together = answer(ada.get(RESULTS, params={"order": order, "assisted": "true"}))
    assert set(listed(together)) == {helped["id"], plain["id"]}
    assert answer(ada.get("/daily/2027-01-15"))["best"]["game"] == plain["id"]


def test_a_game_played_on_with_a_hint_after_an_undone_end_counts_as_assisted(serve, join):
    ada = join(serve().url)
    game = ada.play(ada.new("moves100"), 100)
    board = {"mode": "moves100"}
    assert listed(answer(ada.get("/leaderboards", params=board))) == [game["id"]]

    ada.do(game["id"], "undo")
    answer(ada.get(f"/games/{game['id']}/hint"))
    ada.play(ada.game(game["id"]), 1)

    assert listed(answer(ada.get("/leaderboards", params=board))) == []
    assert listed(answer(ada.get("/leaderboards", params={**board, "assisted": "true"}))) == [game["id"]]


def test_records_count_games_with_hints(me, finished):
    finished(me, 9, hint=True)
    finished(me, 3)

    records = answer(me.get("/players/me/records"))

    assert [category["assisted"] for category in records["categories"]] == [1]
    assert records["totals"]["assisted"] == 1


def test_a_hint_outlasts_the_process(new_database, serve, join):
    path = new_database()
    with_hint = serve(path=path)
    ada = join(with_hint.url)
    game = ada.new()["id"]
    answer(ada.get(f"/games/{game}/hint"))
    with_hint.stop()

    again = serve(path=path)

    with type(ada)(again.url, ada.token) as later:
        assert later.game(game)["assisted"] is True
