"""Whole games played by the solver, many side by side; a game's tiles depend on its seed and its moves alone."""

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from twofold_solver.network import Network, Values
from twofold_solver.packed import Boards
from twofold_solver.search import ILLEGAL, moves

Worths = Callable[[Network, Boards, int], Values]

_GOLDEN = 0x9E3779B97F4A7C15
_PLACES = np.arange(0, 64, 4, dtype=np.uint64)
_NIBBLE, _HALF, _LOW = np.uint64(0xF), np.uint64(32), np.uint64(0xFFFFFFFF)


class Played(NamedTuple):
    scores: NDArray[np.int64]
    highest: NDArray[np.int64]
    """Ranks. A pair of 2**15 has become one of it, for its points."""
    moves: int
    seconds: float
    """Of CPU, spent on choosing."""
    positions: list[int]
    """Every board of the first game."""

    @property
    def mean(self) -> float:
        return float(self.scores.mean())

    @property
    def error(self) -> float:
        """Standard error of the mean."""
        return float(self.scores.std(ddof=1) / np.sqrt(len(self.scores)))

    def share(self, tile: int) -> float:
        """Of games that reached a face value."""
        return float((self.highest >= tile.bit_length() - 1).mean())

    @property
    def milliseconds(self) -> float:
        """A move, of CPU."""
        return 1000 * self.seconds / self.moves


def play(worths: Worths, network: Network, games: int, depth: int, seed: int) -> Played:
    """Play games to their ends; the tiles of two runs of one seed are the same for the same moves."""
    luck = _mixed(np.arange(games, dtype=np.uint64) + np.uint64(seed << 32))
    boards = _spawned(_spawned(np.zeros(games, np.uint64), luck, 0), luck, 1)
    scores = np.zeros(games, np.int64)
    alive = np.arange(games)
    made, seconds, step = 0, 0.0, 2
    positions = []
    while len(alive):
        if alive[0] == 0:
            positions.append(int(boards[0]))
        begun = time.process_time()
        found = worths(network, boards[alive], depth)
        seconds += time.process_time() - begun
        best = found.argmax(axis=0)
        going = found.max(axis=0) != ILLEGAL
        afters, gains = moves(boards[alive])
        every = np.arange(len(alive))
        scores[alive] += np.where(going, gains[best, every], 0)
        boards[alive[going]] = _spawned(afters[best, every][going], luck[alive[going]], step)
        alive = alive[going]
        made += len(alive)
        step += 1
    highest = ((boards[:, None] >> _PLACES) & _NIBBLE).max(axis=1).astype(np.int64)
    return Played(scores, highest, made, seconds, positions)


def _spawned(boards: Boards, luck: Boards, step: int) -> Boards:
    numbers = _mixed(luck + np.uint64(step * _GOLDEN % 2**64))
    empty = (boards[:, None] >> _PLACES) & _NIBBLE == 0
    chosen = ((numbers >> _HALF) * empty.sum(axis=1).astype(np.uint64)) >> _HALF
    cells = (np.cumsum(empty, axis=1) == chosen[:, None].astype(np.int64) + 1).argmax(axis=1)
    ranks = np.where((numbers & _LOW) % np.uint64(10) == 0, 2, 1).astype(np.uint64)
    spawned: Boards = boards | ranks << _PLACES[cells]
    return spawned


def _mixed(bits: Boards) -> Boards:
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))
