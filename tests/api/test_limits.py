"""Limits: rates of an address and a player, open games, sockets, watches; each says how to go on."""

import pytest
from websockets.exceptions import InvalidStatus

from tests.callers import Bare, Caller, Live, answer, player, problem


@pytest.fixture
def limited(serve):
    """Starts a service with its limits on: `limited(<setting>=…)`; rates that are not the test's are wide."""
    wide = {"player_rate": "100000/second", "address_rate": "100000/second", "new_player_rate": "100000/second"}
    return lambda **wanted: serve(**{"rate_limits": "on", **wide, **wanted})


def test_an_address_that_asks_too_often_is_told_when_to_come_back(limited):
    url = limited(address_rate="5/hour").url
    with Caller(url) as stranger:
        for _ in range(5):
            answer(stranger.get("/modes"))

        refused = stranger.get("/modes")

        problem(refused, 429, "rate_limited")
        assert 3000 < int(refused.headers["retry-after"]) <= 3600
        problem(stranger.get("/nowhere"), 429, "rate_limited")
        assert stranger.get(url + "/healthz").status_code == stranger.get(url + "/readyz").status_code == 200


def test_a_player_who_asks_too_often_harms_no_other(limited, join):
    url = limited(player_rate="5/hour").url
    me, other = join(url), join(url)
    for _ in range(5):
        answer(me.get("/players/me"))

    problem(me.get("/players/me"), 429, "rate_limited")

    answer(other.get("/players/me"))


def test_a_player_s_frames_are_counted_with_the_requests(limited, join):
    url = limited(player_rate="6/hour").url
    me = join(url)
    game = me.new()["id"]
    with Live(url, me.token) as connection:
        for _ in range(5):
            connection.ok("ping")

        refused = connection.refused("pause", game=game)

    assert (refused["code"], refused["status"], refused["retryable"]) == ("rate_limited", 429, True)
    problem(me.get(f"/games/{game}"), 429, "rate_limited")


def test_only_so_many_players_are_made_from_one_address(limited):
    url = limited(new_player_rate="3/hour").url
    with Caller(url) as stranger:
        for _ in range(3):
            answer(stranger.post("/players", json={}), 201)

        problem(stranger.post("/players", json={}), 429, "rate_limited")

        answer(stranger.get("/modes"))


def test_only_so_many_games_may_be_open(limited, join):
    me = join(limited(open_games=2).url)
    first, _ = me.new(), me.new()

    problem(me.post("/games", json={"mode": "classic"}), 409, "too_many")

    me.new(replaces=first["id"])
    me.do(answer(me.get("/games?status=open"))["items"][0]["id"], "abandon")
    me.new()


def test_only_so_many_sockets_are_open_from_one_address(limited):
    url = limited(address_sockets=2).url
    with Live(url), Live(url) as second:
        with pytest.raises(InvalidStatus) as refused:
            Live(url)

        response = refused.value.response
        assert response.status_code == 409
        assert response.headers["content-type"] == "application/problem+json"
        assert b'"too_many"' in (response.body or b"")
        second.close()
        with Live(url) as third:
            third.ok("ping")


def test_only_so_many_sockets_are_open_of_one_player(limited, join):
    url = limited(player_sockets=1).url
    me, other = join(url), join(url)
    with Live(url, me.token), Live(url, other.token), Live(url, hello=False) as second:
        assert second.refused("hello", token=me.token)["code"] == "too_many"
        assert second.ok("hello")["player"] is None


def test_only_so_many_games_are_watched_on_one_socket(limited, join):
    url = limited(socket_watches=2).url
    me = join(url)
    first, second, third = [me.new()["id"] for _ in range(3)]
    with Live(url, me.token) as connection:
        assert connection.welcome["limits"]["watches"] == 2
        for game in (first, second, second):
            connection.ok("watch", game=game)

        assert connection.refused("watch", game=third)["code"] == "too_many"

        connection.ok("unwatch", game=first)
        connection.ok("watch", game=third)


def test_a_refused_watch_takes_no_place(limited, join):
    url = limited(socket_watches=1).url
    me = join(url)
    with Live(url, me.token) as connection:
        for _ in range(3):
            assert connection.refused("watch", game="nothing")["code"] == "not_found"

        connection.ok("watch", game=me.new()["id"])


def test_without_limits_nothing_is_counted(serve):
    service = serve(open_games=1, player_sockets=1, address_sockets=1, player_rate="1/hour", address_rate="1/hour")
    with player(service.url) as me, Live(service.url, me.token), Live(service.url, me.token):
        for _ in range(3):
            me.new()


def forwarded(caller, value, name="X-Forwarded-For"):
    return caller.get("/modes", headers={name: value}).status_code


def test_a_forwarded_address_counts_where_the_proxy_is_trusted(limited):
    url = limited(address_rate="2/hour", trusted_proxies="127.0.0.0/8").url
    chains = ["203.0.113.1"] * 3 + ["203.0.113.2", "203.0.113.1, 203.0.113.3", "9.9.9.9, 203.0.113.4, 127.0.0.2"]
    with Caller(url) as proxy:
        answers = [forwarded(proxy, chain) for chain in chains]

    assert answers == [200, 200, 429, 200, 200, 200]


def test_the_standard_header_tells_the_address_too(limited):
    url = limited(address_rate="1/hour", trusted_proxies="127.0.0.1").url
    chains = ["for=203.0.113.1"] * 2 + ['For="[2001:db8::1]:4711";proto=https', "by=x;for=203.0.113.1, for=203.0.113.2"]
    with Caller(url) as proxy:
        answers = [forwarded(proxy, chain, "Forwarded") for chain in chains]

    assert answers == [200, 429, 200, 200]


@pytest.mark.parametrize(("name", "value"), [("X-Forwarded-For", "203.0.113.{}"), ("Forwarded", "for=203.0.113.{}")])
def test_a_forwarded_address_of_anybody_else_counts_nothing_and_is_warned_of_once(limited, caplog, name, value):
    url = limited(address_rate="3/hour", trusted_proxies="192.0.2.1").url
    with Caller(url) as liar:
        answers = [forwarded(liar, value.format(number), name) for number in range(5)]

    assert answers == [200, 200, 200, 429, 429]
    assert len([record for record in caplog.records if "TWOFOLD_TRUSTED_PROXIES" in record.getMessage()]) == 1


@pytest.mark.parametrize("header", ["", "nonsense", "203.0.113.1:99", "203.0.113.1, x", "[::1", "unknown", "\xff"])
def test_what_is_no_address_is_the_proxy_s_own(limited, header):
    url = limited(address_rate="1/hour", trusted_proxies="127.0.0.1").url
    with Caller(url) as proxy:
        answers = [forwarded(proxy, header.encode("latin-1")) for _ in range(2)]

    assert answers == [200, 429]


def test_a_socket_has_the_forwarded_address(limited):
    service = limited(address_sockets=1, trusted_proxies="127.0.0.1")
    with (
        Bare(service.port, "X-Forwarded-For: 203.0.113.1") as first,
        Bare(service.port, "X-Forwarded-For: 203.0.113.2") as second,
        Bare(service.port, "X-Forwarded-For: 203.0.113.1") as third,
    ):
        assert (first.status, second.status, third.status) == (101, 101, 409)
