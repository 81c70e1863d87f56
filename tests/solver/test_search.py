"""The search finds what the rule book's moves and plain arithmetic give, by whichever implementation."""

import random

import numpy as np
import pytest

from tests.solver.oracle import Oracle
from tests.solver.positions import random_position
from twofold.board import Direction
from twofold_solver import search
from twofold_solver.boards import FINISHED, packed


def positions(count, seed):
    luck = random.Random(seed)
    return [random_position(luck) for _ in range(count)]


@pytest.mark.parametrize(("depth", "count"), [(1, 1000), (2, 40), (3, 2)])
def test_worths_are_the_oracles(shipped, depth, count):
    oracle = Oracle(shipped)
    boards = positions(count, depth)

    found = search.worths(shipped, packed(boards), depth)

    for number, cells in enumerate(boards):
        pairs = zip(Direction, found[:, number].tolist(), strict=True)
        assert oracle.worths(cells, depth) == {way: worth for way, worth in pairs if worth != search.ILLEGAL}


@pytest.mark.parametrize(("depth", "count"), [(1, 5000), (2, 600), (3, 40), (4, 2)])
def test_the_compiled_search_has_the_same_bits(shipped, depth, count):
    from twofold_solver.compiled import search as compiled

    boards = packed(positions(count, 10 + depth))

    assert np.array_equal(compiled.worths(shipped, boards, depth), search.worths(shipped, boards, depth))


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_batch_is_its_positions_one_by_one(shipped, depth):
    boards = packed(positions(20, 20))

    alone = [search.worths(shipped, boards[number : number + 1], depth) for number in range(len(boards))]

    assert np.array_equal(search.worths(shipped, boards, depth), np.concatenate(alone, axis=1))


def test_a_mirrored_board_has_mirrored_worths(shipped):
    cells = positions(1, 30)[0]
    mirrored = b"".join(cells[start : start + 4][::-1] for start in range(0, 16, 4))

    up, down, left, right = search.worths(shipped, packed([cells]), 3)[:, 0]

    assert search.worths(shipped, packed([mirrored]), 3)[:, 0].tolist() == [up, down, right, left]


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_a_finished_board_has_no_worths_even_beside_others(shipped, depth):
    boards = packed([FINISHED, bytes([1] * 2 + [0] * 14)])

    found = search.worths(shipped, boards, depth)

    assert (found[:, 0] == search.ILLEGAL).all() and (found[:, 1] != search.ILLEGAL).any()
    assert search.worths(shipped, boards[:0], depth).shape == (4, 0)
