"""Calls are data, every operation has one, and both clients have them all alike."""

import inspect
import json
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from tests.sdk.conftest import ONE_BEFORE_THE_GOAL
from twofold_client import (
    AsyncClient,
    AsyncGame,
    Client,
    Game,
    LiveGame,
    _calls,
    _game_calls,
    advice,
    standings,
    values,
)
from twofold_client._call import Call

OPENAPI = json.loads((Path(__file__).parents[2] / "openapi/openapi.json").read_text())
OPERATIONS = {
    operation["operationId"]: (method.upper(), path, operation)
    for path, methods in OPENAPI["paths"].items()
    for method, operation in methods.items()
}
AT = {"version": 3, "key": "k"}
CALLS: list[Call[Any]] = [
    _calls.create_player("Ada", bot=True),
    _calls.me(),
    _calls.rename("Ada"),
    _calls.delete_me(),
    _calls.create_token(True),
    _calls.create_link(),
    _calls.use_link("7K3M9QXA"),
    _calls.records(),
    _calls.modes(),
    _calls.slides(ONE_BEFORE_THE_GOAL, "left"),
    _calls.many_slides([(ONE_BEFORE_THE_GOAL, "up")]),
    _calls.hint(ONE_BEFORE_THE_GOAL, 3),
    _calls.today(),
    _calls.daily("2026-11-30"),
    _calls.results("2026-11-30", "moves", "best", assisted=True, bots=True, limit=5, cursor="x"),
    _calls.compare("2026-11-30", "a", "b"),
    _calls.leaderboard("classic", size=4, undo_limit=1, period="week", assisted=True, bots=True, limit=5, cursor="x"),
    _calls.health(),
    _calls.readiness(),
    _calls.metrics(),
    _game_calls.new_game("practice", board=ONE_BEFORE_THE_GOAL, seed="00" * 32, size=4, start=True, replaces="a"),
    _game_calls.new_game("classic", undo_limit=0, visibility="private", date="2026-11-30"),
    _game_calls.games("classic", "open", limit=5, cursor="x"),
    _game_calls.game("a"),
    _game_calls.events("a", 3, limit=5),
    _game_calls.record("a"),
    _game_calls.raw_rows("a"),
    _game_calls.verify({}),
    _game_calls.game_hint("a", 3),
    _game_calls.analysis("a", 3),
    _game_calls.move("a", "left", version=3, key="k"),
    _game_calls.start("a", version=3, key="k"),
    _game_calls.undo("a", version=3, key="k"),
    _game_calls.pause("a", version=3, key="k"),
    _game_calls.resume("a", version=3, key="k"),
    _game_calls.continue_("a", version=3, key="k"),
    _game_calls.abandon("a", version=3, key="k"),
]


def test_every_operation_of_the_service_has_its_call():
    pictures = {operation for operation, _ in _game_calls._PICTURES.values()}

    assert set(OPERATIONS) - pictures == {call.operation for call in CALLS}


@pytest.mark.parametrize("call", CALLS, ids=str)
def test_a_call_asks_what_the_api_document_says(call):
    method, path, operation = OPERATIONS[call.operation]
    known = {(parameter["in"], parameter["name"]) for parameter in operation.get("parameters", [])}

    assert (call.method, call.path) == (method, path)
    assert {("path", name) for name, _ in call.place} == {place for place in known if place[0] == "path"}
    assert {("query", name) for name, _ in call.params} <= known
    assert call.keyed is (("header", "Idempotency-Key") in known)
    assert (call.json is not None) <= ("requestBody" in operation)


@pytest.mark.parametrize("call", CALLS, ids=str)
def test_a_body_has_only_fields_the_api_document_names(call):
    body = OPERATIONS[call.operation][2].get("requestBody")
    if body is None or not isinstance(call.json, dict):
        return

    schema = body["content"]["application/json"]["schema"]
    options = [_schema(option) for option in schema.get("oneOf") or schema.get("anyOf", [schema])]

    assert any(set(call.json) <= set(option.get("properties", {})) for option in options)


def _schema(told: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in told:
        return told
    found: dict[str, Any] = OPENAPI["components"]["schemas"][told["$ref"].rpartition("/")[2]]
    return found


NAMES = {"Event": "EventSeen", "Game": "GameState", "PlayerAndToken": "NewPlayer", "SlidesResult": "Slid"}
SHAPES = ["Event", "Game", "Player", "PlayerAndToken", "Link", "Undo", "Clock", "SlidesResult", "Result", "Daily"]
SHAPES += ["Comparison", "CategoryRecord", "Totals", "Records", "FieldError", "Problem", "Verified", "RawRows"]
SHAPES += ["Hint", "GameHint", "Analysis", "TurningPoint", "Par", "ParLevel", "Luck"]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_value_has_every_field_that_is_told(shape):
    told = OPENAPI["components"]["schemas"][shape]
    name = NAMES.get(shape, shape)
    value = next(getattr(room, name) for room in (values, standings, advice) if hasattr(room, name))

    names = {field.name for field in fields(value)}

    assert names == set(told["properties"])


@pytest.mark.parametrize("one, other", [(Client, AsyncClient), (Game, AsyncGame)])
def test_the_twins_have_the_same_methods_with_the_same_arguments(one, other):
    assert _public(one) == {name: asked for name, asked in _public(other).items() if name != "live"}


def test_a_live_game_has_the_commands_of_a_game():
    commands = ("move", "start", "undo", "pause", "resume", "continue_", "abandon")

    assert [_public(LiveGame)[name] for name in commands] == [_public(Game)[name] for name in commands]


def _public(kind: type) -> dict[str, list[str]]:
    return {
        name: [str(parameter) for parameter in inspect.signature(member).parameters.values()]
        for name, member in vars(kind).items()
        if not name.startswith("_") and inspect.isfunction(member)
    }


NO_IDS = ["", ".", "..", "a/../b", "a/events", "/", "\\", "..\\modes"]


@pytest.mark.parametrize("id", NO_IDS)
def test_a_call_is_not_made_for_what_can_be_no_id(id):
    with pytest.raises(ValueError, match="game_id"):
        _game_calls.game(id)


BY_PLACE: dict[str, Callable[[str], Call[Any]]] = {
    "game": _game_calls.game,
    "events": _game_calls.events,
    "record": _game_calls.record,
    "raw_rows": _game_calls.raw_rows,
    "picture": _game_calls.picture,
    "game_hint": _game_calls.game_hint,
    "analysis": _game_calls.analysis,
    "move": lambda id: _game_calls.move(id, "left"),
    "start": _game_calls.start,
    "undo": _game_calls.undo,
    "pause": _game_calls.pause,
    "resume": _game_calls.resume,
    "continue_": _game_calls.continue_,
    "abandon": _game_calls.abandon,
    "daily": _calls.daily,
    "results": _calls.results,
    "compare": lambda date: _calls.compare(date, "a", "b"),
}


@pytest.mark.parametrize("make", BY_PLACE.values(), ids=BY_PLACE)
def test_what_stands_in_a_path_does_not_leave_its_place(make):
    call = make("a?b#ä %2F")

    ((name, _),) = call.place
    assert call.target == call.path.replace(f"{{{name}}}", "a%3Fb%23%C3%A4%20%252F")
    with pytest.raises(ValueError, match=name):
        make("a/../b")


def test_every_call_with_a_place_is_among_them():
    assert {make("a").operation for make in BY_PLACE.values()} == {call.operation for call in CALLS if call.place} | {
        "drawBoardPng"
    }
