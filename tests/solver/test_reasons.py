"""Why a direction is worse than another: from what is seen, or not at all."""

import random
from itertools import pairwise
from typing import get_args

import pytest

from tests.solver.positions import random_position
from twofold.board import Direction, cells_of, legal_moves
from twofold_service.wire.hints import ReasonOut
from twofold_solver.reasons import Code, reasons

UP, DOWN, LEFT, RIGHT = Direction
BOTH_WAYS = {Code.CHAIN_BROKEN, Code.SMALL_BETWEEN}
"""What can be said of each of two choices, as each may part another pair, or enclose another tile."""


def told(board, worse, better):
    return {reason.code: reason.fields for reason in reasons(*cells_of(board), worse, better)}


def test_the_largest_tile_leaves_its_corner():
    board = [[256, 0, 0, 0], [2, 0, 0, 0], [0, 0, 0, 0], [4, 0, 0, 0]]

    assert told(board, DOWN, RIGHT)[Code.CORNER_LEFT] == {"tile": 256, "cell": 0, "to": 4}


def test_from_one_corner_to_another_is_not_left():
    board = [[256, 0, 0, 0], [2, 4, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]

    assert Code.CORNER_LEFT not in told(board, RIGHT, DOWN)


def test_the_largest_tile_leaves_the_edge():
    board = [[2, 2, 16, 32], [8, 8, 128, 1024], [4, 4, 32, 128], [2, 32, 2, 32]]

    assert told(board, LEFT, RIGHT) == {Code.EDGE_LEFT: {"tile": 1024, "cell": 7, "to": 6}}
    assert told(board, RIGHT, LEFT) == {}


def test_the_largest_tile_could_have_come_into_a_corner():
    board = [[0, 64, 2, 0], [0, 4, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2]]

    assert told(board, RIGHT, LEFT)[Code.CORNER_MISSED] == {"tile": 64, "cell": 0}
    assert told(board, LEFT, RIGHT) == {}


def test_the_chance_that_the_next_tile_ends_the_game():
    board = [[0, 2, 4, 8], [8, 2, 4, 8], [2, 4, 8, 16], [16, 8, 4, 2]]

    assert told(board, LEFT, UP)[Code.END_POSSIBLE] == {"chance": 1.0, "better": 0.0}
    assert Code.END_POSSIBLE not in told(board, UP, LEFT)


def test_the_chance_that_the_next_tile_forces_the_largest_out_of_its_corner():
    board = [[8, 4, 4, 4], [2, 32, 4, 0], [2, 32, 16, 4], [256, 8, 4, 2]]

    assert told(board, DOWN, RIGHT)[Code.CORNER_AT_RISK] == {"tile": 256, "cell": 12, "chance": 0.2, "better": 0.0}
    assert Code.CORNER_AT_RISK not in told(board, RIGHT, DOWN)


def test_a_chain_is_parted():
    board = [[512, 256, 128, 0], [4, 0, 0, 0], [0, 0, 0, 0], [0, 2, 0, 0]]

    assert told(board, DOWN, RIGHT)[Code.CHAIN_BROKEN] == {"tiles": [256, 128], "cells": [1, 2]}
    assert Code.CHAIN_BROKEN not in told(board, RIGHT, DOWN)


def test_a_chain_whose_tiles_merge_is_not_broken():
    board = [[512, 256, 128, 0], [512, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]

    assert Code.CHAIN_BROKEN not in told(board, UP, RIGHT)


def test_a_merge_is_missed_and_cells_are_closed():
    board = [[64, 64, 0, 0], [2, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 4]]

    assert told(board, UP, LEFT) == {Code.MERGE_MISSED: {"tile": 128}, Code.CELLS_CLOSED: {"worse": 12, "better": 13}}


def test_a_merge_of_small_tiles_is_not_missed():
    board = [[512, 0, 0, 0], [2, 2, 0, 0], [0, 0, 0, 0], [0, 0, 0, 4]]

    assert Code.MERGE_MISSED not in told(board, DOWN, LEFT)


def test_a_small_tile_comes_between_large_ones():
    board = [[256, 0, 128, 0], [0, 2, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]

    assert told(board, UP, LEFT)[Code.SMALL_BETWEEN] == {"tile": 2, "cell": 1, "between": [128, 256]}
    assert Code.SMALL_BETWEEN not in told(board, UP, DOWN)


def test_a_gap_stays_between_large_tiles():
    board = [[256, 0, 128, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2]]

    assert told(board, UP, LEFT)[Code.GAP_BETWEEN] == {"cell": 1, "between": [128, 256]}
    assert Code.GAP_BETWEEN not in told(board, UP, DOWN)


@pytest.mark.parametrize("size", [3, 4, 5, 8])
def test_a_reason_speaks_against_one_choice_alone(size):
    luck = random.Random(size)
    for _ in range(100):
        cells = random_position(luck, size)
        for worse, better in pairwise(legal_moves(size, cells)):
            one, other = reasons(size, cells, worse, better), reasons(size, cells, better, worse)
            assert {reason.code for reason in one} & {reason.code for reason in other} <= BOTH_WAYS
            assert reasons(size, cells, worse, worse) == ()


def test_a_reason_is_told_as_its_code_among_its_fields():
    (reason, *_) = reasons(*cells_of([[64, 64, 0, 0], [2, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 4]]), UP, LEFT)

    assert reason.document() == {"code": "merge_missed", "tile": 128}


def test_a_direction_that_changes_nothing_is_refused():
    with pytest.raises(ValueError, match="left changes nothing"):
        reasons(*cells_of([[2, 0, 0], [4, 0, 0], [0, 0, 0]]), LEFT, RIGHT)


def test_the_service_has_words_for_every_code():
    assert get_args(ReasonOut.__annotations__["code"]) == tuple(Code)
