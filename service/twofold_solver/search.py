"""Full-width expectimax over packed boards, whole levels of the tree at a time, in NumPy.

Depth counts the player's moves: 1 looks at the boards after each move, 2 at every spawn and move after them. A board
that several ways lead to is looked at once. A mean over spawns is rounded down to a whole value.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from twofold_solver import packed
from twofold_solver.network import UNIT, Network, Values
from twofold_solver.packed import Boards

MAX_DEPTH = 4
DIRECTIONS = 4
"""In the rule book's order: up, down, left, right."""
ILLEGAL = np.iinfo(np.int64).min
"""The worth of a direction that changes nothing."""
TWOS, FOURS = 9, 1
"""Of ten spawns."""

_BATCHES = {1: 4096, 2: 256, 3: 16, 4: 1}
"""Positions searched together: more are hardly quicker and take more memory."""
_ONE, _TWO = np.uint64(1), np.uint64(2)
_PLACES = np.arange(0, 64, 4, dtype=np.uint64)


class Moves(NamedTuple):
    """All directions on n boards, shapes (4, n); an illegal one leaves the board as it is."""

    afters: Boards
    gains: NDArray[np.int32]


def worths(network: Network, boards: Boards, depth: int) -> Values:
    """What each direction is worth on each of n boards, in values (see `network`), shape (4, n); `ILLEGAL` where none.

    A worth is the points of the move and those expected after it.
    """
    size = _BATCHES[depth]
    if len(boards) <= size:
        return _worths(network, boards, depth)
    parts = [_worths(network, boards[start : start + size], depth) for start in range(0, len(boards), size)]
    return np.concatenate(parts, axis=1)


def moves(boards: Boards) -> Moves:
    """The boards pushed in every direction."""
    tables = packed.pushes()
    afters = np.empty((DIRECTIONS, len(boards)), np.uint64)
    gains = np.empty((DIRECTIONS, len(boards)), np.int32)
    forms = np.stack((packed.transposed(boards), boards))
    rows = forms.view(np.uint16).reshape(2, len(boards), 4)
    afters[0::2] = tables.left.take(rows).view(np.uint64)[..., 0]
    afters[1::2] = tables.right.take(rows).view(np.uint64)[..., 0]
    afters[:2] = packed.transposed(afters[:2])
    gains[0::2] = gains[1::2] = tables.gain.take(rows).sum(axis=2)
    return Moves(afters, gains)


def _worths(network: Network, boards: Boards, depth: int) -> Values:
    afters, gains = moves(boards)
    legal = afters != boards
    different, which = np.unique(afters[legal], return_inverse=True)
    values = network.values(different) if depth == 1 else _expected(network, different, depth - 1)
    found = np.full(afters.shape, ILLEGAL, np.int64)
    found[legal] = gains[legal] * np.int64(UNIT) + values[which]
    return found


def _expected(network: Network, afters: Boards, depth: int) -> Values:
    """The mean over all spawns of the best that `depth` more moves find; a lost board is worth nothing."""
    empty = (afters[:, None] >> _PLACES) & np.uint64(packed.TOP) == 0
    which, cells = np.nonzero(empty)
    before, place = afters[which], _PLACES[cells]
    best = _worths(network, np.concatenate((before | _ONE << place, before | _TWO << place)), depth).max(axis=0)
    best[best == ILLEGAL] = 0
    spawns = len(which)
    counts = empty.sum(axis=1)
    sums = np.add.reduceat(TWOS * best[:spawns] + FOURS * best[spawns:], np.cumsum(counts) - counts)
    means: Values = sums // ((TWOS + FOURS) * counts)
    return means
