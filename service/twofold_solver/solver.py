"""What a position is worth, direction by direction: the solver as others use it.

    solver = Solver.opened()
    solver.advise(4, cells, depth=3).best

Nothing is loaded before `opened`, and importing this needs NumPy only.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from twofold.board import MAX_SIZE, MIN_SIZE, Direction
from twofold_solver import boards as given
from twofold_solver import heuristic, search, shared
from twofold_solver.network import UNIT, Network, Values
from twofold_solver.packed import Boards
from twofold_solver.weights import SHIPPED, WeightsFile

MIN_DEPTH, MAX_DEPTH = 1, search.MAX_DEPTH
TRAINED_SIZE = 4

Search = Callable[[Network, Boards, int], Values]


class Advice(NamedTuple):
    """A position's directions, and how they were looked at."""

    worths: dict[Direction, float]
    """Of each legal direction: its points and those expected after it. On boards of other sizes than 4 × 4 they are no
    points but a judgement (see `heuristic`), good for comparing directions of one position only."""
    depth: int
    """Moves looked at; fewer than asked for on boards of other sizes than 4 × 4."""
    trained: bool
    """Whether the worths are expected points."""

    @property
    def best(self) -> Direction | None:
        """The direction worth most, of equals the first of up, down, left, right; None where none is legal."""
        return max(self.worths, key=self.worths.__getitem__, default=None)


class Solver:
    """Full-width expectimax over the trained network for 4 × 4, a simpler search for other sizes; safe in threads."""

    def __init__(self, network: Network, worths: Search = search.worths) -> None:
        self.network = network
        self._worths = worths

    @classmethod
    def opened(cls, path: Path = SHIPPED, cache: Path | None = None, worths: Search = search.worths) -> "Solver":
        """The solver of a file of weights; the memory they take is shared with other processes (see `shared`).

        `twofold_solver.compiled.search.worths` is the same search compiled, with the extra `train`. Raises
        WeightsRefused where the file is missing, damaged or of another format.
        """
        return cls(shared.network(WeightsFile.opened(path), cache), worths)

    def advise(self, size: int, cells: bytes, depth: int) -> Advice:
        """What each direction of a board of cells (see `twofold.board`) is worth.

        Raises ValueError unless size is 3 to 8, there are size**2 cells and the depth is 1 to 4.
        """
        return self.advise_all(size, [cells], depth)[0]

    def advise_all(self, size: int, boards: Iterable[bytes], depth: int) -> list[Advice]:
        """The same for many positions at once, which takes a fraction of the time."""
        positions = list(boards)
        _check(size, positions, depth)
        if size == TRAINED_SIZE:
            return self._trained(positions, depth)
        return _judged(size, positions, min(depth, heuristic.MAX_DEPTH))

    def _trained(self, positions: list[bytes], depth: int) -> list[Advice]:
        found = self._worths(self.network, given.packed(positions), depth)
        return [
            Advice(
                {
                    way: int(worth) / UNIT
                    for way, worth in zip(Direction, of_board, strict=True)
                    if worth != search.ILLEGAL
                },
                depth,
                True,
            )
            for of_board in found.T
        ]


def _judged(size: int, positions: list[bytes], depth: int) -> list[Advice]:
    ranks = np.frombuffer(b"".join(positions), np.uint8).reshape(-1, size, size)
    advice = []
    for rank in ranks:
        found = heuristic.worths(rank[None], depth)[:, 0]
        ways = zip(Direction, found, strict=True)
        advice.append(Advice({way: float(worth) for way, worth in ways if worth != heuristic.ILLEGAL}, depth, False))
    return advice


def _check(size: int, positions: list[bytes], depth: int) -> None:
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise ValueError(f"size: a board has {MIN_SIZE} to {MAX_SIZE} rows, not {size}")
    if not MIN_DEPTH <= depth <= MAX_DEPTH:
        raise ValueError(f"depth: {MIN_DEPTH} to {MAX_DEPTH} moves are looked at, not {depth}")
    for cells in positions:
        if len(cells) != size * size:
            raise ValueError(f"cells: a board of {size} rows has {size * size} cells, not {len(cells)}")
