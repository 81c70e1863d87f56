"""The journal: committed together, answered after the commit, each for itself where something does not fit."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any
from unittest.mock import patch

import pytest
from sqlalchemy import Connection, event, text
from sqlalchemy.exc import DataError, IntegrityError

from tests.engine.table import LEFT, NOON, Table
from tests.storage.shelf import Shelf, append_of, bare, beside, settle
from twofold_service.errors import TooMany
from twofold_service.storage.database import Database
from twofold_service.storage.journal import QUICK, SLOW_FOR, Disk
from twofold_service.storage.processes import register
from twofold_service.storage.writer import BEAT, Batch, Writer
from twofold_service.usecases.ports import KeyConflict, VersionConflict
from twofold_service.usecases.values import StoredGame, UsedKey


@pytest.fixture
def other_database(database: Database) -> Iterator[Database]:
    with beside(database) as other:
        yield other


USE = UsedKey("move", "left", None, 2)


async def begun(shelf: Shelf, number: int) -> list[tuple[StoredGame, Table]]:
    """So many new games of one player, each with a move that is not stored yet."""
    player = await shelf.player()
    tables = [Table().play(1) for _ in range(number)]
    return [(await shelf.create(player, table.events[0]), table) for table in tables]


async def together(shelf: Shelf, *batch: Any) -> list[Any]:
    """What comes of items that wait for the journal at once: appends as (game, table, key), or pieces of work."""
    gate = threading.Event()
    answers: list[asyncio.Future[Any]] = [shelf.journal.run(lambda _: gate.wait(20))]
    for item in batch:
        if isinstance(item, tuple):
            stored, table, key = item
            answers.append(asyncio.get_running_loop().create_future())
            shelf.games.append(append_of(stored.header, stored.game, table.events[1], key, settle(answers[-1])))
        else:
            answers.append(shelf.journal.run(item))
    gate.set()
    return (await asyncio.gather(*answers, return_exceptions=True))[1:]


def echo(number: int, _: Connection) -> int:
    return number


async def version(shelf: Shelf, stored: StoredGame) -> int:
    loaded = await shelf.games.load(stored.header.id)
    assert loaded is not None
    return loaded.game.version


async def test_appends_that_wait_share_a_commit(shelf, database: Database):
    games = await begun(shelf, 200)
    commits: list[Connection] = []

    def committed(connection: Connection) -> None:
        commits.append(connection)

    event.listen(database.writing, "commit", committed)
    answers = await together(shelf, *[(stored, table, None) for stored, table in games])
    event.remove(database.writing, "commit", committed)
    assert answers == [None] * 200
    assert len(commits) <= 2  # at most that of what they waited for, and theirs


async def test_an_append_is_answered_after_its_commit(shelf):
    for stored, table in await begun(shelf, 20):
        await shelf.append(stored.header, stored.game, table.events[1])
        loaded = await shelf.games.load(stored.header.id)
        assert loaded.game == bare(table.game)
        assert loaded.keeper == shelf.process


async def test_a_version_conflict_is_told_to_the_one_at_fault_and_the_rest_is_written(shelf):
    games = await begun(shelf, 9)
    stale, table = games[4]
    await shelf.append(stale.header, stale.game, table.events[1])
    answers = await together(shelf, *[(stored, table, None) for stored, table in games])
    assert isinstance(answers.pop(4), VersionConflict)
    assert answers == [None] * 8
    assert [await version(shelf, stored) for stored, _ in games] == [2] * 9
    assert shelf.ask("SELECT count(*) FROM event WHERE game = :key", key=stale.header.key) == 2


async def test_a_used_key_is_told_to_the_one_at_fault_and_the_rest_is_written(shelf):
    games = await begun(shelf, 5)
    again = games[2][0]
    await shelf.append(again.header, again.game, None, ("key", USE))
    answers = await together(shelf, *[(stored, table, ("key", USE)) for stored, table in games])
    assert isinstance(answers.pop(2), KeyConflict)
    assert answers == [None] * 4
    assert [await version(shelf, stored) for stored, _ in games] == [2, 2, 1, 2, 2]
    assert await shelf.logs.used_key(again.header.key, "key") == USE


async def test_a_piece_of_work_rolls_back_alone(shelf):
    (stored, table), *_ = await begun(shelf, 1)

    def refused(connection: Connection) -> None:
        connection.execute(text("UPDATE player SET name = 'half done'"))
        raise TooMany

    def doubled(connection: Connection) -> None:
        connection.execute(text("INSERT INTO process SELECT * FROM process"))

    def done(connection: Connection) -> str:
        return str(connection.execute(text("SELECT 'done'")).scalar())

    answers = await together(shelf, refused, (stored, table, None), doubled, done)
    assert [type(answer) for answer in answers] == [TooMany, type(None), IntegrityError, str]
    assert await version(shelf, stored) == 2
    assert shelf.ask("SELECT count(*) FROM player WHERE name = 'half done'") == 0


async def test_work_that_stands_beside_a_conflict_is_done_once(shelf):
    (stored, table), *_ = await begun(shelf, 1)
    await shelf.append(stored.header, stored.game, table.events[1])
    player = {"key": stored.header.player.key}
    mark = text("UPDATE player SET name = 'x' || name WHERE key = :key")
    await together(shelf, lambda connection: connection.execute(mark, player), (stored, table, None))
    assert shelf.ask("SELECT name FROM player WHERE key = :key", **player).startswith("xPlayer")


async def test_moves_take_the_heartbeat_along_ten_times_a_second_where_it_costs(shelf, database):
    table = Table().play(2)
    stored = await shelf.create(await shelf.player(), table.events[0])
    await shelf.processes.beat()
    for move, (now, heard) in enumerate(((NOON + BEAT - 1, NOON), (NOON + BEAT, NOON + BEAT)), 1):
        shelf.now = now
        await shelf.append(stored.header, table.events[move - 1].game, table.events[move])
        assert (await shelf.processes.heartbeats())[shelf.process] == (heard if database.is_sqlite else now)


async def test_other_batches_take_the_heartbeat_along_and_none_takes_it_back(shelf):
    for now, heard in ((NOON + 5, NOON + 5), (NOON + 9, NOON + 9), (NOON + 7, NOON + 9)):
        shelf.now = now
        await shelf.processes.beat()
        assert (await shelf.processes.heartbeats())[shelf.process] == heard


async def test_a_process_that_was_given_up_is_heard_of_again(shelf):
    """Another process takes one that stood still for dead; when it goes on, its games are kept again."""
    await shelf.processes.forget({shelf.process: shelf.now})
    shelf.now = NOON + 60
    await shelf.processes.beat()
    assert (await shelf.processes.heartbeats())[shelf.process] == NOON + 60


async def test_a_process_that_was_heard_of_again_is_not_forgotten(shelf, other_database):
    register(other_database, "woken", NOON + 5)
    await shelf.processes.forget({"woken": NOON + 4})
    assert (await shelf.processes.heartbeats())["woken"] == NOON + 5
    await shelf.processes.forget({"woken": NOON + 5})
    assert "woken" not in await shelf.processes.heartbeats()


async def test_what_waits_when_the_journal_stops_is_written(database: Database):
    async with Shelf(database) as shelf:
        player = await shelf.player()
        answers = [shelf.journal.run(partial(echo, number)) for number in range(1000)]
        last = asyncio.ensure_future(shelf.create(player, Table().events[0]))
        await asyncio.sleep(0)
    assert await asyncio.gather(*answers) == list(range(1000))
    assert (await last).game.version == 1


async def test_of_two_journals_that_append_to_one_version_one_wins(shelf, database, other_database):
    if database.is_sqlite:
        return  # its file has one process, and that one writer
    games = await begun(shelf, 100)
    async with Shelf(other_database) as other:
        for stored, table in games:
            appends = [one.append(stored.header, stored.game, table.events[1]) for one in (shelf, other)]
            outcomes = await asyncio.gather(*appends, return_exceptions=True)
            assert [type(outcome) for outcome in outcomes if outcome is not None] == [VersionConflict]
    first, last = (games[place][0].header.key for place in (0, -1))
    assert shelf.ask("SELECT count(*) FROM event WHERE game BETWEEN :first AND :last", first=first, last=last) == 200


async def test_two_journals_with_the_same_games_in_their_batches_never_wait_for_each_other(
    shelf, database, other_database
):
    """Moves and status changes of the same games, crosswise: one order of locks for both."""
    if database.is_sqlite:
        return
    async with Shelf(other_database) as other:
        for _ in range(3):
            games = await begun(shelf, 40)
            batches = []
            for number, one in enumerate((shelf, other)):
                items = []
                for place, (stored, _) in enumerate(games):
                    table = Table().move(LEFT, *stored.game.legal_moves[:1])
                    changed = Table().pause() if place % 2 == number else table
                    items.append((stored, changed, None))
                batches.append(together(one, *items))
            for mine, theirs in zip(*await asyncio.gather(*batches), strict=True):
                won = [outcome for outcome in (mine, theirs) if outcome is None]
                lost = [outcome for outcome in (mine, theirs) if isinstance(outcome, VersionConflict)]
                assert (len(won), len(lost)) == (1, 1)


@pytest.mark.parametrize("kind", [KeyError, ZeroDivisionError])
async def test_work_that_fails_harms_nobody(shelf, kind):
    (stored, table), *_ = await begun(shelf, 1)

    def fails(_: Connection) -> None:
        raise kind("a fault of ours")

    answers = await together(shelf, fails, (stored, table, None))
    assert isinstance(answers[0], kind)
    assert answers[1] is None


async def test_a_value_too_large_for_its_column_harms_nobody(shelf, database: Database):
    """PostgreSQL counts attempts at a date up to 2**31 - 1, SQLite on and on."""
    (stored, table), *_ = await begun(shelf, 1)
    me = await shelf.player()
    last = await shelf.create(me, Table("daily").events[0], "daily")
    shelf.change("UPDATE game SET attempt = 2147483647 WHERE key = :key", key=last.header.key)
    creating = asyncio.ensure_future(shelf.create(me, Table("daily").events[0], "daily"))
    await asyncio.sleep(0)
    assert await together(shelf, (stored, table, None)) == [None]
    if database.is_sqlite:
        assert (await creating).header.attempt == 2**31
    else:
        with pytest.raises(DataError):
            await creating


async def test_what_comes_while_the_thread_writes_is_one_batch_and_written_on_the_loop_again(shelf, database: Database):
    if not database.is_sqlite:
        return  # its commits are another machine's matter, and always the thread's
    games = await begun(shelf, 50)
    taken, gate = threading.Event(), threading.Event()

    def hold(_: object) -> bool:
        taken.set()
        return gate.wait(20)

    held = shelf.journal.run(hold)
    assert await asyncio.to_thread(taken.wait, 20)
    asked = [
        asyncio.ensure_future(shelf.append(stored.header, stored.game, table.events[1])) for stored, table in games
    ]
    await asyncio.sleep(0.01)
    assert not any(one.done() for one in asked)
    with counted_writes(shelf) as batches:
        gate.set()
        await asyncio.gather(held, *asked)
    assert batches == [("MainThread", 50)]


async def test_what_comes_turn_after_turn_is_one_batch_and_one_alone_does_not_wait(shelf, database: Database):
    if not database.is_sqlite:
        return  # what comes while its thread writes is the next batch
    games = await begun(shelf, 8)
    asked: list[asyncio.Future[None]] = []
    with counted_writes(shelf) as batches:
        for number in (2, 3, 2):
            for stored, table in games[len(asked) : len(asked) + number]:
                asked.append(asyncio.ensure_future(shelf.append(stored.header, stored.game, table.events[1])))
            await asyncio.sleep(0)
        await asyncio.gather(*asked)
        stored, table = games[-1]
        await shelf.append(stored.header, stored.game, table.events[1])
    assert [size for _, size in batches] == [7, 1]


@contextmanager
def counted_writes(shelf: Shelf) -> Iterator[list[tuple[str, int]]]:
    """The batches written from now on: by which thread, and how many each."""
    batches: list[tuple[str, int]] = []
    write = Writer.write

    def counting(self: Writer, batch: Batch, *, wait: bool) -> list[Any]:
        batches.append((threading.current_thread().name, len(batch)))
        return write(self, batch, wait=wait)

    with patch.object(Writer, "write", counting):
        yield batches


def test_slow_commits_go_to_the_thread_and_one_quick_one_a_second_later_brings_them_back():
    now = 100.0
    disk = Disk(lambda: now)
    for _ in range(5):
        disk.took(10.0)
    assert disk.quick  # a few long ones may be the scheduler's fault
    while disk.quick:
        disk.took(2 * QUICK)
    now += SLOW_FOR
    assert disk.quick
    disk.took(2 * QUICK)
    assert not disk.quick  # slow still: one was enough to see it
    now += SLOW_FOR
    disk.took(0.0)
    disk.took(QUICK)
    assert disk.quick
