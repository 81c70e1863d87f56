"""The handshake: where, how and from whom a live connection is taken."""

import json
import socket

import pytest
from websockets.exceptions import InvalidStatus

from tests.live.house import greet, knock, sockets, until

UPGRADE = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==")


@pytest.fixture
def asked(service):
    """Asks for a live connection in the given words; status and problem document."""

    def ask(*headers, first="GET /v1/ws HTTP/1.1", version=13, host=None):
        host = host or f"127.0.0.1:{service.port}"
        lines = (f"Host: {host}", *UPGRADE, f"Sec-WebSocket-Version: {version}", *headers)
        status, head, body = knock(service.port, first, *lines)
        return status, json.loads(body) if body.startswith(b"{") else head

    return ask


def refused_status(open_one) -> int:
    with pytest.raises(InvalidStatus) as refused:
        open_one()
    return refused.value.response.status_code


@pytest.mark.parametrize("path", ["/v1/wss", "/v1/ws/", "/ws", "/", "/v1/games", "/v1/%77s", "/v1/ws%3Fa"])
def test_another_path_is_not_found(asked, path):
    status, problem = asked(first=f"GET {path} HTTP/1.1")

    assert (status, problem["status"], problem["code"]) == (404, 404, "not_found")


def test_another_version_of_websocket_is_told_ours(asked):
    status, head = asked(version=8)

    assert status == 400
    assert b"Sec-WebSocket-Version: 13" in head


@pytest.mark.parametrize("missing", range(3))
def test_half_a_handshake_is_refused_and_opens_nothing(service, missing):
    headers = [*UPGRADE, "Sec-WebSocket-Version: 13", f"Host: 127.0.0.1:{service.port}", "Connection: close"]
    del headers[missing]

    status, *_ = knock(service.port, "GET /v1/ws HTTP/1.1", *headers)

    assert 400 <= status < 500


def test_another_method_opens_nothing(asked):
    assert asked(first="POST /v1/ws HTTP/1.1")[0] == 405


def test_a_handshake_that_never_ends_holds_up_nobody(service, live):
    with socket.create_connection(("127.0.0.1", service.port)) as slow:
        slow.sendall(b"GET /v1/ws HTTP/1.1\r\nUpgrade: webso")

        assert live().ok("ping")


def test_the_protocol_is_named_and_taken(live):
    assert live().socket.subprotocol == "twofold.v1"
    assert live(subprotocols=["chat", "twofold.v1"]).socket.subprotocol == "twofold.v1"


def test_no_protocol_is_taken_for_ours(live):
    one = live(subprotocols=None)

    assert one.socket.subprotocol is None
    assert one.welcome["protocol"] == "twofold.v1"


@pytest.mark.parametrize("offered", [["chat"], ["twofold.v2", "twofold.v0"], ["TWOFOLD.V1"]])
def test_another_protocol_is_closed_4504(live, offered):
    one = live(subprotocols=offered, hello=False)

    assert one.closed() == 4504


def test_the_service_s_own_pages_may_open_one(live, url):
    assert live(origin=url).ok("ping")
    assert live(origin=url.replace("http", "https")).ok("ping")


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", "http://127.0.0.1", "file://"])
def test_another_origin_may_not(asked, origin):
    status, problem = asked(f"Origin: {origin}")

    assert (status, problem["code"]) == (403, "forbidden")


def test_the_operator_s_origins_may(serve, live):
    service = serve(origins="https://play.example, https://other.example/")

    assert live(to=service, origin="https://play.example").ok("ping")
    assert live(to=service, origin="https://other.example").ok("ping")
    assert refused_status(lambda: live(to=service, origin="http://play.example")) == 403


def test_two_origins_are_refused_and_nothing_breaks(asked, live, url):
    assert asked(f"Origin: {url}", "Origin: http://evil.example")[0] == 403
    assert asked(f"Origin: {url}", f"Origin: {url}")[0] in (101, 400)
    assert live().ok("ping")


@pytest.mark.parametrize("header", ["X-Name: caf\xe9", "Cookie: a=\xff\xfe", "X-Empty:"])
def test_headers_that_do_not_concern_us_are_let_be(asked, header):
    assert asked(header)[0] == 101


def test_a_token_in_the_address_is_ignored(bare, me, asked):
    status, _ = asked(first=f"GET /v1/ws?token={me.token} HTTP/1.1")
    with bare() as one:
        welcome = greet(one)

    assert status == 101
    assert welcome["ok"]["player"] is None


def test_a_token_in_a_header_is_ignored(bare, me):
    with bare(f"Authorization: Bearer {me.token}") as one:
        assert greet(one)["ok"]["player"] is None


def test_a_connection_that_just_ends_is_forgotten(serve, bare):
    service = serve()
    for _ in range(3):
        bare(to=service).socket.close()

    until(lambda: sockets(service) == [])
    assert len(service.turns._tasks) == 0
