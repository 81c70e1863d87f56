"""Analyses as a use case: one at a time, followed, stopped where nobody waits any more, kept once they are there."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from tests.engine.table import SEED
from tests.usecases.house import Seat
from twofold_service.errors import Busy, CorruptGame, NotFinal, SolverUnavailable
from twofold_service.storage.analyses import StoredAnalyses
from twofold_service.usecases import analyses
from twofold_service.usecases.analyses import KEPT_FOR, MOST_JOBS, MOST_OF_ADDRESS, Analyses
from twofold_service.usecases.values import Underway
from twofold_solver.errors import WeightsRefused

ADDRESS = "198.51.100.7"


class Desk:
    """Works when it is told to, and keeps what it was given, by whom it is followed, and what was stopped."""

    def __init__(self) -> None:
        self.begun: list[tuple[Any, ...]] = []
        self.stopped = 0
        self.free = asyncio.Event()
        self.told: Callable[[float], None] = lambda share: None
        self.fault: Exception | None = None

    async def do(self, address: str, call: Callable[..., Any], *arguments: Any) -> Any:
        raise NotImplementedError

    async def follow(
        self, address: str, told: Callable[[float], None], call: Callable[..., Any], *arguments: Any
    ) -> Any:
        self.begun.append(arguments)
        self.told = told
        try:
            await self.free.wait()
        except asyncio.CancelledError:
            self.stopped += 1
            raise
        if self.fault is not None:
            raise self.fault
        return call(lambda share: None, *arguments)


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
async def new_looking(house, desk):
    opened = []

    def open_one(patience):
        store = StoredAnalyses(house.service.readers, house.service.journal)
        tell = house.live.tell_analysed
        opened.append(Analyses(house.reading, house.logs, store, desk, house.now, tell, patience=patience))
        return opened[-1]

    yield open_one
    for looking in opened:
        await looking.close()


@pytest.fixture
def looking(new_looking):
    """Answers soon how far it is."""
    return new_looking(0.02)


@pytest.fixture
def patient(new_looking):
    """Answers once it is there."""
    return new_looking(60)


@pytest.fixture
def finished(house, ada):
    async def play(moves: int = 8, mode: str = "classic", **wish):
        view = await house.moves(await house.begin(ada, mode, **wish), moves)
        await house.do(view, "abandon")
        return view

    return play


async def asked(looking, view, depth=2, address=ADDRESS):
    return await looking.of_game(view.header.id, None, depth, address)


async def begun(desk, count=1):
    """Once so many have come to the desk."""
    for _ in range(1000):
        if len(desk.begun) >= count:
            return
        await asyncio.sleep(0.001)
    raise AssertionError("nothing came to the desk")


async def found(looking, view, depth=2, address=ADDRESS):
    """The analysis, once it is there."""
    while isinstance(said := await asked(looking, view, depth, address), Underway):
        pass
    return said


async def idle(looking):
    """Once nothing is being made."""
    await asyncio.gather(*[job.task for job in looking._jobs.values()], return_exceptions=True)


async def test_who_asks_is_told_how_far_it_is_until_it_is_there(looking, desk, finished):
    view = await finished()
    await asked(looking, view)
    await begun(desk)
    assert await asked(looking, view) == Underway(True, 0.0)
    desk.told(0.4)
    assert await asked(looking, view) == Underway(True, 0.4)

    desk.free.set()
    document = await found(looking, view)

    assert document.startswith(b'{"game":"%b"' % view.header.id.encode())
    assert await found(looking, view) == document
    assert len(desk.begun) == 1


async def test_those_who_watch_are_told_each_step_once_and_the_end(looking, desk, finished, house):
    view = await finished()
    watching, elsewhere = Seat(), Seat()
    for seat in (watching, elsewhere):
        house.live.open(seat)
    await house.live.watch(watching, view.header.id, None)
    await asked(looking, view)
    await begun(desk)

    for share in (0.25, 0.25, 0.5):
        desk.told(share)
    desk.free.set()
    await found(looking, view)

    assert watching.progress == [(view.header.id, 2, share) for share in (0.25, 0.5, 1.0)]
    assert elsewhere.progress == []


async def test_the_solver_gets_the_path_and_no_seed(looking, desk, finished):
    view = await finished()

    await asked(looking, view)
    await begun(desk)

    ((game, size, start, steps, end, depth),) = desk.begun
    assert (game, size, start.score, end, depth) == (view.header.id, 4, 0, view.game.position, 2)
    assert view.game.seed not in (start.cells, steps)
    assert view.game.seed not in bytes(steps)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE event SET cell = (cell + 1) % 16",
        "UPDATE event SET cell = 99",
        "UPDATE event SET tile = 6 - tile",
        "UPDATE event SET tile = 3",
        "UPDATE event SET direction = 3 - direction",
    ],
)
async def test_a_log_that_does_not_lead_to_its_game_is_corrupt_and_not_analysed(patient, desk, finished, house, change):
    view = await finished(8, mode="practice", seed=SEED.hex())
    desk.free.set()
    damage = change + " WHERE game = ? AND version = 9"  # the last move: an earlier one may lead to the same board
    await house.service.journal.run(lambda connection: connection.exec_driver_sql(damage, (view.header.key,)))

    with pytest.raises(CorruptGame):
        await asked(patient, view)


async def test_one_is_made_at_a_time_the_others_are_queued(looking, desk, finished):
    first, second = await finished(), await finished()
    await asked(looking, first)
    await begun(desk)

    assert [await asked(looking, view) for view in (first, second)] == [Underway(True, 0.0), Underway(False, 0.0)]

    assert len(desk.begun) == 1
    desk.free.set()
    assert await found(looking, second)
    assert len(desk.begun) == 2


async def test_a_request_that_is_cancelled_stops_its_work(patient, desk, finished):
    asking = asyncio.ensure_future(asked(patient, await finished()))
    await begun(desk)

    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    await idle(patient)

    assert desk.stopped == 1


async def test_it_goes_on_as_long_as_somebody_else_waits(patient, desk, finished):
    view = await finished()
    one, other = (asyncio.ensure_future(asked(patient, view)) for _ in range(2))
    await begun(desk)

    one.cancel()
    await asyncio.gather(one, return_exceptions=True)
    desk.free.set()

    assert isinstance(await other, bytes)
    assert (desk.stopped, len(desk.begun)) == (0, 1)


async def test_who_was_told_to_ask_again_and_does_not_lets_the_work_end(looking, desk, finished, house):
    view = await finished()
    await asked(looking, view)
    await begun(desk)
    house.now.forward(KEPT_FOR / 1e6 - 1)
    await asked(looking, view)
    await begun(desk)
    house.now.forward(KEPT_FOR / 1e6 - 1)
    desk.told(0.5)
    await asyncio.sleep(0)
    assert desk.stopped == 0

    house.now.forward(2)
    desk.told(0.6)
    await idle(looking)

    assert desk.stopped == 1
    assert isinstance(await asked(looking, view), Underway)
    await begun(desk, 2)


async def test_what_nobody_waits_for_any_more_is_not_begun(patient, desk, finished):
    first, second = [asyncio.ensure_future(asked(patient, await finished())) for _ in range(2)]
    await begun(desk)
    while len(patient._jobs) < 2:
        await asyncio.wait({second}, timeout=0.001)

    second.cancel()
    await asyncio.gather(second, return_exceptions=True)
    desk.free.set()
    assert isinstance(await first, bytes)
    await idle(patient)

    assert len(desk.begun) == 1


async def test_one_address_has_some_queued_and_is_refused_beyond(looking, desk, finished):
    views = [await finished(1) for _ in range(MOST_OF_ADDRESS + 1)]
    for view in views[:-1]:
        await asked(looking, view)

    with pytest.raises(Busy) as refused:
        await asked(looking, views[-1])

    assert (refused.value.status, refused.value.retry_after) == (503, 1)
    assert looking.counts.refused == 1
    assert isinstance(await asked(looking, views[-1], address="elsewhere"), Underway)
    assert isinstance(await asked(looking, views[0]), Underway)


async def test_all_addresses_together_have_a_bound(looking, desk, finished):
    views = [await finished(1) for _ in range(MOST_JOBS + 1)]
    for number, view in enumerate(views[:-1]):
        await asked(looking, view, address=f"192.0.2.{number}")

    with pytest.raises(Busy):
        await asked(looking, views[-1])

    assert looking.counts.inside == MOST_JOBS


async def test_without_weights_there_is_none_and_the_next_question_tries_again(looking, desk, finished):
    view = await finished()
    desk.fault = WeightsRefused("4x4.weights: damaged")
    desk.free.set()
    for _ in range(2):
        with pytest.raises(SolverUnavailable):
            await found(looking, view)

    desk.fault = None

    assert await found(looking, view)


async def test_one_of_an_earlier_edition_is_made_anew_and_takes_its_place(looking, desk, finished, monkeypatch):
    view = await finished()
    desk.free.set()
    await found(looking, view)

    monkeypatch.setattr(analyses, "EDITION", analyses.EDITION + 1)
    await found(looking, view)
    await found(looking, view)

    assert len(desk.begun) == 2


async def test_depths_are_apart(looking, desk, finished):
    view = await finished()
    desk.free.set()

    assert await found(looking, view, 1) != await found(looking, view, 2)
    assert await found(looking, view, 1) == await found(looking, view, 1)
    assert len(desk.begun) == 2


async def test_a_game_that_is_not_final_is_refused(looking, desk, house, ada):
    view = await house.begin(ada)
    with pytest.raises(NotFinal):
        await asked(looking, view)
    assert desk.begun == []


async def test_nothing_is_kept_of_a_game_that_has_gone_meanwhile(looking, desk, finished, house, ada):
    view = await finished()
    await asked(looking, view)
    await begun(desk)
    await house.players.delete(ada)
    for _ in range(5):
        await house.players.sweep()

    desk.free.set()
    await idle(looking)

    store = StoredAnalyses(house.service.readers, house.service.journal)
    assert await store.analysis(view.header.key, 2, analyses.EDITION) is None
