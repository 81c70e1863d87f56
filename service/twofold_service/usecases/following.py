"""Following: what others have written to games that this process holds, read from the log and told once, in order."""

import asyncio
import logging

from twofold.game import Game
from twofold_service.errors import CorruptGame, NotFound, ServiceError
from twofold_service.usecases.live import Live
from twofold_service.usecases.logs import play_again
from twofold_service.usecases.ports import GameStore, LogStore
from twofold_service.usecases.rooms import Room, Rooms
from twofold_service.usecases.values import Header, Standing, StoredGame, Told

log = logging.getLogger("twofold.following")
STEP = 256
READERS = 2


class Following:
    """Brings rooms up to storage, and tells those who watch here what others have written.

    A room never goes further than its watchers have been told, so that nobody has to look for gaps afterwards.
    """

    def __init__(self, rooms: Rooms, games: GameStore, log_store: LogStore, live: Live) -> None:
        self._rooms = rooms
        self._games = games
        self._logs = log_store
        self._live = live
        self._behind: dict[str, None] = {}
        self._came = asyncio.Event()

    async def current(self, game: str) -> Room:
        """The game's room, no older than what was stored when this was called; NotFound, CorruptGame."""
        fresh = not self._rooms.holds(game)
        room = await self._rooms.open(game)
        if not fresh:
            standing = await self._standing(room)
            if standing.version > room.game.version:
                async with self._rooms.held(game) as room:
                    await self._read_on(room, standing)
        return room

    async def catch_up(self, room: Room) -> None:
        """The same for a room that is kept busy for the caller; NotFound where its player has gone."""
        standing = await self._standing(room)
        if standing.version > room.game.version:
            await self._read_on(room, standing)

    async def tell_missed(self, stored: StoredGame) -> None:
        """Before a game that was just read becomes a room: tell its watchers what they have not been told."""
        known = self._live.known(stored.header.id)
        if known is not None and known.version < stored.game.version:
            await self._play_on(stored.header, known, stored.game.version)

    def heard(self, game: str, version: int) -> None:
        """Another process has written, or may have: whoever watches is told soon, a room nobody watches is let go."""
        known = self._live.known(game)
        if known is not None:
            if known.version < version:
                self._behind[game] = None
                self._came.set()
            return
        room = self._rooms.peek(game)
        if room is not None and room.game.version < version and not (room.busy or room.waiting):
            self._rooms.forget(room)

    async def run(self) -> None:
        """Read on for those who watch, until cancelled."""
        async with asyncio.TaskGroup() as group:
            for _ in range(READERS):
                group.create_task(self._follow())

    async def _follow(self) -> None:
        while True:
            while not self._behind:
                self._came.clear()
                await self._came.wait()
            game = next(iter(self._behind))
            del self._behind[game]
            try:
                async with self._rooms.held(game) as room:
                    await self.catch_up(room)
            except ServiceError as error:  # whoever looks for gaps finds this one again
                log.debug("game %s could not be followed: %s", game, error.code)

    async def _standing(self, room: Room) -> Standing:
        standing = await self._games.standing(room.header.id)
        if standing is None:
            self._rooms.drop(room)
            raise NotFound("There is no game of this id.")
        room.best.score = max(room.best.score, standing.best)
        if standing.assisted:
            room.assist()
        return standing

    async def _read_on(self, room: Room, standing: Standing) -> None:
        try:
            game = await self._play_on(room.header, room.game, standing.version)
        except CorruptGame:
            self._rooms.forget(room)
            raise
        if game is not room.game:
            room.game = game
            room.keeper = standing.keeper
            room.owed_from = 0

    async def _play_on(self, header: Header, game: Game, until: int) -> Game:
        """The game as of a version; those who watch are told of each event on the way."""
        while game.version < until:
            rows = await self._logs.log(header.id, game.version, min(STEP, until - game.version))
            if not rows:
                raise CorruptGame
            for row in rows:
                event = play_again(game, row)
                game = event.game
                self._live.tell(Told(header, event, None))
        return game
