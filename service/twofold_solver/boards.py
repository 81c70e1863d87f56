"""From the rule book's boards to packed ones, downgraded where a tile is too large for a nibble.

A board with tiles over 2**15 is searched as a smaller one: of the ranks below its highest, the highest that is not on
the board is left out, and all above it are one less. Equal tiles stay equal and different ones different, so the same
directions move and the same tiles merge. Points are then those of the smaller board. Every board with a legal move can
be made small enough: with an empty cell or a pair it has at most 15 different tiles. One with 16 has no legal move, and
any finished board stands for it.
"""

from collections.abc import Iterable

import numpy as np

from twofold_solver.packed import TOP, Boards

FINISHED = bytes((1, 2, 1, 2, 2, 1, 2, 1)) * 2


def packed(boards: Iterable[bytes]) -> Boards:
    """4 × 4 boards of cells (see `twofold.board`), as 64 bits each, shape (n,)."""
    return np.array([_bits(cells if max(cells) <= TOP else downgraded(cells)) for cells in boards], np.uint64)


def downgraded(cells: bytes) -> bytes:
    """The cells with no rank over 15, and the same legal moves."""
    while (highest := max(cells)) > TOP:
        gap = next((rank for rank in range(highest - 1, 0, -1) if rank not in cells), None)
        if gap is None:
            return FINISHED
        cells = bytes(rank - (rank > gap) for rank in cells)
    return cells


def _bits(cells: bytes) -> int:
    return int.from_bytes(bytes(low | high << 4 for low, high in zip(cells[::2], cells[1::2], strict=True)), "little")
