"""4 × 4 boards as 64 bits: one nibble a cell, cell 0 lowest, 0 for empty and k for the tile 2**k.

The functions take one `uint64` or an array of them, and are compiled as they stand where Numba is at hand.
"""

from functools import cache
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

Boards = NDArray[np.uint64]
Bits = TypeVar("Bits", np.uint64, Boards)

CELLS = 16
TOP = 15
"""The highest rank a nibble holds; a pair of it merges into one of it, for its full points."""
ROWS = 1 << 16

_U4, _U8, _U12, _U16, _U24, _U32 = map(np.uint64, (4, 8, 12, 16, 24, 32))
_NEAR = np.uint64(0x0000F0F00000F0F0)
_FAR = np.uint64(0x00000000FF00FF00)
_NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)
_BYTES = np.uint64(0x00FF00FF00FF00FF)
_ROWS = np.uint64(0x0000FFFF0000FFFF)


def transposed(board: Bits) -> Bits:
    """Rows become columns."""
    near = (board ^ (board >> _U12)) & _NEAR
    board = board ^ near ^ (near << _U12)
    far = (board ^ (board >> _U24)) & _FAR
    turned: Bits = board ^ far ^ (far << _U24)
    return turned


def mirrored(board: Bits) -> Bits:
    """Each row back to front."""
    board = ((board >> _U4) & _NIBBLES) | ((board & _NIBBLES) << _U4)
    return ((board >> _U8) & _BYTES) | ((board & _BYTES) << _U8)


def flipped(board: Bits) -> Bits:
    """The last row first."""
    board = (board >> _U32) | (board << _U32)
    return ((board >> _U16) & _ROWS) | ((board & _ROWS) << _U16)


class Pushes(NamedTuple):
    """What becomes of each of the 65,536 rows."""

    left: NDArray[np.uint16]
    right: NDArray[np.uint16]
    gain: NDArray[np.int32]
    """Points; of a push to the right they are the same."""


@cache
def pushes() -> Pushes:
    """The tables of rows, made once a process."""
    rows = np.arange(ROWS, dtype=np.uint16)
    places = np.arange(0, CELLS, 4, dtype=np.uint16)
    ranks = (rows[:, None] >> places) & np.uint16(TOP)
    left, gain = _pushed(ranks)
    right, _ = _pushed(ranks[:, ::-1])
    return Pushes(_rows(left, places), _rows(right[:, ::-1], places), gain)


def _pushed(ranks: NDArray[np.uint16]) -> tuple[NDArray[np.uint16], NDArray[np.int32]]:
    """Rows of ranks (n, 4) after a push to their first cell, and the points (n,)."""
    line = _gathered(ranks)
    gain = np.zeros(len(line), np.int32)
    for place in range(3):
        rank = line[:, place].copy()
        merge = (rank > 0) & (rank == line[:, place + 1])
        gain += np.where(merge, np.left_shift(2, rank.astype(np.int32)), 0).astype(np.int32)
        line[:, place] = np.minimum(rank + merge, TOP)
        line[merge, place + 1] = 0
    return _gathered(line), gain


def _gathered(ranks: NDArray[np.uint16]) -> NDArray[np.uint16]:
    return np.take_along_axis(ranks, np.argsort(ranks == 0, axis=1, kind="stable"), axis=1)


def _rows(ranks: NDArray[np.uint16], places: NDArray[np.uint16]) -> NDArray[np.uint16]:
    rows: NDArray[np.uint16] = np.bitwise_or.reduce(ranks << places, axis=1)
    return rows
