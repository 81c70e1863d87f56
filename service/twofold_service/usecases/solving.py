"""What the solver is asked: pure functions for the process beside the event loop, which alone loads it."""

from collections.abc import Callable
from functools import cache
from struct import Struct
from typing import TYPE_CHECKING, Any

import orjson

from twofold.board import Direction, shift
from twofold.game import Position
from twofold.spawn import Spawn
from twofold_service.usecases.values import Hint

if TYPE_CHECKING:
    from twofold_solver.analysis import Turn
    from twofold_solver.solver import Solver

_STEP = Struct("<IBBB")
_DIRECTIONS = tuple(Direction)


def hint(size: int, cells: bytes, depth: int) -> Hint:
    """What each direction of a board is worth, and what is worse about the next best; WeightsRefused."""
    from twofold_solver.reasons import reasons

    advice = solver().advise(size, cells, depth)
    best, *others = sorted(advice.worths, key=lambda way: -advice.worths[way])
    told = [reason.document() for reason in reasons(size, cells, others[0], best)] if others else []
    return Hint(size, advice.depth, advice.trained, best, advice.worths, told)


def analyse(
    told: Callable[[float], None], game: str, size: int, start: Position, steps: bytes, end: Position, depth: int
) -> bytes | None:
    """A game looked over, as JSON; None where its steps do not lead from the start to the end. WeightsRefused."""
    from twofold_solver import analysis

    turns = _turns(size, start, steps, end)
    if turns is None:
        return None
    document: dict[str, Any] = analysis.analyse(solver(), analysis.Path(size, turns), depth, told).document()
    return orjson.dumps({"game": game, "size": size, **document})


def step(version: int, direction: Direction, spawn: Spawn) -> bytes:
    """One move for `analyse`: the version it made, where to, and the tile that appeared."""
    return _STEP.pack(version, _DIRECTIONS.index(direction), spawn.cell, spawn.value >> 1)


def _turns(size: int, start: Position, steps: bytes, end: Position) -> "tuple[Turn, ...] | None":
    from twofold_solver.analysis import Turn

    turns = []
    cells, score, version = start.cells, start.score, 1
    for made, way, cell, rank in _STEP.iter_unpack(steps):
        direction = _DIRECTIONS[way]
        pushed = shift(size, cells, direction)
        if pushed is None or pushed.cells[cell : cell + 1] != b"\0":
            return None
        score += pushed.gain
        turns.append(Turn(cells, version, direction, score))
        cells, version = pushed.cells[:cell] + bytes((rank,)) + pushed.cells[cell + 1 :], made
    return tuple(turns) if (cells, score) == (end.cells, end.score) else None


@cache
def solver() -> "Solver":
    """Opened once a process; a failure is not remembered, so mended weights are found without a new start."""
    from twofold_solver.solver import Solver

    return Solver.opened()
