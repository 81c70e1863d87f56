"""Hints as a use case: what the solver is told, what is kept and when, and what becomes of it where something fails."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from tests.engine.table import SEED
from twofold.board import Direction
from twofold.game import Outcome
from twofold_service.errors import Busy, RuleRefused, SolverUnavailable, StorageUnavailable
from twofold_service.usecases.hints import Hints
from twofold_service.usecases.lines import LONGEST_LINE
from twofold_service.usecases.values import Command
from twofold_solver.errors import WeightsRefused

ADDRESS = "198.51.100.7"


class Desk:
    """Does everything here, at once or once it is told to, and keeps what it was told."""

    def __init__(self) -> None:
        self.told: list[tuple[Any, ...]] = []
        self.begun = asyncio.Event()
        self.free = asyncio.Event()
        self.free.set()
        self.fault: Exception | None = None

    async def do(self, address: str, call: Callable[..., Any], *arguments: Any) -> Any:
        self.told.append(arguments)
        self.begun.set()
        await self.free.wait()
        if self.fault is not None:
            raise self.fault
        return call(*arguments)


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def hints(house, desk) -> Hints:
    return Hints(house.rooms, house.reading._games, house.play, desk, house.now)


async def asked(hints, view, depth=2):
    return await hints.of_game(view.header.id, view.header.player, depth, ADDRESS)


async def played(house, ada, moves, hints=None):
    """The log of a practice game on a known seed, with a hint before each move where there are any."""
    view = await house.begin(ada, "practice", seed=SEED.hex())
    for _ in range(moves):
        if hints is not None:
            await asked(hints, view)
        await house.move(view)
    return [(event.type, event.direction, event.spawn, event.game.position) for event in await house.log(view)]


async def test_a_game_has_the_same_events_and_spawns_with_hints_and_without(house, ada, hints):
    assert await played(house, ada, 40, hints) == await played(house, ada, 40)


async def test_the_solver_is_told_a_board_and_a_depth_and_nothing_else(house, ada, hints, desk):
    view = await house.moves(await house.begin(ada), 3)

    await asked(hints, view, 3)

    assert desk.told == [(4, view.game.position.cells, 3)]


async def test_a_hint_depends_on_the_board_alone(house, ada, hints):
    board = [[2, 4, 8, 16], [2, 0, 0, 8], [0, 0, 0, 4], [0, 0, 0, 2]]
    views = [await house.begin(ada, "practice", board=board, seed=f"{number:064x}") for number in range(5)]

    given = [(await asked(hints, view))[1] for view in views]

    assert given == [await hints.of_board(board, 2, ADDRESS)] * 5


async def test_the_clock_goes_on_and_no_command_is_counted(house, ada, hints):
    view = await house.begin(ada, "sprint", start=True)
    await house.wait(10)

    await asked(hints, view)
    await house.wait(111)

    after = await house.see(view)
    assert (after.game.outcome, after.game.version) == (Outcome.TIME_UP, 2)


async def test_what_a_clock_owes_is_written_before_a_hint_is_refused(house, ada, hints):
    view = await house.begin(ada, "sprint", start=True)
    for _ in range(130):
        house.now.forward(1)
        house.clocks.look(house.now())

    with pytest.raises(RuleRefused) as refused:
        await asked(hints, view)

    assert refused.value.code == "game_over"

    assert not (await house.see(view)).header.assisted


async def test_a_game_that_ends_while_the_solver_thinks_has_no_hint_and_stays_unassisted(house, ada, hints, desk):
    view = await house.moves(await house.begin(ada), 3)
    desk.free.clear()
    asking = asyncio.ensure_future(asked(hints, view))
    await desk.begun.wait()
    await house.do(view, "abandon")
    desk.free.set()

    with pytest.raises(RuleRefused) as refused:
        await asking

    assert refused.value.code == "game_over"
    assert not (await house.see(view)).header.assisted
    assert (await house.rankings.leaderboard("classic", None, None, "all", 9, None, None)).results


async def test_moves_made_meanwhile_are_no_hindrance(house, ada, hints, desk):
    view = await house.begin(ada)
    desk.free.clear()
    asking = asyncio.ensure_future(asked(hints, view))
    await desk.begun.wait()
    after = await house.moves(view, 2)
    desk.free.set()

    seen, hint = await asking

    assert seen.game.version == 1
    assert set(hint.values) == set(view.game.legal_moves)
    assert (await house.see(after)).header.assisted


async def test_a_hint_that_could_not_be_kept_is_not_given(house, ada, hints, monkeypatch):
    async def full(game: int) -> bool:
        raise StorageUnavailable

    view = await house.begin(ada)
    monkeypatch.setattr(house.reading._games, "mark_assisted", full)

    with pytest.raises(StorageUnavailable):
        await asked(hints, view)

    assert not (await house.see(view)).header.assisted
    await house.move(view)


@pytest.mark.parametrize("fault", [WeightsRefused("4x4.weights: no file of weights"), ImportError("no numpy")])
async def test_without_weights_there_are_no_hints_and_the_game_goes_on_unassisted(house, ada, hints, desk, fault):
    view = await house.begin(ada)
    desk.fault = fault

    with pytest.raises(SolverUnavailable) as refused:
        await asked(hints, view)

    assert (refused.value.status, refused.value.code) == (503, "solver_unavailable")
    assert refused.value.retry_after
    assert not (await house.see(view)).header.assisted
    await house.move(view)
    desk.fault = None
    assert (await asked(hints, view))[1].best in Direction


async def test_the_refusal_tells_nobody_where_files_are(house, ada, hints, desk, caplog):
    desk.fault = WeightsRefused("/srv/somewhere/4x4.weights: no file of weights")
    with pytest.raises(SolverUnavailable) as refused:
        await hints.of_board([[2, 2, 0], [0, 0, 0], [0, 0, 0]], 1, ADDRESS)
    assert "/srv" not in str(refused.value)
    assert "/srv/somewhere" in caplog.text


async def test_an_address_has_some_in_line_and_is_refused_beyond(house, ada, hints, desk):
    view = await house.begin(ada)
    desk.free.clear()

    asking = [asyncio.ensure_future(asked(hints, view)) for _ in range(LONGEST_LINE + 3)]
    refused = await asyncio.gather(*asking[LONGEST_LINE:], return_exceptions=True)
    desk.free.set()
    given = await asyncio.gather(*asking[:LONGEST_LINE])

    assert [type(outcome) for outcome in refused] == [Busy] * 3
    assert len(given) == LONGEST_LINE


async def test_who_goes_away_in_the_line_costs_the_solver_nothing(house, ada, hints, desk):
    view = await house.begin(ada)
    desk.free.clear()
    first, second = (asyncio.ensure_future(asked(hints, view)) for _ in range(2))
    await desk.begun.wait()

    second.cancel()
    desk.free.set()
    await asyncio.gather(first, second, return_exceptions=True)

    assert len(desk.told) == 1
    await house.play.played(Command("settle", view.header.id, house.now()))
