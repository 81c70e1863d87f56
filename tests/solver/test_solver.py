"""What the solver says of a position."""

import subprocess
import sys

import pytest

from twofold.board import Direction, cells_of
from twofold_solver.boards import FINISHED
from twofold_solver.solver import Solver


def test_a_worth_is_the_points_of_the_move_and_those_expected_after(solver):
    size, cells = cells_of([[512, 512, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 2, 0]])

    advice = solver.advise(size, cells, 2)

    assert advice.best in (Direction.LEFT, Direction.RIGHT)
    assert advice.trained and set(advice.worths) == set(Direction)
    assert 1024 < advice.worths[Direction.LEFT] < 1_000_000


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_many_positions_are_told_as_one_by_one(solver, depth):
    boards = [bytes([1, 1, *[0] * 14]), bytes([5, 4, 3, 2, 1, *[0] * 11]), FINISHED]

    assert solver.advise_all(4, boards, depth) == [solver.advise(4, cells, depth) for cells in boards]


def test_a_finished_board_has_no_best_direction(solver):
    assert solver.advise(4, FINISHED, 3) == ({}, 3, True)
    assert solver.advise(4, FINISHED, 3).best is None
    assert solver.advise(3, bytes([1, 2, 1, 2, 1, 2, 1, 2, 1]), 2).best is None


def test_of_equal_directions_the_first_is_best(solver):
    cells = bytes([1, *[0] * 14, 1])

    worths = solver.advise(4, cells, 1).worths

    assert len({*worths.values()}) < 4
    assert solver.advise(4, cells, 1).best == next(way for way in Direction if worths[way] == max(worths.values()))


def test_tiles_past_a_nibble_are_judged_as_smaller_ones(solver):
    _, large = cells_of([[2**17, 2**16, 2**15, 8], [0, 0, 0, 2], [0] * 4, [0] * 4])
    _, small = cells_of([[2**15, 2**14, 2**13, 8], [0, 0, 0, 2], [0] * 4, [0] * 4])

    assert solver.advise(4, large, 3) == solver.advise(4, small, 3)


@pytest.mark.parametrize(
    ("size", "cells", "depth", "words"),
    [
        (2, bytes(4), 1, "size: a board has 3 to 8 rows, not 2"),
        (9, bytes(81), 1, "size: a board has 3 to 8 rows, not 9"),
        (4, bytes(15), 1, "cells: a board of 4 rows has 16 cells, not 15"),
        (4, bytes(16), 0, "depth: 1 to 4 moves are looked at, not 0"),
        (4, bytes(16), 5, "depth: 1 to 4 moves are looked at, not 5"),
    ],
)
def test_what_is_no_question_is_refused_by_its_field(solver, size, cells, depth, words):
    with pytest.raises(ValueError, match=words):
        solver.advise(size, cells, depth)


def test_an_empty_board_has_no_moves(solver):
    assert solver.advise(4, bytes(16), 3).worths == {}


def test_the_solver_needs_no_numba_and_nothing_of_the_service(cache):
    program = (
        "import sys; from pathlib import Path\n"
        "for name in ('numba', 'twofold_service', 'fastapi', 'typer'): sys.modules[name] = None\n"
        "from twofold_solver.solver import Solver\n"
        "print(Solver.opened(cache=Path(sys.argv[1])).advise(4, bytes([1, 1] + [0] * 14), 3).best is not None)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(cache)], capture_output=True, text=True, check=False)

    assert (done.stdout, done.stderr) == ("True\n", "")


def test_the_package_itself_loads_nothing():
    program = "import sys, twofold_solver; print('numpy' in sys.modules, 'twofold_solver.solver' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout == "False False\n"


def test_a_solver_takes_the_compiled_search(shipped, solver):
    from twofold_solver.compiled.search import worths

    cells = bytes([5, 4, 3, 2, 1, *[0] * 11])

    assert Solver(shipped, worths).advise(4, cells, 3) == solver.advise(4, cells, 3)
