"""The value network: four tuples of six cells, read on the eight symmetric forms of a board.

A value is the number of points still to come after a move, in whole 1/1024 of a point. Sums of whole numbers do not
depend on their order, so every implementation of the network and the search gives the same bits.
"""

import numpy as np
from numpy.typing import NDArray

from twofold_solver.packed import Bits, Boards, flipped, mirrored, transposed

TUPLES = ((0, 1, 2, 3, 4, 5), (4, 5, 6, 7, 8, 9), (0, 1, 2, 4, 5, 6), (4, 5, 6, 8, 9, 10))
"""Cells, row-major, the lowest nibble of a place first. Four are enough: their 32 places cover each line and square."""
SYMMETRIES = 8
LOOKUPS = len(TUPLES) * SYMMETRIES
ENTRIES = 1 << 24
"""Weights of one tuple."""
WEIGHTS = len(TUPLES) * ENTRIES

UNIT = 1024
"""Values of a point."""
LEVELS = 1 << 12
"""Different weights of one tuple: a place of the table holds a level's number, 0 where the weight was dropped."""

AT_ONCE = 4096
"""Boards looked up together: their 32 places each still fit into a processor's cache."""

Table = NDArray[np.uint16]
Levels = NDArray[np.int32]
Values = NDArray[np.int64]

_U4, _U16 = map(np.uint64, (4, 16))
_LOW3, _HIGH3, _LOW6 = map(np.uint64, (0x000FFF, 0xFFF000, 0xFFFFFF))
_SECOND, _THIRD, _FOURTH = (np.uint64(number * ENTRIES) for number in (1, 2, 3))


class Network:
    """A table of levels (`WEIGHTS`) and what each level is worth (`len(TUPLES) * LEVELS`)."""

    def __init__(self, table: Table, levels: Levels) -> None:
        self.table = table
        self.levels = levels

    def values(self, boards: Boards) -> Values:
        """Of boards after a move and before the spawn, shape (n,)."""
        if len(boards) <= AT_ONCE:
            return self._values(boards)
        return np.concatenate(
            [self._values(boards[start : start + AT_ONCE]) for start in range(0, len(boards), AT_ONCE)]
        )

    def _values(self, boards: Boards) -> Values:
        weights = self.levels.take(self.table.take(places(boards)))
        total: Values = weights.sum(axis=(0, 1), dtype=np.int64)
        return total


def places(boards: Boards) -> NDArray[np.int64]:
    """Which weights a board's value is the sum of, shape (tuples, symmetries, n)."""
    return np.stack(seen(_forms(boards))).view(np.int64)


def seen(form: Bits) -> tuple[Bits, Bits, Bits, Bits]:
    """The place of the weight that each tuple sees on one form of a board, or on an array of forms."""
    lower = form >> _U16
    return (
        form & _LOW6,
        lower & _LOW6 | _SECOND,
        form & _LOW3 | form >> _U4 & _HIGH3 | _THIRD,
        lower & _LOW3 | lower >> _U4 & _HIGH3 | _FOURTH,
    )


def _forms(boards: Boards) -> Boards:
    forms = np.empty((SYMMETRIES, len(boards)), np.uint64)
    forms[0] = boards
    forms[1] = transposed(boards)
    forms[2:4] = mirrored(forms[:2])
    forms[4:] = flipped(forms[:4])
    return forms
