"""Batches where something does not fit: a row that is not what memory holds, and games that are written otherwise."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlmodel import Session

from tests.engine.table import NOON, Table
from tests.storage.shelf import Shelf, append_of, bare, beside, opened, settle, told
from twofold.clock import SECOND
from twofold.game import Event, Game
from twofold_service.app import storage_answers
from twofold_service.errors import CorruptGame
from twofold_service.storage.appends import append_all
from twofold_service.storage.batches import Batches
from twofold_service.storage.codec import move_again
from twofold_service.storage.database import Database
from twofold_service.storage.unfolded import Beside
from twofold_service.usecases import logs
from twofold_service.usecases.ports import VersionConflict
from twofold_service.usecases.values import StoredGame

NO_BATCHES = ["", "null", "7", "[7]", "[[7]]", '{"a":1}', '[["1",2,3,4]]', "[[null,3,0,1]]", "[[%d,3,null,1]]"]
NO_BATCHES += ["[[%d,3,-1,1]]", "[[%d,3,9,1]]", "[[%d,3,0,99999999999999999999]]", "[[18446744073709551615,3,0,1]]"]
"""What may be written in a batch's place; %d is the key of a game."""


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Database]:
    """A database as `serve` has it: no other process can write there."""
    database = opened(tmp_path / "twofold.db", timeout_ms=300)
    yield database
    database.close()


@pytest.fixture
async def shelf(held: Database) -> AsyncIterator[Shelf]:
    async with Shelf(held) as shelf:
        yield shelf


async def begun(shelf: Shelf, table: Table, moves: int) -> StoredGame:
    """A game with so many moves of the table."""
    stored = await shelf.create(await shelf.player(), table.events[0], table.mode)
    await append(shelf, stored, table, 0, moves)
    return stored


async def append(shelf: Shelf, stored: StoredGame, table: Table, start: int, end: int) -> None:
    """Append the table's events behind the first so many, each as a command does."""
    for step in range(start, end):
        await shelf.append(stored.header, table.events[step].game, table.events[step + 1])


async def assert_stands(shelf: Shelf, stored: StoredGame, table: Table, events: int) -> None:
    """The game and its log are the first so many events of the table."""
    loaded = await shelf.games.load(stored.header.id)
    assert loaded is not None
    assert loaded.game == bare(table.events[events - 1].game)
    log = [event async for event in logs.events(shelf.logs, stored.header.id, 0, loaded.game.version)]
    assert told(log) == told(table.events[:events])


async def test_what_follows_moves_that_did_not_fit_is_refused(shelf):
    table = Table().play(9)
    stored = await begun(shelf, table, 6)
    shelf.change("UPDATE game SET version = 4 WHERE key = :key", key=stored.header.key)
    with suppress(CorruptGame):
        await shelf.games.load(stored.header.id)

    with pytest.raises(VersionConflict):
        await append(shelf, stored, table, 6, 7)


async def test_a_move_that_comes_while_those_before_it_do_not_fit_is_refused(shelf):
    table = Table().play(9)
    stored = await begun(shelf, table, 6)
    shelf.change("UPDATE game SET version = 4 WHERE key = :key", key=stored.header.key)
    shelf.now += 2 * SECOND

    with pytest.raises(VersionConflict):
        await append(shelf, stored, table, 6, 7)


async def test_a_log_that_refuses_moves_keeps_no_others_from_theirs(shelf, caplog):
    table = Table().play(12)
    spoilt, sound = await begun(shelf, table, 6), await begun(shelf, table, 6)
    row = "INSERT INTO event (game, version, type, at, active) VALUES (:key, 5, 2, 0, 0)"
    shelf.change(row, key=spoilt.header.key)

    await assert_stands(shelf, sound, table, 7)
    await append(shelf, sound, table, 6, 11)
    await assert_stands(shelf, sound, table, 12)
    with pytest.raises(VersionConflict):
        await append(shelf, spoilt, table, 6, 7)
    assert f"the last moves of game number {spoilt.header.key} do not fit" in caplog.text


@pytest.mark.parametrize("row", NO_BATCHES)
async def test_a_batch_of_whatever_is_written_there_keeps_no_start_from_going_on(held, row):
    table = Table().play(9)
    async with Shelf(held) as shelf:
        stored = await begun(shelf, table, 1)
        moves = row.replace("%d", str(stored.header.key)).encode()
        shelf.change("INSERT INTO batch (number, moves) VALUES (7, :moves)", moves=moves)

    async with Shelf(held) as restarted:
        await assert_stands(restarted, stored, table, 2)
        await append(restarted, stored, table, 1, 9)
        await assert_stands(restarted, stored, table, 10)
        assert restarted.ask("SELECT count(*) FROM batch") == 0


async def test_what_was_left_out_at_a_start_is_not_played_at_a_later_one(held):
    table = Table().play(9)
    async with Shelf(held) as shelf:
        stored = await begun(shelf, table, 1)
        late = f"[[{stored.header.key},4,3,{NOON}]]".encode()
        shelf.change("INSERT INTO batch (number, moves) VALUES (7, :late)", late=late)

    async with Shelf(held) as restarted:
        await assert_stands(restarted, stored, table, 2)
        assert restarted.ask("SELECT count(*) FROM batch") == 0


async def test_after_a_creation_that_ended_a_game_no_move_follows_from_before_it(shelf):
    table = Table().play(9)
    stored = await begun(shelf, table, 6)
    before = table.events[6].game
    over = append_of(stored.header, before, before.abandon(NOON))
    await shelf.create(stored.header.player, Table().events[0], closing=[over])

    with pytest.raises(VersionConflict):
        await append(shelf, stored, table, 6, 7)


async def test_after_work_that_may_change_all_games_no_version_is_taken_for_granted(shelf):
    table = Table().play(9)
    stored = await begun(shelf, table, 6)
    pause = append_of(stored.header, table.events[6].game, table.events[6].game.pause(NOON))
    await shelf.journal.run(lambda connection: append_all(connection, [pause], shelf.process))

    with pytest.raises(VersionConflict):
        await append(shelf, stored, table, 6, 7)


async def test_after_a_batch_that_was_taken_again_one_by_one_no_version_is_taken_for_granted(shelf):
    table = Table().play(9)
    stored, other = await begun(shelf, table, 6), await begun(shelf, table, 6)
    done: list[asyncio.Future[None]] = [asyncio.get_running_loop().create_future() for _ in range(2)]
    for step, answer, game in ((6, done[0], stored), (4, done[1], other)):
        before, event = table.events[step : step + 2]
        shelf.games.append(append_of(game.header, before.game, event, None, settle(answer)))
    assert isinstance((await asyncio.gather(*done, return_exceptions=True))[1], VersionConflict)

    with pytest.raises(VersionConflict):
        await append(shelf, stored, table, 6, 7)
    await append(shelf, stored, table, 7, 9)
    await assert_stands(shelf, stored, table, 10)


async def test_a_log_that_refuses_moves_is_found_out_where_they_have_waited_too(shelf, caplog):
    table = Table().play(12)
    spoilt, sound = await begun(shelf, table, 6), await begun(shelf, table, 6)
    row = "INSERT INTO event (game, version, type, at, active) VALUES (:key, 5, 2, 0, 0)"
    shelf.change(row, key=spoilt.header.key)
    for step in range(6, 10):
        shelf.now += SECOND
        await append(shelf, sound, table, step, step + 1)

    assert caplog.text.count(f"the last moves of game number {spoilt.header.key} do not fit") == 1
    await assert_stands(shelf, sound, table, 11)


async def test_one_that_does_not_fit_leaves_it_known_how_others_games_stand(shelf):
    table = Table().play(9)
    stored, other = await begun(shelf, table, 6), await begun(shelf, table, 6)
    with pytest.raises(VersionConflict):
        await append(shelf, stored, table, 4, 5)
    await append(shelf, other, table, 6, 7)

    assert shelf.ask("SELECT max(version) FROM event WHERE game = :game", game=other.header.key) == 2


async def test_reading_leaves_it_known_how_games_stand(shelf):
    table = Table().play(9)
    stored = await begun(shelf, table, 6)
    await assert_stands(shelf, stored, table, 7)
    await append(shelf, stored, table, 6, 7)

    assert shelf.ask("SELECT count(*) FROM batch") == 1


async def test_at_no_moment_of_forgetting_do_moves_seem_to_be_in_their_rows(shelf):
    """The journal's thread forgets while the loop asks."""
    table = Table().play(9)
    await begun(shelf, table, 6)
    batches: Batches = shelf.journal._writer.batches
    seen = []

    class Watched(dict[int, Any]):
        def clear(self) -> None:
            super().clear()
            seen.append(batches.wait)

    batches._waiting = Watched(batches._waiting)
    batches.forget()
    assert seen == [True]


async def test_what_no_move_changes_is_read_without_waiting_for_storage_that_takes_nothing(shelf):
    table = Table().play(9)
    stored = await begun(shelf, table, 6)
    with beside(shelf.database) as locking, locking.writing.begin():
        async with asyncio.timeout(0.2):
            await storage_answers(shelf.readers, frozenset())
            assert await shelf.players.by_token(b"nobody's") is None
            assert await shelf.players.player(stored.header.player.key) is not None
            assert await shelf.logs.used_key(stored.header.key, "key") is None


async def test_readers_of_storage_that_takes_nothing_play_its_moves_again_once(shelf, monkeypatch):
    table = Table().play(9)
    stored = await begun(shelf, table, 6)
    again: list[int] = []

    def counted(game: Game, direction: int, at: int) -> Event | None:
        again.append(at)
        return move_again(game, direction, at)

    monkeypatch.setattr("twofold_service.storage.unfolded.move_again", counted)
    with beside(shelf.database) as locking, locking.writing.begin():
        await asyncio.gather(*[assert_stands(shelf, stored, table, 7) for _ in range(5)])
    assert len(again) == 5


async def test_what_was_folded_since_is_shown_once(shelf):
    table = Table().play(9)
    one, other = await begun(shelf, table, 1), await begun(shelf, table, 1)
    for step in range(1, 9):
        await asyncio.gather(*[append(shelf, game, table, step, step + 1) for game in (one, other)])
    shown = Beside()

    def versions(stored: StoredGame) -> list[int]:
        with Session(shelf.database.reading) as session:
            connection = session.connection()
            shown.show(connection)
            log = text("SELECT version FROM event WHERE game = :game ORDER BY version")
            return list(connection.scalars(log, {"game": stored.header.key}))

    assert [versions(one), versions(other)] == [list(range(1, 11))] * 2
    await shelf.create(one.header.player, table.events[0])
    assert shelf.ask("SELECT count(*) FROM batch") == 8
    assert [versions(one), versions(other)] == [list(range(1, 11))] * 2
