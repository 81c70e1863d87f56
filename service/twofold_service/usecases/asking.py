"""Asking the solver, in its process: what it lacks there is one refusal here."""

import logging
from collections.abc import Awaitable, Callable
from typing import Any

from twofold_service.errors import SolverUnavailable
from twofold_service.usecases.ports import Desk, FollowedDesk
from twofold_solver.errors import WeightsRefused

log = logging.getLogger("twofold.solver")


async def ask(desk: Desk, address: str, call: Callable[..., Any], *arguments: Any) -> Any:
    """The answer of a call of `solving`; Busy, SolverUnavailable."""
    return await _answered(desk.do(address, call, *arguments))


async def follow(
    desk: FollowedDesk, address: str, told: Callable[[float], None], call: Callable[..., Any], *arguments: Any
) -> Any:
    """The same, followed."""
    return await _answered(desk.follow(address, told, call, *arguments))


async def _answered(answer: Awaitable[Any]) -> Any:
    try:
        return await answer
    except (WeightsRefused, ImportError) as error:
        log.error("the solver cannot be opened: %s; `twofold doctor` says how to mend it", error)
        raise SolverUnavailable from error
