"""Presence: whether a player whose last connection here has gone still has one on another process."""

import asyncio
from collections.abc import Callable

from twofold_service.usecases.live import Live

ANSWER_WITHIN = 0.3


class Presence:
    """Asks the other processes, and answers them; nothing is kept between two questions.

    `ask` and `answer` send a game's id to all others, `are_there` says whether there are any that can be reached: where
    not, nobody attends, for a pause too many costs the player a key, and one too few costs time.
    """

    def __init__(
        self, live: Live, ask: Callable[[str], None], answer: Callable[[str], None], are_there: Callable[[], bool]
    ) -> None:
        self._live = live
        self._ask = ask
        self._answer = answer
        self._are_there = are_there
        self._asked: dict[str, int] = {}

    def left(self, game: str, at: int) -> None:
        """The last connection here that attended a game went at an instant: paused as of then, unless others attend."""
        if not self._are_there():
            self._live.pause_left(game, at)
            return
        self._asked[game] = at
        self._ask(game)
        asyncio.get_running_loop().call_later(ANSWER_WITHIN, self._not_answered, game, at)

    def asked(self, game: str) -> None:
        """Another process asks who attends a game."""
        if self._live.is_attended(game):
            self._answer(game)

    def answered(self, game: str) -> None:
        """Another process attends the game."""
        self._asked.pop(game, None)

    async def settled(self) -> None:
        """Return when what is asked now has been answered, or will not be."""
        if self._asked:
            await asyncio.sleep(ANSWER_WITHIN)

    def _not_answered(self, game: str, at: int) -> None:
        if self._asked.get(game) != at:  # answered, or asked again since
            return
        del self._asked[game]
        if not self._live.is_attended(game):
            self._live.pause_left(game, at)
