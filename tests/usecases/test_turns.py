"""Turns: commands on one game are taken one at a time, in order, each answered once, whatever storage does."""

import asyncio

import pytest

from tests.usecases.fakes import Stage
from twofold.board import Direction
from twofold_service.errors import CorruptGame, NotFound, RuleRefused, StaleVersion, StorageUnavailable
from twofold_service.usecases.ports import VersionConflict
from twofold_service.usecases.values import Command

UP, DOWN, LEFT, RIGHT = Direction


@pytest.fixture
def stage():
    return Stage()


@pytest.fixture
def game(stage):
    return stage.shelf.put()


async def test_commands_that_wait_are_answered_in_the_order_they_came(stage, game):
    stage.shelf.waiting = []
    for way in (LEFT, DOWN, RIGHT, UP, LEFT, DOWN):
        stage.ask(game, "move", direction=way)
    await stage.until(lambda: stage.shelf.waiting)

    stage.shelf.let_go()
    await stage.until(lambda: len(stage.answers) == 6)

    versions = [played.event.version for played in stage.answers if played.event]
    assert versions == list(range(2, 2 + len(versions)))
    assert stage.play.in_flight == 0


async def test_nobody_is_told_or_answered_before_the_commit(stage, game):
    await stage.do(game, "move", direction=LEFT)
    stage.shelf.waiting = []
    told, seen = len(stage.crier.told), stage.rooms.get(game.id).game.version

    stage.ask(game, "pause")
    await asyncio.sleep(0)

    assert stage.answers == []
    assert (len(stage.crier.told), stage.rooms.get(game.id).game.version) == (told, seen)
    stage.shelf.let_go()
    await stage.until(lambda: stage.answers)


async def test_one_version_is_moved_from_once(stage, game):
    for _ in range(12):
        stage.ask(game, "move", direction=stage.shelf.game(game).legal_moves[0], version=1)

    await stage.until(lambda: len(stage.answers) == 12)

    refused = [answer for answer in stage.answers if isinstance(answer, StaleVersion)]
    assert len(refused) == 11
    assert {answer.game and answer.game.game.version for answer in refused} == {2}


async def test_a_game_that_storage_has_ahead_of_memory_is_read_anew(stage, game):
    await stage.move(game)
    log = stage.shelf.events[game.id]
    log.append(log[-1].game.pause(stage.now()))

    ended = await stage.do(game, "abandon")

    assert (ended.event.version, ended.event.game.active) == (4, 0)


async def test_a_command_of_a_version_that_storage_has_passed_is_stale(stage, game):
    await stage.move(game)
    log = stage.shelf.events[game.id]
    log.append(log[-1].game.pause(stage.now()))

    with pytest.raises(StaleVersion) as refused:
        await stage.do(game, "abandon", version=2)

    assert refused.value.game and refused.value.game.game.version == 3


async def test_a_write_that_fails_changes_nothing_and_the_next_one_goes_on(stage, game):
    await stage.move(game)
    stage.shelf.failing_writes = [StorageUnavailable()]

    with pytest.raises(StorageUnavailable):
        await stage.move(game)

    assert (await stage.move(game)).event.version == 3
    assert stage.play.in_flight == 0


async def test_those_who_wait_are_answered_after_a_write_that_failed(stage, game):
    await stage.move(game)
    stage.shelf.waiting = []
    for op in ("pause", "abandon"):
        stage.ask(game, op)
    stage.shelf.failing_writes = [StorageUnavailable()]

    stage.shelf.let_go()
    await stage.until(lambda: len(stage.answers) == 2)

    failed, played = stage.answers
    assert isinstance(failed, StorageUnavailable)
    assert (played.event.type, played.event.version) == ("over", 3)


@pytest.mark.parametrize("failure", [StorageUnavailable(), CorruptGame(), ValueError("a fault of ours")])
async def test_those_who_wait_are_answered_after_a_reading_that_failed(stage, game, failure):
    await stage.move(game)
    stage.rooms.drop(stage.rooms.get(game.id))
    await stage.rooms.open(game.id)
    stage.shelf.failing_reads = [failure]
    for op in ("undo", "pause", "abandon"):
        stage.ask(game, op)

    await stage.until(lambda: len(stage.answers) == 3)

    assert stage.answers[0] is failure
    assert [played.event.type for played in stage.answers[1:]] == ["pause", "over"]
    assert stage.play.in_flight == 0


async def test_a_game_there_is_not_is_not_found_each_time(stage, game):
    for name in ("nothing", "", "a/b", "\0", "ä", "x" * 65):
        command = Command("pause", name, stage.now(), game.player)

        with pytest.raises(NotFound):
            await stage.play.played(command)

    assert stage.shelf.loads == 1


async def test_many_who_open_a_game_at_once_read_it_once(stage, game):
    rooms = await asyncio.gather(*[stage.rooms.open(game.id) for _ in range(20)])

    assert stage.shelf.loads == 1
    assert len(set(map(id, rooms))) == 1


async def test_one_who_gives_up_does_not_take_the_opening_from_the_others(stage, game):
    impatient = asyncio.ensure_future(stage.rooms.open(game.id))
    patient = asyncio.ensure_future(stage.rooms.open(game.id))
    await asyncio.sleep(0)

    impatient.cancel()

    assert (await patient).header is game


async def test_a_held_game_waits_for_whoever_holds_it(stage, game):
    async with stage.rooms.held(game.id):
        stage.ask(game, "pause")
        await asyncio.sleep(0)
        meanwhile = list(stage.answers)

    await stage.until(lambda: stage.answers)
    assert meanwhile == []


async def test_one_who_gives_up_waiting_for_a_held_game_holds_up_nobody(stage, game):
    async with stage.rooms.held(game.id):
        waiting = asyncio.ensure_future(stage.rooms.held(game.id).__aenter__())
        await asyncio.sleep(0.01)
        waiting.cancel()
        stage.ask(game, "pause")

    await stage.until(lambda: stage.answers)


async def test_rooms_are_forgotten_but_for_those_that_run_or_are_needed(stage):
    small = Stage(rooms=2)
    games = [small.shelf.put() for _ in range(6)]
    for game in games[:3]:
        await small.move(game)

    for game in games[3:]:
        await small.do(game, "pause")

    assert [game.id for game in games if small.rooms.get(game.id)] == [game.id for game in [*games[:3], games[5]]]


async def test_a_game_can_be_played_where_running_games_fill_the_memory():
    full = Stage(rooms=1)
    for game in [full.shelf.put() for _ in range(4)]:
        await full.move(game)
    paused = full.shelf.put()
    log = full.shelf.events[paused.id]
    log.append(log[0].game.pause(full.now()))

    played = await asyncio.wait_for(full.do(paused, "abandon"), 5)

    assert played.event and played.event.type == "over"


async def test_a_command_in_flight_is_waited_for(stage, game):
    await stage.move(game)
    stage.shelf.waiting = []
    stage.ask(game, "pause")
    asyncio.get_running_loop().call_later(0.01, stage.shelf.let_go)

    await stage.play.settled(5)

    assert len(stage.answers) == 1


async def test_a_command_that_never_ends_is_not_waited_for_longer_than_allowed(stage, game):
    await stage.move(game)
    stage.shelf.waiting = []
    stage.ask(game, "pause")

    await stage.play.settled(0.01)

    assert stage.answers == []
    stage.shelf.let_go()
    await stage.until(lambda: stage.answers)


async def test_refusals_are_counted_apart_from_what_was_done(stage, game):
    await stage.move(game)
    with pytest.raises(RuleRefused):
        await stage.do(game, "resume")

    assert stage.play.counts.done == {"move": 1}
    assert stage.play.counts.others == {("resume", "not_paused"): 1}


async def test_another_process_being_quicker_each_time_is_seen_each_time(stage, game):
    await stage.move(game)
    stage.shelf.failing_writes = [VersionConflict(), VersionConflict()]

    played = await stage.do(game, "pause")

    assert played.event.version == 3
