"""Reading off the event loop: a few threads, each with a session of its own for one question."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session

from twofold_service.counting import Queue
from twofold_service.storage.database import Database
from twofold_service.storage.journal import Journal
from twofold_service.storage.unfolded import Beside
from twofold_service.storage.writer import storage_error

T = TypeVar("T")
THREADS = 4


class Readers:
    """Answers questions put as functions of a session."""

    def __init__(self, database: Database, journal: Journal) -> None:
        self._database = database
        self._journal = journal
        self._beside = Beside()
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="reader")
        self.counts = Queue()

    async def ask(self, question: Callable[[Session], T], *, moves: bool = True) -> T:
        """The answer, from all that is committed; StorageUnavailable where the database gives none.

        Without `moves` it looks at nothing that a move changes, neither logs nor scores, and waits for no writing.
        """
        asked = time.monotonic()
        self.counts.inside += 1
        try:
            is_whole = not moves or await self._journal.fold()
            loop = asyncio.get_running_loop()
            begun, answer = await loop.run_in_executor(self._threads, self._answer, question, is_whole)
        finally:
            self.counts.inside -= 1
        self.counts.waits.add(begun - asked)
        return answer

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _answer(self, question: Callable[[Session], T], is_whole: bool) -> tuple[float, T]:
        begun = time.monotonic()
        try:
            with Session(self._database.reading) as session:
                if not is_whole:
                    self._beside.show(session.connection())
                return begun, question(session)
        except SQLAlchemyError as error:
            raise storage_error(error) from error
