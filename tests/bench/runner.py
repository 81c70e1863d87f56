"""The service with one thing changed, to be measured beside itself: `runner memory|single|session`.

memory   a move is answered without being written (games and players are stored all the same)
single   the journal as it is, but one move a transaction
session  no journal for moves: each opens an SQLModel session in a thread, reads its game, writes and commits
"""

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from sqlmodel import Session

from twofold_service.__main__ import serve
from twofold_service.settings import Settings
from twofold_service.storage import journal
from twofold_service.storage.codec import EVENT, STATE, event_row, state_of
from twofold_service.storage.database import Database
from twofold_service.storage.games import StoredGames
from twofold_service.storage.tables import EventRow, GameRow
from twofold_service.usecases.ports import Append, VersionConflict

Appender = Callable[[StoredGames, Append], None]


def memory(_: StoredGames, item: Append) -> None:
    item.done(None)


def session_each(settings: Settings) -> Appender:
    database = Database(settings.database, settings.storage_timeout_ms)
    threads = ThreadPoolExecutor(32)

    def append(_: StoredGames, item: Append) -> None:
        loop = asyncio.get_running_loop()

        def work() -> None:
            try:
                _write(database, item)
            except Exception as error:
                loop.call_soon_threadsafe(item.done, error)
            else:
                loop.call_soon_threadsafe(item.done, None)

        threads.submit(work)

    return append


def _write(database: Database, item: Append) -> None:
    event = item.event
    if event is None:
        return
    with Session(database.writing) as session:
        row = session.get_one(GameRow, item.header.key)
        if row.version != event.version - 1:
            raise VersionConflict
        for column, value in zip(STATE, state_of(event.game), strict=True):
            setattr(row, column, value)
        session.add(EventRow(**dict(zip(EVENT, event_row(item.header.key, event), strict=True))))
        session.commit()


def main(variant: str) -> None:
    settings = Settings()
    if variant == "single":
        journal.MAX_BATCH = journal.MAX_BATCH_ON_LOOP = 1
    else:
        appender = memory if variant == "memory" else session_each(settings)
        setattr(StoredGames, "append", appender)  # noqa: B010  (a method is replaced, and mypy is right to mind)
    serve(settings)


if __name__ == "__main__":
    main(sys.argv[1])
