"""Packed boards move by the rule book."""

import random

import numpy as np
import pytest

from tests.solver.oracle import moves as plain_moves
from tests.solver.positions import random_position
from twofold.board import Direction, shift
from twofold_solver import search
from twofold_solver.boards import FINISHED, downgraded, packed
from twofold_solver.packed import TOP


def unpacked(board):
    return bytes(int(board) >> place & 15 for place in range(0, 64, 4))


@pytest.fixture(scope="module")
def positions():
    luck = random.Random(1)
    return [random_position(luck) for _ in range(3000)]


def test_every_direction_leads_where_the_rule_book_says(positions):
    boards = packed(positions)

    afters, gains = search.moves(boards)

    for number, cells in enumerate(positions):
        expected = {way: (gain, after) for way, gain, after in plain_moves(cells)}
        found = {
            way: (int(gains[at, number]), unpacked(afters[at, number]))
            for at, way in enumerate(Direction)
            if afters[at, number] != boards[number]
        }
        assert found == expected


def test_compiled_moves_are_the_same(positions):
    from twofold_solver.compiled import board as compiled
    from twofold_solver.packed import pushes

    tables = pushes()
    boards = packed(positions)
    afters, gains = search.moves(boards)

    for number in range(len(boards)):
        board = boards[number]
        assert compiled.pushed(board, tables.left) == afters[2, number]
        assert compiled.pushed(board, tables.right) == afters[3, number]
        assert compiled.gained(board, tables.gain) == gains[2, number]


def test_compiled_spawns_are_a_2_or_one_time_in_ten_a_4_on_any_empty_cell():
    from twofold_solver.compiled.board import spawned

    before = packed([bytes([1, 0, 0, 2] * 4)])[0]
    state = np.array([7], np.uint64)

    ranks = np.zeros((16, 16), int)
    for _ in range(8000):
        for cell, rank in enumerate(unpacked(np.uint64(spawned(before, state)) ^ before)):
            ranks[cell, rank] += rank > 0

    assert ranks.sum() == 8000 and ranks[:, 1:3].sum() == 8000
    assert np.all(ranks[[0, 3, 4, 7]] == 0)
    assert np.all(np.abs(ranks[[1, 2, 5, 6, 9, 10, 13, 14]].sum(axis=1) - 1000) < 150)
    assert 680 < ranks[:, 2].sum() < 920


def test_a_board_with_small_tiles_is_packed_as_it_is():
    assert unpacked(packed([bytes(range(16))])[0]) == bytes(range(16))


@pytest.mark.parametrize(
    ("cells", "smaller"),
    [
        ((16, 15, 14), (15, 14, 13)),
        ((16, 14, 3), (15, 14, 3)),
        ((17, 16, 15, 3), (15, 14, 13, 3)),
        ((40, 2, 2, 1), (15, 2, 2, 1)),
        ((17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3), tuple(range(15, 0, -1))),
    ],
)
def test_too_large_tiles_are_downgraded_over_the_highest_gap(cells, smaller):
    fill = bytes(16 - len(cells))

    assert downgraded(bytes(cells) + fill) == bytes(smaller) + fill


def test_a_downgraded_board_moves_as_the_board_itself():
    luck = random.Random(2)
    for _ in range(500):
        cells = random_position(luck, top=40)
        small = downgraded(cells)
        assert max(small) <= TOP
        for way in Direction:
            large_shift, small_shift = shift(4, cells, way), shift(4, small, way)
            assert journeys(large_shift) == journeys(small_shift)


def journeys(shifted):
    return shifted and [(slide.origin, slide.target, slide.merged) for slide in shifted.slides]


def test_a_finished_board_stays_finished_however_large_its_tiles():
    assert downgraded(bytes(range(2, 18))) == FINISHED
    assert not list(plain_moves(FINISHED))
