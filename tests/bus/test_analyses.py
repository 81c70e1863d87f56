"""Analyses where two processes serve one game: what one has made the other has, and at once both make the same."""

import asyncio

import pytest

from tests.bus.test_hints import Here
from twofold_service.storage.analyses import StoredAnalyses
from twofold_service.usecases.analyses import Analyses

pytestmark = pytest.mark.postgres


class Counting(Here):
    """Works here and now, or once all have come who are waited for, and counts how often."""

    def __init__(self, meeting=None):
        self.done = 0
        self.meeting = meeting

    async def follow(self, address, told, call, *arguments):
        self.done += 1
        if self.meeting is not None:
            await self.meeting.wait()
        return call(lambda share: None, *arguments)


def looking(half, desk):
    store = StoredAnalyses(half.service.readers, half.service.journal)
    return Analyses(half.reading, half.logs, store, desk, half.now, half.live.tell_analysed, patience=60)


@pytest.fixture
async def finished(halves):
    one, _ = halves
    view = await one.moves(await one.begin(await one.join()), 12)
    await one.do(view, "abandon")
    return view.header.id


async def test_one_that_is_made_is_there_for_all(halves, finished):
    (one, other), desks = halves, (Counting(), Counting())

    made = await looking(one, desks[0]).of_game(finished, None, 2, "here")

    assert await looking(other, desks[1]).of_game(finished, None, 2, "there") == made
    assert [desk.done for desk in desks] == [1, 0]


async def test_asked_at_once_each_makes_it_and_both_say_the_same(halves, finished):
    meeting = asyncio.Barrier(2)
    desks = (Counting(meeting), Counting(meeting))
    asking = [looking(half, desk).of_game(finished, None, 2, "") for half, desk in zip(halves, desks, strict=True)]

    one, other = await asyncio.gather(*asking)

    assert one == other
    assert [desk.done for desk in desks] == [1, 1]
    assert await looking(halves[0], desks[0]).of_game(finished, None, 2, "") == one
