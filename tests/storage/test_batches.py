"""Batches: moves are committed in one row together, and folded into their games' rows before anybody looks there."""

import asyncio
import random
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from tests.engine.table import DOWN, LEFT, NOON, RIGHT, SEED, UP, Table
from tests.storage.shelf import Shelf, append_of, bare, beside, opened, settle, told
from twofold.clock import SECOND
from twofold.game import Event
from twofold_service.errors import StorageUnavailable
from twofold_service.storage.database import Database
from twofold_service.storage.writer import Bare
from twofold_service.usecases import logs
from twofold_service.usecases.ports import KeyConflict, VersionConflict
from twofold_service.usecases.values import StoredGame, UsedKey


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Database]:
    """A database as `serve` has it: no other process can write there."""
    database = opened(tmp_path / "twofold.db")
    yield database
    database.close()


@pytest.fixture
async def shelf(held: Database) -> AsyncIterator[Shelf]:
    async with Shelf(held) as shelf:
        yield shelf


@pytest.fixture
def after_a_crash(held: Database, tmp_path: Path) -> Iterator[Callable[[], Shelf]]:
    """Makes the shelf of the next process, on the files as a crash now would leave them."""
    databases = []

    def next_process() -> Shelf:
        for ending in ("", "-wal"):
            shutil.copy(f"{held.url.database}{ending}", tmp_path / f"next.db{ending}")
        databases.append(opened(tmp_path / "next.db"))
        return Shelf(databases[-1])

    yield next_process
    for database in databases:
        database.close()


async def begun(shelf: Shelf, table: Table) -> StoredGame:
    return await shelf.create(await shelf.player(), table.events[0], table.mode)


async def append(shelf: Shelf, stored: StoredGame, events: list[Event], key: Any = None) -> None:
    """Append the events that follow the first, each as a command does."""
    for before, event in pairwise(events):
        await shelf.append(stored.header, before.game, event, key)


async def together(shelf: Shelf, games: list[StoredGame], tables: list[Table], step: int) -> None:
    """Append to each game its table's next event after so many, all in one transaction."""
    done = [asyncio.get_running_loop().create_future() for _ in games]
    for answer, stored, table in zip(done, games, tables, strict=True):
        before, event = table.events[step : step + 2]
        shelf.games.append(append_of(stored.header, before.game, event, None, settle(answer)))
    await asyncio.gather(*done)


async def assert_stands(shelf: Shelf, stored: StoredGame, table: Table) -> None:
    """The game and its log are what was played on the table."""
    loaded = await shelf.games.load(stored.header.id)
    assert loaded is not None
    assert loaded.game == bare(table.game)
    log = [event async for event in logs.events(shelf.logs, stored.header.id, 0, table.game.version)]
    assert told(log) == told(table.events)


def batches(shelf: Shelf) -> int:
    return int(shelf.ask("SELECT count(*) FROM batch"))


def logged(shelf: Shelf, stored: StoredGame) -> int:
    return int(shelf.ask("SELECT max(version) FROM event WHERE game = :game", game=stored.header.key))


async def test_moves_are_not_in_their_game_s_rows_until_somebody_looks_there(shelf):
    table = Table().play(30)
    stored = await begun(shelf, table)
    await append(shelf, stored, table.events)

    assert (logged(shelf, stored), batches(shelf)) == (2, 29)
    await assert_stands(shelf, stored, table)
    assert (logged(shelf, stored), batches(shelf)) == (31, 0)


async def test_moves_of_many_games_share_a_row(shelf):
    tables = [Table().play(5) for _ in range(20)]
    games = [await begun(shelf, table) for table in tables]
    for step in range(5):
        await together(shelf, games, tables, step)

    assert batches(shelf) == 4
    for game, table in zip(games, tables, strict=True):
        await assert_stands(shelf, game, table)


async def test_what_has_waited_for_a_second_is_folded_with_the_next_moves(shelf):
    waits, goes_on = Table().play(10), Table().play(10)
    one, other = await begun(shelf, waits), await begun(shelf, goes_on)
    await append(shelf, one, waits.events)
    await append(shelf, other, goes_on.events[:8])
    assert logged(shelf, one) == 2
    shelf.now += SECOND
    await append(shelf, other, goes_on.events[7:9])

    assert logged(shelf, one) == 11
    assert logged(shelf, other) == 8  # the last one came with this transaction


async def test_nothing_is_lost_in_a_crash(shelf, after_a_crash):
    tables = [Table("moves100").play(40), Table("sprint").start().play(300), Table().play(270)]
    games = [await begun(shelf, table) for table in tables]
    for game, table in zip(games, tables, strict=True):
        await append(shelf, game, table.events)

    async with after_a_crash() as restarted:
        for game, table in zip(games, tables, strict=True):
            await assert_stands(restarted, game, table)
        assert batches(restarted) == 0


async def test_what_was_folded_before_a_crash_is_not_played_again(shelf, after_a_crash):
    folded, waiting = Table().play(20), Table().play(20)
    one, other = await begun(shelf, folded), await begun(shelf, waiting)
    for step in range(20):
        await together(shelf, [one, other], [folded, waiting], step)
    await shelf.create(one.header.player, Table().events[0])
    assert (logged(shelf, one), logged(shelf, other)) == (21, 2)

    async with after_a_crash() as restarted:
        await assert_stands(restarted, one, folded)
        await assert_stands(restarted, other, waiting)


async def test_what_is_no_move_comes_after_the_moves_before_it(shelf):
    table = Table("practice").play(6).undo(2).play(5).pause()
    stored = await begun(shelf, table)
    await append(shelf, stored, table.events)

    assert logged(shelf, stored) == table.game.version
    await assert_stands(shelf, stored, table)


async def test_an_append_to_a_version_that_is_past_is_refused(shelf):
    table = Table().play(6)
    stored = await begun(shelf, table)
    await append(shelf, stored, table.events)

    with pytest.raises(VersionConflict):
        await append(shelf, stored, table.events[4:6])
    await assert_stands(shelf, stored, table)


async def test_a_key_of_a_move_is_kept_with_it(shelf):
    table = Table().play(6)
    stored = await begun(shelf, table)
    await append(shelf, stored, table.events[:4])
    use = ("key", UsedKey("move", "left", None, 5))
    await append(shelf, stored, table.events[3:5], use)

    assert logged(shelf, stored) == 2
    assert await shelf.logs.used_key(stored.header.key, "key") == use[1]
    with pytest.raises(KeyConflict):
        await append(shelf, stored, table.events[4:6], use)
    await append(shelf, stored, table.events[4:])
    await assert_stands(shelf, stored, table)


@pytest.mark.parametrize("is_made", [False, True])
async def test_after_a_commit_of_unknown_end_all_is_read_again(shelf, monkeypatch, is_made):
    table = Table().play(9)
    stored = await begun(shelf, table)
    await append(shelf, stored, table.events[:8])
    commit = Bare.commit

    def fail(transaction: Bare) -> None:
        if is_made:
            commit(transaction)
        raise OperationalError("COMMIT", None, OSError("disk I/O error"))

    with monkeypatch.context() as broken:
        broken.setattr(Bare, "commit", fail)
        with pytest.raises(StorageUnavailable):
            await append(shelf, stored, table.events[7:9])
    if is_made:
        with pytest.raises(VersionConflict):
            await append(shelf, stored, table.events[7:9])
        await append(shelf, stored, table.events[8:])
    else:
        await append(shelf, stored, table.events[7:])

    await assert_stands(shelf, stored, table)


async def test_where_storage_takes_nothing_one_still_reads_all(tmp_path):
    database = opened(tmp_path / "twofold.db", timeout_ms=50)
    async with Shelf(database) as shelf:
        table, other = Table("practice").play(300), Table().play(4)
        stored, still = await begun(shelf, table), await begun(shelf, other)
        await append(shelf, stored, table.events)
        with beside(database) as locking, locking.writing.begin():
            await assert_stands(shelf, stored, table)
            await assert_stands(shelf, still, Table())
            page, _ = await shelf.games.page(stored.header.player, None, None, 10, None)
            assert [getattr(game, "game", None) for game in page] == [bare(table.game)]
            assert logged(shelf, stored) == 2
        await append(shelf, still, other.events)
        for game, played in ((stored, table), (still, other)):
            await assert_stands(shelf, game, played)
    database.close()


async def test_a_deleted_player_s_moves_are_gone_too(shelf):
    table = Table().play(9)
    stored, other = await begun(shelf, table), await begun(shelf, table)
    for game in (stored, other):
        await append(shelf, game, table.events)
    await shelf.players.delete(stored.header.player.key, NOON)
    while await shelf.players.sweep(NOON, 100):
        pass

    assert batches(shelf) == 0
    assert shelf.ask("SELECT count(*) FROM game") == 1
    await assert_stands(shelf, other, table)


async def test_moves_that_do_not_fit_their_game_keep_no_others_from_theirs(shelf, caplog):
    table = Table().play(9)
    spoilt, sound = await begun(shelf, table), await begun(shelf, table)
    for game in (spoilt, sound):
        await append(shelf, game, table.events)
    shelf.change("UPDATE game SET version = 4 WHERE key = :key", key=spoilt.header.key)

    await assert_stands(shelf, sound, table)
    assert f"the last moves of game number {spoilt.header.key} do not fit its row" in caplog.text


async def test_a_row_that_cannot_be_played_again_is_told_of_and_keeps_nothing_else_back(shelf, after_a_crash, caplog):
    table = Table().play(9)
    spoilt, sound = await begun(shelf, table), await begun(shelf, table)
    for step in range(9):
        await together(shelf, [spoilt, sound], [table, table], step)
    async with after_a_crash() as restarted:
        row = f"[[{spoilt.header.key},3,0,1],[{spoilt.header.key},4,77,1]]".encode()
        restarted.change("UPDATE batch SET moves = :row WHERE number = 2", row=row)
        restarted.change("UPDATE batch SET moves = '?' WHERE number = 3")
        restarted.change("DELETE FROM event WHERE game = :key AND version > 2", key=sound.header.key)

        loaded = await restarted.games.load(sound.header.id)
        assert loaded is not None
    assert "does not follow from those before it" in caplog.text
    assert "batch 3 cannot be read" in caplog.text


async def test_rows_do_not_pile_up(shelf):
    tables = [Table("moves100").play(99) for _ in range(3)]
    games = [await begun(shelf, table) for table in tables]
    for step in range(99):
        shelf.now += SECOND // 4
        for game, table in zip(games, tables, strict=True):
            await append(shelf, game, table.events[step : step + 2])
        assert batches(shelf) < 100

    for game, table in zip(games, tables, strict=True):
        await assert_stands(shelf, game, table)


def random_play(chance: random.Random, length: int) -> Table:
    """A table on which all kinds of commands were given."""
    table = Table(chance.choice(["classic", "practice"]), seed=chance.randbytes(len(SEED)))
    while table.game.version < length and not table.game.over:
        table.wait(chance.choice([1, 200]))
        kind = chance.random()
        if kind < 0.05 and table.game.undo_refusal is None:
            table.undo()
        elif kind < 0.07:
            table.pause().resume()
        else:
            table.move(chance.choice([LEFT, RIGHT, UP, DOWN]))
    return table


@pytest.mark.parametrize("seed", range(4))
async def test_the_rows_are_in_the_end_what_they_would_be_without_batches(tmp_path, seed):
    chance = random.Random(seed)
    tables = [random_play(chance, 400) for _ in range(4)]
    turns = [place for place, table in enumerate(tables) for _ in table.events[1:]]
    chance.shuffle(turns)

    async def rows(*, held: bool) -> list[Any]:
        database = opened(tmp_path / f"{held}.db", held=held)
        async with Shelf(database, "process") as shelf:
            games = [await begun(shelf, table) for table in tables]
            steps, most = [0] * len(tables), 0
            for place in turns:
                step = steps[place]
                await append(shelf, games[place], tables[place].events[step : step + 2])
                steps[place] += 1
                shelf.now += SECOND // 50
                most = max(most, batches(shelf))
            assert (most > 0) is held
        with database.reading.connect() as connection:
            told_by = [list(connection.execute(text(query))) for query in ROWS]
        database.close()
        return told_by

    assert await rows(held=True) == await rows(held=False)


ROWS = (
    "SELECT key, version, status, cells, score, moves, goal_moves"
    ", goal_active, made, undos, pauses, banked, since, at, peak_score, peak_tile FROM game ORDER BY key",
    "SELECT * FROM event ORDER BY game, version",
    "SELECT game, player, category, score, max_tile, moves, active_ms, pauses, outcome, ended_at FROM result"
    " ORDER BY game",
    "SELECT * FROM best ORDER BY player, category",
    "SELECT count(*) FROM batch",
)
