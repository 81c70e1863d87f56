"""Boards of other sizes than 4 × 4: a full-width search of at most two moves over a judgement of lines, in NumPy.

A board after a move is judged by its lines, rows and columns alike, in points of a made-up currency:

- `EMPTY` for each empty cell;
- `MERGE` for each pair of equal neighbours, empty cells between them not counted;
- minus, for each line, the lesser of how much it rises and how much it falls, by rank ** `STEEPNESS`: chains that go
  one way are kept, large tiles stay at an edge;
- minus `LOST` where nothing moves.

The cost is bounded: two moves with every spawn between them are at most 4 · 126 · 4 boards, on 8 × 8. Deeper searches
are answered with two moves.
"""

import numpy as np
from numpy.typing import NDArray

MAX_DEPTH = 2
DIRECTIONS = 4
"""In the rule book's order: up, down, left, right."""
ILLEGAL = -np.inf

EMPTY = 270.0
MERGE = 700.0
STEEPNESS = 3.0
LOST = 200_000.0
FOUR = 0.1
"""Share of the spawns that are a 4."""

Ranks = NDArray[np.uint8]
Worths = NDArray[np.float64]


def worths(boards: Ranks, depth: int) -> Worths:
    """What each direction is worth on boards of ranks, (n, size, size); shape (4, n), `ILLEGAL` where nothing moves.

    A worth is the points of the move plus the judgement of what it leads to.
    """
    afters, gains = moves(boards)
    legal = (afters != boards).any(axis=(2, 3))
    found = np.full(legal.shape, ILLEGAL)
    reached = afters[legal]
    found[legal] = gains[legal] + (judged(reached) if depth == 1 else _expected(reached))
    return found


def moves(boards: Ranks) -> tuple[Ranks, Worths]:
    """Boards after each direction, (4, n, size, size), and the points, (4, n)."""
    columns = boards.swapaxes(1, 2)
    pushed = [_pushed(lines) for lines in (columns, columns[:, :, ::-1], boards, boards[:, :, ::-1])]
    up, down, left, right = (lines for lines, _ in pushed)
    afters = np.stack((up.swapaxes(1, 2), down[:, :, ::-1].swapaxes(1, 2), left, right[:, :, ::-1]))
    return afters, np.stack([gains for _, gains in pushed])


def judged(boards: Ranks) -> Worths:
    """How good boards are to go on from, shape (n,)."""
    worth: Worths = (boards == 0).sum(axis=(1, 2)) * EMPTY + _lines(boards) + _lines(boards.swapaxes(1, 2))
    return worth


def _expected(afters: Ranks) -> Worths:
    """The mean over all spawns of the best direction's worth at depth 1."""
    which, row, column = np.nonzero(afters == 0)
    spawns = len(which)
    boards = np.concatenate((afters[which], afters[which]))
    every = np.arange(spawns)
    boards[every, row, column] = 1
    boards[spawns + every, row, column] = 2
    best = worths(boards, 1).max(axis=0)
    best[best == ILLEGAL] = -LOST
    means = (1 - FOUR) * best[:spawns] + FOUR * best[spawns:]
    found: Worths = np.bincount(which, means, len(afters)) / np.bincount(which, minlength=len(afters))
    return found


def _pushed(lines: Ranks) -> tuple[Ranks, Worths]:
    """Lines (n, size, size) after a push to their first cells, and the points of each board (n,)."""
    line = _gathered(lines)
    gains = np.zeros(len(lines))
    for place in range(line.shape[2] - 1):
        rank = line[:, :, place].copy()
        merge = (rank > 0) & (rank == line[:, :, place + 1])
        gains += (np.ldexp(2.0, rank) * merge).sum(axis=1)
        line[:, :, place] = rank + merge
        line[:, :, place + 1][merge] = 0
    return _gathered(line), gains


def _gathered(lines: Ranks) -> Ranks:
    return np.take_along_axis(lines, np.argsort(lines == 0, axis=2, kind="stable"), axis=2)


def _lines(boards: Ranks) -> Worths:
    tiles = _gathered(boards)
    pairs = ((tiles[:, :, 1:] == tiles[:, :, :-1]) & (tiles[:, :, 1:] > 0)).sum(axis=(1, 2))
    steps = np.diff(boards.astype(np.float64) ** STEEPNESS, axis=2)
    rising = np.maximum(steps, 0).sum(axis=2)
    falling = np.maximum(-steps, 0).sum(axis=2)
    worth: Worths = pairs * MERGE - np.minimum(rising, falling).sum(axis=1)
    return worth
