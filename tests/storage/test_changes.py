"""Changes of many rows: values as they were given, in one order, and nothing where something does not fit."""

import asyncio
from typing import Any

import pytest

from tests.engine.table import Table
from tests.storage.shelf import append_of, settle
from twofold_service.storage.changes import insert_many, update_many, write
from twofold_service.storage.database import Database
from twofold_service.usecases.ports import VersionConflict
from twofold_service.usecases.values import UsedKey

ODD = ["", " ", "NULL", "null", '"', "\\", '\\"', "{}", ",", "a,b", "{a", "'", "%s", "ü→🎲", "\n\t", "\\x00"]
"""What means something to whoever reads an array."""


def test_values_come_back_as_they_were_given(database: Database):
    columns = ("id", "name", "hidden", "kept", "created_at", "bot")
    rows: list[tuple[Any, ...]] = [(f"odd{n}", text, n % 2 == 0, True, n << 40, False) for n, text in enumerate(ODD)]
    rows.append(("nameless", None, False, True, -1, True))
    with database.writing.begin() as connection:
        write(connection, [(insert_many("player", columns), rows)])
        question = "SELECT id, name, hidden, kept, created_at, bot, key FROM player ORDER BY key"
        *told, keys = zip(*connection.exec_driver_sql(question), strict=True)
        hashes = [b"", b"\x00\xff", b'"\\,{}', *(b"%d" % key for key in keys[3:])]
        tokens = [(key, hash, 1, 1) for key, hash in zip(keys, hashes, strict=True)]
        write(connection, [(insert_many("token", ("player", "hash", "created_at", "used_at")), tokens)])
        kept = [bytes(hash) for (hash,) in connection.exec_driver_sql("SELECT hash FROM token ORDER BY player")]
        connection.rollback()

    assert list(zip(*told, strict=True)) == rows
    assert kept == hashes


async def test_an_odd_key_is_kept_as_it_is(shelf):
    table = Table().play(len(ODD))
    stored = await shelf.create(await shelf.player(), table.events[0])
    for number, name in enumerate(ODD[1:]):
        before, after = table.events[number].game, table.events[number + 1]
        await shelf.append(stored.header, before, after, (name, UsedKey("move", "left", None, after.version)))

    with shelf.database.reading.connect() as connection:
        names = connection.exec_driver_sql("SELECT name FROM command_key ORDER BY made").scalars().all()
    assert names == ODD[1:]


async def test_a_game_that_storage_has_at_an_earlier_version_keeps_its_batch_from_nobody_else(shelf):
    table = Table().play(9)
    behind, sound = [await shelf.create(await shelf.player(), table.events[0]) for _ in range(2)]
    for stored in (behind, sound):
        await shelf.append(stored.header, table.events[0].game, table.events[1])
        await shelf.append(stored.header, table.events[1].game, table.events[2])
    shelf.change("UPDATE game SET version = 2 WHERE key = :key", key=behind.header.key)
    shelf.change("DELETE FROM event WHERE game = :key AND version = 3", key=behind.header.key)

    answers = [asyncio.get_running_loop().create_future() for _ in range(2)]
    for stored, answer in zip((behind, sound), answers, strict=True):
        before, after = table.events[2].game, table.events[3]
        shelf.games.append(append_of(stored.header, before, after, None, settle(answer)))
    told = await asyncio.gather(*answers, return_exceptions=True)

    assert isinstance(told[0], VersionConflict) and told[1] is None
    assert shelf.ask("SELECT max(version) FROM event WHERE game = :key", key=behind.header.key) == 2
    assert shelf.ask("SELECT version FROM game WHERE key = :key", key=sound.header.key) == 4


@pytest.mark.postgres
def test_games_are_locked_in_the_order_they_are_told_however_few_there_are(postgres_server):
    url = postgres_server.create_database()
    database = Database(url, 3000)
    try:
        database.migrate()
        numbers, boards = list(range(600)), [b""] * 600
        statement = update_many(("cells", "score")).arrays
        with database.writing.begin() as connection:
            plan = connection.exec_driver_sql(f"EXPLAIN {statement}", (boards, numbers, numbers, numbers)).all()
    finally:
        database.close()
        postgres_server.drop_database(url)

    steps = [line.strip(" ->").partition("  ")[0] for (line,) in plan if "->" in line]
    assert steps[:2] == ["Nested Loop", "Function Scan on new"]
    assert "pk_game" in steps[2] or "pk_game" in steps[3]
