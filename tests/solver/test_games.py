"""The benchmark's games are repeatable and by the rules, whatever plays them."""

from itertools import pairwise

import numpy as np
import pytest

from tests.bench.solver_games import play
from tests.solver.oracle import moves as plain_moves
from twofold_solver import search
from twofold_solver.compiled import search as compiled


def first_legal(network, boards, depth):
    """Plays the first legal direction."""
    after = search.moves(boards).afters
    return np.where(after != boards, -np.arange(4)[:, None], search.ILLEGAL)


def test_a_game_does_not_depend_on_those_beside_it(shipped):
    few, many = play(first_legal, shipped, 3, 1, seed=5), play(first_legal, shipped, 8, 1, seed=5)

    assert few.scores.tolist() == many.scores[:3].tolist()
    assert few.positions == many.positions
    assert play(first_legal, shipped, 3, 1, seed=6).scores.tolist() != few.scores.tolist()


def test_positions_of_a_game_follow_each_other_by_the_rules(shipped):
    played = play(first_legal, shipped, 1, 1, seed=1)
    boards = [bytes(board >> place & 15 for place in range(0, 64, 4)) for board in played.positions]
    score = 0

    for before, after in pairwise(boards):
        _, gain, moved = next(plain_moves(before))
        (cell,) = [cell for cell in range(16) if moved[cell] != after[cell]]
        assert moved[cell] == 0 and after[cell] in (1, 2)
        score += gain

    assert not list(plain_moves(boards[-1]))
    assert (score, max(boards[-1])) == (played.scores[0], played.highest[0])
    assert played.moves == len(boards) - 1


@pytest.mark.parametrize("depth", [1, 2])
def test_both_searches_play_the_same_games(shipped, depth):
    def hasty(worths):
        """A search that takes the worst legal direction, so that games are short."""

        def worst(network, boards, depth):
            found = worths(network, boards, depth)
            return np.where(found == search.ILLEGAL, search.ILLEGAL, -found)

        return worst

    with_numpy, with_numba = (play(hasty(one), shipped, 4, depth, seed=2) for one in (search.worths, compiled.worths))

    assert with_numpy.positions == with_numba.positions
    assert with_numpy.scores.tolist() == with_numba.scores.tolist()
