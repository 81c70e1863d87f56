"""Packed boards (see `twofold_solver.packed`), one at a time, compiled."""

import numpy as np
from numpy.typing import NDArray

from twofold_solver import network, packed
from twofold_solver.compiled.compiler import compiled
from twofold_solver.packed import Boards

transposed = compiled(packed.transposed)
mirrored = compiled(packed.mirrored)
flipped = compiled(packed.flipped)
seen = compiled(network.seen)

_ZERO, _ONE, _NIBBLE, _ROW = map(np.uint64, (0, 1, 0xF, 0xFFFF))
_U4, _U16, _U32, _U48 = map(np.uint64, (4, 16, 32, 48))


@compiled
def drawn(state: Boards) -> np.uint64:
    """The next random number (splitmix64) of a generator that is the state's first entry."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    bits: np.uint64 = state[0]
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@compiled
def spawned(board: np.uint64, state: Boards) -> np.uint64:
    """The board with a 2, or one time in ten a 4, on one of its empty cells."""
    empty, place = _ZERO, _ZERO
    for shift in range(0, 64, 4):
        if (board >> np.uint64(shift)) & _NIBBLE == _ZERO:
            empty += _ONE
    number = drawn(state)
    chosen = ((number >> _U32) * empty) >> _U32
    rank = np.uint64(2) if (number & np.uint64(0xFFFFFFFF)) % np.uint64(10) == _ZERO else _ONE
    while True:
        if (board >> place) & _NIBBLE == _ZERO:
            if chosen == _ZERO:
                return board | (rank << place)
            chosen -= _ONE
        place += _U4


@compiled
def pushed(board: np.uint64, rows: NDArray[np.uint16]) -> np.uint64:
    """The board with each row replaced by the table's."""
    return (
        np.uint64(rows[board & _ROW])
        | np.uint64(rows[(board >> _U16) & _ROW]) << _U16
        | np.uint64(rows[(board >> _U32) & _ROW]) << _U32
        | np.uint64(rows[board >> _U48]) << _U48
    )


@compiled
def gained(board: np.uint64, gains: NDArray[np.int32]) -> int:
    """Points of a push of the board's rows to the left or to the right."""
    points: int = (
        gains[board & _ROW] + gains[(board >> _U16) & _ROW] + gains[(board >> _U32) & _ROW] + gains[board >> _U48]
    )
    return points
