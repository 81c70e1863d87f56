"""The head of a request: what is too large or too long on its way is refused, and keeps nothing."""

import re
import socket
import time
from contextlib import suppress

import pytest

from tests.callers import WAIT, answer
from twofold_service.api import heads

START = b"GET /v1/modes HTTP/1.1\r\nHost: here\r\n"


@pytest.fixture
def raw(service):
    with socket.create_connection(("127.0.0.1", service.port), timeout=WAIT) as connected:
        yield connected


def sent_slowly(raw, pieces):
    """What comes back, once all is sent or no more is taken."""
    with suppress(OSError):
        for piece in pieces:
            raw.sendall(piece)
            time.sleep(0.002)  # each is read alone
    received = b""
    with suppress(OSError):
        while data := raw.recv(1 << 16):
            received += data
    return received


def test_a_head_over_64_kib_is_refused(raw, me):
    refused = sent_slowly(raw, [START, *[b"X-Long: " + b"x" * 8000 + b"\r\n"] * 12])

    assert refused.startswith(b"HTTP/1.1 431 ") or refused == b""
    assert me.get("/players/me").status_code == 200


def test_a_head_below_that_may_come_in_pieces_and_a_large_body_counts_for_nothing(raw):
    head = [START, *[b"X-Long: " + b"x" * 8000 + b"\r\n"] * 7, b"\r\n"]
    body = b"POST /v1/slides HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: 200000\r\n\r\n"
    last = START + b"Connection: close\r\n\r\n"
    received = sent_slowly(raw, [*head, body, *[b" " * 10_000] * 20, last])

    assert re.findall(rb"HTTP/1.1 (\d+) ", received) == [b"200", b"422", b"200"]


@pytest.mark.parametrize(("sent", "said"), [(b"", b""), (START, b"HTTP/1.1 408 ")], ids=["nothing", "half a head"])
def test_a_head_that_does_not_come_ends_the_connection(serve, monkeypatch, sent, said):
    monkeypatch.setattr(heads, "HEAD_WITHIN", 0.5)
    service = serve()
    with socket.create_connection(("127.0.0.1", service.port), timeout=WAIT) as slow:
        slow.sendall(sent)
        received = sent_slowly(slow, [])

    assert received[: len(said)] == said and (received == b"") is (said == b"")


def test_one_that_has_come_has_no_such_limit(serve, monkeypatch, join):
    monkeypatch.setattr(heads, "HEAD_WITHIN", 0.5)
    me = join(serve().url)
    for _ in range(2):
        time.sleep(0.6)
        answer(me.get("/players/me"))
