"""A table on this machine: no service, no network; time and seeds come from outside."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from twofold.board import Direction
from twofold.daily import date_of
from twofold.errors import InvalidOption, Refusal
from twofold.rules import MODES
from twofold.spawn import SEED_BYTES
from twofold_cli.looks.view import View
from twofold_cli.tables.local import LocalGame
from twofold_cli.tables.table import Command, Refused
from twofold_cli.tables.wishes import Wish


class Here:
    place, keeps, way_back, trouble = "this machine", False, "", ""

    def __init__(self, now: Callable[[], int], random: Callable[[int], bytes]) -> None:
        self._now, self._random = now, random
        self._game: LocalGame | None = None
        self._bests: dict[str | None, int] = {}
        self._attempts: Counter[str] = Counter()

    def look(self) -> View | None:
        if self._game is None:
            return None
        now = self._now()
        self._game.tick(now)
        return self._game.view(now, self._bests.get(_category(self._game.wish), 0))

    async def open(self) -> None:
        pass

    async def begin(self, wish: Wish) -> str:
        now = self._now()
        attempt = None
        if wish.mode == "daily":
            attempt = self._attempts[date_of(now)] + 1
        try:
            game = LocalGame(wish, self._random(SEED_BYTES), now, f"local-{self._random(6).hex()}", attempt)
        except InvalidOption as error:
            raise Refused(f"{error.field}: {error}") from error
        if attempt is not None:
            self._attempts[date_of(now)] = attempt
        if self._game is not None:
            category, peak = _category(self._game.wish), self._game.game.peak_score
            self._bests[category] = max(peak, self._bests.get(category, 0))
        self._game = game
        return "The date's offline puzzle, not a service's" if wish.mode == "daily" else ""

    async def do(self, command: Command, direction: Direction | None = None) -> None:
        try:
            self._playing().do(command, self._now(), direction)
        except Refusal as refusal:
            raise Refused(str(refusal)) from refusal

    async def record(self) -> dict[str, Any]:
        game = self._playing()
        game.tick(self._now())
        return game.record()

    async def close(self) -> None:
        pass

    def _playing(self) -> LocalGame:
        if self._game is None:
            raise Refused("There is no game yet.")
        return self._game


def _category(wish: Wish) -> str | None:
    return MODES[wish.mode].category(wish.rules)
