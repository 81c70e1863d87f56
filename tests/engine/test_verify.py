"""Whatever is changed in a record is found: by its digest, and under a fresh digest by the figure itself."""

import json
import pickle
from contextlib import suppress
from typing import Any

import pytest

from tests.engine.documents import Document, another, changed, kind, leaves, sealed
from tests.engine.games import PLAYED, classic, daily, practice, sprint, under_way, waiting
from tests.engine.table import RIGHT, Table
from twofold.errors import InvalidRecord, Place
from twofold.parse import parse
from twofold.rules import Rules
from twofold.verify import verify


def forged(document: Document, place: Place, value: object) -> Document:
    """The document with another value at a place and a digest that fits."""
    return sealed(changed(document, place, value))


def named(document: Document) -> list[Place]:
    """The places that reading and proving a document complain of."""
    try:
        return [finding.place for finding in verify(parse(document)).findings]
    except InvalidRecord as refusal:
        return [refusal.place]


def spread(many: list[Any]) -> list[Any]:
    """At most 200 of many, from the first to the last."""
    return many[:: len(many) // 200 + 1]


NOT_DETERMINED = {
    *("game.id", "game.player.id", "game.player.name", "game.date", "game.attempt"),
    *("game.created_at", "game.started_at", "game.ended_at", "events.active_ms", "events.cause"),
    *("events.direction", "digest"),
}
"""By seed and moves; what can be said of them nevertheless has tests of its own below.

A move itself may be another: two of them can lead to one board."""

ANYWHERE = {"game.mode", "rules.size", "start.given", "events.type", "seed"}
"""A change here makes another game, and shows in what follows from it."""


@pytest.mark.parametrize("played", PLAYED.values(), ids=PLAYED)
def test_any_change_breaks_the_digest(played):
    record = played().record()
    for place, value in spread(leaves(record)):
        with suppress(InvalidRecord):
            verdict = verify(parse(changed(record, place, another(place, value))))
            assert verdict.findings[0].place == ("digest",), place


@pytest.mark.parametrize("played", PLAYED.values(), ids=PLAYED)
def test_under_a_fresh_digest_every_figure_that_seed_and_moves_determine_is_named(played):
    record = played().record()
    determined = [leaf for leaf in leaves(record) if kind(leaf[0]) not in NOT_DETERMINED]
    if record["game"]["mode"] == "practice":  # its start may be any board, so another one only shows in what follows
        determined = [leaf for leaf in determined if leaf[0][0] != "start"]
    for place, value in spread(determined):
        places = named(forged(record, place, another(place, value)))
        near = [found for found in places if found[: len(place)] == place[: len(found)]]
        assert near or (places and kind(place) in ANYWHERE), (place, places)


FIGURES = (
    "score",
    "max_tile",
    "moves",
    "active_ms",
    "pauses",
    "status",
    "outcome",
    "reached_goal",
    "undos",
    "board",
)


@pytest.mark.parametrize("figure", FIGURES)
def test_without_the_seed_the_result_still_follows_from_what_is_told(figure):
    record = classic().record(show_seed=False)
    place = ("result", figure, 0, 0) if figure == "board" else ("result", figure)
    value = record["result"]["board"][0][0] if figure == "board" else record["result"][figure]
    assert named(forged(record, place, another(place, value))) == [place[:3]]


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (("events", 1, 4), [3, 2], "events.1.4: expected [14, 2], found [3, 2]"),
        (("result", "score"), 5, "result.score: expected 32, found 5"),
        (("result", "outcome"), None, 'result.outcome: expected "abandoned", found null'),
        (("result", "board"), [[0]], "result.board: expected 4 rows, found 1"),
        (("result", "board", 1), [0, 2], "result.board.1: expected [0, 0, 0, 0], found [0, 2]"),
        (("start", "cells"), [14, 5], "start.cells: expected [14, 4], found [14, 5]"),
        (("rules", "undo_limit"), 2, "rules.undo_limit: expected 1 or 0 or 5, found 2"),
    ],
)
def test_a_finding_says_what_is_expected_and_what_is_found(place, value, message):
    findings = verify(parse(forged(classic().record(), place, value))).findings
    assert list(map(str, findings)) == [message]


def test_of_a_kind_only_the_first_figure_that_differs_is_named():
    record = classic().record()
    for number in (2, 5, 6):
        record = forged(record, ("events", number, 4), [0, 4])
    assert named(record) == [("events", 2, 4)]


# What is impossible ends the replay


@pytest.mark.parametrize(
    ("number", "row"),
    [
        (0, ["undo", None, 0, None, None]),
        (3, ["start", None, 1500, None, None]),
        (3, ["resume", None, 1500, None, None]),
        (3, ["continue", None, 1500, None, None]),
        (3, ["over", None, 1500, "time_up", None]),
        (8, ["move", "left", 2200, None, [0, 2]]),
        (8, ["pause", None, 2200, "player", None]),
    ],
)
def test_the_first_event_that_cannot_have_happened_is_named_and_ends_the_replay(number, row):
    record = forged(classic().record(), ("events", number), row)
    verdict = verify(parse(record))
    assert [finding.place for finding in verdict.findings] == [("events", number)]
    assert verdict.result["moves"] < record["result"]["moves"]


def test_a_move_that_changes_nothing_cannot_have_happened():
    record = Table("practice", given=[[2, 0, 0], [0] * 3, [0] * 3]).move(RIGHT).record()
    assert named(forged(record, ("events", 0, 1), "left")) == [("events", 0)]


def test_what_is_wrong_beside_an_impossible_event_is_named_with_it():
    record = forged(classic().record(), ("events", 0), ["resume", None, 0, None, None])
    assert named(record | {"commitment": "00" * 32}) == [("digest",), ("commitment",), ("events", 0)]


@pytest.mark.parametrize("limit", [0, 1])
def test_an_undo_beyond_the_limit_cannot_have_happened(limit):
    table = Table("classic", Rules(undo_limit=5)).play(6).undo(2)
    record = forged(table.record(), ("rules", "undo_limit"), limit)
    assert named(record) == [("events", 6 + limit)]


def test_nothing_follows_an_abandoned_game():
    record = classic().record()
    events = [*record["events"], ["undo", None, 302_212, None, None]]
    assert named(forged(record, ("events",), events)) == [("events", 17)]


@pytest.mark.parametrize("tile", [[9, 8], [9, 0], [12, 2], [16, 2], [10**9, 4]])
def test_without_the_seed_a_tile_is_two_or_four_and_falls_on_an_empty_cell(tile):
    record = classic().record(show_seed=False)
    assert named(forged(record, ("events", 0, 4), tile)) == [("events", 0, 4)]


@pytest.mark.parametrize(
    ("tiles", "place"),
    [
        (([1], [2]), ("start", "cells")),
        (([1, 2, 3], [2, 2, 2]), ("start", "cells")),
        (([1, 2], [2, 8]), ("start", "values")),
    ],
)
def test_without_the_seed_a_game_begins_with_two_tiles_of_two_or_four(tiles, place):
    record = waiting().record(show_seed=False)
    cells, values = tiles
    assert place in named(forged(record, ("start",), {"given": False, "cells": cells, "values": values}))


# Times and causes


@pytest.mark.parametrize(
    ("number", "active", "expected"),
    [
        (0, 1, "0, as the clock stood"),
        (1, 120_000, "less than 120000, the limit"),
        (2, 1_499, "at least 1500"),
        (7, 1_501, "1500, as the clock stood"),
        (13, 119_999, "120000, the limit"),
        (13, 120_001, "120000, the limit"),
        (14, 120_001, "120000, as the clock stood"),
    ],
)
def test_active_time_keeps_to_its_order_and_its_limit(number, active, expected):
    findings = verify(parse(forged(sprint().record(), ("events", number, 2), active))).findings
    assert list(map(str, findings)) == [f"events.{number}.2: expected {expected}, found {active}"]


def test_an_idle_pause_is_five_minutes_after_the_event_before_it():
    findings = verify(parse(forged(classic().record(), ("events", 14, 2), 302_211))).findings
    assert str(findings[0]) == "events.14.2: expected at least 302212, found 302211"


def test_other_times_in_order_and_limits_may_be_true():
    assert named(forged(sprint().record(), ("events", 8, 2), 1_500)) == []


@pytest.mark.parametrize(
    ("played", "number", "cause", "place"),
    [
        (classic, 7, "disconnect", ("events", 7, 3)),
        (classic, 7, "reveal", ("events", 7, 3)),
        (classic, 7, "outage", ("result", "pauses")),
        (classic, 16, "reveal", ("events", 16, 3)),
        (classic, 16, "outage", ("events", 16, 3)),
        (classic, 16, "time_up", ("events", 16)),
        (sprint, 6, "idle", ("events", 6, 3)),
        (sprint, 13, "player", ("events", 13, 2)),
        (sprint, 13, "player", ("events", 14)),
    ],
)
def test_an_event_has_a_cause_that_such_a_game_can_have(played, number, cause, place):
    assert place in named(forged(played().record(), ("events", number, 3), cause))


# The header


@pytest.mark.parametrize(
    ("played", "field", "value", "complaint"),
    [
        (
            classic,
            "started_at",
            "2027-01-15T11:59:59.000Z",
            "game.started_at: expected an instant after created_at",
        ),
        (
            classic,
            "started_at",
            None,
            "game.started_at: expected an instant, as the game was started, found null",
        ),
        (classic, "ended_at", None, "game.ended_at: expected an instant, as the game is over, found null"),
        (classic, "ended_at", "2027-01-15T12:05:02.334Z", "game.ended_at: expected 302212 ms of active time"),
        (classic, "ended_at", "2027-01-14T00:00:00.000Z", "game.ended_at: expected 302212 ms of active time"),
        (
            under_way,
            "ended_at",
            "2027-01-15T13:00:00.000Z",
            "game.ended_at: expected null, as the game is not over",
        ),
        (
            waiting,
            "started_at",
            "2027-01-15T13:00:00.000Z",
            'result.status: expected "running", found "ready"',
        ),
        (daily, "date", None, "game.date: a daily game has its date"),
        (daily, "attempt", None, "game.attempt: a daily game has its attempt"),
        (classic, "mode", "chess", "game.mode: expected one of classic, sprint,"),
    ],
)
def test_the_header_fits_the_game(played, field, value, complaint):
    findings = verify(parse(forged(played().record(), ("game", field), value))).findings
    assert complaint in " ".join(map(str, findings))


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("game", "id"), "another"),
        (("game", "player"), {"id": "somebody", "name": None}),
        (("game", "created_at"), "2027-01-01T00:00:00.000Z"),
    ],
)
def test_names_ids_and_instants_in_order_are_nothing_a_replay_can_judge(place, value):
    assert named(forged(classic().record(), place, value)) == []


def test_only_practice_begins_on_a_given_board():
    assert ("start", "given") in named(forged(classic().record(), ("start", "given"), True))


def test_a_given_board_is_taken_as_it_is_but_told_row_by_row():
    record = practice().record()
    cells, values = record["start"]["cells"], record["start"]["values"]
    assert named(record) == []
    other_way = {"given": True, "cells": cells[::-1], "values": values[::-1]}
    assert named(forged(record, ("start",), other_way)) == [("start", "cells")]


@pytest.mark.parametrize(
    ("rule", "value", "expected"),
    [
        ("size", 5, "4"),
        ("goal", 1024, "2048"),
        ("time_limit_ms", 120_001, "120000"),
        ("move_limit", 200, "null"),
        ("undo_limit", None, "1"),
    ],
)
def test_a_mode_is_played_by_its_own_rules(rule, value, expected):
    findings = verify(parse(forged(sprint().record(), ("rules", rule), value))).findings
    assert str(findings[0]) == f"rules.{rule}: expected {expected}, found {json.dumps(value)}"


def test_a_figure_of_any_length_is_shown_in_few_words():
    findings = verify(parse(forged(classic().record(), ("result", "board", 0), [0] * 10_000))).findings
    assert str(findings[0]).endswith(", 0, 0, 0…")
    assert len(str(findings[0])) < 300


def test_a_seed_must_match_its_commitment():
    assert ("commitment",) in named(forged(classic().record(), ("seed",), "00" * 32))
    assert named(forged(classic().record(), ("commitment",), "00" * 32)) == [("commitment",)]


@pytest.mark.parametrize(
    "value",
    [parse(classic().record()), verify(parse(classic().record())), InvalidRecord(("seed",), "missing")],
)
def test_records_verdicts_and_refusals_travel_between_processes(value):
    arrived = pickle.loads(pickle.dumps(value))  # noqa: S301 - our own
    assert repr(arrived) == repr(value)
