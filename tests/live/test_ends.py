"""How connections end: a token that ends, a player who goes, no hello, and a service that drains."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from websockets.exceptions import InvalidStatus

from tests.callers import Caller, answer, player
from tests.live.house import held, in_flight, pass_time, sockets, until
from tests.service import Hand


def new_token(caller, **wish):
    return Caller(caller.url, answer(caller.post("/players/me/token", json=wish))["token"])


@pytest.fixture
def rotate():
    """A caller with a new token: `rotate(caller)`, `rotate(caller, others=True)`."""
    with ExitStack() as stack:
        yield lambda caller, **wish: stack.enter_context(new_token(caller, **wish))


def test_the_first_use_of_a_new_token_ends_the_old_one_s_sockets(live, me, rotate):
    old = live(me)
    renewed = rotate(me)
    old.ok("ping")
    fresh = live(renewed)

    assert old.closed() == 4500
    assert fresh.ok("ping")


def test_a_new_token_that_is_not_used_ends_the_old_one_after_a_minute(serve, join, live, rotate):
    hand = Hand()
    service = serve(now=hand)
    ada = join(service.url)
    old = live(ada, to=service)
    rotate(ada)
    for _ in range(12):
        pass_time(service, hand, 4.9)
        old.ok("ping")
    pass_time(service, hand, 1.3)

    assert old.closed() == 4500


def test_others_ends_the_other_devices_at_once(live, join, url, rotate):
    bob = join(url)
    code = answer(bob.post("/players/me/link"))["code"]
    with Caller(url) as device:
        linked = answer(device.post("/players/link", json={"code": code}))
    mine, theirs = live(bob), live(hello=False)
    theirs.ok("hello", token=linked["token"])
    rotate(bob, others=True)

    assert theirs.closed() == 4500
    assert mine.ok("ping")


def test_a_deleted_player_s_sockets_end_and_nobody_else_s(live, join, url, other):
    with player(url) as bob:
        sockets_of_bob, mine, nobody = [live(bob) for _ in range(3)], live(other), live()
        assert bob.delete("/players/me").status_code == 204

        assert [one.closed() for one in sockets_of_bob] == [4500] * 3
        assert mine.ok("ping")
        assert nobody.ok("ping")
        assert live(hello=False).refused("hello", token=bob.token)["code"] == "unauthorized"


def test_ten_seconds_without_hello_end_it(serve, bare, live):
    hand = Hand()
    service = serve(now=hand)
    mute, busy = bare(to=service), live(to=service, hello=False)
    busy.refused("ping")
    pass_time(service, hand, 10)

    assert mute.closed() == 4506
    assert busy.closed() == 4506
    until(lambda: sockets(service) == [])


def test_draining_is_told_what_is_in_flight_is_answered_and_all_is_closed_1012(serve, join, live):
    service = serve()
    ada = join(service.url)
    slow, other = ada.new(), ada.new()
    ones = [live(ada, to=service) for _ in range(6)]
    with ThreadPoolExecutor() as pool:
        with held(service, slow["id"]):
            asked = ones[0].send("move", game=slow["id"], direction=slow["legal_moves"][0])
            in_flight(service, 1)
            draining = pool.submit(service.wait_for, service.service.drain)
            delays = [one.push("draining")["retry_after_ms"] for one in ones]
            refused = ones[1].refused("move", game=other["id"], direction=other["legal_moves"][0])
            late = refused_status(lambda: live(to=service))
        moved = ones[0].reply(asked)
        codes = [one.closed() for one in ones]
        draining.result()

    assert len(set(delays)) > 1 and min(delays) > 0
    assert (refused["code"], refused["retryable"], late) == ("draining", True, 503)
    assert moved["ok"]["event"]["version"] == 2
    assert codes == [1012] * 6


def refused_status(open_one):
    with pytest.raises(InvalidStatus) as refused:
        open_one()
    return refused.value.response.status_code


def test_draining_pauses_running_games_and_tells_who_watches(serve, join, live):
    service = serve()
    ada = join(service.url)
    sprint, one = ada.new("sprint")["id"], live(ada, to=service)
    one.ok("watch", game=sprint)
    one.ok("start", game=sprint)
    service.wait_for(service.service.drain)
    event = one.push()["event"]

    assert (event["type"], event["cause"]) == ("pause", "outage")
    assert one.closed() == 1012
