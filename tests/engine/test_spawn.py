"""The tile stream and the proof of fairness, by the shared vectors and by laws."""

from collections import Counter
from struct import Struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.table import SEED, SEEDS
from tests.engine.vectors import vectors
from twofold import spawn as stream
from twofold.board import Direction, empty_cells, rows_of
from twofold.game import create
from twofold.rules import Rules
from twofold.spawn import commitment, daily_seed, draw, spawn, start_tiles, words

BLOCK = Struct(">8I")


def test_a_seed_has_the_commitment_of_the_vectors():
    for case in vectors("spawn", "commit"):
        assert commitment(bytes.fromhex(case["seed"])).hex() == case["commitment"]


def test_a_spawn_is_the_one_of_the_vectors():
    for case in vectors("spawn", "spawn"):
        assert draw(bytes.fromhex(case["seed"]), case["index"], case["empty"]) == (
            case["choice"],
            case["value"],
        )


def test_a_date_has_the_seed_of_the_vectors():
    for case in vectors("spawn", "daily"):
        seed = daily_seed(bytes.fromhex(case["secret"]), case["date"])
        assert (seed.hex(), commitment(seed).hex()) == (case["seed"], case["commitment"])


@pytest.mark.parametrize("case", vectors("spawn", "game"), ids=lambda case: f"{case['seed'][:8]}-{case['size']}")
def test_a_whole_game_is_the_one_of_the_vectors(case):
    game = create(Rules(case["size"]), bytes.fromhex(case["seed"]), 0).game
    assert rows_of(case["size"], game.position.cells) == tuple(map(tuple, case["start"]))
    for letter in case["moves"]:
        way = next(way for way in map(Direction, case["policy"]) if way in game.legal_moves)
        assert way[0] == letter
        event = game.move(way, 0)
        assert event is not None
        game = event.game
    assert rows_of(case["size"], game.position.cells) == tuple(map(tuple, case["board"]))
    assert (game.position.score, game.position.spawn_index) == (case["score"], case["spawn_index"])
    assert game.over is case["over"]


@pytest.mark.parametrize(
    ("block", "choice", "value"),
    [
        ((2**32 - 1, 2**32 - 6, 20, 2**32 - 1, 7, 0, 0, 0), 1, 4),
        ((2**32 - 6, 11, 8, 0, 0, 0, 0, 0), 2, 2),
        ((2**32 - 7, 8, 0, 0, 0, 0, 0, 0), 2, 2),
        ((11, 2**32 - 1, 8, 0, 0, 0, 0, 0), 2, 2),
        ((11, 2**32 - 2, 0, 0, 0, 0, 0, 0), 2, 2),
    ],
)
def test_a_word_that_would_favour_some_values_or_cells_is_left_out(monkeypatch, block, choice, value):
    monkeypatch.setattr(stream, "_block", lambda seed, index, number: BLOCK.pack(*block))
    assert draw(SEED, 2, 3) == (choice, value)


def test_the_words_of_a_spawn_go_on_from_block_to_block(monkeypatch):
    monkeypatch.setattr(
        stream, "_block", lambda seed, index, block: BLOCK.pack(*[2**32 - 1 if block < 2 else block] * 8)
    )
    assert draw(SEED, 2, 5) == (2, 2)


@given(SEEDS, st.integers(0, 2**32 - 1), st.binary(min_size=16, max_size=16).filter(lambda cells: 0 in cells))
def test_a_spawn_falls_on_an_empty_cell_and_is_two_or_four(seed, index, cells):
    tile = spawn(seed, index, cells)
    assert tile.cell in empty_cells(cells)
    assert tile.value in (2, 4)


@given(SEEDS, st.integers(3, 8))
def test_the_start_tiles_are_spawns_0_and_1(seed, size):
    first, second = start_tiles(seed, size)
    cells = bytearray(size * size)
    assert first == spawn(seed, 0, bytes(cells))
    cells[first.cell] = first.value >> 1
    assert second == spawn(seed, 1, bytes(cells))


def test_one_tile_in_ten_is_a_four_and_cells_come_evenly():
    draws = [draw(SEED, index, 10) for index in range(20_000)]
    assert 1_850 < sum(value == 4 for _, value in draws) < 2_150
    assert all(1_850 < count < 2_150 for count in Counter(choice for choice, _ in draws).values())


def test_words_are_unsigned_32_bit_without_end():
    stream_of_words = words(SEED, 0)
    assert all(0 <= next(stream_of_words) < 2**32 for _ in range(100))
