"""The lookout: finds in storage what other processes have done and no message told."""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TypeVar

from twofold_service.errors import ServiceError
from twofold_service.usecases.following import Following
from twofold_service.usecases.live import Live
from twofold_service.usecases.ports import GameStore, Now, PlayerStore
from twofold_service.usecases.rooms import Rooms

log = logging.getLogger("twofold.lookout")
EVERY = 1.0
STEP = 500
T = TypeVar("T")


class Lookout:
    """Looks every second after what is watched and connected here: versions, players who have gone, ended tokens."""

    def __init__(
        self, live: Live, rooms: Rooms, following: Following, games: GameStore, players: PlayerStore, now: Now
    ) -> None:
        self._live = live
        self._rooms = rooms
        self._following = following
        self._games = games
        self._players = players
        self._now = now
        self._soon = asyncio.Event()

    def look_soon(self) -> None:
        """Messages may have been lost: look now."""
        self._soon.set()

    async def run(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(EVERY):
                    await self._soon.wait()
            self._soon.clear()
            try:
                await self.look()
            except ServiceError as error:
                log.warning("what others have written could not be looked up: %s", error.detail)

    async def look(self) -> None:
        """Look once."""
        for games in _steps(self._live.watched):
            versions = await self._games.versions(games)
            for game in games:
                if game in versions:
                    self._following.heard(game, versions[game])
                elif (owner := self._live.owner(game)) is not None:
                    self._rooms.drop_player(owner)
                    self._live.tell_gone(owner)
        for tokens in _steps(self._live.tokens):
            for token in set(tokens) - await self._players.living(tokens, self._now()):
                self._live.tell_token_ended(token)


def _steps(what: Sequence[T]) -> Iterator[Sequence[T]]:
    return (what[start : start + STEP] for start in range(0, len(what), STEP))
