"""Frames: what is a command, what is none, and which field is at fault."""

import json

import pytest

from twofold_service.wire.frames import GameCommand, Hello, Misread, Move, Ping, Unread, Unwatch, Watch, read


def frame(**fields):
    return json.dumps({"id": 1, **fields}).encode()


def faults(text: bytes):
    with pytest.raises(Misread) as refused:
        read(text)
    return [loc for loc, _ in refused.value.errors]


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"op": "hello"}, Hello),
        ({"op": "hello", "token": "t", "client": "page/1"}, Hello),
        ({"op": "hello", "token": None}, Hello),
        ({"op": "watch", "game": "g"}, Watch),
        ({"op": "watch", "game": "g", "since": 0}, Watch),
        ({"op": "unwatch", "game": "g"}, Unwatch),
        ({"op": "move", "game": "g", "direction": "up", "version": 1, "key": "k"}, Move),
        *(({"op": op, "game": "g"}, GameCommand) for op in ("start", "undo", "pause", "resume", "continue", "abandon")),
        ({"op": "ping"}, Ping),
    ],
)
def test_each_command_is_read_as_what_it_is(fields, kind):
    command = read(frame(**fields))

    assert type(command) is kind
    assert command.model_dump(exclude_unset=True) == {"id": 1, **fields}


@pytest.mark.parametrize("id_", [0, -1, 2**53, -(2**53), "", "a", "x" * 64, "\0", "ü"])
def test_an_id_is_a_number_or_a_short_text_told_back_as_it_came(id_):
    assert read(frame(op="ping", id=id_)).id == id_


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"nonsense",
        b"\xff",
        b'{"id":1,"op":"ping"} {}',
        b'{"id":1,"op":"ping","x":NaN}',
        b'{"id":1,"op":"ping","x":Infinity}',
        b'{"id":1,"op":"ping","x":"\\ud800"}',
        b'{"id":1,"op":"ping","x":"\xed\xa0\x80"}',
        b"{'id':1,'op':'ping'}",
        b"\xef\xbb\xbf" + b'{"id":1,"op":"ping"}',
        b"[" * 4000,
        b'{"a":' * 600,
        b'{"id":1,"op":"ping","x":1%s}' % (b"0" * 400),
    ],
)
def test_what_is_no_json_is_no_command(text):
    with pytest.raises(Unread, match="no JSON") as refused:
        read(text)

    assert refused.value.id is None


@pytest.mark.parametrize("value", [[], None, 1, "ping", [{"id": 1, "op": "ping"}], True])
def test_a_command_is_an_object(value):
    with pytest.raises(Unread, match="JSON object"):
        read(json.dumps(value).encode())


@pytest.mark.parametrize("id_", [None, True, False, 1.0, 1.5, 10**30, [], {}, "x" * 65])
def test_without_an_id_that_can_be_told_back_it_is_no_command(id_):
    with pytest.raises(Unread, match="has an id") as refused:
        read(frame(op="ping", id=id_))

    assert refused.value.id is None


@pytest.mark.parametrize("op", ["dance", "MOVE", "", None, 1, True, ["move"], {"op": "move"}, "__init__", "settle"])
def test_another_op_is_no_command_but_its_id_is_told(op):
    with pytest.raises(Unread, match="has an op") as refused:
        read(frame(op=op, id="mine"))

    assert refused.value.id == "mine"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("version", False),
        ("version", True),
        ("version", 1.0),
        ("version", "1"),
        ("version", 0),
        ("version", -1),
        ("version", 2**53 + 1),
        ("version", 2**64),
        ("version", 10**30),
        ("key", ""),
        ("key", "k" * 65),
        ("key", 1),
        ("game", ""),
        ("game", "g" * 65),
        ("game", None),
        ("game", ["g"]),
        ("direction", "north"),
        ("direction", "Up"),
        ("direction", None),
        ("direction", 0),
        ("since", 1),
        ("Version", 1),
        ("constructor", {}),
        ("a\0b", 1),
    ],
)
def test_nothing_is_taken_for_what_it_is_not_and_the_field_is_named(field, value):
    good = {"op": "move", "game": "g", "direction": "up"}

    assert faults(frame(**{**good, field: value})) == [(field,)]


@pytest.mark.parametrize("since", [False, 0.0, -0.5, "0", -1, 2**53 + 1, [0]])
def test_since_is_a_whole_number_from_0(since):
    assert faults(frame(op="watch", game="g", since=since)) == [("since",)]


@pytest.mark.parametrize("id_", [2**53 + 1, -(2**53) - 1, 2**63])
def test_an_id_beyond_what_every_client_can_hold_is_at_fault_and_told_back(id_):
    with pytest.raises(Misread) as refused:
        read(frame(op="ping", id=id_))

    assert refused.value.id == id_


def test_every_field_at_fault_is_named():
    assert set(faults(b'{"id":1,"op":"move","version":true,"colour":1}')) == {
        ("game",),
        ("direction",),
        ("version",),
        ("colour",),
    }


def test_of_a_field_that_comes_twice_the_last_counts():
    command = read(b'{"id":1,"op":"unwatch","game":"a","game":"b"}')

    assert isinstance(command, Unwatch)
    assert command.game == "b"


@pytest.mark.parametrize("text", ["a\0b", "\0", "\u2028", "<script>", "g" * 64])
def test_texts_are_kept_as_they_came(text):
    command = read(frame(op="watch", game=text))

    assert isinstance(command, Watch)
    assert command.game == text
