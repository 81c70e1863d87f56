"""Deadlines: time up and the idle pause come by themselves, exactly when they are due."""

import pytest

from tests.usecases.house import kinds
from twofold.board import Direction
from twofold.clock import MS, SECOND
from twofold.game import Outcome, Status
from twofold_service.errors import RuleRefused

LIMIT = 120 * SECOND
IDLE = 300.0


@pytest.fixture
async def sprint(house, ada):
    """A sprint that was started at once."""
    return await house.begin(ada, "sprint", start=True)


@pytest.fixture
async def classic(house, ada):
    return await house.begin(ada)


@pytest.fixture
async def closing(house, sprint):
    """The sprint with its last second before it."""
    await house.wait(119)
    return sprint


async def test_time_is_up_without_a_word_from_anybody(house, sprint):
    await house.wait(119.999)
    before = (await house.see(sprint)).game

    await house.wait(0.001)

    game = (await house.see(sprint)).game
    assert (before.status, game.status, game.outcome) == (Status.RUNNING, Status.OVER, Outcome.TIME_UP)
    assert (game.active, game.ended_at) == (LIMIT, sprint.game.at + LIMIT)


async def test_time_is_up_as_of_the_deadline_however_late_it_is_noticed(house, closing):
    await house.sleep(1.9)

    game = (await house.see(closing)).game
    assert (game.at, game.active) == (closing.game.at + LIMIT, LIMIT)


async def test_the_end_is_stored_before_it_is_seen(house, closing):
    await house.wait(1)
    seen = (await house.see(closing)).game

    again = await house.again()

    assert seen.over
    assert kinds(await again.log(closing)) == ["created", "over time_up"]


async def test_a_command_that_came_in_time_counts_though_it_is_handled_late(house, closing):
    house.now.forward(1.5)

    played = await house.move(closing, at=closing.game.at + LIMIT - 1)

    await house.wake()
    log = await house.log(closing)
    assert played.event.game.status is Status.RUNNING
    assert kinds(log) == ["created", "move", "over time_up"]
    assert [event.game.at - closing.game.at for event in log] == [0, LIMIT - 1, LIMIT]


@pytest.mark.parametrize("late", [0, 1, SECOND // 2])
async def test_a_command_at_the_deadline_or_after_it_is_refused_and_the_end_is_stored(house, closing, late):
    house.now.forward(1.5)

    with pytest.raises(RuleRefused) as refused:
        await house.move(closing, at=closing.game.at + LIMIT + late)

    assert refused.value.code == "game_over"
    assert kinds(await house.log(closing)) == ["created", "over time_up"]


async def test_a_command_that_came_in_time_is_refused_once_the_end_is_stored(house, closing):
    way = closing.game.legal_moves[0]
    await house.wait(1)

    with pytest.raises(RuleRefused) as refused:
        await house.move(closing, way, at=closing.game.at + LIMIT - 1)

    assert refused.value.code == "game_over"


async def test_a_pause_holds_the_deadline(house, sprint):
    await house.wait(100)
    await house.do(sprint, "pause")
    await house.wait(60)
    await house.do(sprint, "resume")
    await house.wait(19)
    before = (await house.see(sprint)).game

    await house.wait(1)

    game = (await house.see(sprint)).game
    assert (before.status, game.status) == (Status.RUNNING, Status.OVER)
    assert game.elapsed_ms == 180_000


async def test_an_undo_brings_no_time_back(house, sprint):
    await house.wait(60)
    await house.move(sprint)
    await house.wait(50)
    await house.do(sprint, "undo")

    await house.wait(10)

    assert (await house.see(sprint)).game.outcome is Outcome.TIME_UP


async def test_an_untimed_game_is_paused_five_minutes_after_its_last_command(house, classic):
    await house.wait(100)
    await house.move(classic)
    await house.wait(IDLE - 1)
    before = (await house.see(classic)).game

    await house.wait(1)

    log = await house.log(classic)
    assert before.status is Status.RUNNING
    assert kinds(log)[-1] == "pause idle"
    assert log[-1].game.at == classic.game.at + 400 * SECOND
    assert log[-1].game.active == 400 * SECOND
    assert log[-1].game.pauses == 0


@pytest.mark.parametrize("key", [None, "a-key"])
async def test_a_no_op_counts_as_a_command(house, ada, key):
    board = [[2, 0, 0], [0, 0, 0], [0, 0, 0]]
    game = await house.begin(ada, "practice", board=board)
    await house.wait(200)
    played = await house.do(game, "move", direction=Direction.LEFT, key=key)

    await house.wait(200)

    assert played.event is None
    assert (await house.see(game)).game.status is Status.RUNNING
    await house.wait(100)
    assert (await house.log(game))[-1].game.at == game.game.at + 500 * SECOND


@pytest.mark.parametrize("op", ["settle", "disconnect"])
async def test_what_the_service_asks_itself_is_no_command(house, classic, op):
    await house.wait(200)
    await house.do(classic, op, player=None)

    await house.wait(100)

    assert (await house.log(classic))[-1].game.at == classic.game.at + 300 * SECOND


async def test_a_command_five_minutes_late_finds_the_game_paused(house, classic):
    for _ in range(round(IDLE)):  # the process lives, only its timer is late
        house.now.forward(1)
        house.clocks.look(house.now())

    with pytest.raises(RuleRefused) as refused:
        await house.move(classic)

    assert refused.value.code == "paused"
    assert kinds(await house.log(classic)) == ["created", "pause idle"]


async def test_neither_a_waiting_nor_a_won_game_falls_idle(house, ada):
    ready = await house.begin(ada, "classic", start=False)
    won = await house.begin(ada, "practice", board=[[1024, 1024, 0], [0, 0, 0], [0, 0, 0]])
    await house.move(won, Direction.LEFT)

    await house.wait(400)

    assert kinds(await house.log(ready)) == ["created"]
    assert kinds(await house.log(won)) == ["created", "move"]


async def test_a_timed_game_never_falls_idle(house, ada):
    game = await house.begin(ada, "break", start=True)

    await house.wait(300)

    assert kinds(await house.log(game)) == ["created", "over time_up"]


async def test_the_deadline_of_a_game_read_anew_is_kept(house, ada):
    sprint = await house.begin(ada, "sprint", start=True)
    house.rooms.drop(house.rooms.get(sprint.header.id))

    await house.wait(121)

    assert (await house.see(sprint)).game.outcome is Outcome.TIME_UP


async def test_elapsed_time_is_the_difference_of_the_instants_as_they_are_shown(house, ada):
    house.now.at += 600
    game = await house.begin(ada, "moves100")
    house.now.at += 1_500

    over = (await house.do(game, "abandon")).event.game

    assert over.elapsed_ms == over.ended_at // MS - over.started_at // MS == 2
