"""Outages: a stop, a crash or a sleep of the service costs no player any time, and every such pause says so."""

import pytest

from tests.usecases.house import kinds
from twofold.clock import SECOND
from twofold.game import Cause, Outcome, Status
from twofold_service.errors import Draining, RuleRefused


@pytest.fixture
async def sprint(house, ada):
    """A sprint that has run for ten seconds."""
    view = await house.begin(ada, "sprint", start=True)
    await house.wait(10)
    return view


@pytest.mark.parametrize("asleep", [2.1, 60, 600])
async def test_a_process_that_slept_pauses_its_games_as_of_its_last_beat(house, sprint, asleep):
    await house.sleep(asleep)

    last = (await house.log(sprint))[-1]
    assert (last.cause, last.game.active) == (Cause.OUTAGE, 10 * SECOND)
    assert last.game.pauses == 0


async def test_a_game_that_memory_has_lost_is_in_the_outage_too(house, sprint):
    house.rooms.drop(house.rooms.get(sprint.header.id))

    await house.sleep(60)

    last = (await house.log(sprint))[-1]
    assert (last.cause, last.game.active) == (Cause.OUTAGE, 10 * SECOND)


async def test_a_gap_of_two_seconds_is_no_outage(house, sprint):
    await house.sleep(2)

    assert (await house.see(sprint)).game.status is Status.RUNNING


async def test_the_outage_is_looked_for_before_a_command_is_taken(house, sprint):
    house.now.forward(30)

    with pytest.raises(RuleRefused) as refused:
        await house.move(sprint)

    assert refused.value.code == "paused"
    assert (await house.log(sprint))[-1].game.active == 10 * SECOND


async def test_a_game_that_is_begun_when_the_process_wakes_was_not_in_the_outage(house, ada):
    house.now.forward(30)

    game = await house.begin(ada)

    await house.wake()
    assert kinds(await house.log(game)) == ["created"]


async def test_the_outage_comes_before_a_deadline_that_lay_in_it(house, sprint):
    await house.sleep(600)

    await house.do(sprint, "resume")

    log = await house.log(sprint)
    assert kinds(log) == ["created", "pause outage", "resume"]
    assert log[-1].game.active == 10 * SECOND


async def test_a_game_that_stands_is_not_touched_by_an_outage(house, ada):
    paused = await house.begin(ada)
    await house.do(paused, "pause")
    ready = await house.begin(ada, "sprint")

    await house.sleep(60)

    assert kinds(await house.log(paused)) == ["created", "pause player"]
    assert kinds(await house.log(ready)) == ["created"]


async def test_after_a_crash_a_running_game_is_paused_as_of_the_last_heartbeat(house, sprint):
    await house.beat()
    await house.wait(0.9)

    again = await house.again(after=3600)

    last = (await again.log(sprint))[-1]
    assert kinds([last]) == ["pause outage"]
    assert (last.game.at, last.game.active) == (sprint.game.at + 10 * SECOND, 10 * SECOND)


async def test_after_a_crash_a_game_never_goes_back_behind_its_own_last_event(house, sprint):
    played = await house.move(sprint)
    stale = {process: beat - SECOND for process, beat in (await house.clocks._processes.heartbeats()).items()}

    async def heartbeats() -> dict[str, int]:
        return stale

    await house.service.stop()
    again = house.successor = type(house)(house.path, house.now)
    again.service.journal.start()
    again.clocks._processes.heartbeats = heartbeats
    await again.clocks.recover()

    last = (await again.log(sprint))[-1]
    assert last.cause is Cause.OUTAGE
    assert last.game.at == played.event.game.at


async def test_a_start_touches_nothing_that_was_not_running(house, ada):
    paused = await house.begin(ada)
    await house.do(paused, "pause")
    over = await house.begin(ada)
    await house.do(over, "abandon")

    again = await house.again(after=86_400)

    assert kinds(await again.log(paused)) == ["created", "pause player"]
    assert kinds(await again.log(over)) == ["created", "over player"]


async def test_a_second_crash_pauses_a_paused_game_no_more(house, sprint):
    again = await house.again(after=60)
    third = await again.again(after=60)

    assert kinds(await third.log(sprint)) == ["created", "pause outage"]


async def test_after_a_crash_the_whole_limit_is_left(house, sprint):
    await house.beat()
    again = await house.again(after=60)
    await again.do(sprint, "resume")

    await again.wait(110)

    game = (await again.see(sprint)).game
    assert (game.outcome, game.active) == (Outcome.TIME_UP, 120 * SECOND)


async def test_a_damaged_game_does_not_keep_the_others_from_recovering(house, ada, sprint):
    damaged = await house.begin(ada)
    await house.service.journal.run(
        lambda connection: connection.exec_driver_sql("UPDATE game SET score = 2 WHERE id = ?", (damaged.header.id,))
    )

    again = await house.again(after=60)

    assert kinds(await again.log(sprint))[-1] == "pause outage"


async def test_a_stop_in_good_order_is_an_outage_at_once(house, sprint):
    await house.wait(5)

    await house.service.drain()

    last = (await house.log(sprint))[-1]
    assert (last.cause, last.game.active) == (Cause.OUTAGE, 15 * SECOND)


async def test_a_draining_service_takes_no_commands_and_begins_no_games(house, ada, sprint):
    await house.service.drain()

    with pytest.raises(Draining):
        await house.move(sprint)
    with pytest.raises(Draining):
        await house.begin(ada)
