"""Boards and moves before the spawn: the original's answers, examples, and laws that hold for all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.table import LEFT, RIGHT, boards
from tests.engine.vectors import vectors
from twofold.board import Direction, Shift, cells_of, empty_cells, legal_moves, max_tile, rows_of, shift
from twofold.errors import InvalidBoard

BOARDS = boards().map(cells_of)
WAYS = st.sampled_from(Direction)


def faces(size: int, cells: bytes) -> list[int]:
    return [value for row in rows_of(size, cells) for value in row]


def laid(size: int, cells: bytes, shifted: Shift) -> list[int]:
    """The board that the slides alone lead to."""
    board = faces(size, cells)
    for slide in shifted.slides:
        board[slide.origin] -= slide.value
    for slide in shifted.slides:
        board[slide.target] += slide.value
    return board


def test_a_move_gives_what_the_original_gives():
    for case in vectors("moves"):
        size, cells = cells_of(case["before"])
        shifted = shift(size, cells, Direction(case["direction"]))
        assert (shifted is not None) is case["moved"]
        after, gain, _ = shifted or Shift(cells, 0, ())
        assert [list(row) for row in rows_of(size, after)] == case["after_before_spawn"]
        assert gain == case["score_delta"]


def test_the_moves_left_are_those_the_original_has_left():
    for case in vectors("over"):
        ways = legal_moves(*cells_of(case["board"]))
        assert sorted(ways) == sorted(case["legal"])
        assert bool(ways) is case["moves_available"]


@pytest.mark.parametrize(
    ("row", "direction", "after", "gain"),
    [
        ([2, 2, 2, 2], LEFT, [4, 4, 0, 0], 8),
        ([4, 4, 4, 0], LEFT, [8, 4, 0, 0], 8),
        ([2, 2, 4, 0], LEFT, [4, 4, 0, 0], 4),
        ([2, 2, 2, 0], RIGHT, [0, 0, 2, 4], 4),
        ([2**40, 2**40, 0, 2], LEFT, [2**41, 2, 0, 0], 2**41),
    ],
)
def test_pairs_merge_once_from_the_target_edge(row, direction, after, gain):
    size, cells = cells_of([row, [0] * 4, [0] * 4, [0] * 4])
    shifted = shift(size, cells, direction)
    assert shifted is not None
    assert (faces(size, shifted.cells)[:4], shifted.gain) == (after, gain)


def test_a_standing_tile_that_takes_part_in_a_merge_is_a_slide_to_its_own_cell():
    size, cells = cells_of([[2, 0, 2, 4], [8, 0, 0, 0], [0] * 4, [0] * 4])
    shifted = shift(size, cells, LEFT)
    assert shifted is not None
    assert shifted.slides == ((0, 0, 2, True), (2, 0, 2, True), (3, 1, 4, False))


def test_the_largest_tile_of_eight_by_eight_does_not_fit_in_64_bits():
    cells = bytes([64, 64]) + bytes(62)
    shifted = shift(8, cells, LEFT)
    assert shifted is not None
    assert (shifted.gain, max_tile(shifted.cells)) == (2**65, 2**65)


@given(BOARDS, WAYS)
def test_slides_lead_from_the_board_before_to_the_board_after(board: tuple[int, bytes], direction):
    shifted = shift(*board, direction)
    if shifted is not None:
        assert laid(*board, shifted) == faces(board[0], shifted.cells)
        assert [slide.origin for slide in shifted.slides] == sorted({slide.origin for slide in shifted.slides})


@given(BOARDS, WAYS)
def test_a_tile_takes_part_in_at_most_one_merge(board: tuple[int, bytes], direction):
    shifted = shift(*board, direction)
    merges: dict[int, list[int]] = {}
    for slide in shifted.slides if shifted else ():
        if slide.merged:
            merges.setdefault(slide.target, []).append(slide.value)
    assert all(len(pair) == 2 and pair[0] == pair[1] for pair in merges.values())
    assert sum(2 * pair[0] for pair in merges.values()) == (shifted.gain if shifted else 0)


@given(BOARDS, WAYS)
def test_a_move_keeps_the_sum_of_the_tiles_and_leaves_a_gap(board: tuple[int, bytes], direction):
    shifted = shift(*board, direction)
    if shifted is not None:
        assert sum(faces(board[0], shifted.cells)) == sum(faces(*board))
        assert empty_cells(shifted.cells)


@given(BOARDS)
def test_a_move_is_legal_exactly_where_it_changes_the_board(board: tuple[int, bytes]):
    changing = [direction for direction in Direction if shift(*board, direction)]
    assert list(legal_moves(*board)) == changing


@given(BOARDS)
def test_face_values_and_cells_tell_the_same_board(board: tuple[int, bytes]):
    assert cells_of(rows_of(*board)) == board


@pytest.mark.parametrize(
    ("rows", "place"),
    [
        ([[2, 0], [0, 2]], "rows"),
        ([[2] * 9] * 9, "rows"),
        ([[2] * 4, [2] * 3, [2] * 4, [2] * 4], "row 1"),
        ([[2, 3, 0], [0] * 3, [0] * 3], "row 0, column 1"),
        ([[2, 1, 0], [0] * 3, [0] * 3], "row 0, column 1"),
        ([[0] * 3, [0] * 3, [0, 0, -2]], "row 2, column 2"),
        ([[0] * 3, [0] * 3, [0, 2**41, 0]], "row 2, column 1"),
    ],
)
def test_rows_that_are_no_board_are_refused_with_the_place(rows, place):
    with pytest.raises(InvalidBoard, match=place):
        cells_of(rows)
