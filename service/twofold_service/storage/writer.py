"""Transactions: a batch of appends and work in one, answered by what came of each member.

A batch in which something does not fit is taken again member by member, each in a savepoint, all in one transaction.
"""

import logging
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from sqlalchemy import Connection, RootTransaction
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, OperationalError, SQLAlchemyError

from twofold.clock import SECOND
from twofold_service.counting import Writing
from twofold_service.errors import ServiceError, StorageFull, StorageUnavailable
from twofold_service.storage.appends import Misfit, append_all, changes_of, keep_results, over_by
from twofold_service.storage.batches import Batches
from twofold_service.storage.changes import change_at_once
from twofold_service.storage.database import BEGIN, Database
from twofold_service.storage.statements import execute, mark_of
from twofold_service.usecases.ports import Append, Now

log = logging.getLogger("twofold.journal")
Batch = list["Append | Work"]
BEAT = SECOND // 10
"""Moves that are written sooner after a heartbeat do without one: it costs a page of its own."""


@dataclass(slots=True)
class Work:
    """Anything else that writes: called with the connection inside the batch's transaction, in a savepoint.

    `games` are those of which it finds all moves in their rows, and which it may change: of a player, by key, or of
    EVERYBODY. With ALL_AS_THEY_ARE it finds everybody's there, and changes none.
    """

    call: Callable[[Connection], Any]
    done: Callable[[Any, Exception | None], None]
    games: int


Write = Callable[[Connection, Batch, int], list[Any]]
EVERYBODY, ALL_AS_THEY_ARE, NOBODY = -1, -2, 0
_HEARTBEAT = (
    "INSERT INTO process (id, heartbeat) {} ON CONFLICT (id) DO UPDATE SET heartbeat = excluded.heartbeat"
    " WHERE process.heartbeat < excluded.heartbeat"
)
"""A process that others took for dead enters itself again."""


class Bare:
    """A transaction by the driver alone: SQLAlchemy's part costs more than all the rest of a small batch of moves."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        execute(connection, BEGIN[connection.dialect.name])

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.commit()
        else:
            with suppress(SQLAlchemyError):  # where the transaction is over already
                self.rollback()

    def commit(self) -> None:
        execute(self._connection, "COMMIT")

    def rollback(self) -> None:
        execute(self._connection, "ROLLBACK")


class Locked(Exception):
    """Another process holds the database, and the batch was not to wait for it; nothing was written."""


class Writer:
    """Holds the one connection that writes; used by one thread at a time.

    `commit_time` is what the last commit took, in seconds; with all it commits, where both are one statement.
    """

    def __init__(self, database: Database, process: str, now: Now) -> None:
        self._database = database
        self._process = process
        self._now = now
        self._connection: Connection | None = None
        self._waits = True
        self._beaten_at = 0
        self.batches = Batches(is_held=database.is_held)
        self.commit_time = 0.0
        self.counts = Writing()

    def write(self, batch: Batch, *, wait: bool) -> list[Any]:
        """What came of each member: an answer, or the exception that undid it; Locked where it was not to wait."""
        try:
            try:
                return self._at_once(batch) or self._in_transaction(batch, self._together, wait)
            except (Misfit, IntegrityError, DataError):
                return self._in_transaction(batch, self._one_by_one, wait)
        except Locked:
            raise
        except SQLAlchemyError as error:
            self.drop_connection()
            failure = storage_error(error)
        except Exception:
            log.exception("a batch could not be written")
            self.drop_connection()
            failure = StorageUnavailable()
        self.counts.failures += 1
        return [failure] * len(batch)

    def drop_connection(self) -> None:
        self.batches.forget()
        if self._connection is not None:
            connection, self._connection = self._connection, None
            try:
                connection.invalidate()
                connection.close()
            except SQLAlchemyError:
                log.debug("the broken connection did not close cleanly")

    def _connect(self) -> Connection:
        if self._connection is None:
            self._connection = self._database.writing.connect()
            self._waits = True
        return self._connection

    def _at_once(self, batch: Batch) -> list[Any]:
        """What came of each member of a batch of moves on PostgreSQL, by as few statements as may be; else nothing.

        Without ends there is one statement, which is its own transaction.
        """
        if self._database.is_sqlite or any(map(_needs_savepoints, batch)):
            return []
        appends = [item for item in batch if isinstance(item, Append)]
        changes, over = changes_of(appends, self._process), over_by(appends)
        if not changes:
            return []
        connection = self._connect()
        began = time.perf_counter()
        with Bare(connection) if over else nullcontext():
            change_at_once(connection, changes, _HEARTBEAT, (self._process, self._now()))
            keep_results(connection, over)
        self.commit_time = time.perf_counter() - began
        self.counts.wrote(len(batch), self.commit_time)
        return [None] * len(batch)

    def _in_transaction(self, batch: Batch, write: Write, wait: bool) -> list[Any]:
        connection = self._connect()
        if wait is not self._waits:
            self._waits = wait
            self._database.wait_for_lock(connection, wait)
        now = self._now()
        transaction = self._begin(connection, batch, write, wait)
        try:
            outcomes = write(connection, batch, now)
            beats = now - self._beaten_at >= BEAT or Work in map(type, batch)
            if beats:
                heartbeat = _HEARTBEAT.format("VALUES ({0}, {0})".format(mark_of(connection)))
                execute(connection, heartbeat, [(self._process, now)])
            began = time.perf_counter()
            transaction.commit()
            self.commit_time = time.perf_counter() - began
        except BaseException:
            self.batches.undone()
            with suppress(SQLAlchemyError):  # where the transaction is over already
                transaction.rollback()
            raise
        self.batches.committed(now)
        if beats:
            self._beaten_at = now
        self.counts.wrote(len(batch), self.commit_time)
        return outcomes

    def _begin(self, connection: Connection, batch: Batch, write: Write, wait: bool) -> "Bare | RootTransaction":
        plain = write == self._together and not any(map(_needs_savepoints, batch))
        try:
            return Bare(connection) if plain else connection.begin()
        except OperationalError as error:
            if not wait and "locked" in str(error.orig):
                raise Locked from error
            raise

    def _together(self, connection: Connection, batch: Batch, now: int) -> list[Any]:
        self.batches.recall(connection)
        works = [item for item in batch if isinstance(item, Work)]
        appends = [item for item in batch if not isinstance(item, Work)]
        if not works:
            appends = self.batches.take(connection, appends)
        self._fold_for(connection, works, appends, now)
        append_all(connection, appends, self._process)
        self.batches.wrote(appends)
        if not works:
            return [None] * len(batch)
        return [_attempt(connection, item) if isinstance(item, Work) else None for item in batch]

    def _one_by_one(self, connection: Connection, batch: Batch, now: int) -> list[Any]:
        self.batches.recall(connection)
        appends = [item for item in batch if isinstance(item, Append)]
        works = [item for item in batch if isinstance(item, Work)]
        self._fold_for(connection, works, appends, now, apart=True)
        for append in appends:
            self.batches.doubt(append.header.player.key)
        places = sorted(range(len(batch)), key=lambda place: _rank(batch[place]))
        outcomes = {place: _attempt(connection, batch[place], self._process) for place in places}
        return [outcomes[place] for place in range(len(batch))]

    def _fold_for(
        self, connection: Connection, works: list[Work], appends: list[Append], now: int, *, apart: bool = False
    ) -> None:
        """Let the games' rows tell of all moves that appends and works are to find there, and of what has waited."""
        for item in works:
            if item.games == NOBODY:
                continue
            if item.games in (EVERYBODY, ALL_AS_THEY_ARE):
                self.batches.fold_all(connection, apart=apart)
            else:
                self.batches.fold_player(connection, item.games, apart=apart)
            if item.games != ALL_AS_THEY_ARE:
                self.batches.doubt(None if item.games == EVERYBODY else item.games)
        self.batches.fold(connection, [append.header.key for append in appends], apart=apart)
        self.batches.fold_due(connection, now, apart=apart)


def _needs_savepoints(item: Append | Work) -> bool:
    return isinstance(item, Work) or (item.whole and item.revives)


def _rank(item: Append | Work) -> tuple[bool, int]:
    """Appends in the order of their games, then all else: one order for all writers, so that none waits in a ring."""
    return isinstance(item, Work), item.header.key if isinstance(item, Append) else 0


def _attempt(connection: Connection, item: Append | Work, process: str = "") -> Any:
    """The item's answer, or the exception that undid it alone."""
    try:
        with connection.begin_nested():
            if isinstance(item, Work):
                return item.call(connection)
            append_all(connection, [item], process)
            return None
    except Misfit as error:
        return error.conflict
    except (IntegrityError, DataError) as error:
        return error
    except SQLAlchemyError:
        raise
    except Exception as error:
        if not isinstance(error, ServiceError):
            log.debug("a piece of work was refused: %r", error)
        return error


def storage_error(error: SQLAlchemyError) -> ServiceError:
    """The service's own word for what the database said."""
    said = str(error.orig) if isinstance(error, DBAPIError) else str(error)
    log.warning("storage: %s", said.partition("\n")[0])  # what follows may quote a row, and so a seed
    if "disk is full" in said or "No space left" in said or "DiskFull" in type(getattr(error, "orig", None)).__name__:
        return StorageFull()
    return StorageUnavailable()
