"""Frames on the wire: what breaks the protocol, what is too much, and what may come in pieces."""

import json

import pytest
from websockets.frames import Frame, Opcode

from tests.live.house import greet, held, in_flight, masked, until

HELLO = b'{"id":"h","op":"hello"}'
PING = b'{"id":"p","op":"ping"}'


@pytest.fixture
def one(bare):
    """A bare socket after its hello."""
    with bare() as socket:
        greet(socket)
        yield socket


@pytest.fixture(autouse=True)
def unharmed(live):
    """Whatever comes over one socket, another does not notice."""
    neighbour = live()
    yield
    neighbour.ok("ping")


def test_commands_in_one_segment_are_answered_in_order(bare, me):
    game = me.new("practice", seed="01" * 32)
    commands = [{"op": "hello", "token": me.token}, {"op": "watch", "game": game["id"], "since": 1}]
    commands += [{"op": "move", "game": game["id"], "direction": way} for way in ("left", "down", "right", "up") * 3]
    one = bare()
    one.socket.sendall(b"".join(masked(json.dumps({"id": n, **c}).encode()) for n, c in enumerate(commands)))
    replies = [one.text() for _ in commands]

    assert [reply["id"] for reply in replies] == list(range(len(commands)))
    assert all("ok" in reply for reply in replies), replies
    told = [reply["ok"]["event"]["version"] for reply in replies[2:] if reply["ok"]["moved"]]
    assert told == list(range(2, 2 + len(told)))


def test_a_binary_frame_is_answered_and_the_fifth_bad_one_closes(one):
    one.send(PING, Opcode.BINARY)
    binary = one.text()
    for bad in (b"{", b"[]", b'{"id":"x","op":"dance"}'):
        one.send(bad)
    others = [one.text() for _ in range(3)]
    one.send(PING)
    between = one.text()
    one.send(b"\0\1\2", Opcode.BINARY)

    assert (binary["id"], binary["error"]["code"]) == (None, "bad_frame")
    assert [reply["id"] for reply in others] == [None, None, "x"]
    assert between["ok"]
    assert one.closed() == 4505


def test_over_4_kib_is_answered(one):
    one.send(PING.replace(b"}", b" " * 4096 + b"}"))
    refused = one.text()
    one.send(PING.ljust(4096))

    assert (refused["id"], refused["error"]["code"]) == (None, "bad_frame")
    assert one.text()["id"] == "p"


@pytest.mark.parametrize("fragmented", [False, True])
def test_64_kib_are_answered_and_one_byte_more_closes_1009(one, fragmented):
    one.send(b"x" * 65536)
    refused = one.text()
    if fragmented:
        one.send(b"x" * 60000, fin=False)
        one.send(b"x" * 5537, Opcode.CONT)
    else:
        one.send(b"x" * 65537)

    assert refused["error"]["code"] == "bad_frame"
    assert one.closed() == 1009


@pytest.mark.parametrize(
    "text", [b"\xff", b'{"id":1,"op":"ping","x":"\xc3"}', b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80"]
)
def test_text_that_is_not_utf_8_closes_1007(one, text):
    one.send(text)

    assert one.closed() == 1007


def test_a_message_may_come_in_pieces_with_pings_in_between(one):
    for place, byte in enumerate(PING):
        one.send(bytes([byte]), Opcode.TEXT if place == 0 else Opcode.CONT, fin=place == len(PING) - 1)
        one.send(b"", Opcode.CONT, fin=False) if place < len(PING) - 1 else None
        if place % 10 == 0:
            one.send(b"%d" % place, Opcode.PING)
    heard = [one.frame() for _ in range(len(PING) // 10 + 2)]

    assert [data for opcode, data in heard if opcode == Opcode.PONG] == [b"0", b"10", b"20"]
    assert [json.loads(data)["id"] for opcode, data in heard if opcode == Opcode.TEXT] == ["p"]


def test_a_character_may_be_cut_in_two(one):
    text = '{"id":"ü","op":"ping"}'.encode()
    cut = text.index(b"\xbc")
    one.send(text[:cut], fin=False)
    one.send(text[cut:], Opcode.CONT)

    assert one.text()["id"] == "ü"


def test_bytes_may_come_one_at_a_time(one):
    for byte in masked(PING):
        one.socket.sendall(bytes([byte]))

    assert one.text()["id"] == "p"


MASK = b"\0\0\0\0"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\x81\x02{}", 1002),  # unmasked
        (b"\xc1\x82" + MASK + b"{}", 1002),  # a reserved bit
        (b"\x91\x82" + MASK + b"{}", 1002),
        (b"\x83\x82" + MASK + b"{}", 1002),  # a reserved opcode
        (b"\x8b\x80" + MASK, 1002),
        (b"\x09\x80" + MASK, 1002),  # a control frame in pieces
        (b"\x89\xfe\x00\x7e" + MASK + b"x" * 126, 1002),  # a long control frame
        (b"\x80\x82" + MASK + b"{}", 1002),  # nothing to continue
        (b"\x01\x81" + MASK + b"{\x81\x82" + MASK + b"{}", 1002),  # two messages at once
        (b"\x81\xff" + b"\x7f" + b"\xff" * 7 + MASK, 1009),  # a huge length
        (b"\x81\xff" + b"\xff" * 8 + MASK, 1009),
        (b"\x88\x81" + MASK + b"x", 1002),  # half a close code
        (b"\x88\x82" + MASK + b"\x00\x00", 1002),  # no close code
        (b"\x88\x83" + MASK + b"\x03\xe8\xff", 1007),  # a reason that is no text
    ],
)
def test_what_breaks_the_protocol_closes(one, data, code):
    one.socket.sendall(data)

    assert one.closed() == code


def test_what_was_asked_before_the_protocol_was_broken_counts(bare, me):
    game = me.new("sprint")
    one = bare()
    greet(one, me.token)
    one.socket.sendall(masked(json.dumps({"id": 1, "op": "start", "game": game["id"]}).encode()) + b"\x81\x02{}")

    assert one.closed() == 1002
    until(lambda: me.game(game["id"])["version"] > 1)


def test_a_close_is_answered_and_ends_the_connection(one):
    one.send((1000).to_bytes(2, "big") + b"bye", Opcode.CLOSE)

    assert one.closed() == 1000
    with pytest.raises(EOFError):
        one.frame()


ENDS = {
    1000: Frame(Opcode.CLOSE, b"\x03\xe8").serialize(mask=True),
    1002: Frame(Opcode.TEXT, PING).serialize(mask=False),
    1007: masked(b'{"id":"\xff"}'),
    1009: masked(b" " * 70_000),
    4505: b"".join([masked(b"{")] * 5),
}


@pytest.mark.parametrize("code", ENDS)
def test_what_was_taken_before_the_end_is_answered_and_nothing_after_it_is_taken(bare, me, code):
    game = me.new("practice", seed="01" * 32)
    moves = [
        masked(json.dumps({"id": n, "op": "move", "game": game["id"], "direction": way}).encode())
        for n, way in enumerate(("left", "down", "right", "up") * 3)
    ]
    one = bare()
    greet(one, me.token)
    one.socket.sendall(b"".join([*moves[:6], ENDS[code], *moves[6:]]))
    replies = []
    while (frame := one.frame())[0] != Opcode.CLOSE:
        replies.append(json.loads(frame[1]))

    answered = [reply for reply in replies if "ok" in reply]
    assert int.from_bytes(frame[1][:2], "big") == code
    assert [reply["id"] for reply in answered] == list(range(6))
    assert me.game(game["id"])["version"] == answered[-1]["ok"]["event"]["version"]


def test_the_end_waits_for_an_answer_only_a_little(serve, join, bare):
    service = serve()
    ada = join(service.url)
    game = ada.new()
    one = bare(to=service)
    greet(one, ada.token)
    with held(service, game["id"]):
        one.command(id="m", op="move", game=game["id"], direction=game["legal_moves"][0])
        in_flight(service, 1)
        one.socket.sendall(ENDS[1000])

        assert one.closed() == 1000
