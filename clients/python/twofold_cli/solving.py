"""The solver of this machine, with the extra `solver`; where there is none, one line says why."""

from typing import TYPE_CHECKING, Annotated

import typer

from twofold_cli.failing import extra, fail

if TYPE_CHECKING:
    from twofold_solver.solver import Solver

Depth = Annotated[int, typer.Option(min=1, max=4, help="Moves that the solver looks ahead.")]


def solver() -> "Solver":
    package = extra("twofold_solver.solver", "solver")
    try:
        opened: Solver = package.Solver.opened()
    except extra("twofold_solver.errors", "solver").WeightsRefused as refused:
        fail(str(refused))
    return opened
