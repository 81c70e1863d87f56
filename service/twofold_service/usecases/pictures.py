"""Pictures of games: what they show, drawn beside the event loop, and kept by version."""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal, NamedTuple

from twofold.board import MAX_SIZE
from twofold.game import EventType, Game
from twofold_service.errors import Busy, CorruptGame, NotFound
from twofold_service.pictures import film, raster, svg
from twofold_service.pictures.layout import Scene
from twofold_service.usecases import logs
from twofold_service.usecases.ports import Desk, LogStore, Now
from twofold_service.usecases.reading import Reading
from twofold_service.usecases.values import Header, LogRow, Player

Kind = Literal["board.svg", "board.png", "replay.gif"]
Key = tuple[Kind, str, int]
KEPT_BYTES = 32 * 1024 * 1024
STEP = 128
LONGEST_LINE = 8
MOST_WAITING = 64
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
        self._turns = Turns()
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
        async with self._turns.turn(address):
            picture: bytes | None
            if kind == "board.png":
                picture = await self._desk.do(address, raster.png, seen)
            else:
                picture = await self._desk.do(address, film.gif, seen, *await self._path(header.id, sight.version))
        if picture is None:
            raise CorruptGame
        return picture

    async def _path(self, game: str, version: int) -> tuple[bytes, bytes]:
        """The first cells, and the moves up to a version that were not taken back, packed."""
        start = await self._logs.frame(game, 1)
        path, reached = bytearray(), 1
        while reached < version:
            rows = await self._logs.log(game, reached, min(STEP, version - reached))
            if not rows:
                raise CorruptGame
            for row in rows:
                _follow(path, row)
            reached = rows[-1].version
        return start.position.cells, bytes(path)


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


class Turns:
    """One at a time for each address, the others in line behind it: a page may show several pictures."""

    def __init__(self) -> None:
        self._locks: dict[str, asyncio.Lock] = {}
        self._lines: Counter[str] = Counter()

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """Wait for the address's turn; Busy where its line, or all lines together, are too long."""
        if self._lines[address] >= LONGEST_LINE or self._lines.total() >= MOST_WAITING:
            raise Busy("Pictures are queued up; try again in a moment.")
        self._lines[address] += 1
        try:
            async with self._locks.setdefault(address, asyncio.Lock()):
                yield
        finally:
            self._lines[address] -= 1
            if not self._lines[address]:
                del self._lines[address], self._locks[address]


def scene(header: Header, game: Game) -> Scene:
    """A game's position as pictures show it."""
    position = game.position
    return Scene(header.mode, header.date, game.rules.size, position.cells, position.score, position.moves)


def _follow(path: bytearray, row: LogRow) -> None:
    """Lengthen the path by a move, or shorten it by an undo."""
    entry = row.entry
    if entry.type is EventType.UNDO:
        del path[-film.STEP :]
    elif entry.type is EventType.MOVE:
        direction, spawn = entry.direction, entry.spawn
        if direction is None or spawn is None or spawn.value not in (2, 4) or spawn.cell not in range(MAX_SIZE**2):
            raise CorruptGame
        path += film.step(direction, spawn)
