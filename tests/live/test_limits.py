"""Limits: how many sockets, watches and frames, and what becomes of who reads too slowly."""

import json
import time
from contextlib import suppress

import pytest
from websockets.exceptions import InvalidStatus
from websockets.frames import Opcode

from tests.callers import WAIT
from tests.live.house import WAYS, greet, narrow, outboxes, pipeline, sockets, until, versions
from twofold_service.api.socket import OUTBOX_BYTES


def test_a_player_has_so_many_sockets(serve, join, live):
    service = serve(rate_limits="on", player_sockets=2)
    ada, bob = join(service.url), join(service.url)
    one, _, third = live(ada, to=service), live(ada, to=service), live(to=service, hello=False)
    refused = third.refused("hello", token=ada.token)
    one.close()
    until(lambda: len(sockets(service)) == 2)

    assert (refused["code"], refused["status"]) == ("too_many", 409)
    assert third.ok("hello", token=ada.token)["player"]["id"] == ada.id
    assert live(bob, to=service).ok("ping")


def test_an_address_has_so_many_sockets(serve, live):
    service = serve(rate_limits="on", address_sockets=2)
    one, _ = live(to=service), live(to=service)
    with pytest.raises(InvalidStatus) as refused:
        live(to=service)
    one.close()
    until(lambda: len(sockets(service)) == 1)

    response = refused.value.response
    assert (response.status_code, json.loads(response.body)["code"]) == (409, "too_many")
    assert response.headers["Content-Type"] == "application/problem+json"
    assert live(to=service).ok("ping")


def test_a_socket_watches_so_many_games(serve, join, live):
    service = serve(socket_watches=2)
    ada = join(service.url)
    games, one = [ada.new()["id"] for _ in range(3)], live(to=service)
    for game in games[:2]:
        one.ok("watch", game=game)
    refused = one.refused("watch", game=games[2])
    again = one.ok("watch", game=games[0])
    one.ok("unwatch", game=games[1])

    assert (refused["code"], refused["status"], one.welcome["limits"]["watches"]) == ("too_many", 409, 2)
    assert again["recovered"] is False
    assert one.refused("watch", game="constructor")["code"] == "not_found"
    assert one.ok("watch", game=games[2])["role"] == "spectator"


def test_a_player_s_frames_are_counted_with_their_requests(serve, join, live):
    service = serve(rate_limits="on", player_rate="10/minute")
    ada, bob = join(service.url), join(service.url)
    one, two = live(ada, to=service), live(ada, to=service)
    answers = [one.reply(one.send("ping")) for _ in range(11)]
    refused = answers[-1].get("error", {})

    assert (refused["code"], refused["status"], refused["retryable"]) == ("rate_limited", 429, True)
    assert two.refused("ping")["code"] == "rate_limited"
    assert ada.get("/games").status_code == 429
    assert live(bob, to=service).ok("ping")


def test_an_address_s_frames_without_a_token_are_counted_too(serve, live):
    service = serve(rate_limits="on", address_rate="5/minute")
    one = live(to=service)

    assert [one.reply(one.send("ping")).get("error", {}).get("code") for _ in range(5)][-1] == "rate_limited"


@pytest.mark.fault("6 slow readers")
def test_a_slow_reader_is_cut_off_and_nobody_else_is(serve, join, live, bare):
    service = serve()
    ada = join(service.url)
    game = ada.new("practice", size=8, seed="08" * 32)["id"]
    player, fan, slow = live(ada, to=service), live(to=service), bare(to=service, receive_buffer=4096)
    fan.ok("watch", game=game)
    greet(slow)
    slow.command(id=1, op="watch", game=game)
    slow.text()
    narrow(service)
    peak, told = 0, 1
    while not any(one.connection.session.closing for one in sockets(service)):
        told += sum(reply["moved"] for reply in pipeline(player, game, 40))
        peak = max(peak, *outboxes(service))

    assert peak < OUTBOX_BYTES * 1.5
    assert versions([fan.push() for _ in range(told - 1)]) == list(range(2, told + 1))
    assert cut_off(slow) in (4000, None)
    until(lambda: len(sockets(service)) == 2)


def cut_off(slow):
    """The close code, None where the connection was reset."""
    try:
        return slow.closed()
    except (EOFError, ConnectionError):
        return None


@pytest.mark.parametrize("what", ["moves", "pings"])
def test_who_sends_and_does_not_read_is_cut_off_too(serve, join, live, bare, what):
    service = serve()
    ada = join(service.url)
    game = ada.new("practice", size=8, seed="09" * 32)["id"]
    one, deaf = live(ada, to=service), bare(to=service, receive_buffer=4096)
    greet(deaf, ada.token)
    narrow(service)
    with suppress(OSError):
        for turn in range(3000):
            if what == "moves":
                deaf.command(id=turn, op="move", game=game, direction=WAYS[turn % 4])
            else:
                deaf.send(b"x" * 125, Opcode.PING)
    peak, end = 0, time.monotonic() + WAIT
    while len(sockets(service)) == 2:
        peak = max(peak, *outboxes(service))
        one.ok("ping")
        assert time.monotonic() < end, [vars(each) | vars(each.connection) for each in sockets(service)]

    assert peak < OUTBOX_BYTES * 2


def test_empty_pieces_without_end_are_not_kept(serve, bare):
    service = serve()
    one = bare(to=service)
    greet(one)
    one.send(b'{"id":1,', fin=False)
    for _ in range(1000):
        one.send(b"", Opcode.CONT, fin=False)
    one.send(b'"op":"ping"}', Opcode.CONT)

    assert one.text()["id"] == 1
