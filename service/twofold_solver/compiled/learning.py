"""Learning by play, compiled: backward temporal coherence TC(lambda) on the boards after moves and before spawns.

A weight's step is its share of the error times |sum of its errors| / sum of |its errors|, so that weights whose errors
cancel out come to rest by themselves (Beal and Smith 1999; Jaskowski 2018, "Mastering 2048 with delayed temporal
coherence learning, multi-stage weight promotion, redundant encoding and carousel shaping").
"""

import numpy as np
from numpy.typing import NDArray

from twofold_solver.compiled.board import flipped, gained, mirrored, pushed, seen, spawned, transposed
from twofold_solver.compiled.compiler import compiled
from twofold_solver.network import LOOKUPS
from twofold_solver.packed import TOP, Boards

LAMBDA = 0.5
LEAST_REST = 10
"""A game is played again from its middle while at least so many of its moves came after that."""
MOST_MOVES = 1 << 17
"""A game is cut there. Each move brings a 2 or a 4, so only one that has merged two 2**15 several times gets so far."""

RANDOM, START = 0, 1
"""Places in a learner's state: the generator, and the board the next game begins with, 0 for a new game."""
GAMES, POINTS, RANKS = 0, 1, 2
"""Places in a tally; from the last one on, the numbers of games by their highest rank."""
TALLY = RANKS + TOP + 1

Weights = NDArray[np.float32]

_ZERO, _NIBBLE = map(np.uint64, (0, 0xF))


@compiled
def value(board: np.uint64, weights: Weights) -> float:
    """Points still to come, of a board after a move."""
    total = np.float32(0)
    for _ in range(2):
        for form in (board, flipped(board)):
            total += part(form, weights) + part(mirrored(form), weights)
        board = transposed(board)
    return float(total)


@compiled
def part(form: np.uint64, weights: Weights) -> np.float32:
    """What one of a board's eight symmetric forms adds to its value."""
    first, second, third, fourth = seen(form)
    weight: np.float32 = weights[first] + weights[second] + weights[third] + weights[fourth]
    return weight


@compiled
def places(board: np.uint64, into: NDArray[np.uint64]) -> None:
    """The weights that a board's value is the sum of."""
    at = 0
    for _ in range(2):
        mirror = mirrored(board)
        for form in (board, mirror, flipped(board), flipped(mirror)):
            into[at], into[at + 1], into[at + 2], into[at + 3] = seen(form)
            at += 4
        board = transposed(board)


@compiled
def corrected(board: np.uint64, target: float, weights: Weights, errors: Weights, at: NDArray[np.uint64]) -> float:
    """Moves a board's value towards the target; the value it has then."""
    places(board, at)
    before = 0.0
    for place in at:
        before += weights[place]
    error = target - before
    step = error / LOOKUPS
    for place in at:
        total, span = errors[place, 0], errors[place, 1]
        weights[place] += np.float32(step * abs(total) / span if span > 0 else step)
        errors[place, 0] = total + np.float32(error)
        errors[place, 1] = span + np.float32(abs(error))
    after = 0.0
    for place in at:
        after += weights[place]
    return after


@compiled
def learn(
    budget: int,
    restarts: bool,
    weights: Weights,
    errors: Weights,
    state: Boards,
    tally: NDArray[np.int64],
    left: NDArray[np.uint16],
    right: NDArray[np.uint16],
    gains: NDArray[np.int32],
) -> int:
    """Plays and learns whole games until at least `budget` moves are made; the number made.

    `errors` holds, for each weight, the sum of its errors and the sum of their sizes. Weights, errors, state and tally
    are changed in place. With `restarts` each game is played again from its middle, and that rest from its own, until a
    rest is short; only games played from their start are in the tally.
    """
    boards = np.empty(MOST_MOVES, np.uint64)
    afters = np.empty(MOST_MOVES, np.uint64)
    points = np.empty(MOST_MOVES, np.int64)
    at = np.empty(LOOKUPS, np.uint64)
    made = 0
    while made < budget:
        board = state[START]
        fresh = board == _ZERO
        if fresh:
            board = spawned(spawned(_ZERO, state), state)
        length, score = 0, 0
        while True:
            best, after, points_of_best = -np.inf, _ZERO, 0
            form = board
            for _ in range(2):
                gain = gained(form, gains)
                for rows in (left, right):
                    candidate = pushed(form, rows)
                    if candidate != form:
                        worth = gain + value(candidate, weights)
                        if worth > best:
                            best, after, points_of_best = worth, candidate, gain
                form = transposed(form)
            if after == _ZERO or length == MOST_MOVES:
                break
            boards[length], afters[length], points[length] = board, after, points_of_best
            length += 1
            score += points_of_best
            board = spawned(after, state)
        made += length
        target = 0.0
        for step in range(length - 1, -1, -1):
            reached = corrected(afters[step], target, weights, errors, at)
            target = points[step] + (1 - LAMBDA) * reached + LAMBDA * target
        if fresh:
            highest = _ZERO
            for place in range(0, 64, 4):
                highest = max(highest, (board >> np.uint64(place)) & _NIBBLE)
            tally[GAMES] += 1
            tally[POINTS] += score
            tally[RANKS + highest] += 1
        middle = length // 2
        state[START] = boards[middle] if restarts and length - middle >= LEAST_REST else _ZERO
    return made
