"""All of storage on one database, as a process puts it together, and games to fill it with."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count, pairwise
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sqlalchemy import Connection, text

from tests.engine.table import NOON, Table
from twofold.daily import date_of, reveals_at
from twofold.game import Event, EventType, Game, Status
from twofold.rules import MODES
from twofold.spawn import commitment
from twofold_service.storage.analyses import StoredAnalyses
from twofold_service.storage.appends import append_all
from twofold_service.storage.database import Database
from twofold_service.storage.days import StoredDays
from twofold_service.storage.games import StoredGames
from twofold_service.storage.journal import Journal
from twofold_service.storage.logs import StoredLogs
from twofold_service.storage.pars import StoredPars
from twofold_service.storage.players import StoredPlayers
from twofold_service.storage.processes import StoredProcesses, register
from twofold_service.storage.readers import Readers
from twofold_service.usecases.ports import Append, NewGame
from twofold_service.usecases.values import Header, Player, StoredGame, UsedKey

_ids = count(1)


class Shelf:
    """What a process has of storage, and its clock, which tests set."""

    def __init__(self, database: Database, process: str | None = None) -> None:
        self.database = database
        self.process = process or f"process{next(_ids)}"
        self.now = NOON
        self.journal = Journal(database, self.process, lambda: self.now)
        self.readers = Readers(database, self.journal)
        self.games = StoredGames(self.readers, self.journal, self.process)
        self.logs = StoredLogs(self.readers)
        self.players = StoredPlayers(self.readers, self.journal)
        self.days = StoredDays(self.readers, self.journal)
        self.processes = StoredProcesses(self.readers, self.journal)
        self.analyses = StoredAnalyses(self.readers, self.journal)
        self.pars = StoredPars(self.readers, self.journal)

    async def __aenter__(self) -> Self:
        register(self.database, self.process, self.now)
        self.journal.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.journal.stop()
        self.readers.close()

    async def player(self, *, bot: bool = False) -> Player:
        number = next(_ids)
        hash = b"%032d" % number
        stored = await self.players.create(f"player{number}", f"Player {number}", hash, self.now, bot=bot)
        return stored.player

    async def create(self, player: Player, created: Event, mode: str = "classic", **more: Any) -> StoredGame:
        """Store a new game; what else NewGame holds may be named."""
        header = new_header(player, created.game, mode)
        closing = more.pop("closing", ())
        new = NewGame(header, created, **{"key": None, "fingerprint": "", "open_limit": None} | more)
        return await self.games.create(new, closing)

    async def keep(self, table: Table, player: Player | None = None) -> StoredGame:
        """Store a game that was played on a table."""
        stored = await self.create(player or await self.player(), table.events[0], table.mode)
        await self.extend(stored, table.events)
        return stored._replace(game=table.game)

    async def extend(self, stored: StoredGame, events: list[Event]) -> None:
        """Store the events of a log that come after the one `stored` stands at, some at a time."""
        events = [event for event in events if event.version >= stored.game.version]
        appends = [append_of(stored.header, before.game, event) for before, event in pairwise(events)]
        for start in range(0, len(appends), 200):
            await self.journal.run(partial(self._append_in_turn, appends=appends[start : start + 200]))

    async def append(
        self, header: Header, before: Game, event: Event | None, key: tuple[str, UsedKey] | None = None
    ) -> None:
        """Append as a command does, and return once it is answered."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.games.append(append_of(header, before, event, key, settle(done)))
        await done

    def _append_in_turn(self, connection: Connection, appends: list[Append]) -> None:
        for append in appends:  # a batch has one event of a game
            append_all(connection, [append], self.process)

    def ask(self, question: str, **values: Any) -> Any:
        """The one value that SQL answers with."""
        with self.database.reading.connect() as connection:
            return connection.execute(text(question), values).scalar()

    def change(self, statement: str, **values: Any) -> None:
        """Write past the store, whose journal holds the one connection that writes."""
        with beside(self.database) as database, database.writing.begin() as connection:
            connection.execute(text(statement), values)


@contextmanager
def beside(database: Database) -> Iterator[Database]:
    """The same database as another process has it."""
    other = Database(database.url.render_as_string(hide_password=False), 3000)
    try:
        yield other
    finally:
        other.close()


def opened(path: Path, *, held: bool = True, timeout_ms: int = 3000) -> Database:
    """A migrated SQLite database; `held` as `serve` has it, so that no other process can write there."""
    database = Database(f"sqlite:///{path}", timeout_ms)
    if held:
        database.hold()
    database.migrate()
    return database


def new_header(player: Player, game: Game, mode: str) -> Header:
    date = date_of(game.at) if mode == "daily" else None
    return Header(
        key=0,
        id=f"game{next(_ids)}",
        player=player,
        mode=mode,
        category=MODES[mode].category(game.rules),
        private=False,
        date=date,
        attempt=None,
        reveals_at=None if date is None else reveals_at(date),
        commitment=commitment(game.seed).hex(),
        created_at=game.at,
    )


def append_of(
    header: Header,
    before: Game,
    event: Event | None,
    key: tuple[str, UsedKey] | None = None,
    done: Callable[[Exception | None], None] = lambda _: None,
) -> Append:
    whole = event is not None and (event.type is not EventType.MOVE or event.game.status is not Status.RUNNING)
    at = before.at if event is None else event.game.at
    return _Asked(done, header, before, event, whole, key, at)


class _Asked(Append):
    """An append that calls back."""

    def __init__(self, done: Callable[[Exception | None], None], *append: Any) -> None:
        super().__init__(*append)
        self._done = done

    def done(self, error: Exception | None) -> None:
        self._done(error)


def settle(future: "asyncio.Future[None]") -> Callable[[Exception | None], None]:
    """What answers an append by settling a future."""

    def done(error: Exception | None) -> None:
        if error is None:
            future.set_result(None)
        else:
            future.set_exception(error)

    return done


def bare(game: Game) -> Game:
    """The game without the positions that only memory holds."""
    return game._replace(history=())


def told(events: Iterable[Event]) -> list[Event]:
    """Events without the positions that only memory holds."""
    return [event._replace(game=bare(event.game)) for event in events]
