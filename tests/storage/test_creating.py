"""Creating games: numbered, counted, once for each key, together with what they end."""

import pytest

from tests.engine.table import NOON, Table
from tests.storage.shelf import append_of, bare
from twofold.daily import date_of
from twofold_service.errors import TooMany
from twofold_service.usecases.ports import KeyConflict, VersionConflict


async def test_a_key_makes_one_game(shelf):
    me = await shelf.player()
    made = await shelf.create(me, Table().events[0], key="key", fingerprint="wish")
    assert await shelf.games.created_by_key(me.key, "key") == ("wish", made.header.id)
    with pytest.raises(KeyConflict):
        await shelf.create(me, Table().events[0], key="key", fingerprint="wish")
    assert len((await shelf.games.page(me, None, None, 10, None))[0]) == 1


async def test_two_players_may_use_the_same_key(shelf):
    for _ in range(2):
        await shelf.create(await shelf.player(), Table().events[0], key="anybody's")


async def test_keys_are_forgotten_when_they_are_old(shelf):
    me = await shelf.player()
    made = await shelf.create(me, Table().events[0], key="key")
    while await shelf.games.forget_keys(NOON + 1, 1):
        pass
    assert await shelf.games.created_by_key(me.key, "key") is None
    assert await shelf.games.load(made.header.id) is not None


async def test_attempts_at_a_daily_are_numbered_by_creation(shelf):
    me = await shelf.player()
    attempts = [await shelf.create(me, Table("daily").events[0], "daily") for _ in range(3)]
    assert [attempt.header.attempt for attempt in attempts] == [1, 2, 3]
    assert await shelf.games.first_attempt(me.key, date_of(NOON)) == attempts[0].header.id
    assert await shelf.games.latest_attempt(me.key, date_of(NOON)) == attempts[2].header.id


async def test_attempts_are_counted_however_many_there_are(shelf):
    me, daily = await shelf.player(), Table("daily").play(2).abandon()
    first = await shelf.create(me, Table("daily").events[0], "daily")
    shelf.change("UPDATE game SET attempt = 32767 WHERE key = :key", key=first.header.key)

    following = await shelf.keep(daily, me)

    assert (await shelf.games.load(following.header.id)).header.attempt == 32768
    assert shelf.ask("SELECT attempt FROM result WHERE game = :key", key=following.header.key) == 32768


async def test_a_game_and_what_it_ends_are_stored_together_or_not_at_all(shelf):
    me, table = await shelf.player(), Table().play(3)
    old = await shelf.keep(table, me)
    over = table.game.abandon(table.now)
    with pytest.raises(TooMany):
        await shelf.create(me, table.events[0], open_limit=0, closing=[append_of(old.header, table.game, over)])
    assert (await shelf.games.load(old.header.id)).game == bare(table.game)
    await shelf.create(me, table.events[0], open_limit=1, closing=[append_of(old.header, table.game, over)])
    assert (await shelf.games.load(old.header.id)).game == bare(over.game)


async def test_a_game_is_not_made_where_what_it_ends_has_gone_on(shelf):
    me, table = await shelf.player(), Table().play(3)
    old = await shelf.keep(table, me)
    stale = table.events[1].game
    with pytest.raises(VersionConflict):
        await shelf.create(me, table.events[0], closing=[append_of(old.header, stale, stale.abandon(table.now))])
    assert len((await shelf.games.page(me, None, None, 10, None))[0]) == 1
