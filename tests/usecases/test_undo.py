"""Undo: back along the path, further than memory reaches, with what it costs kept."""

import pytest

from tests.usecases.house import kinds
from twofold.game import HISTORY, Cause, EventType, Status
from twofold_service.errors import RuleRefused

SEED = "33" * 32


def path_of(events):
    """The positions on the path to where the events lead: an undone move is not on it."""
    path = [events[0].game.position]
    for event in events[1:]:
        if event.type is EventType.MOVE:
            path.append(event.game.position)
        elif event.type is EventType.UNDO:
            path.pop()
    return path


async def undo(house, game, times):
    """The positions that so many undos lead to."""
    return [(await house.do(game, "undo")).event.game.position for _ in range(times)]


async def test_every_move_is_taken_back_to_the_start_after_a_restart(house, ada):
    practice = await house.begin(ada, "practice", size=6, seed=SEED)
    await house.moves(practice, 300)
    path = path_of(await house.log(practice))

    again = await house.again()
    back = await undo(again, practice, 300)

    assert back == path[-2::-1]
    with pytest.raises(RuleRefused) as refused:
        await again.do(practice, "undo")
    assert refused.value.code == "nothing_to_undo"


async def test_undo_reaches_back_over_undos_that_were_played_over(house, ada):
    practice = await house.begin(ada, "practice", seed=SEED)
    for _ in range(6):
        await house.moves(practice, 9)
        await undo(house, practice, 5)
        await house.do(practice, "pause")
        await house.do(practice, "resume")
    path = path_of(await house.log(practice))
    house.rooms.drop(house.rooms.get(practice.header.id))

    back = await undo(house, practice, 24)

    assert back == path[-2::-1]


@pytest.mark.parametrize("moves", [HISTORY - 1, HISTORY, HISTORY + 1, 2 * HISTORY + 1])
async def test_memory_holds_eight_positions_and_storage_the_others(house, ada, moves):
    practice = await house.begin(ada, "practice", seed=SEED)
    view = await house.moves(practice, moves)

    for _ in range(moves):
        await house.do(practice, "undo")

    assert len(view.game.history) == min(moves, HISTORY)
    assert (await house.see(practice)).game.position == practice.game.position


async def test_five_undos_are_all_there_after_a_restart_and_no_sixth(house, ada):
    game = await house.begin(ada, undo_limit=5)
    await house.moves(game, 8)
    path = path_of(await house.log(game))
    await house.do(game, "undo")

    again = await house.again()
    back = await undo(again, game, 4)

    assert back == path[-3:-7:-1]
    with pytest.raises(RuleRefused) as refused:
        await again.do(game, "undo")
    assert refused.value.code == "undo_exhausted"


async def test_the_same_move_after_an_undo_brings_the_same_tile(house, ada):
    game = await house.moves(await house.begin(ada), 3)
    first = await house.move(game)
    await house.do(game, "undo")

    again = await house.move(game, first.event.direction)

    assert (again.event.spawn, again.event.game.position.cells) == (
        first.event.spawn,
        first.event.game.position.cells,
    )


async def test_a_paused_game_stays_paused_when_its_move_is_taken_back(house, ada):
    game = await house.moves(await house.begin(ada), 3)
    await house.do(game, "pause")

    undone = (await house.do(game, "undo")).event.game

    assert (undone.status, undone.clock.running) == (Status.PAUSED, False)


async def test_an_undo_makes_a_finished_game_live_again_and_runs_its_clock(house, ada):
    game = await house.begin(ada, "moves100")
    while (view := await house.see(game)).game.status is not Status.OVER:
        await house.move(view)
    await house.wait(10)

    undone = (await house.do(game, "undo")).event.game

    assert (undone.status, undone.outcome, undone.ended_at) == (Status.RUNNING, None, None)
    await house.wait(300)
    assert kinds(await house.log(game))[-1] == "pause idle"


async def test_the_log_of_undos_is_read_as_it_was_written(house, ada):
    practice = await house.begin(ada, "practice", seed=SEED)
    for _ in range(60):
        await house.moves(practice, 3)
        await undo(house, practice, 2)
    now = (await house.see(practice)).game

    again = await house.again()
    last = (await again.log(practice))[-1]

    assert last.cause is Cause.OUTAGE
    assert last.game.position == now.position
    assert (last.game.version, last.game.undos) == (302, 120)
