"""Bots over REST: marked wherever they are shown, and ranked among themselves."""

import pytest

from tests.callers import Caller, answer, problem

TODAY = "2027-01-15"
CLASSIC = "/leaderboards?mode=classic"
RESULTS = f"/daily/{TODAY}/results"


@pytest.fixture
def service(timed):
    """All callers speak to the service whose time is `clock`."""
    return timed


@pytest.fixture
def bot(stranger, url):
    made = answer(stranger.post("/players", json={"name": "Level 2", "bot": True}), 201)
    with Caller(url, made["token"]) as caller:
        caller.id = made["player"]["id"]
        yield caller


def finished(player, mode):
    return player.do(player.play(player.new(mode), 12)["id"], "abandon")["game"]


def games(page):
    return [result["game"] for result in page["items"]]


def test_a_bot_is_marked_wherever_it_is_shown(bot, stranger):
    shown = {"id": bot.id, "name": "Level 2", "bot": True}

    game = finished(bot, "daily")

    assert (
        answer(bot.get("/players/me")) == game["player"] == answer(bot.get(f"/games/{game['id']}"))["player"] == shown
    )
    assert [one["player"] for one in answer(bot.get("/games"))["items"]] == [shown]
    assert [one["player"] for one in answer(stranger.get(f"{RESULTS}?bots=true"))["items"]] == [shown]


def test_people_are_not_marked(me):
    assert answer(me.get("/players/me")) == {"id": me.id, "name": None}


def test_a_bot_stays_one_under_another_name_and_token(bot, stranger):
    assert answer(bot.patch("/players/me", json={"name": "Somebody"}))["bot"] is True

    code = answer(bot.post("/players/me/link"))["code"]

    assert answer(stranger.post("/players/link", json={"code": code}))["player"]["bot"] is True


def test_a_record_says_no_more_than_before(bot, stranger):
    game = finished(bot, "classic")

    record = answer(bot.get(f"/games/{game['id']}/export"))

    assert record["game"]["player"] == {"id": bot.id, "name": "Level 2"}
    assert answer(stranger.post("/verify", json=record))["origin"] == "stored"


@pytest.mark.parametrize(("mode", "path"), [("classic", CLASSIC), ("daily", f"{RESULTS}?order=moves")])
def test_bots_are_ranked_among_themselves(me, bot, mode, path):
    mine, its = finished(me, mode), finished(bot, mode)

    people, bots = answer(bot.get(path)), answer(bot.get(f"{path}&bots=true"))

    assert mine["id"] in games(people) and its["id"] not in games(people)
    assert games(bots) == [its["id"]]
    assert (people["me"], bots["me"]["rank"], bots["me"]["game"]) == (None, 1, its["id"])
    assert answer(me.get(f"{path}&bots=true"))["me"] is None


def test_a_bot_s_undone_end_makes_room_for_its_next_best(bot):
    first = finished(bot, "classic")
    better = bot.play(bot.new("moves100"), 100)
    assert better["outcome"] == "move_limit"
    board = "/leaderboards?mode=moves100&bots=true"
    assert games(answer(bot.get(board))) == [better["id"]]

    bot.do(better["id"], "undo")

    assert games(answer(bot.get(board))) == []
    assert games(answer(bot.get(f"{CLASSIC}&bots=true"))) == [first["id"]]


def test_the_best_of_a_date_is_a_person_s(me, bot):
    finished(bot, "daily")
    assert answer(me.get(f"/daily/{TODAY}"))["best"] is None

    mine = finished(me, "daily")

    assert answer(me.get(f"/daily/{TODAY}"))["best"]["game"] == mine["id"]


def test_a_compared_bot_has_its_rank_among_bots(me, bot):
    mine, its = finished(me, "daily"), finished(bot, "daily")

    told = answer(me.get(f"/daily/{TODAY}/compare?games={mine['id']},{its['id']}"))["games"]

    assert [(result["rank"], result["player"].get("bot")) for result in told] == [(1, None), (1, True)]


@pytest.mark.parametrize("bot", [1, "yes", None])
def test_what_is_neither_a_bot_nor_none_is_refused(stranger, bot):
    refused = problem(stranger.post("/players", json={"bot": bot}), 422, "invalid")

    assert refused["errors"][0]["loc"] == ["body", "bot"]


def test_a_filter_that_is_none_is_refused(stranger):
    assert problem(stranger.get(f"{CLASSIC}&bots=perhaps"), 422, "invalid")["errors"][0]["loc"] == ["query", "bots"]
