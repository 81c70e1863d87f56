"""Leaving: a timed game is paused when its player's last connection goes, and by nothing less."""

import pytest
from websockets.frames import Opcode

from tests.live.house import greet, held, in_flight, narrow, outboxes, pass_time, pipeline, sockets, until
from tests.service import Hand
from twofold_service.api import socket
from twofold_service.api.socket import LiveSocket


@pytest.fixture
def sprint(me):
    """The id of a sprint that runs."""
    game = me.new("sprint")
    me.do(game["id"], "start")
    return game["id"]


@pytest.fixture
def left(service, live):
    """Closes a connection, and returns when the service has noticed."""

    def close(one):
        count = len(sockets(service))
        one.close()
        until(lambda: len(sockets(service)) < count)
        service.wait_for(lambda: service.service.play.settled(5))

    return close


def last_of(me, game):
    event = me.get(f"/games/{game}/events", params={"after": me.game(game)["version"] - 1}).json()["items"][0]
    return event["type"], event.get("cause")


def test_the_last_of_two_tabs_pauses_it(live, me, sprint, left):
    one, two, fan = live(me), live(me), live()
    for tab in (one, two, fan):
        tab.ok("watch", game=sprint)
    left(one)
    between = me.game(sprint)["status"]
    left(two)

    assert (between, last_of(me, sprint)) == ("running", ("pause", "disconnect"))
    event = fan.push()["event"]
    assert (event["cause"], event["status"], event["clock"]["running"]) == ("disconnect", "paused", False)
    assert me.game(sprint)["pauses"] == 1


def test_a_spectator_who_leaves_pauses_nothing(live, me, other, sprint, left):
    for fan in (live(), live(other)):
        fan.ok("watch", game=sprint)
        left(fan)

    assert me.game(sprint)["status"] == "running"


def test_the_player_s_other_connections_pause_nothing(live, me, sprint, left):
    one = live(me)
    one.ok("watch", game=me.new()["id"])
    left(one)

    assert me.game(sprint)["status"] == "running"


def test_to_watch_no_more_pauses_nothing(live, me, sprint):
    one = live(me)
    one.ok("watch", game=sprint)
    one.ok("unwatch", game=sprint)

    assert me.game(sprint)["status"] == "running"


def test_a_game_that_was_played_and_never_watched_is_paused_too(live, me, left):
    one, game = live(me), me.new("sprint")["id"]
    one.ok("start", game=game)
    left(one)

    assert last_of(me, game) == ("pause", "disconnect")


def test_an_untimed_game_goes_on(live, me, left):
    one, game = live(me), me.new()
    one.ok("watch", game=game["id"])
    one.ok("move", game=game["id"], direction=game["legal_moves"][0])
    left(one)

    assert me.game(game["id"])["status"] == "running"


def test_who_comes_back_in_time_is_not_paused_and_who_comes_later_resumes(live, me, sprint, left):
    one = live(me)
    one.ok("watch", game=sprint)
    two = live(me)
    two.ok("watch", game=sprint)
    left(one)
    running = me.game(sprint)
    left(two)
    three = live(me)
    answered = three.ok("watch", game=sprint, since=running["version"])
    paused = three.push()["event"]
    resumed = three.ok("resume", game=sprint)["event"]

    assert (running["status"], answered["recovered"], paused["cause"]) == ("running", True, "disconnect")
    assert (resumed["status"], resumed["version"]) == ("running", paused["version"] + 1)


def test_what_was_sent_before_leaving_counts_and_then_it_is_paused(bare, me, service):
    game = me.new("sprint")["id"]
    one = bare()
    greet(one, me.token)
    one.command(id=1, op="start", game=game)
    one.send((1000).to_bytes(2, "big"), Opcode.CLOSE)

    assert one.closed() == 1000
    until(lambda: me.game(game)["version"] == 3)
    assert last_of(me, game) == ("pause", "disconnect")


@pytest.mark.parametrize("watched", [False, True])
def test_who_leaves_while_the_start_is_on_its_way_loses_no_time(bare, me, service, watched):
    game = me.new("sprint")["id"]
    one, count = bare(), len(sockets(service)) - 1
    greet(one, me.token)
    if watched:
        one.command(id=1, op="watch", game=game)
        one.text()
    with held(service, game):
        one.command(id=2, op="start", game=game)
        in_flight(service, 1)
        one.socket.close()
        until(lambda: len(sockets(service)) == count)

    until(lambda: me.game(game)["version"] == 3)
    assert last_of(me, game) == ("pause", "disconnect")


def test_who_says_good_bye_and_does_not_read_has_left_all_the_same(bare, me, live, service, monkeypatch):
    monkeypatch.setattr(socket, "CLOSE_WITHIN", 6.0)
    sprint, busy = me.new("sprint")["id"], me.new("practice", size=8, seed="06" * 32)["id"]
    player, one = live(me), bare(receive_buffer=4096)
    greet(one, me.token)
    narrow(service)
    one.command(id=1, op="start", game=sprint)
    one.command(id=2, op="watch", game=busy)
    until(lambda: me.game(sprint)["status"] == "running" and one.text().get("id") == 2)
    count = len(sockets(service))
    while max(outboxes(service)) < 50_000:
        pipeline(player, busy, 40)
    one.send((1000).to_bytes(2, "big"), Opcode.CLOSE)

    until(lambda: me.game(sprint)["status"] == "paused", wait=5.0)
    until(lambda: len(sockets(service)) < count)


@pytest.mark.fault("7 half-open sockets")
def test_ten_silent_seconds_are_leaving_and_a_pong_is_enough_to_stay(serve, join, bare, live):
    hand = Hand()
    service = serve(now=hand)
    ada, bob = join(service.url), join(service.url)
    games = {}
    for who, ends in ((ada, bare(to=service)), (bob, bare(to=service))):
        greet(ends, who.token)
        games[who] = ends, who.new("sprint")["id"]
        ends.command(id=1, op="start", game=games[who][1])
        assert ends.text()["ok"]
    pass_time(service, hand, 5)
    (silent, lost), (ponging, kept) = games[ada], games[bob]
    opcode, data = until(lambda: pinged(ponging))
    ponging.send(data, Opcode.PONG)
    until(lambda: sorted(one.connection.session.heard_at for one in sockets(service))[-1] == hand.at)
    pass_time(service, hand, 5)

    assert silent.closed() == 4001
    assert (opcode, until(lambda: ponging.text()["ev"] == "ping")) == (Opcode.PING, True)
    paused = until(lambda: ada.game(lost)["status"] == "paused" and ada.game(lost))
    assert (paused["clock"]["active_ms"], last_of(ada, lost)) == (10_000, ("pause", "disconnect"))
    assert bob.game(kept)["status"] == "running"


def pinged(bare):
    frame = bare.frame()
    return frame if frame[0] == Opcode.PING else None


def test_a_standstill_of_the_service_is_no_player_s_loss(serve, join, bare):
    hand = Hand()
    service = serve(now=hand)
    ada = join(service.url)
    one, game = bare(to=service), ada.new("sprint")["id"]
    greet(one, ada.token)
    one.command(id=1, op="start", game=game)
    one.text()
    begun = hand.at
    service.do(lambda: stand_still(service, hand, 300))

    paused = until(lambda: ada.game(game)["status"] == "paused" and ada.game(game))
    assert last_of(ada, game) == ("pause", "outage")
    assert paused["clock"]["active_ms"] <= (hand.at - begun) / 1000 - 299_000


def stand_still(service, hand, seconds):
    """Time goes by at once, and the sockets are the first to look."""
    hand.forward(seconds)
    for one in list(service.service.hub._sockets):
        one.tick()


def test_a_socket_whose_other_side_says_no_more_is_not_pinged(serve, bare):
    service = serve()
    greet(bare(to=service))
    (left,) = sockets(service)

    def say_no_more() -> None:
        left.eof_received()
        left.connection.session._pinged_at = 0
        left.tick()

    service.do(say_no_more)
    until(lambda: sockets(service) == [])


def test_one_socket_s_fault_keeps_no_other_from_its_pings(serve, bare, monkeypatch):
    service, tick = serve(), LiveSocket.tick
    for _ in range(3):
        greet(bare(to=service))
    faulty, *others = sockets(service)
    pinged = faulty.connection.session._pinged_at

    def fails_for_one(each):
        if each is faulty:
            raise RuntimeError
        tick(each)

    monkeypatch.setattr(LiveSocket, "tick", fails_for_one)
    for each in others:
        each.connection.session._pinged_at = 0

    until(lambda: all(each.connection.session._pinged_at for each in others))
    assert faulty.connection.session._pinged_at == pinged
