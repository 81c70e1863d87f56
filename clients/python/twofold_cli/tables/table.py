"""Where a game is played: what the terminal game needs of this machine, and of a service alike."""

from enum import StrEnum
from typing import Any, Protocol

from twofold.board import Direction
from twofold_cli.looks.view import View
from twofold_cli.tables.wishes import Wish


class Command(StrEnum):
    """What can be said to a game; `move` comes with a direction."""

    START = "start"
    MOVE = "move"
    UNDO = "undo"
    PAUSE = "pause"
    RESUME = "resume"
    CONTINUE = "continue"
    ABANDON = "abandon"


class Refused(Exception):
    """What was wanted is not to be had; one line says why. `unheard`: as no service gave a usable answer."""

    def __init__(self, line: str, *, unheard: bool = False) -> None:
        super().__init__(line)
        self.unheard = unheard


class Table(Protocol):
    """A place to play one game after another; whatever is refused is Refused."""

    place: str
    """Named to the player."""

    keeps: bool
    """Whether games are still there when one comes back."""

    @property
    def way_back(self) -> str:
        """The command that comes back to the game; empty where none does."""

    @property
    def trouble(self) -> str:
        """What stands in the way of playing at present, in one line."""

    def look(self) -> View | None:
        """The game as it stands now; None before the first."""

    async def open(self) -> None: ...

    async def begin(self, wish: Wish) -> str:
        """Another game; what there is to say of it."""

    async def do(self, command: Command, direction: Direction | None = None) -> None: ...

    async def record(self) -> dict[str, Any]:
        """The game as a document."""

    async def close(self) -> None: ...
