"""A bot on a service: the solver at the public client, over the live connection like anybody else."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from twofold.board import cells_of
from twofold.game import Status
from twofold.rules import Rules
from twofold_client import AsyncClient, GameState, Live, LiveGame, Retry, errors

if TYPE_CHECKING:
    from twofold_solver.solver import Solver

PATIENCE = Retry(deadline=30.0, patience=None)
"""A bot waits for the connection as long as it takes; a single command does not."""
REFUSALS = 20
"""In a row: what a game that went on elsewhere, or is paused meanwhile, refuses is looked at again, within reason."""

Seen = Callable[[int, GameState], object]
"""Is told the number of the game, from 1, and how it stands, after each move and once it is final."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is played, and how many moves the solver looks ahead."""

    mode: str
    rules: Rules
    solver: "Solver"
    level: int


async def play(client: AsyncClient, task: Task, games: int, seen: Seen) -> None:
    """So many games, 0 for one after the other; one that was left open goes on first. Raises TwofoldError."""
    async with client, client.live() as live:
        number = 0
        while not games or number < games:
            number += 1
            game = await _game(client, live, task)
            await game.watch()
            await _play(game, task, partial(seen, number))
            await game.unwatch()


async def _game(client: AsyncClient, live: Live, task: Task) -> LiveGame:
    """The newest open game of that kind, else a new one."""
    rules = task.rules
    async for state in client.games(task.mode, "open"):
        if isinstance(state, GameState) and (state.size, state.undo.limit) == (rules.size, rules.undo_limit):
            return live.game(state)
    return live.game(await client.new_game(task.mode, size=rules.size, undo_limit=rules.undo_limit))


async def _play(game: LiveGame, task: Task, seen: Callable[[GameState], object]) -> None:
    refused = 0
    while True:
        try:
            await _step(game, task)
            refused = 0
        except (errors.Refused, errors.StaleVersion):
            refused += 1
            if refused == REFUSALS:
                raise
        seen(game.state)
        if game.state.final:
            return


async def _step(game: LiveGame, task: Task) -> None:
    state = game.state
    match state.status:
        case Status.READY:
            await game.start()
        case Status.PAUSED:
            await game.resume()
        case Status.WON:
            await game.continue_()
        case Status.OVER:  # what it will not undo it gives up, so that the game shows its seed and can be analysed
            await game.abandon()
        case _:
            size, cells = cells_of(state.board)
            advice = await asyncio.to_thread(task.solver.advise, size, cells, task.level)
            await game.move(state.legal_moves[0] if advice.best is None else advice.best)
