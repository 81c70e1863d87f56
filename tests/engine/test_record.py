"""A game as a document: what is written can be read, played again and proved."""

import json
from hashlib import sha256

import pytest
from hypothesis import given

from tests.engine.games import PLAYED, classic, practice, sprint, waiting
from tests.engine.table import SEED, Table, tables
from twofold.board import Direction
from twofold.game import Cause, Event, EventType, Game
from twofold.parse import parse
from twofold.record import Entry, digest, entry_of
from twofold.replay import final_path, replay
from twofold.spawn import Spawn, commitment
from twofold.verify import verify


def without_instants(game: Game) -> Game:
    """What a replay gives back of a game: all but its instants, and its times to the millisecond."""
    position, active = game.position, game.active // 1000
    goal = None if position.goal_active is None else position.goal_active // 1000
    return game._replace(
        position=position._replace(goal_active=goal),
        history=tuple(earlier._replace(goal_active=None) for earlier in game.history),
        clock=game.clock._replace(banked=active, since=None if game.clock.since is None else 0),
        at=0,
        started_at=None if game.started_at is None else 0,
        ended_at=None if game.ended_at is None else 0,
    )


def told(event: Event) -> Event:
    return event._replace(game=without_instants(event.game))


@given(tables(goal=16))
def test_a_replay_is_the_game_event_by_event(table):
    events = list(replay(parse(table.record())))
    assert list(map(told, events)) == list(map(told, table.events))


@given(tables())
def test_what_is_written_can_be_read_and_is_valid(table):
    verdict = verify(parse(json.dumps(table.record())))
    assert (verdict.valid, verdict.proof, verdict.findings) == (True, "seed", ())
    assert verdict.result == table.record()["result"]


@given(tables())
def test_without_its_seed_a_record_is_consistent(table):
    verdict = verify(parse(table.record(show_seed=False)))
    assert (verdict.valid, verdict.proof, verdict.findings) == (True, "consistent", ())
    assert verdict.result == table.record()["result"]


@given(tables(given=False))
def test_tiles_and_score_add_up_to_the_spawns_on_the_path(table):
    spawns = [event.spawn.value for event in table.path[1:] if event.spawn is not None]
    values = parse(table.record()).start.tiles[0].value, parse(table.record()).start.tiles[1].value
    fours = [*spawns, *values].count(4)
    tiles = [exponent for exponent in table.board if exponent]
    position = table.game.position
    assert position.moves == len(spawns)
    assert sum(1 << exponent for exponent in tiles) == 2 * (len(spawns) + 2) + 2 * fours
    assert position.score == sum((exponent - 1) << exponent for exponent in tiles) - 4 * fours


@given(tables(goal=16))
def test_the_final_path_holds_the_moves_that_were_not_undone(table):
    path = final_path(replay(parse(table.record())))
    assert [(step.direction, step.cells, step.score) for step in path] == [
        (event.direction, event.game.position.cells, event.game.position.score) for event in table.path
    ]
    assert [step.active_ms for step in path] == [event.game.active // 1000 for event in table.path]


@pytest.mark.parametrize("played", PLAYED.values(), ids=PLAYED)
def test_every_kind_of_game_can_be_told_and_proved(played):
    table = played()
    verdict = verify(parse(json.dumps(table.record()).encode()))
    assert verdict.valid, verdict.findings
    assert verdict.result["status"] == table.game.status


def test_between_them_the_games_hold_every_event_and_every_cause():
    events = [event for played in PLAYED.values() for event in played().events]
    assert {event.type for event in events} == set(EventType)
    assert {event.cause for event in events} == {None, *Cause}


def test_the_document_has_the_fields_of_the_contract():
    record = sprint().record()
    assert {name: list(value) for name, value in record.items() if isinstance(value, dict)} == {
        "game": ["id", "mode", "date", "attempt", "player", "created_at", "started_at", "ended_at"],
        "rules": ["size", "undo_limit", "time_limit_ms", "move_limit", "goal"],
        "start": ["given", "cells", "values"],
        "result": [
            *("score", "max_tile", "moves", "active_ms", "elapsed_ms", "pauses"),
            *("status", "outcome", "reached_goal", "undos", "board"),
        ],
    }
    assert record["format"] == "twofold.record/1"
    assert record["game"]["player"] == {"id": "player-1", "name": "Zoë – Ω"}
    assert (record["commitment"], record["seed"]) == (commitment(SEED).hex(), SEED.hex())


def test_an_event_is_told_as_type_direction_time_cause_and_spawn():
    rows = sprint().record()["events"]
    assert rows[0] == ["start", None, 0, None, None]
    assert rows[1] == ["move", "left", 1_500, None, [9, 2]]
    assert [kind for kind, *_ in rows[-2:]] == ["over", "undo"]
    assert rows[-2] == ["over", None, 120_000, "time_up", None]


def test_a_hidden_seed_is_nowhere_in_the_document():
    assert SEED.hex() not in json.dumps(classic().record(show_seed=False))


def test_a_given_board_is_told_row_by_row():
    assert practice().record()["start"] == {
        "given": True,
        "cells": [0, 1, 3, 4, 5, 6, 7, 8],
        "values": [1024, 1024, 4, 8, 2, 2, 4, 8],
    }


def test_elapsed_time_is_told_once_the_game_is_over():
    assert classic().record()["result"]["elapsed_ms"] == 311_212
    assert waiting().record()["result"]["elapsed_ms"] is None
    assert waiting().abandon().record()["result"]["elapsed_ms"] is None


def test_times_are_cut_off_to_the_millisecond():
    entry = entry_of(Table().wait(1.999).play(1).events[-1])
    assert entry == Entry(EventType.MOVE, Direction.LEFT, 1_999, None, Spawn(9, 2))
    assert Table().wait(1.999).play(1).record()["events"][0][2] == 1


def test_the_digest_is_that_of_the_canonical_json():
    document = {"b": [1, None, True], "a": {"ü": 'Ω\n"'}, "digest": "what stood here before"}
    canonical = '{"a":{"ü":"Ω\\n\\""},"b":[1,null,true]}'
    assert digest(document) == sha256(canonical.encode()).hexdigest()


def test_a_key_order_or_layout_of_its_own_does_not_change_a_record():
    record = classic().record()
    text = json.dumps(dict(reversed(record.items())), indent=3)
    assert verify(parse(text)).valid
