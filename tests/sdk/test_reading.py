"""Answers become values: what is unknown is passed over, what is missing or wrong is named."""

from datetime import UTC, datetime
from typing import Any

import pytest

from twofold.board import Direction, Slide
from twofold.game import EventType, Outcome, Status
from twofold.rules import MODES, Mode
from twofold.spawn import Spawn
from twofold_client._reading import field, read
from twofold_client.errors import ProtocolError
from twofold_client.values import EventSeen, GameState, Player, after

EVENT: dict[str, Any] = {
    "version": 2,
    "type": "move",
    "at": "2027-01-15T12:00:01.500Z",
    "active_ms": 1500,
    "direction": "left",
    "slides": [{"from": 1, "to": 0, "value": 2, "merged": False}],
    "spawn": {"cell": 8, "value": 2},
    "board": [[2, 0, 0], [0, 0, 0], [0, 0, 2]],
    "score": 4,
    "score_delta": 4,
    "max_tile": 2,
    "moves": 1,
    "legal_moves": ["up", "right"],
    "spawn_index": 3,
    "status": "running",
    "outcome": None,
    "final": False,
    "reached_goal": False,
    "undo": {"limit": None, "used": 0, "available": True},
    "clock": {
        "running": True,
        "active_ms": 1500,
        "limit_ms": None,
        "remaining_ms": None,
        "server_now": "2027-01-15T12:00:01.500Z",
    },
}
GAME: dict[str, Any] = {
    **{name: EVENT[name] for name in ("board", "score", "max_tile", "moves", "legal_moves", "spawn_index", "status")},
    **{name: EVENT[name] for name in ("outcome", "final", "reached_goal", "undo", "clock", "version")},
    **{"id": "g", "mode": "practice", "size": 3, "goal": 2048, "category": None, "best_score": None, "pauses": 0},
    **{"move_limit": None, "elapsed_ms": None, "ranked": False, "commitment": "00", "seed": None, "date": None},
    **{"attempt": None, "player": {"id": "p", "name": "Ada"}, "visibility": "public", "ended_at": None},
    **{"created_at": "2027-01-15T12:00:00.000Z", "started_at": "2027-01-15T12:00:00.000Z"},
}


def test_an_event_is_told_in_the_rule_books_words():
    event = read(EventSeen, EVENT)

    assert (event.type, event.direction, event.status) == (EventType.MOVE, Direction.LEFT, Status.RUNNING)
    assert (event.slides, event.spawn) == ((Slide(1, 0, 2, False),), Spawn(8, 2))
    assert event.legal_moves == (Direction.UP, Direction.RIGHT)
    assert event.board == ((2, 0, 0), (0, 0, 0), (0, 0, 2))
    assert event.at == datetime(2027, 1, 15, 12, 0, 1, 500_000, UTC)


def test_a_field_nobody_knows_is_passed_over():
    assert read(Player, {"id": "p", "name": None, "mood": "merry"}) == Player("p", None)


@pytest.mark.parametrize("name", [name for name in EVENT if name not in ("direction", "slides", "spawn")])
def test_a_missing_field_is_named(name):
    with pytest.raises(ProtocolError, match=f"^{name} is missing$"):
        read(EventSeen, {key: value for key, value in EVENT.items() if key != name})


@pytest.mark.parametrize(
    "change, told",
    [
        ({"version": "2"}, "version: expected an integer, found '2'"),
        ({"version": True}, "version: expected an integer, found True"),
        ({"final": 0}, "final: expected true or false, found 0"),
        ({"status": "asleep"}, "status: expected one of ready, running, paused, won, over, found 'asleep'"),
        ({"outcome": []}, "outcome: expected one of no_moves, time_up, move_limit, abandoned, found []"),
        ({"at": "yesterday"}, "at: expected an instant like 2027-01-31T23:59:59.999Z, found 'yesterday'"),
        ({"at": "2027-01-31T23:59:59"}, "at: expected an instant"),
        ({"board": [[2, "x"]]}, "board.0.1: expected an integer, found 'x'"),
        ({"board": None}, "board: expected a list, found None"),
        ({"undo": {"limit": None, "used": 0}}, "undo.available is missing"),
        ({"undo": {"limit": "1", "used": 0, "available": True}}, "undo.limit: expected an integer or null"),
        ({"slides": [{"from": 1}]}, "slides.0.to is missing"),
        ({"spawn": 5}, "spawn: expected an object, found 5"),
    ],
)
def test_a_wrong_field_is_named_with_its_place(change, told):
    with pytest.raises(ProtocolError) as wrong:
        read(EventSeen, EVENT | change)

    assert str(wrong.value).startswith(told)


def test_a_long_wrong_value_is_cut_short():
    with pytest.raises(ProtocolError) as wrong:
        read(Player, {"id": ["x" * 10_000], "name": None})

    assert len(str(wrong.value)) < 120


def test_what_is_no_object_has_no_fields():
    with pytest.raises(ProtocolError, match="the answer: expected an object"):
        field([], "items")


def test_a_mode_is_the_rule_books_and_nothing_of_it_may_be_missing():
    told = {"mode": "classic", "sizes": [4, 5, 6], "undo_limits": [1, 0, 5], "time_limit_ms": None, "move_limit": None}

    assert read(Mode, told | {"ranked": True, "goal": 2048}) == MODES["classic"]
    with pytest.raises(ProtocolError, match="ranked is missing"):
        read(Mode, told)


def test_a_game_after_an_event_stands_as_the_event_says():
    game = read(GameState, GAME)
    over = read(EventSeen, EVENT | {"version": 3, "status": "over", "outcome": "no_moves", "seed": "ff", "score": 8})

    state = after(game, over)

    assert (state.version, state.status, state.outcome, state.score) == (3, Status.OVER, Outcome.NO_MOVES, 8)
    assert (state.id, state.seed, state.player) == ("g", "ff", Player("p", "Ada"))
