"""Hands on the terminal game."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from textual.pilot import Pilot

from tests.engine.table import NOON, SEED
from tests.service import Hand
from twofold_cli.looks.view import View
from twofold_cli.tables.here import Here
from twofold_cli.tables.table import Table
from twofold_cli.tables.wishes import Wish
from twofold_cli.tui.play import Play

SMALL = (80, 24)
BLINK = 0.02


class Hands:
    """Somebody at the keys."""

    def __init__(self, app: Play, table: Table, pilot: Pilot[None]) -> None:
        self.app, self.table, self.pilot = app, table, pilot

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.pilot.press(key)
            await self.pilot.pause()

    async def until(self, holds: Callable[[], object], within: float = 20.0) -> None:
        for _ in range(round(within / BLINK)):
            if holds():
                return
            await self.pilot.pause(BLINK)
        raise AssertionError(f"it did not come to pass; on the screen: {self.panel}")

    @property
    def view(self) -> View:
        view = self.table.look()
        assert view is not None
        return view

    @property
    def panel(self) -> str:
        """What the panel says, as text."""
        return str(self.app.panel.render())

    @property
    def shown(self) -> str:
        """What the board looks like, as text."""
        return str(self.app.board.render())


@asynccontextmanager
async def playing(
    table: Table, wish: Wish | None = None, size: tuple[int, int] = SMALL, **options
) -> AsyncIterator[Hands]:
    app = Play(table, wish or Wish(), **options)
    async with app.run_test(size=size) as pilot:
        hands = Hands(app, table, pilot)
        await hands.until(lambda: app.failed or app.board.board)
        yield hands


def at_home(hand: Hand | None = None) -> Here:
    """A table on this machine: the seed is SEED, time is moved by hand."""
    return Here(hand or Hand(NOON), lambda size: SEED[:size])
