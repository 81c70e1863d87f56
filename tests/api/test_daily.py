"""The daily over REST: told to everybody, sealed to those who play, revealed two days later."""

import pytest

from tests.callers import Caller, answer, problem
from tests.service import SECRET
from twofold.spawn import commitment, daily_seed

TODAY, DAY = "2027-01-15", 86_400
FIELDS = {"date", "opens_at", "closes_at", "reveals_at", "commitment", "seed", "players", "best", "par"}


@pytest.fixture
def service(timed):
    """All callers speak to the service whose time is `clock`."""
    return timed


@pytest.fixture
def live_too(live, service):
    return lambda who=None: live(who, to=service)


def test_the_puzzle_of_today_is_told_without_its_seed(stranger):
    told = answer(stranger.get("/daily"))

    assert told.keys() == FIELDS
    assert told == answer(stranger.get(f"/daily/{TODAY}"))
    assert (told["date"], told["seed"], told["players"], told["best"]) == (TODAY, None, 0, None)
    assert (told["opens_at"], told["closes_at"], told["reveals_at"]) == (
        "2027-01-15T00:00:00.000Z",
        "2027-01-16T00:00:00.000Z",
        "2027-01-17T00:00:00.000Z",
    )
    assert told["commitment"] == commitment(daily_seed(SECRET, TODAY)).hex()


def test_the_week_ahead_is_told_and_not_more(stranger):
    assert answer(stranger.get("/daily/2027-01-22"))["date"] == "2027-01-22"
    problem(stranger.get("/daily/2027-01-23"), 404, "not_found")
    problem(stranger.get("/daily/2027-01-14"), 404, "not_found")


@pytest.mark.parametrize("date", ["today", "2027-02-30", "2027-13-45", "20270115", "2027-W02-5", "%00", "x" * 500])
def test_what_is_no_date_is_refused(stranger, date):
    assert problem(stranger.get(f"/daily/{date}"), 422, "invalid")["errors"]


def test_attempts_are_made_one_after_the_other(me):
    first = me.new("daily")

    refused = problem(me.post("/games", json={"mode": "daily"}), 409, "attempt_open")
    second = me.new("daily", replaces=first["id"])

    assert (first["date"], first["attempt"], second["attempt"]) == (TODAY, 1, 2)
    assert refused["game"]["id"] == first["id"]
    assert first["board"] == second["board"]
    assert first["commitment"] == answer(me.get("/daily"))["commitment"]


def test_a_daily_is_sealed_to_those_who_have_not_finished_their_first_attempt(me, other, stranger, live_too):
    game = me.play(me.new("daily"), 3)
    other.new("daily")

    for reader in (other, stranger):
        for path in ("", "/events", "/export"):
            problem(reader.get(f"/games/{game['id']}{path}"), 403, "daily_sealed")
    assert live_too(other).refused("watch", game=game["id"])["code"] == "daily_sealed"
    assert live_too().refused("watch", game=game["id"])["code"] == "daily_sealed"
    assert live_too(me).ok("watch", game=game["id"])["role"] == "player"


def test_a_daily_is_open_to_those_who_are_through(me, other, live_too):
    game = me.play(me.new("daily"), 3)
    other.do(other.new("daily")["id"], "abandon")

    assert other.game(game["id"])["board"] == game["board"]
    assert live_too(other).ok("watch", game=game["id"])["role"] == "spectator"


def test_the_seed_is_nowhere_before_the_reveal(me, other, stranger, clock):
    game = me.do(me.play(me.new("daily"), 5)["id"], "abandon")["game"]
    other.do(other.new("daily")["id"], "abandon")
    clock.forward(1.5 * DAY - 1)
    of_game = [f"/games/{game['id']}{part}" for part in ("", "/events", "/export", "/export?raw=1")]
    paths = ["/daily", f"/daily/{TODAY}", "/games", *of_game]

    told = "".join(reader.get(path).text for reader in (me, other) for path in paths)

    assert daily_seed(SECRET, TODAY).hex() not in told.lower()
    assert game["commitment"] in told
    assert answer(stranger.get("/daily"))["date"] == "2027-01-16"
    problem(me.post("/games", json={"mode": "practice", "date": TODAY}), 422, "invalid")


def test_the_reveal_shows_the_seed_closes_the_games_and_opens_practice(me, stranger, clock, live_too):
    game = me.play(me.new("daily"), 5)
    clock.forward(1.5 * DAY)

    seed = daily_seed(SECRET, TODAY).hex()
    assert answer(stranger.get(f"/daily/{TODAY}"))["seed"] == seed
    assert stranger.game(game["id"])["seed"] == seed
    assert answer(stranger.get(f"/games/{game['id']}/export"))["seed"] == seed
    for op in ("undo", "resume", "abandon"):
        problem(me.ask(game["id"], op), 409, "game_over")
    assert me.game(game["id"])["outcome"] == "abandoned"
    practice = me.new("practice", date=TODAY)
    assert (practice["seed"], practice["date"]) == (seed, None)


def test_a_command_on_a_revealed_game_writes_its_end(me, clock):
    game = me.play(me.new("daily"), 5)
    clock.forward(1.5 * DAY)

    problem(me.ask(game["id"], "undo"), 409, "game_over")

    last = answer(me.get(f"/games/{game['id']}/events"))["items"][-1]
    assert (last["type"], last["cause"], last["at"]) == ("over", "reveal", "2027-01-17T00:00:00.000Z")


def test_players_and_best_of_the_date_are_told(me, other, join, url):
    for player, moves in ((me, 30), (other, 3)):
        player.do(player.play(player.new("daily"), moves)["id"], "abandon")
    join(url).new("daily")

    told = answer(me.get("/daily"))

    assert told["players"] == 3
    assert (told["best"]["player"]["id"], told["best"]["rank"], told["best"]["attempt"]) == (me.id, 1, 1)
    assert told["best"]["outcome"] == "abandoned"


def test_a_game_begun_before_midnight_stays_on_its_day(me, clock, service):
    clock.forward(DAY / 2 - 1)
    game = me.new("daily")
    clock.forward(1)

    moved = me.play(me.game(game["id"]), 1)

    assert (moved["date"], me.new("daily")["date"]) == (TODAY, "2027-01-16")


def test_a_stranger_to_the_service_sees_the_daily_with_any_token_or_none(me, url):
    with Caller(url) as stranger:
        assert answer(stranger.get("/daily")) == answer(me.get("/daily"))
