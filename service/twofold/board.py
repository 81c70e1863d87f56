"""Cells and lines: what a direction does to a board, before the spawn.

A board's cells are `bytes`, row-major from the top left: 0 is an empty cell, k stands for the tile 2**k. That is
compact, hashable and unbounded by machine words (a tile's exponent never exceeds size**2 + 1, 65 on 8 x 8).
Everything a person or a program sees uses face values: `rows_of` and `cells_of` convert.
"""

from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from twofold.errors import InvalidBoard
from twofold.memo import Memo

MIN_SIZE, MAX_SIZE = 3, 8
MAX_GIVEN_EXPONENT = 40


class Direction(StrEnum):
    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"

    __hash__ = str.__hash__  # Enum's own is written in Python, and every move looks directions up


class Slide(NamedTuple):
    """One tile's journey: cell to cell, its face value before, and whether it took part in a merge."""

    origin: int
    target: int
    value: int
    merged: bool


class Shift(NamedTuple):
    """What a direction does to a board: the cells after it, the points gained, the journeys ordered by origin."""

    cells: bytes
    gain: int
    slides: tuple[Slide, ...]


def shift(size: int, cells: bytes, direction: Direction) -> Shift | None:
    """The board pushed in a direction, before the spawn; None where that changes nothing."""
    after = bytearray(cells)
    gain = 0
    slides: tuple[Slide, ...] = ()
    for line, pushes in _lines(size, direction):
        push = pushes[cells[line]]
        if push is not None:
            after[line], points, journeys = push
            gain += points
            slides += journeys
    if not slides:
        return None
    return _new(Shift, (bytes(after), gain, slides if direction in _SIDEWAYS else tuple(sorted(slides))))


def legal_moves(size: int, cells: bytes) -> tuple[Direction, ...]:
    """The directions that change the board, in the order up, down, left, right."""
    rows = columns = 0
    for row, column in _cross(size):
        rows |= _OPENINGS[cells[row]]
        columns |= _OPENINGS[cells[column]]
        if rows & columns == _BOTH_WAYS:
            break
    return _LEGAL[rows << 2 | columns]


def empty_cells(cells: bytes) -> list[int]:
    """Indices of the empty cells, in row-major order."""
    return [index for index, exponent in enumerate(cells) if not exponent]


def empty_cell(cells: bytes, number: int) -> int:
    """Index of the empty cell of a number (from 0), in row-major order; ValueError where there are fewer."""
    before = cells.split(b"\0", number + 1)
    if len(before) < number + 2:
        raise ValueError("there are fewer empty cells")
    return len(cells) - len(before[-1]) - 1


def max_tile(cells: bytes) -> int:
    """The highest face value on the board; 0 for an empty one."""
    highest = max(cells)
    return 1 << highest if highest else 0


def rows_of(size: int, cells: bytes) -> tuple[tuple[int, ...], ...]:
    """The board as rows of face values, 0 for an empty cell."""
    return tuple([_FACES[cells[start : start + size]] for start in range(0, size * size, size)])


def cells_of(rows: Sequence[Sequence[int]]) -> tuple[int, bytes]:
    """Size and cells of a board given as rows of face values.

    Raises InvalidBoard, naming the row and column, unless it is square, of size 3 to 8, and every value is 0 or a
    power of two from 2 to 2**40.
    """
    size = len(rows)
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise InvalidBoard(f"a board has {MIN_SIZE} to {MAX_SIZE} rows, this has {size}")
    for index, row in enumerate(rows):
        if len(row) != size:
            raise InvalidBoard(f"row {index} has {len(row)} cells, the board {size} rows")
    return size, bytes(
        _exponent(value, f"row {y}, column {x}") for y, row in enumerate(rows) for x, value in enumerate(row)
    )


def _exponent(face: int, place: str) -> int:
    exponent = face.bit_length() - 1 if face > 0 else 0
    if face != (1 << exponent if exponent else 0) or exponent > MAX_GIVEN_EXPONENT:
        raise InvalidBoard(f"{place}: {face} is neither 0 nor a power of two from 2 to 2^{MAX_GIVEN_EXPONENT}")
    return exponent


Push = tuple[bytes, int, tuple[Slide, ...]]


def _push(line: bytes) -> Push:
    """A line pushed towards its first place: the line after, the gain, and the slides between places of the line."""
    pushed = bytearray()
    slides: list[Slide] = []
    gain, mergeable = 0, 0
    for origin, exponent in enumerate(line):
        if not exponent:
            continue
        if exponent == mergeable:
            target, value = len(pushed) - 1, 1 << exponent
            slides[-1] = Slide(slides[-1].origin, target, value, True)
            slides.append(Slide(origin, target, value, True))
            pushed[-1] += 1
            gain += value << 1
            mergeable = 0
        else:
            slides.append(Slide(origin, len(pushed), 1 << exponent, False))
            pushed.append(exponent)
            mergeable = exponent
    moving = tuple([slide for slide in slides if slide.merged or slide.origin != slide.target])
    return bytes(pushed).ljust(len(line), b"\0"), gain, moving


def _pushes(cells: range, backwards: bool) -> Memo[bytes, Push | None]:
    """The pushes of one line of a board, in the board's own order of its `cells`; None where nothing moves."""
    places = cells[::-1] if backwards else cells

    def work_out(line: bytes) -> Push | None:
        after, gain, slides = _PUSHED[line[::-1] if backwards else line]
        if not slides:
            return None
        moving = [_SLIDES[places[a], places[b], value, merged] for a, b, value, merged in slides]
        return (after[::-1], gain, tuple(moving[::-1])) if backwards else (after, gain, tuple(moving))

    return Memo(work_out)


@cache
def _lines(size: int, direction: Direction) -> list[tuple[slice, Memo[bytes, Push | None]]]:
    backwards = direction in (Direction.RIGHT, Direction.DOWN)
    lines = [cross[direction not in _SIDEWAYS] for cross in _cross(size)]
    return [(line, _pushes(range(size * size)[line], backwards)) for line in lines]


@cache
def _cross(size: int) -> list[tuple[slice, slice]]:
    """Row and column number 0, 1, … of a board as slices of its cells."""
    return [(slice(k * size, k * size + size), slice(k, None, size)) for k in range(size)]


def _openings(line: bytes) -> int:
    """Bit 0: the line moves towards its first cell; bit 1: towards its last."""
    back = line[::-1]
    return (_PUSHED[line][0] != line) | (_PUSHED[back][0] != back) << 1


_new = tuple.__new__  # a named tuple's own maker is Python around it
_BOTH_WAYS = 0b11
_SIDEWAYS = frozenset({Direction.LEFT, Direction.RIGHT})
_SLIDES: Memo[tuple[int, int, int, bool], Slide] = Memo(lambda journey: Slide(*journey))  # each kept once
_PUSHED = Memo(_push)  # of all lines of all boards; what a board makes of it is cheap
_OPENINGS = Memo(_openings)
_FACES: Memo[bytes, tuple[int, ...]] = Memo(lambda line: tuple(1 << exponent if exponent else 0 for exponent in line))
_LEGAL = tuple(tuple(way for bit, way in enumerate(Direction) if mask >> bit & 1) for mask in range(16))
