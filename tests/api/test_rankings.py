"""Rankings over REST: who stands where, one's own place, pages that fit together, games side by side."""

import pytest

from tests.callers import answer, problem

TODAY, DAY = "2027-01-15", 86_400
RESULTS, COMPARE = f"/daily/{TODAY}/results", f"/daily/{TODAY}/compare"
ORDERS = ("score", "max_tile", "moves", "time")


@pytest.fixture
def service(timed):
    """All callers speak to the service whose time is `clock`."""
    return timed


@pytest.fixture
def attempt():
    """A player's finished attempt at the date: so many moves, then abandoned."""

    def play(player, moves, mode="daily"):
        return player.do(player.play(player.new(mode), moves)["id"], "abandon")["game"]

    return play


@pytest.fixture
def five(join, url, attempt):
    """Five players, and the attempt of each, of ever more moves."""
    players = [join(url, f"player {number}") for number in range(5)]
    return [(player, attempt(player, 3 + 9 * number)) for number, player in enumerate(players)]


def games(page):
    return [result["game"] for result in page["items"]]


def rule(result):
    """The order that is shown beside every board."""
    return (-result["score"], result["moves"], result["active_ms"], result["ended_at"], result["game"])


@pytest.mark.parametrize("order", ORDERS)
def test_results_are_ranked_in_the_order_that_is_told(five, stranger, order):
    page = answer(stranger.get(RESULTS, params={"order": order}))

    firsts = {"score": (), "max_tile": ("max_tile",)}.get(order, ())
    expected = sorted(page["items"], key=lambda result: (*(-result[name] for name in firsts), rule(result)))
    assert page["items"] == expected
    assert [result["rank"] for result in page["items"]] == [1, 2, 3, 4, 5]
    assert page.keys() == {"items", "next_cursor", "order", "as_of", "me"}
    assert (page["next_cursor"], page["me"]) == (None, None)
    assert "score, higher first" in page["order"]


def test_a_result_says_what_the_game_says(five, stranger):
    player, game = five[2]

    result = next(one for one in answer(stranger.get(RESULTS))["items"] if one["game"] == game["id"])

    assert result["player"] == game["player"] == {"id": player.id, "name": "player 2"}
    names = ("score", "max_tile", "moves", "pauses", "elapsed_ms", "outcome", "reached_goal", "attempt", "ended_at")
    assert [result[name] for name in names] == [game[name] for name in names]
    assert (result["active_ms"], result["goal_moves"]) == (game["clock"]["active_ms"], None)


def test_one_s_own_place_is_told_wherever_it_is(five):
    player, game = five[0]

    page = answer(player.get(RESULTS, params={"limit": 2}))

    assert game["id"] not in games(page)
    assert (page["me"]["game"], page["me"]["rank"]) == (game["id"], 5)


def test_pages_fit_together_though_others_finish_meanwhile(five, stranger, join, url, attempt, clock):
    first = answer(stranger.get(RESULTS, params={"limit": 2}))
    clock.forward(1)
    attempt(join(url), 60)

    pages, cursor = [first], first["next_cursor"]
    while cursor is not None:
        pages.append(answer(stranger.get(RESULTS, params={"limit": 2, "cursor": cursor})))
        cursor = pages[-1]["next_cursor"]

    told = [game for page in pages for game in games(page)]
    assert sorted(told) == sorted(game["id"] for _, game in five)
    assert [result["rank"] for page in pages for result in page["items"]] == [1, 2, 3, 4, 5]
    assert len(games(answer(stranger.get(RESULTS)))) == 6


def test_a_later_attempt_counts_only_among_the_best(me, stranger, attempt):
    first, second = attempt(me, 3), attempt(me, 40)

    lists = {kind: games(answer(stranger.get(RESULTS, params={"attempt": kind}))) for kind in ("first", "best")}

    assert lists == {"first": [first["id"]], "best": [second["id"]]}


def test_a_game_that_is_open_again_is_on_no_list(me, stranger):
    game = me.new("daily")
    while game["status"] == "running":
        game = me.play(game, 1)
    before = games(answer(stranger.get(RESULTS)))

    me.do(game["id"], "undo")

    assert (before, games(answer(stranger.get(RESULTS)))) == ([game["id"]], [])


def test_games_without_a_move_private_or_deleted_are_on_no_list(me, other, join, url, stranger, attempt):
    attempt(me, 0)
    other.do(other.play(other.new("daily", visibility="private"), 5)["id"], "abandon")
    gone = join(url)
    attempt(gone, 5)
    gone.delete("/players/me")

    assert answer(stranger.get(RESULTS))["items"] == []


def test_a_leaderboard_has_the_best_game_of_each_player(me, other, stranger, attempt):
    games_of = {player.id: [attempt(player, moves, "moves100") for moves in (2, 30)] for player in (me, other)}

    page = answer(stranger.get("/leaderboards", params={"mode": "moves100"}))

    best = {player: max(played, key=lambda game: game["score"])["id"] for player, played in games_of.items()}
    assert {result["player"]["id"]: result["game"] for result in page["items"]} == best
    assert page["items"] == sorted(page["items"], key=rule)


def test_categories_are_apart(me, stranger):
    for undo_limit in (0, 1, 5):
        me.do(me.play(me.new(undo_limit=undo_limit), 4)["id"], "abandon")

    found = [
        len(answer(stranger.get("/leaderboards", params={"mode": "classic", **more}))["items"])
        for more in ({}, {"undo_limit": 5}, {"undo_limit": 0}, {"size": 5}, {"size": 6, "undo_limit": 5})
    ]

    assert found == [1, 1, 1, 0, 0]


def test_a_period_is_the_day_week_or_month_that_lasts(me, stranger, attempt, clock):
    def there():
        return [
            period
            for period in ("day", "week", "month", "all")
            if answer(stranger.get("/leaderboards", params={"mode": "moves100", "period": period}))["items"]
        ]

    attempt(me, 4, "moves100")
    seen = [there()]
    for days in (1, 2, 14):  # to Saturday the 16th, Monday the 18th, Monday the 1st of February
        clock.forward(days * DAY)
        seen.append(there())

    assert seen == [["day", "week", "month", "all"], ["week", "month", "all"], ["month", "all"], ["all"]]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("", "mode"),
        ("mode=blitz", "mode"),
        ("mode=practice", "mode"),
        ("mode=classic&size=7", "size"),
        ("mode=sprint&size=5", "size"),
        ("mode=classic&undo_limit=2", "undo_limit"),
        ("mode=classic&period=year", "period"),
        ("mode=classic&limit=0", "limit"),
        ("mode=classic&limit=101", "limit"),
        ("mode=classic&cursor=x", "cursor"),
        ("mode=classic&cursor=WzFd", "cursor"),
    ],
)
def test_a_leaderboard_there_is_not_is_refused_by_name(stranger, query, field):
    refused = problem(stranger.get(f"/leaderboards?{query}"), 422, "invalid")

    assert refused["errors"][0]["loc"] == ["query", field]


@pytest.mark.parametrize("query", ["order=luck", "attempt=last", "limit=0", "cursor=x", "cursor=%00", "limit=x"])
def test_results_there_are_not_are_refused_by_name(stranger, query):
    refused = problem(stranger.get(f"{RESULTS}?{query}"), 422, "invalid")

    assert refused["errors"][0]["loc"] == ["query", query.partition("=")[0]]


def test_results_of_a_date_there_is_not(stranger):
    problem(stranger.get("/daily/1999-01-01/results"), 404, "not_found")
    problem(stranger.get("/daily/soon/results"), 422, "invalid")
    assert answer(stranger.get("/daily/2027-01-20/results"))["items"] == []


def test_games_are_told_side_by_side_up_to_where_they_part_and_beyond(me, other):
    mine, theirs = me.play(me.new("daily"), 6), other.play(other.new("daily"), 6)
    board = mine["board"]
    ways = mine["legal_moves"][0], mine["legal_moves"][-1]
    mine = me.move(mine["id"], ways[0])["game"]
    other.move(theirs["id"], ways[1])
    for player, game in ((me, mine), (other, theirs)):
        player.do(game["id"], "abandon")

    told = answer(me.get(COMPARE, params={"games": f"{mine['id']},{theirs['id']}"}))

    assert (told["date"], told["common_moves"]) == (TODAY, 6)
    assert told["fork"] == {
        "move": 7,
        "board": board,
        "choices": [{"game": game["id"], "direction": way} for game, way in zip((mine, theirs), ways, strict=True)],
    }
    assert [result["game"] for result in told["games"]] == [mine["id"], theirs["id"]]
    for series in told["series"]:
        assert [len(series[name]) for name in ("score", "empty", "max_tile", "active_ms")] == [8] * 4
    assert told["series"][0]["score"][-1] == mine["score"]


def test_an_undone_move_is_on_no_path(me, other):
    mine, theirs = me.play(me.new("daily"), 5), other.play(other.new("daily"), 5)
    me.do(me.play(mine, 1)["id"], "undo")
    for player, game in ((me, mine), (other, theirs)):
        player.do(game["id"], "abandon")

    told = answer(me.get(COMPARE, params={"games": f"{mine['id']},{theirs['id']}"}))

    assert (told["fork"], told["common_moves"]) == (None, 5)


def test_who_has_not_finished_compares_nothing(five, me, stranger):
    me.new("daily")
    asked = {"games": ",".join(game["id"] for _, game in five[:2])}

    for reader in (me, stranger):
        problem(reader.get(COMPARE, params=asked), 403, "daily_sealed")
    assert answer(five[0][0].get(COMPARE, params=asked))["date"] == TODAY


def test_what_cannot_be_compared_is_refused(five, stranger):
    player = five[0][0]
    classic = player.new()["id"]
    ids = [each["id"] for _, each in five]

    for asked in (ids[0], f"{ids[0]},{ids[0]}", ",".join(ids), f"{ids[0]},{classic}", "", ","):
        problem(player.get(COMPARE, params={"games": asked}), 422, "invalid")
    problem(player.get(COMPARE, params={"games": f"{ids[0]},nothing"}), 404, "not_found")
    problem(player.get(f"/daily/2027-01-16/compare?games={ids[0]},{ids[1]}"), 422, "invalid")
    problem(player.get(COMPARE), 422, "invalid")


def test_four_games_are_compared_at_most(five):
    player, _ = five[0]

    told = answer(player.get(COMPARE, params={"games": ",".join(game["id"] for _, game in five[:4])}))

    assert len(told["games"]) == len(told["series"]) == 4
    assert len({result["rank"] for result in told["games"]}) == 4
