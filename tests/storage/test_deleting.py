"""Deleting: out of sight at once, every row gone after some sweeps, nobody else's touched."""

import pytest
from sqlalchemy import inspect

from tests.engine.table import NOON, Table
from tests.storage.filling import fill, write
from tests.storage.shelf import Shelf, append_of, beside
from twofold.clock import SECOND
from twofold_service.storage.database import Database
from twofold_service.usecases.values import Player, StoredGame, UsedKey

LATER = NOON + 3600 * SECOND
MANY = 25_000


def rows(database: Database) -> dict[str, int]:
    """How many rows each table has, but for the processes'."""
    with database.reading.connect() as connection:
        tables = set(inspect(connection).get_table_names()) - {"alembic_version", "process"}
        counts = {table: f"SELECT count(*) FROM {table}" for table in sorted(tables)}  # noqa: S608
        return {table: connection.exec_driver_sql(count).scalar_one() for table, count in counts.items()}


async def everything_of(shelf: Shelf, database: Database) -> Player:
    """A player with something in every table, and a game of 25,000 events."""
    me = await shelf.player()
    await shelf.players.put_link(me.key, b"code", NOON + 600 * SECOND)
    for table in (Table().play(20).abandon(), Table("sprint"), Table("daily").play(3).abandon()):
        kept = await shelf.keep(table, me)
    await shelf.analyses.keep(kept.header.key, 2, 1, b"{}", NOON)
    long = await shelf.create(me, Table().play(1).events[0], key="key")
    await shelf.append(long.header, long.game, None, ("key", UsedKey("move", "left", None, None)))
    await lengthen(shelf, long, MANY)
    return me


async def lengthen(shelf: Shelf, game: StoredGame, events: int) -> None:
    rows = [(game.header.key, version, 2, 0, version, version) for version in range(2, events)]
    columns = ("game", "version", "type", "direction", "at", "active")
    await shelf.journal.run(lambda connection: write(connection, "event", columns, rows))


async def test_a_deleted_player_leaves_no_row(shelf, database: Database):
    with beside(database) as other:
        fill(other, 3, NOON)
    before = rows(database)
    me = await everything_of(shelf, database)
    assert [table for table, count in rows(database).items() if count <= before[table]] == ["batch", "day", "par"]
    await shelf.players.delete(me.key, LATER)
    steps = 0
    while await shelf.players.sweep(NOON, 100):
        steps += 1
    assert rows(database) == before
    assert steps > MANY / 10_000


async def test_a_deleted_player_and_all_theirs_are_out_of_sight_at_once(shelf):
    me, table = await shelf.player(), Table().play(3)
    game = (await shelf.keep(table, me)).header.id
    await shelf.players.put_link(me.key, b"another", NOON + 600 * SECOND)
    await shelf.players.delete(me.key, LATER)
    assert await shelf.games.load(game) is None
    assert await shelf.logs.raw(game) is None
    assert await shelf.players.player(me.key) is None
    assert await shelf.players.take_link(b"another", b"token", NOON) is None


async def test_no_sweep_holds_the_writer_for_long(shelf, database: Database):
    """However many games a player has, a step takes ten thousand events at most."""
    me = await shelf.player()
    for _ in range(5):
        await lengthen(shelf, await shelf.create(me, Table().events[0]), 6_000)
    await shelf.players.delete(me.key, LATER)
    left = shelf.ask("SELECT count(*) FROM event")
    while await shelf.players.sweep(NOON, 100):
        now = shelf.ask("SELECT count(*) FROM event")
        assert left - now <= 10_000
        left = now
    assert shelf.ask("SELECT count(*) FROM game WHERE player = :key", key=me.key) == 0


@pytest.mark.parametrize("moved", [True, False])
async def test_players_who_never_moved_go_and_those_who_did_stay(shelf, moved):
    me = await shelf.player()
    await shelf.keep(Table().play(4 if moved else 0), me)
    while await shelf.players.sweep(NOON + 1, 100):
        pass
    assert (await shelf.players.player(me.key) is not None) is moved
    assert shelf.ask("SELECT count(*) FROM game WHERE player = :key", key=me.key) == moved


async def test_a_game_removed_under_a_running_command_is_found_missing(shelf):
    me, table = await shelf.player(), Table().play(1)
    game = await shelf.create(me, table.events[0])
    await shelf.players.delete(me.key, LATER)
    while await shelf.players.sweep(NOON, 100):
        pass
    outcome: list[Exception | None] = []
    shelf.games.append(append_of(game.header, game.game, table.events[1], None, outcome.append))
    await shelf.processes.beat()
    assert [type(error).__name__ for error in outcome] == ["VersionConflict"]
