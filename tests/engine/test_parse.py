"""A text is a record in every detail, or refused with the place where it is none; whatever it is."""

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.engine.documents import MISSING, Document, changed, parts
from tests.engine.games import classic, practice, sprint
from twofold.errors import InvalidRecord
from twofold.parse import LIMIT_BYTES, parse
from twofold.verify import verify

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda part: st.lists(part, max_size=5) | st.dictionaries(st.text(), part, max_size=5),
    max_leaves=8,
)


def refusal(source: bytes | str | Document) -> InvalidRecord:
    with pytest.raises(InvalidRecord) as refused:
        parse(source)
    return refused.value


def try_out(source: Any) -> None:
    """Parsing answers with a record, which can then be judged, or refuses."""
    try:
        record = parse(source)
    except InvalidRecord as refused:
        assert json.dumps(refused.place)
        assert str(refused).isprintable()
    else:
        assert json.dumps(verify(record).result)


@pytest.mark.parametrize("source", [dict, json.dumps, lambda record: json.dumps(record).encode()])
def test_a_record_is_read_from_bytes_text_or_document(source):
    record = parse(source(classic().record()))
    assert (record.header.id, len(record.entries), record.began_ready) == ("game-classic", 17, False)


def test_a_record_whose_first_event_is_start_began_ready():
    assert parse(sprint().record()).began_ready


def test_a_parsed_record_keeps_nothing_of_the_document_it_was_read_from():
    document = classic().record()
    record = parse(document)
    before = deepcopy(record)
    document["events"].clear()
    document["result"]["board"][0][0] = 77
    assert record == before


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("format",), "twofold.record/2"),
        (("format",), 1),
        (("game",), []),
        (("game", "id"), ""),
        (("game", "id"), "x" * 129),
        (("game", "id"), 7),
        (("game", "mode"), None),
        (("game", "date"), "2027-1-5"),
        (("game", "date"), "2027-02-30"),
        (("game", "date"), "20270105"),
        (("game", "attempt"), 0),
        (("game", "attempt"), True),
        (("game", "player", "name"), "\ud800"),
        (("game", "player", "name"), 5),
        (("game", "created_at"), None),
        (("game", "created_at"), "2027-01-15T12:00:00Z"),
        (("game", "created_at"), "2027-01-15T12:00:00.123+00:00"),
        (("game", "created_at"), "2027-01-15T24:00:00.123Z"),
        (("game", "created_at"), "٢027-01-15T12:00:00.123Z"),
        (("game", "ended_at"), 1_800_000_000),
        (("rules", "size"), 2),
        (("rules", "size"), 9),
        (("rules", "size"), 4.0),
        (("rules", "size"), True),
        (("rules", "goal"), 0),
        (("rules", "goal"), None),
        (("rules", "undo_limit"), -1),
        (("rules", "move_limit"), 2**53),
        (("start", "given"), 0),
        (("start", "cells"), None),
        (("start", "cells", 1), -1),
        (("start", "values"), [2]),
        (("start", "values", 0), "2"),
        (("events",), {}),
        (("events", 3), ["move", "left", 1500, None]),
        (("events", 3), ["move", "left", 1500, None, [9, 2], None]),
        (("events", 3, 0), "MOVE"),
        (("events", 3, 0), "created"),
        (("events", 3, 0), ["move"]),
        (("events", 3, 1), None),
        (("events", 3, 1), "north"),
        (("events", 3, 2), -1),
        (("events", 3, 2), 1.5),
        (("events", 3, 3), "player"),
        (("events", 3, 4), None),
        (("events", 3, 4), [9]),
        (("events", 3, 4), {"cell": 9, "value": 2}),
        (("events", 3, 4, 0), False),
        (("events", 4, 1), "left"),
        (("events", 4, 4), [9, 2]),
        (("events", 7, 3), None),
        (("events", 7, 3), "boredom"),
        (("result", "score"), "32"),
        (("result", "score"), -4),
        (("result", "elapsed_ms"), 1.0),
        (("result", "status"), "lost"),
        (("result", "outcome"), "won"),
        (("result", "reached_goal"), 0),
        (("result", "board"), None),
        (("result", "board", 0), 2),
        (("result", "board", 0, 0), None),
        (("commitment",), "ab" * 31),
        (("commitment",), None),
        (("seed",), "AB" * 32),
        (("seed",), "ab" * 32 + "\n"),
        (("digest",), None),
        (("digest",), "xy" * 32),
    ],
)
def test_a_value_of_another_type_range_or_form_is_refused_at_its_place(place, value):
    refused = refusal(changed(classic().record(), place, value))
    assert refused.place == place
    assert "expected" in refused.reason


@pytest.mark.parametrize(
    "place",
    [
        ("format",),
        ("game",),
        ("game", "player", "name"),
        ("rules", "goal"),
        ("start", "given"),
        ("result", "board"),
        ("seed",),
    ],
)
def test_a_missing_field_is_named(place):
    refused = refusal(changed(classic().record(), place, MISSING))
    assert (refused.place, refused.reason) == (place, "missing")


@pytest.mark.parametrize("place", [(), ("game",), ("game", "player"), ("rules",), ("start",), ("result",)])
def test_an_unknown_field_is_named(place):
    refused = refusal(changed(classic().record(), (*place, "colour"), "red"))
    assert (refused.place, refused.reason) == (place, 'unknown field "colour"')


@pytest.mark.parametrize(
    ("cells", "values", "place"),
    [
        ([], [], ("start", "cells")),
        ([3, 3], [2, 2], ("start", "cells")),
        ([3, 9], [2, 2], ("start", "cells")),
        ([3, 8], [2, 3], ("start", "values", 1)),
        ([3, 8], [0, 2], ("start", "values", 0)),
        ([3, 8], [1, 2], ("start", "values", 0)),
        ([3, 8], [2, 2**41], ("start", "values", 1)),
    ],
)
@pytest.mark.parametrize("played", [practice, classic])
def test_tiles_that_no_seed_draws_must_make_a_board(played, cells, values, place):
    record = played().record(show_seed=False)
    record["rules"]["size"] = 3
    record["start"] |= {"cells": cells, "values": values}
    assert refusal(record).place == place


def test_tiles_that_the_seed_draws_may_be_told_wrong():
    record = changed(classic().record(), ("start", "cells"), [99, 99])
    assert ("start", "cells") in [finding.place for finding in verify(parse(record)).findings]


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (b"", "not JSON"),
        (b"\xff\xfe", "not UTF-8"),
        ("\ud800", "not UTF-8"),
        (b"[1,2]", "expected an object, found a list of 2"),
        ('"twofold.record/1"', "expected an object"),
        (json.dumps(classic().record()).encode()[:-1], "not JSON"),
        (json.dumps(classic().record()).encode("utf-16"), "not UTF-8"),
        (json.dumps(classic().record()) + "{}", "not JSON"),
        ('{"format": "twofold.record/1", "format": "twofold.record/1"}', 'the field "format" stands twice'),
        ('{"a": {"b": {"c": 1, "c": 2}}}', 'the field "c" stands twice'),
        ('{"format": NaN}', "not JSON: NaN"),
        ('{"format": -Infinity}', "not JSON: -Infinity"),
        ("[" * 200_000, "nested too deeply"),
        ('{"a":' * 200_000, "nested too deeply"),
        ("9" * 5_000, "not JSON"),
        (b" " * LIMIT_BYTES, "not JSON"),
        (b" " * (LIMIT_BYTES + 1), f"longer than {LIMIT_BYTES} bytes"),
        ("é" * (LIMIT_BYTES // 2 + 1), f"longer than {LIMIT_BYTES} bytes"),
    ],
    ids=range(18),
)
def test_a_text_that_is_no_document_is_refused_as_a_whole(source, reason):
    refused = refusal(source)
    assert refused.place == ()
    assert reason in str(refused)


def test_another_format_is_said_before_its_fields():
    assert refusal({"format": "chess/1", "moves": []}).place == ("format",)


def test_mode_and_rules_need_not_be_known_ones():
    document = changed(classic().record(), ("game", "mode"), "blindfold")
    document["rules"] |= {"goal": 4096, "undo_limit": 77}
    assert parse(document).rules.goal == 4096


@given(st.binary())
@example(b'{"format":"twofold.record/1","game":{}}')
def test_any_bytes_are_read_or_refused(raw):
    try_out(raw)


@given(JSON)
def test_any_json_is_read_or_refused(value):
    try_out(json.dumps(value))
    if isinstance(value, dict):
        try_out(value)


TEXTS = {
    f"{game.__name__} {'shown' if shown else 'hidden'}": json.dumps(game().record(shown))
    for game in (classic, sprint, practice)
    for shown in (True, False)
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@given(data=st.data())
def test_a_record_with_anything_in_any_place_is_read_or_refused(text, data):
    record = json.loads(text)
    place, _ = data.draw(st.sampled_from(list(parts(record))[1:]))
    value = data.draw(st.one_of(JSON, st.integers(0, 70), st.integers(0, 2**53)))
    try_out(changed(record, place, value))


@given(st.integers(0, 3_000), st.integers(0, 255))
def test_a_record_with_any_byte_changed_is_read_or_refused(index, byte):
    raw = bytearray(TEXTS["classic shown"].encode())
    raw[index % len(raw)] = byte
    try_out(bytes(raw))


@given(st.integers(0, 3_000))
def test_a_record_cut_off_anywhere_is_refused(length):
    raw = TEXTS["classic shown"].encode()
    assert refusal(raw[: length % len(raw)]).place == ()
