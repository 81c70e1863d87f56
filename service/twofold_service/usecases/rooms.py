"""Rooms: the games held in memory, each taking one command at a time, in the order they came."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import islice
from typing import Any, NoReturn
from weakref import WeakValueDictionary

from twofold.game import Game
from twofold_service.errors import Forbidden, NotFound
from twofold_service.usecases.ports import GameStore
from twofold_service.usecases.values import GameView, Header, Player, StoredGame

LONGEST_ID = 64


class Best:
    """A player's best score in a category, shared by the rooms of that category."""

    __slots__ = ("__weakref__", "score")

    def __init__(self, score: int) -> None:
        self.score = score


class Room:
    """A game, who waits for it, and whether something is being written for it.

    `keeper` is the process that wrote the last event as storage has it; `touched` is the arrival of the last no-op;
    `named_at` is when the player's name was last looked up; before `owed_from` the server owes the game nothing.
    """

    __slots__ = (
        "best",
        "busy",
        "game",
        "gone",
        "header",
        "keeper",
        "named_at",
        "owed_from",
        "timed",
        "touched",
        "waiting",
    )

    def __init__(self, header: Header, game: Game, best: Best, keeper: str, now: int) -> None:
        self.header = header
        self.game = game
        self.best = best
        self.keeper = keeper
        self.busy = False
        self.gone = False
        self.owed_from = 0
        self.timed = False
        self.touched = 0
        self.named_at = now
        self.waiting: list[Callable[[], None]] = []  # not a deque: an empty one takes 0.7 KiB

    @property
    def view(self) -> GameView:
        return GameView(self.header, self.game, self.best.score)

    def name_player(self, player: Player, now: int) -> None:
        """Take the player's name as it was just looked up."""
        self.named_at = now
        if self.header.player.name != player.name:
            self.header = replace(self.header, player=player)

    def assist(self) -> None:
        """Know that a hint was given in the game."""
        if not self.header.assisted:
            self.header = replace(self.header, assisted=True)

    def next_turn(self) -> None:
        """Let those who wait have their turns, until one of them keeps the room busy."""
        while self.waiting and not self.busy:
            self.waiting.pop(0)()


class Rooms:
    """Opens rooms from storage, once each, and forgets the longest unused ones that nothing needs.

    `before_adding` is called with a game that was read and is not a room yet. Where there are other processes, running
    games that this one (`process`) does not keep may be forgotten, too: they may be long over.
    """

    def __init__(self, store: GameStore, now: Callable[[], int], limit: int) -> None:
        self._store = store
        self._now = now
        self._limit = limit
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._opening: dict[str, asyncio.Future[Room]] = {}
        self._bests: WeakValueDictionary[tuple[int, str | None], Best] = WeakValueDictionary()
        self.before_adding: Callable[[StoredGame], Coroutine[Any, Any, None]] | None = None
        self.process: str | None = None

    def __len__(self) -> int:
        return len(self._rooms)

    def __iter__(self) -> Iterator[Room]:
        return iter(list(self._rooms.values()))

    def get(self, game: str) -> Room | None:
        room = self._rooms.get(game)
        if room is not None:
            self._rooms.move_to_end(game)
        return room

    def peek(self, game: str) -> Room | None:
        """The room if it is held, without that counting as a use."""
        return self._rooms.get(game)

    def holds(self, game: str) -> bool:
        """Whether the game is in memory, or on its way there."""
        return game in self._rooms or game in self._opening

    async def open(self, game: str) -> Room:
        """The game's room; NotFound, CorruptGame."""
        room = self.get(game)
        if room is not None:
            return room
        opening = self._opening.get(game)
        if opening is None:
            opening = self._opening[game] = asyncio.ensure_future(self._open(game))
            opening.add_done_callback(lambda _: self._opening.pop(game, None))
        return await asyncio.shield(opening)

    async def open_anew(self, game: str) -> Room:
        """The same as storage has it now, whatever memory has."""
        if game in self._rooms:
            async with self.held(game) as room:
                self.forget(room)
        return await self.open(game)

    def add(self, stored: StoredGame) -> Room:
        header, game, best, keeper = stored
        shared = self._bests.setdefault((header.player.key, header.category), Best(best))
        shared.score = max(shared.score, best)
        room = Room(header, game, shared, keeper, self._now())
        self._rooms[header.id] = room
        self._forget_some()
        return room

    def forget(self, room: Room) -> None:
        """Forget a room whose memory may no longer be what storage has; those who wait find the new one."""
        room.gone = True
        if self._rooms.get(room.header.id) is room:
            del self._rooms[room.header.id]

    def drop(self, room: Room) -> None:
        """Forget a room, and let those who wait go to the new one now."""
        self.forget(room)
        room.next_turn()

    def rename_player(self, player: Player) -> None:
        """Show a player's new name in all rooms of their games."""
        for room in self:
            if room.header.player.key == player.key:
                room.name_player(player, self._now())

    def doubt_name(self, player: int) -> None:
        """Have a player's name looked up again before it is shown."""
        for room in self:
            if room.header.player.key == player:
                room.named_at = 0

    def drop_player(self, player: int) -> None:
        """Forget all rooms of a player's games."""
        for room in self:
            if room.header.player.key == player:
                self.drop(room)

    @asynccontextmanager
    async def held(self, game: str) -> AsyncIterator[Room]:
        """The room, busy for the caller alone."""
        while True:
            room = await self.open(game)
            await _take(room)
            if not room.gone:
                break
            _release(room)
        try:
            yield room
        finally:
            _release(room)

    async def _open(self, game: str) -> Room:
        is_id = len(game) <= LONGEST_ID and game.isascii() and game.isalnum()
        stored = await self._store.load(game) if is_id else None
        if stored is None:
            raise NotFound("There is no game of this id.")
        if self.before_adding is not None:
            await self.before_adding(stored)
        return self.add(stored)

    def _forget_some(self) -> None:
        surplus = len(self._rooms) - self._limit
        if surplus <= 0:
            return
        older = min(surplus * 2, len(self._rooms) - 1)  # never the newest: somebody is waiting for it
        for game, room in list(islice(self._rooms.items(), older)):
            runs_here = room.game.clock.running and self.process in (None, room.keeper)
            if not room.busy and not room.waiting and not runs_here:
                del self._rooms[game]
                room.gone = True


def check_owner(header: Header, caller: Player) -> None:
    """Refuse whoever is not the game's player: NotFound where they may not even know of it, else Forbidden."""
    if header.player.key != caller.key:
        refuse_other(header)


def refuse_other(header: Header) -> NoReturn:
    """The refusal of somebody who is not the game's player."""
    raise NotFound("There is no game of this id.") if header.private else Forbidden()


async def _take(room: Room) -> None:
    if not room.busy:
        room.busy = True
        return
    turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def mine() -> None:
        if not turn.done():
            room.busy = True
            turn.set_result(None)

    room.waiting.append(mine)
    try:
        await turn
    except asyncio.CancelledError:
        if turn.done() and not turn.cancelled():
            _release(room)
        raise


def _release(room: Room) -> None:
    room.busy = False
    room.next_turn()
