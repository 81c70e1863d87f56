"""Pars in storage: one process at a time is at a date; its scores are those that its results list."""

import pytest

from tests.engine.table import NOON, Table
from twofold.daily import DAY, date_of, later
from twofold_service.usecases.values import Day, Luck, Par, ParLevel

TODAY = date_of(NOON)
PAR = Par((ParLevel(1, 4000, 512), ParLevel(2, 2**40, 2**17)), 1234, None, Luck(2, 48, 200_000, 0.25))


@pytest.fixture
def pars(shelf):
    shelf.change("DELETE FROM par")
    shelf.change("DELETE FROM day")
    return shelf.pars


async def reveal(shelf, *dates):
    await shelf.days.publish([Day(date, bytes(32)) for date in dates], NOON)
    for date in dates:
        await shelf.days.mark_revealed(date, NOON)


async def test_a_date_is_claimed_once_its_seed_is_shown_and_by_one(shelf, pars):
    await shelf.days.publish([Day(TODAY, bytes(32))], NOON)
    assert await pars.claim("one", NOON, NOON - 10) is None

    await reveal(shelf, TODAY)

    assert await pars.claim("one", NOON, NOON - 10) == TODAY
    assert await pars.claim("other", NOON + 5, NOON - 5) is None
    assert await pars.claim("one", NOON + 5, NOON - 5) is None


async def test_the_newest_date_is_claimed_first_and_others_after_it(shelf, pars):
    await reveal(shelf, TODAY, later(TODAY, 1), later(TODAY, -1))

    claimed = [await pars.claim("one", NOON, NOON - 10) for _ in range(4)]

    assert claimed == [later(TODAY, 1), TODAY, later(TODAY, -1), None]


async def test_a_silent_process_loses_its_date(shelf, pars):
    await reveal(shelf, TODAY)
    await pars.claim("one", NOON, NOON - 10)
    assert await pars.renew(TODAY, "one", NOON + 10)
    assert await pars.claim("other", NOON + 15, NOON + 5) is None

    assert await pars.claim("other", NOON + 30, NOON + 20) == TODAY

    assert not await pars.renew(TODAY, "one", NOON + 31)
    assert await pars.renew(TODAY, "other", NOON + 31)


async def test_what_is_kept_is_read_as_it_was_and_kept_once(shelf, pars):
    await reveal(shelf, TODAY)
    assert await pars.par(TODAY) is None
    await pars.claim("one", NOON, NOON - 10)
    assert await pars.par(TODAY) is None

    await pars.keep(TODAY, PAR, NOON)
    await pars.keep(TODAY, PAR._replace(best=1), NOON)

    assert await pars.par(TODAY) == PAR
    assert await pars.claim("other", NOON + DAY, NOON + DAY) is None
    assert not await pars.renew(TODAY, "one", NOON)


async def test_scores_are_those_of_first_attempts_that_rank(shelf, pars):
    table, scores = Table("daily").play(20), []
    for moves, hint, hidden in ((20, False, False), (9, False, False), (20, True, False), (20, False, True)):
        player, table = await shelf.player(), Table("daily").play(moves)
        stored = await shelf.keep(table, player)
        if hint:
            await shelf.games.mark_assisted(stored.header.key)
        await shelf.extend(stored, table.abandon().events)
        if hidden:
            shelf.change("UPDATE player SET hidden = true WHERE key = :key", key=player.key)
        elif not hint:
            scores.append(table.game.position.score)
        second = Table("daily").play(30)
        await shelf.extend(await shelf.keep(second, player), second.abandon().events)

    assert sorted(await pars.scores(TODAY)) == sorted(scores)
