"""Boards of other sizes are searched by the rule book's moves, within bounds, and not by nonsense."""

import random

import numpy as np
import pytest

from tests.solver.positions import random_position
from twofold.board import Direction, empty_cells, max_tile, shift
from twofold_solver import heuristic

SIZES = [3, 5, 6, 8]


def ranks(cells, size):
    return np.frombuffer(cells, np.uint8).reshape(1, size, size)


@pytest.mark.parametrize("size", SIZES)
def test_every_direction_leads_where_the_rule_book_says(size):
    luck = random.Random(size)
    for _ in range(200):
        cells = random_position(luck, size, top=size * size)
        afters, gains = heuristic.moves(ranks(cells, size))
        for at, way in enumerate(Direction):
            shifted = shift(size, cells, way)
            expected = (cells, 0) if shifted is None else (shifted.cells, shifted.gain)
            assert (afters[at, 0].tobytes(), gains[at, 0]) == expected


@pytest.mark.parametrize("size", SIZES)
def test_legal_directions_and_no_others_have_a_worth(solver, size):
    luck = random.Random(size)
    for _ in range(20):
        cells = random_position(luck, size, top=8)
        advice = solver.advise(size, cells, 2)
        assert set(advice.worths) == {way for way in Direction if shift(size, cells, way)}
        assert (advice.depth, advice.trained) == (2, False)


def test_the_mean_over_spawns_is_that_of_plain_loops():
    cells = random_position(random.Random(5), 5, top=6)
    for at, way in enumerate(Direction):
        shifted = shift(5, cells, way)
        if shifted is None:
            continue
        total = 0.0
        for cell in (empty := empty_cells(shifted.cells)):
            for rank, share in ((1, 0.9), (2, 0.1)):
                board = shifted.cells[:cell] + bytes([rank]) + shifted.cells[cell + 1 :]
                best = heuristic.worths(ranks(board, 5), 1).max()
                total += share * (best if best != heuristic.ILLEGAL else -heuristic.LOST)
        assert heuristic.worths(ranks(cells, 5), 2)[at, 0] == pytest.approx(shifted.gain + total / len(empty))


def test_a_deeper_search_is_answered_with_two_moves(solver):
    cells = bytes([1] * 2 + [0] * 23)

    assert solver.advise(5, cells, 4) == solver.advise(5, cells, 2)


@pytest.mark.parametrize(("size", "tile"), [(3, 64), (5, 1024), (6, 1024)])
def test_it_plays_far_better_than_chance(solver, size, tile):
    luck = random.Random(size)
    cells = bytearray(size * size)
    cells[0] = cells[-1] = 1
    for _ in range(600):
        best = solver.advise(size, bytes(cells), 1).best
        if best is None:
            break
        after = shift(size, bytes(cells), best)
        assert after is not None
        cells = bytearray(after.cells)
        cells[luck.choice(empty_cells(after.cells))] = 1
    assert max_tile(bytes(cells)) >= tile
