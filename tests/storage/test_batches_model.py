"""Batches against a model: whatever fails or is killed, storage tells what was acknowledged, once and in order."""

import asyncio
import random
import shutil
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event as events
from sqlalchemy.exc import OperationalError

from tests.engine.table import DOWN, LAST_GAP, LEFT, RIGHT, TWO_HALVES, UP, Table
from tests.storage.shelf import Shelf, append_of, bare, beside, settle, told
from twofold.clock import SECOND
from twofold.errors import Refusal
from twofold.game import Event, EventType
from twofold_service.errors import StorageUnavailable
from twofold_service.storage.database import Database
from twofold_service.storage.writer import Bare
from twofold_service.usecases import logs
from twofold_service.usecases.ports import KeyConflict, VersionConflict
from twofold_service.usecases.values import Player, StoredGame, UsedKey

STEPS = 150
MODES = ("classic", "practice", "moves100", "daily", "sprint")


class Storage:
    """Storage of one process after the other, on files that are now and then what a crash leaves."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self._folder, self._chance, self._numbers = folder, chance, count(1)
        self._file = folder / "0.db"
        self._fails_in: int | None = None

    async def open(self, now: int) -> None:
        self.database = Database(f"sqlite:///{self._file}", 20)
        self.database.hold()
        self.database.migrate()
        events.listen(self.database.writing, "connect", self._listen)
        self.shelf = Shelf(self.database, f"process{next(self._numbers)}")
        self.shelf.now = now
        await self.shelf.__aenter__()

    async def close(self) -> None:
        await self.shelf.__aexit__(None, None, None)
        self.database.close()

    async def restart(self) -> None:
        await self.close()
        await self.open(self.shelf.now)

    async def crash(self) -> None:
        """The next process finds the files as they are in the midst of this one's life."""
        next_file = self._folder / f"{next(self._numbers)}.db"
        for ending in ("", "-wal"):
            with suppress(FileNotFoundError):
                shutil.copy(f"{self._file}{ending}", f"{next_file}{ending}")
        await self.close()
        self._file = next_file
        await self.open(self.shelf.now)

    @contextmanager
    def failing(self) -> Iterator[None]:
        """Some statement of the process is broken off, or its commit fails, made or not."""
        kind = self._chance.choice(["statement", "before", "after", "locked"])
        commit = Bare.commit

        def fail(transaction: Bare) -> None:
            if kind == "after":
                commit(transaction)
            raise OperationalError("COMMIT", None, OSError("disk I/O error"))

        with pytest.MonkeyPatch.context() as broken, beside(self.database) as other:
            if kind == "statement":
                self._fails_in = self._chance.randrange(120)
            elif kind == "locked":
                locking = other.writing.connect()
                locking.begin()
            else:
                broken.setattr(Bare, "commit", fail)
            yield
            if kind == "locked":
                locking.close()
        self._fails_in = None

    def _listen(self, connection: Any, _: Any) -> None:
        connection.set_progress_handler(self._goes_wrong, 1)

    def _goes_wrong(self) -> bool:
        if self._fails_in is None:
            return False
        self._fails_in -= 1
        return self._fails_in < 0


class Played:
    """A game, and the events of it that were acknowledged."""

    def __init__(self, stored: StoredGame, table: Table) -> None:
        self.stored, self.table = stored, table

    @property
    def last(self) -> Event:
        return self.table.events[-1]


class Model:
    """Does what players and the service do, and knows what must have come of it."""

    def __init__(self, storage: Storage, chance: random.Random) -> None:
        self.storage, self.chance = storage, chance
        self.players: list[Player] = []
        self.games: list[Played] = []
        self.keys: dict[tuple[int, str], UsedKey] = {}

    @property
    def shelf(self) -> Shelf:
        return self.storage.shelf

    async def step(self) -> None:
        kinds: dict[Callable[[], Awaitable[object]], int] = {
            self.play: 100,
            self.play_stale: 20,
            self.begin: 3,
            self.replace: 10,
            self.look: 12,
            self.fail: 10,
            self.use_a_key_again: 2,
            self.leave: 1,
            self.storage.restart: 1,
            self.storage.crash: 2,
        }
        self.shelf.now += self.chance.choice([0, 1000, SECOND // 50, SECOND // 3, 2 * SECOND])
        await self.chance.choices(list(kinds), list(kinds.values()))[0]()

    async def begin(self) -> None:
        if not self.players or self.chance.random() < 0.3:
            self.players.append(await self.shelf.player())
        await self._create(self.chance.choice(self.players))

    async def replace(self) -> None:
        """A new game ends another."""
        ended = self._open_game()
        if ended is None:
            return
        over = ended.last.game.abandon(self.shelf.now)
        await self._create(ended.stored.header.player, [append_of(ended.stored.header, ended.last.game, over)])
        ended.table.events.append(over)
        await self._play_as_of(ended, 2)

    async def _create(self, player: Player, closing: Any = ()) -> None:
        given = self.chance.choice([None, None, LAST_GAP, TWO_HALVES])
        table = Table("practice" if given else self.chance.choice(MODES), seed=self.chance.randbytes(32), given=given)
        stored = await self.shelf.create(player, table.events[0], table.mode, closing=closing)
        self.games.append(Played(stored, table))

    async def play(self) -> None:
        """Commands on some games at once."""
        wanted = {
            id(game): game for game in (self._open_game() for _ in range(self.chance.choice([1, 1, 1, 4]))) if game
        }
        commands = [(game, event) for game in wanted.values() if (event := self._command(game)) is not None]
        outcomes = await asyncio.gather(*[self._append(*command) for command in commands], return_exceptions=True)
        for (game, event), outcome in zip(commands, outcomes, strict=True):
            if outcome is None:
                game.table.events.append(event)
            elif isinstance(outcome, StorageUnavailable):
                await self._settle(game, event)
            else:
                raise AssertionError(outcome)

    async def play_stale(self) -> None:
        await self._play_as_of(self.chance.choice(self.games[-12:]), self.chance.randrange(2, 5))

    async def _play_as_of(self, game: Played, ago: int) -> None:
        """Move in a game as it stood before its last events."""
        before = game.table.events[-min(ago, len(game.table.events))].game
        with suppress(Refusal):
            event = before.move(self.chance.choice([LEFT, RIGHT, UP, DOWN]), self.shelf.now)
            if event is not None and before is not game.last.game:
                with pytest.raises(VersionConflict):
                    await self.shelf.append(game.stored.header, before, event)

    async def use_a_key_again(self) -> None:
        """In one transaction with other games' commands, which have to come of it."""
        game = self._open_game()
        key = next((name for key, name in self.keys if game is not None and key == game.stored.header.key), None)
        event = None if game is None or key is None else self._command(game)
        if game is None or key is None or event is None:
            return
        refused = self._append(game, event, (key, UsedKey("move", "left", None, 1)))
        outcome, _ = await asyncio.gather(refused, self._play_others(game), return_exceptions=True)
        assert isinstance(outcome, KeyConflict)

    async def _play_others(self, but: Played) -> None:
        other = self._open_game()
        event = None if other is None or other is but else self._command(other)
        if other is not None and event is not None:
            await self._append(other, event)
            other.table.events.append(event)

    async def fail(self) -> None:
        with self.storage.failing():
            for _ in range(3):
                await self.play()
                await self.look()

    async def leave(self) -> None:
        """A player goes, and the rows of theirs later."""
        if len(self.players) < 2:
            return
        gone = self.players.pop(self.chance.randrange(len(self.players)))
        await self.shelf.players.delete(gone.key, self.shelf.now)
        self.games = [game for game in self.games if game.stored.header.player.key != gone.key]
        keys = {game.stored.header.key for game in self.games}  # those of others may be given again
        self.keys = {use: used for use, used in self.keys.items() if use[0] in keys}
        while self.chance.random() < 0.8 and await self.shelf.players.sweep(0, 100):
            pass

    async def look(self) -> None:
        for game in self.chance.sample(self.games, min(2, len(self.games))):
            await self.assert_stands(game)

    async def assert_stands(self, played: Played) -> None:
        """Every way to read a game tells of the same events."""
        header, game = played.stored.header, played.last.game
        loaded = await self.shelf.games.load(header.id)
        assert loaded is not None
        assert loaded.game == bare(game)
        since = self.chance.randrange(game.version)
        log = [event async for event in logs.events(self.shelf.logs, header.id, since, game.version)]
        assert told(log) == told(played.table.events[since:])
        raw = await self.shelf.logs.raw(header.id)
        assert raw is not None
        assert (raw.game["version"], [event["version"] for event in raw.events]) == (
            game.version,
            list(range(1, game.version + 1)),
        )
        page, _ = await self.shelf.games.page(header.player, None, None, 1, header.key + 1)
        assert [getattr(entry, "game", None) for entry in page] == [bare(game)]
        for (key, name), use in self.keys.items():
            if key == header.key:
                assert await self.shelf.logs.used_key(key, name) == use

    async def assert_all_stand(self) -> None:
        for game in self.games:
            await self.assert_stands(game)

    def _open_game(self) -> Played | None:
        games = [game for game in self.games[-12:] if not game.last.game.final]
        return self.chance.choice(games) if games else None

    def _command(self, played: Played) -> Event | None:
        """What a command makes of a game as it stands, as of now."""
        game, now, chance = played.last.game, self.shelf.now, self.chance
        if (due := game.due(now)) is not None:
            return due
        commands: list[Callable[[], Event | None]] = [
            *[lambda: game.move(chance.choice([LEFT, RIGHT, UP, DOWN]), now)] * 30,
            *[lambda: game.start(now), lambda: game.resume(now), lambda: game.go_on(now)] * 10,
            *[lambda: game.undo(now, self._position_before(played)), lambda: game.pause(now)],
        ]
        for command in chance.sample(commands, len(commands)):
            with suppress(Refusal):
                return command()
        return None

    def _position_before(self, played: Played) -> Any:
        made = played.last.game.position.version
        return played.table.events[made - 2].game.position if made > 1 else None

    async def _append(self, played: Played, event: Event, use: tuple[str, UsedKey] | None = None) -> None:
        header, before = played.stored.header, played.last.game
        name = f"key{event.version}"
        if use is None and event.type is EventType.MOVE and self.chance.random() < 0.1:
            use = (name, UsedKey("move", event.direction.value if event.direction else None, None, event.version))
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.shelf.games.append(append_of(header, before, event, use, settle(done)))
        await done
        if use is not None:
            self.keys[header.key, use[0]] = use[1]

    async def _settle(self, played: Played, event: Event) -> None:
        """Of a command that was refused it may be that it was written."""
        loaded = await self.shelf.games.load(played.stored.header.id)
        assert loaded is not None
        if loaded.game.version == event.version:
            played.table.events.append(event)


@pytest.mark.parametrize("seed", range(4))
async def test_storage_tells_what_was_acknowledged_whatever_happens(tmp_path, seed):
    chance = random.Random(seed)
    storage = Storage(tmp_path, chance)
    now = Table().now
    await storage.open(now)
    model = Model(storage, chance)
    await model.begin()
    for _ in range(STEPS):
        await model.step()
    await model.assert_all_stand()
    await storage.crash()
    await model.assert_all_stand()
    assert storage.shelf.ask("SELECT count(*) FROM batch") == 0
    await storage.close()
