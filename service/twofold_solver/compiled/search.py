"""`twofold_solver.search` compiled: one position after the other, the same worths bit by bit.

What a board after a move is worth at a depth depends on nothing else, so it is remembered for the next positions.
"""

import threading

import numpy as np
from numpy.typing import NDArray

from twofold_solver import packed
from twofold_solver.compiled.board import flipped, gained, mirrored, pushed, seen, transposed
from twofold_solver.compiled.compiler import compiled
from twofold_solver.network import UNIT, Levels, Network, Table, Values
from twofold_solver.packed import Boards
from twofold_solver.search import DIRECTIONS, FOURS, ILLEGAL, MAX_DEPTH, TWOS

REMEMBERED = 1 << 16
"""Boards of one depth; a newer one takes the place of an older."""

_ZERO, _ONE, _TWO, _NIBBLE = map(np.uint64, (0, 1, 2, 0xF))
_U48 = np.uint64(48)
_SCATTER = np.uint64(0x9E3779B97F4A7C15)
_local = threading.local()


def worths(network: Network, boards: Boards, depth: int) -> Values:
    """What each direction is worth on each board: see `twofold_solver.search.worths`."""
    if getattr(_local, "network", None) is not network:
        _local.network = network
        _local.keys = np.zeros((MAX_DEPTH, REMEMBERED), np.uint64)
        _local.means = np.zeros((MAX_DEPTH, REMEMBERED), np.int64)
    tables = packed.pushes()
    found = np.empty((DIRECTIONS, len(boards)), np.int64)
    _fill(
        found,
        boards,
        depth,
        network.table,
        network.levels,
        tables.left,
        tables.right,
        tables.gain,
        _local.keys,
        _local.means,
    )
    return found


@compiled
def _value(board: np.uint64, table: Table, levels: Levels) -> int:
    total = 0
    for _ in range(2):
        mirror = mirrored(board)
        for form in (board, mirror, flipped(board), flipped(mirror)):
            first, second, third, fourth = seen(form)
            total += levels[table[first]] + levels[table[second]] + levels[table[third]] + levels[table[fourth]]
        board = transposed(board)
    return total


@compiled
def _expected(
    after: np.uint64,
    depth: int,
    table: Table,
    levels: Levels,
    left: NDArray[np.uint16],
    right: NDArray[np.uint16],
    gains: NDArray[np.int32],
    keys: Boards,
    means: Values,
) -> int:
    if depth == 0:
        return _value(after, table, levels)
    slot = (after * _SCATTER) >> _U48
    if keys[depth, slot] == after:
        remembered: int = means[depth, slot]
        return remembered
    total, empty = 0, 0
    for place in range(0, 64, 4):
        if (after >> np.uint64(place)) & _NIBBLE != _ZERO:
            continue
        empty += 1
        for rank, share in ((_ONE, TWOS), (_TWO, FOURS)):
            form = after | rank << np.uint64(place)
            best = ILLEGAL
            for _ in range(2):
                gain = gained(form, gains) * UNIT
                for rows in (left, right):
                    pushed_to = pushed(form, rows)
                    if pushed_to != form:
                        worth = gain + _expected(pushed_to, depth - 1, table, levels, left, right, gains, keys, means)
                        best = max(best, worth)
                form = transposed(form)
            if best != ILLEGAL:
                total += share * best
    mean: int = total // ((TWOS + FOURS) * empty)
    keys[depth, slot] = after
    means[depth, slot] = mean
    return mean


@compiled
def _fill(
    found: Values,
    boards: Boards,
    depth: int,
    table: Table,
    levels: Levels,
    left: NDArray[np.uint16],
    right: NDArray[np.uint16],
    gains: NDArray[np.int32],
    keys: Boards,
    means: Values,
) -> None:
    for number in range(len(boards)):
        board = boards[number]
        sideways = transposed(board)
        for way in range(DIRECTIONS):
            form = sideways if way < 2 else board
            pushed_to = pushed(form, right if way & 1 else left)
            if pushed_to == form:
                found[way, number] = ILLEGAL
            else:
                mean = _expected(pushed_to, depth - 1, table, levels, left, right, gains, keys, means)
                found[way, number] = gained(form, gains) * UNIT + mean
