"""Pictures of games: what they show, drawn beside the event loop, and kept by version."""

import asyncio
from collections import OrderedDict
from typing import Literal, NamedTuple

from twofold.board import Direction
from twofold.game import Game
from twofold.spawn import Spawn
from twofold_service.errors import CorruptGame, NotFound
from twofold_service.pictures import film, raster, svg
from twofold_service.pictures.layout import Scene
from twofold_service.usecases import logs
from twofold_service.usecases.lines import Lines
from twofold_service.usecases.ports import Desk, LogStore, Now
from twofold_service.usecases.reading import Reading
from twofold_service.usecases.values import Header, Player

Kind = Literal["board.svg", "board.png", "replay.gif"]
Key = tuple[Kind, str, int]
KEPT_BYTES = 32 * 1024 * 1024
DRAWING = 1
"""Changes when pictures look otherwise, so that nobody goes on showing the old ones."""


class Sight(NamedTuple):
    """A game as it stands, and the version a picture is asked of; `public` where everybody may see that."""

    header: Header
    game: Game
    version: int
    public: bool

    @property
    def tag(self) -> str:
        """The same for the same picture of a kind."""
        return f"{self.version}-{DRAWING}"


class Pictures:
    """Draws games for those who may see them. Nothing here writes."""

    def __init__(self, reading: Reading, log_store: LogStore, desk: Desk, now: Now) -> None:
        self._reading = reading
        self._logs = log_store
        self._desk = desk
        self._now = now
        self._kept = Kept(KEPT_BYTES)
        self._lines = Lines("Pictures")
        self._drawing: dict[Key, asyncio.Future[bytes]] = {}

    async def look(self, game: str, viewer: Player | None, version: int | None) -> Sight:
        """What is to be drawn, by default the game as it stands; NotFound for a version it has not reached."""
        room = await self._reading.room(game, viewer)
        header, state = room.header, room.game
        if version is not None and version > state.version:
            raise NotFound(f"The game has no version {version} yet; it stands at {state.version}.")
        sealed = header.reveals_at is not None and self._now() < header.reveals_at
        return Sight(header, state, version or state.version, not (header.private or sealed))

    async def draw(self, kind: Kind, sight: Sight, address: str) -> bytes:
        """The picture. Who asks for one that is being drawn gets the same; Busy, CorruptGame."""
        key = (kind, sight.header.id, sight.version)
        kept = self._kept.get(key)
        if kept is not None:
            return kept
        drawing = self._drawing.get(key)
        if drawing is None:
            drawing = self._drawing[key] = asyncio.ensure_future(self._drawn(kind, sight, address))
            drawing.add_done_callback(lambda _: self._drawing.pop(key, None))
        picture = await asyncio.shield(drawing)
        self._kept.keep(key, picture)
        return picture

    async def _drawn(self, kind: Kind, sight: Sight, address: str) -> bytes:
        header, state = sight.header, sight.game
        if state.version != sight.version:
            state = await logs.as_of(self._logs, header.id, sight.version)
        seen = scene(header, state)
        if kind == "board.svg":
            return svg.svg(seen)
        async with self._lines.turn(address):
            picture: bytes | None
            if kind == "board.png":
                picture = await self._desk.do(address, raster.png, seen)
            else:
                start, path = await logs.path(self._logs, header.id, sight.version, _packed)
                picture = await self._desk.do(address, film.gif, seen, start.position.cells, path)
        if picture is None:
            raise CorruptGame
        return picture


class Kept:
    """The pictures last asked for, up to so many bytes."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._size = 0
        self._pictures: OrderedDict[Key, bytes] = OrderedDict()

    def get(self, key: Key) -> bytes | None:
        picture = self._pictures.get(key)
        if picture is not None:
            self._pictures.move_to_end(key)
        return picture

    def keep(self, key: Key, picture: bytes) -> None:
        if key in self._pictures:
            return
        self._pictures[key] = picture
        self._size += len(picture)
        while self._size > self._limit:
            self._size -= len(self._pictures.popitem(last=False)[1])


def scene(header: Header, game: Game) -> Scene:
    """A game's position as pictures show it."""
    position = game.position
    return Scene(header.mode, header.date, game.rules.size, position.cells, position.score, position.moves)


def _packed(_: int, direction: Direction, spawn: Spawn) -> bytes:
    return film.step(direction, spawn)
