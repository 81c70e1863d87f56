"""Games that had a hint, in storage: kept while they last, told by every reader, and apart once they are over."""

import pytest
from sqlalchemy import text

from tests.engine.table import LEFT, NOON, Table
from twofold.daily import DAY
from twofold_service.storage.rankings import StoredStandings

BOARD, LATER = "classic-4-1/all", NOON + 9 * DAY


@pytest.fixture
def standings(shelf) -> StoredStandings:
    return StoredStandings(shelf.readers)


async def on(standings, board, also=()):
    return [ranked.result.game for ranked in await standings.page(board, LATER, None, 0, 100, also)]


async def test_a_game_is_marked_while_it_is_open_and_every_reader_is_told(shelf):
    player, table = await shelf.player(), Table().play(3)
    stored = await shelf.keep(table, player)

    assert await shelf.games.mark_assisted(stored.header.key)
    assert await shelf.games.mark_assisted(stored.header.key)

    loaded, standing = await shelf.games.load(stored.header.id), await shelf.games.standing(stored.header.id)
    (listed,), _ = await shelf.games.page(player, None, None, 10, None)
    (record,), _, _ = await shelf.players.records(player.key, shelf.now)
    assert loaded.header.assisted is standing.assisted is listed.header.assisted is True
    assert record.assisted == 1
    assert loaded.game == stored.game._replace(history=())


async def test_a_game_that_is_over_is_marked_no_more(shelf):
    stored = await shelf.keep(Table().play(3).abandon())

    assert not await shelf.games.mark_assisted(stored.header.key)

    assert not (await shelf.games.load(stored.header.id)).header.assisted


async def test_nothing_else_is_marked(shelf):
    player = await shelf.player()
    one, other = await shelf.keep(Table(), player), await shelf.keep(Table(), player)

    await shelf.games.mark_assisted(one.header.key)

    assert not (await shelf.games.load(other.header.id)).header.assisted
    assert not await shelf.games.mark_assisted(10**9)


async def test_an_end_looks_for_the_mark_in_storage_not_in_the_writer_s_memory(shelf, standings):
    """The mark may be another process's."""
    table = Table().play(3)
    stored = await shelf.keep(table)
    assert not stored.header.assisted
    await shelf.games.mark_assisted(stored.header.key)

    await shelf.extend(stored, table.abandon().events)

    assert stored.header.id not in await on(standings, BOARD)
    assert stored.header.id in await on(standings, f"{BOARD}/assisted")
    assert stored.header.id in await on(standings, BOARD, [f"{BOARD}/assisted"])


async def test_a_mark_is_no_other_version_and_moves_go_on_around_it(shelf):
    table = Table().move(LEFT)
    stored = await shelf.keep(table)
    for _ in range(5):
        before = table.game
        table.play(1)
        await shelf.append(stored.header, before, table.events[-1])
        await shelf.games.mark_assisted(stored.header.key)

    loaded = await shelf.games.load(stored.header.id)
    assert (loaded.game, loaded.header.assisted) == (table.game._replace(history=()), True)


async def test_of_two_boards_together_each_player_has_the_better_game(shelf, standings):
    ada, bob = await shelf.player(), await shelf.player()
    games = {}
    for player, moves, hint in ((ada, 40, True), (ada, 10, False), (bob, 5, True), (bob, 30, False)):
        table = Table().play(moves)
        stored = await shelf.keep(table, player)
        if hint:
            await shelf.games.mark_assisted(stored.header.key)
        await shelf.extend(stored, table.abandon().events)
        games[player.key, hint] = stored.header.id
    also = [f"{BOARD}/assisted"]

    together = [game for game in await on(standings, BOARD, also) if game in games.values()]
    own = [await standings.own(BOARD, LATER, player.key, also) for player in (ada, bob)]

    assert together == [games[ada.key, True], games[bob.key, False]]
    assert [ranked.result.game for ranked in own] == together
    page = await standings.page(BOARD, LATER, None, 0, 100, also)
    assert [next(ranked.result.rank for ranked in page if ranked.result.game == game) for game in together] == [
        ranked.result.rank for ranked in own
    ]


async def test_rows_of_a_release_that_knows_of_no_hints_have_none(shelf, database):
    stored = await shelf.keep(Table().play(3).abandon())
    with database.reading.connect() as connection:
        found = connection.execute(text("SELECT * FROM game LIMIT 0"))
        others = ", ".join(name for name in tuple(found.keys()) if name not in ("key", "id", "assisted", "date"))
    copy = f"INSERT INTO game (id, {others}) SELECT 'copy' || id, {others} FROM game WHERE key = :key"  # noqa: S608

    shelf.change(copy, key=stored.header.key)

    assert shelf.ask("SELECT assisted FROM game WHERE id = :id", id=f"copy{stored.header.id}") in (False, 0)
