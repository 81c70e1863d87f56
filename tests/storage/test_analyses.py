"""Analyses in storage: one a game and depth, the newest edition, gone with the game."""

import pytest

from tests.engine.table import NOON, Table

DOCUMENT = b'{"game":"one","moves":3}' * 1000


@pytest.fixture
def analyses(shelf):
    return shelf.analyses


@pytest.fixture
async def game(shelf):
    return (await shelf.keep(Table().play(3).abandon())).header.key


async def test_what_is_kept_is_read_as_it_was_and_takes_less_room(shelf, analyses, game):
    assert await analyses.analysis(game, 2, 1) is None

    await analyses.keep(game, 2, 1, DOCUMENT, NOON)

    assert await analyses.analysis(game, 2, 1) == DOCUMENT
    stored = shelf.ask("SELECT length(document) FROM analysis WHERE game = :game", game=game)
    assert stored < len(DOCUMENT) / 10


async def test_depths_and_games_are_apart(shelf, analyses, game):
    other = (await shelf.keep(Table().abandon())).header.key
    for depth in (1, 2):
        await analyses.keep(game, depth, 1, b"%d" % depth, NOON)

    assert [await analyses.analysis(game, depth, 1) for depth in (1, 2, 3)] == [b"1", b"2", None]
    assert await analyses.analysis(other, 1, 1) is None


async def test_one_of_another_edition_is_as_good_as_none_and_makes_room(shelf, analyses, game):
    await analyses.keep(game, 2, 1, b"old", NOON)
    assert await analyses.analysis(game, 2, 2) is None

    await analyses.keep(game, 2, 2, b"new", NOON)

    assert await analyses.analysis(game, 2, 2) == b"new"
    assert shelf.ask("SELECT count(*) FROM analysis WHERE game = :game", game=game) == 1


async def test_two_processes_that_made_the_same_keep_one(shelf, analyses, game):
    await analyses.keep(game, 2, 1, DOCUMENT, NOON)
    await analyses.keep(game, 2, 1, DOCUMENT, NOON + 5)
    assert shelf.ask("SELECT count(*) FROM analysis WHERE game = :game", game=game) == 1


async def test_nothing_is_kept_of_a_game_there_is_not(shelf, analyses):
    await analyses.keep(10**9, 2, 1, DOCUMENT, NOON)
    assert await analyses.analysis(10**9, 2, 1) is None


async def test_it_goes_with_its_game(shelf, analyses, game):
    await analyses.keep(game, 2, 1, DOCUMENT, NOON)

    shelf.change("DELETE FROM event WHERE game = :game", game=game)
    shelf.change("DELETE FROM game WHERE key = :game", game=game)

    assert shelf.ask("SELECT count(*) FROM analysis WHERE game = :game", game=game) == 0
