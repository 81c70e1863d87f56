"""Stand-ins for the ports of one process, for what a real store does too seldom: fail, overtake, keep one waiting."""

import asyncio
from collections.abc import Callable
from typing import Any, cast

from tests.service import NOON, Hand
from twofold.board import Direction
from twofold.game import Event, Game, create
from twofold.record import entry_of
from twofold.rules import MODES
from twofold.spawn import commitment
from twofold_service.usecases.play import Play
from twofold_service.usecases.ports import Append, KeyConflict, VersionConflict
from twofold_service.usecases.rooms import Rooms
from twofold_service.usecases.turns import Turns
from twofold_service.usecases.values import Command, Header, LogRow, Played, Player, StoredGame, Told, UsedKey

ADA = Player(1, "ada", "Ada")
SEED = bytes(range(32))


class Shelf:
    """A store of games in memory: both GameStore and LogStore as far as commands need them."""

    def __init__(self) -> None:
        self.headers: dict[str, Header] = {}
        self.events: dict[str, list[Event]] = {}
        self.keys: dict[tuple[int, str], UsedKey] = {}
        self.keeper = "me"
        self.waiting: list[Append] | None = None
        self.failing_reads: list[Exception] = []
        self.failing_writes: list[Exception] = []
        self.loads = 0

    def put(self, mode: str = "practice", *, at: int = NOON, given: bytes | None = None, size: int = 4) -> Header:
        """A game of Ada's."""
        game = f"game{len(self.headers)}"
        event = create(MODES[mode].rules(size), SEED, at, given=given)
        header = Header(
            key=len(self.headers),
            id=game,
            player=ADA,
            mode=mode,
            category=None,
            private=False,
            date=None,
            attempt=None,
            reveals_at=None,
            commitment=commitment(SEED).hex(),
            created_at=at,
        )
        self.headers[game], self.events[game] = header, [event]
        return header

    def game(self, header: Header) -> Game:
        return self.events[header.id][-1].game

    # GameStore

    def append(self, item: Append) -> None:
        if self.waiting is not None:
            self.waiting.append(item)
        else:
            asyncio.get_running_loop().call_soon(self._write, item)

    def let_go(self) -> None:
        """Write what was kept waiting."""
        waiting, self.waiting = self.waiting or [], None
        for item in waiting:
            self.append(item)

    async def load(self, game: str) -> StoredGame | None:
        self.loads += 1
        self._read()
        header = self.headers.get(game)
        if header is None:
            return None
        state = self.game(header)._replace(history=())
        return StoredGame(header, state, state.peak_score, self.keeper)

    # LogStore

    async def log(self, game: str, after: int, limit: int) -> list[LogRow]:
        self._read()
        return [
            LogRow(event.version, entry_of(event)._replace(active=0), event.game.at, event.game.position)
            for event in self.events[game][after : after + limit]
        ]

    async def frame(self, game: str, version: int) -> Game:
        self._read()
        return self.events[game][0].game

    async def used_key(self, game: int, name: str) -> UsedKey | None:
        self._read()
        return self.keys.get((game, name))

    def _write(self, item: Append) -> None:
        try:
            if self.failing_writes:
                raise self.failing_writes.pop(0)
            log = self.events[item.header.id]
            if item.event is not None and item.event.version != log[-1].version + 1:
                raise VersionConflict
            if item.key is not None:
                name, used = item.key
                if (item.header.key, name) in self.keys:
                    raise KeyConflict
                self.keys[item.header.key, name] = used
            if item.event is not None:
                log.append(item.event)
        except Exception as error:
            item.done(error)
        else:
            item.done(None)

    def _read(self) -> None:
        if self.failing_reads:
            raise self.failing_reads.pop(0)


class Crier:
    """A bus that keeps what it was told."""

    def __init__(self) -> None:
        self.told: list[Told] = []

    def tell(self, told: Told) -> None:
        self.told.append(told)

    def tell_renamed(self, player: Player) -> None:
        raise NotImplementedError

    def tell_gone(self, player: int) -> None:
        raise NotImplementedError

    def tell_token_ended(self, token: int) -> None:
        raise NotImplementedError


class Stage:
    """Play and Rooms on a shelf; a command's answers are kept in the order they come."""

    def __init__(self, rooms: int = 100) -> None:
        self.now = Hand()
        self.shelf = Shelf()
        store = cast(Any, self.shelf)  # both stores, as far as commands need them
        self.crier = Crier()
        self.rooms = Rooms(store, self.now, rooms)
        self.play = Play(Turns(self.rooms, store, store, self.crier, self.now, "me"))
        self.answers: list[Played | Exception] = []

    def ask(self, header: Header, op: str, **details: Any) -> None:
        """A command whose answer will be among `answers`."""
        self.play.play(self._command(header, op, details), self.answers.append)

    async def do(self, header: Header, op: str, **details: Any) -> Played:
        return await self.play.played(self._command(header, op, details))

    async def move(self, header: Header, *, way: Direction | None = None, **details: Any) -> Played:
        direction = way or self.shelf.game(header).legal_moves[0]
        return await self.do(header, "move", direction=direction, **details)

    async def until(self, true: Callable[[], object]) -> None:
        """Let everybody have their turns until something is true."""
        for _ in range(1000):
            if true():
                return
            await asyncio.sleep(0)
        raise AssertionError("it never came true")

    def _command(self, header: Header, op: str, details: dict[str, Any]) -> Command:
        return Command(op, header.id, **{"at": self.now(), "player": header.player, **details})
