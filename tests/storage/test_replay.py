"""Logs: what stands in a game's row is what its log tells, at any version and any length."""

import asyncio
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.engine.table import Table, tables
from tests.storage.shelf import Shelf, bare, told
from twofold.game import HISTORY, EventType
from twofold.record import entry_of
from twofold_service.bus.memory import MemoryBus
from twofold_service.storage.codec import FRAME_EVERY
from twofold_service.storage.database import Database
from twofold_service.storage.logs import StoredLogs
from twofold_service.usecases import logs
from twofold_service.usecases.play import Play
from twofold_service.usecases.rooms import Rooms
from twofold_service.usecases.turns import Turns
from twofold_service.usecases.values import Command


@settings(deadline=None, derandomize=True, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(table=tables(), chance=st.randoms(use_true_random=False))
def test_row_and_log_of_any_game_tell_the_same(database: Database, table: Table, chance: Random):
    async def kept_and_read() -> None:
        async with Shelf(database) as shelf:
            stored = await shelf.keep(table)
            game, versions = stored.header.id, len(table.events)
            loaded = await shelf.games.load(game)
            assert loaded is not None
            assert loaded.game == bare(table.game)
            whole = [event async for event in logs.events(shelf.logs, game, 0, versions)]
            assert told(whole) == told(table.events)
            after, until = sorted(chance.choices(range(versions + 1), k=2))
            part = [event async for event in logs.events(shelf.logs, game, after, until)]
            assert told(part) == told(table.events[after:until])
            rows = await shelf.logs.log(game, 1, versions)
            assert [row.entry for row in rows] == [entry_of(event) for event in table.events[1:]]

    asyncio.run(kept_and_read())


def long_game(moves: int) -> Table:
    """On a board so large that play hardly ends, with some moves taken back."""
    table = Table("practice", given=[[2] + [0] * 7, *[[0] * 8] * 7])
    for _ in range(moves // 100):
        table.wait(700).play(100).undo(3)
    return table


async def test_every_256th_event_keeps_the_whole_game_and_every_undo_its_position(shelf):
    table = long_game(1500)
    stored = await shelf.keep(table)
    framed = shelf.ask("SELECT count(*) FROM event WHERE game = :game AND frame IS NOT NULL", game=stored.header.key)
    wanted = [
        event
        for event in table.events
        if event.version == 1 or event.version % FRAME_EVERY == 0 or event.type is EventType.UNDO
    ]
    assert framed == len(wanted)
    for version in (1, 255, 256, 257, 1024, len(table.events)):
        frame = await shelf.logs.frame(stored.header.id, version)
        assert frame == bare(table.events[max(1, version - version % FRAME_EVERY) - 1].game)


async def test_any_position_costs_at_most_256_steps(shelf):
    table = long_game(1500)
    stored = await shelf.keep(table)
    asked: list[int] = []

    class Counted(StoredLogs):
        async def log(self, game, after, limit):
            asked.append(limit)
            return await super().log(game, after, limit)

    for version in (1, 2, 255, 256, 1023, len(table.events)):
        asked.clear()
        state = await logs.as_of(Counted(shelf.readers), stored.header.id, version)
        assert bare(state) == bare(table.events[version - 1].game)
        assert sum(asked) < FRAME_EVERY


async def test_practice_is_taken_back_to_its_start_from_storage(shelf):
    """Memory holds eight positions; what lies further back comes from the log, undos on the way included."""
    table = long_game(600)
    stored = await shelf.keep(table)
    shelf.now = table.now
    play = put_together(shelf)
    path = [event.game.position for event in table.path]
    for position in reversed(path[:-1]):
        played = await play.played(Command("undo", stored.header.id, shelf.now, stored.header.player))
        assert played.view.game.position == position
    loaded = await shelf.games.load(stored.header.id)
    assert loaded.game.position.moves == 0
    again = [event async for event in logs.events(shelf.logs, stored.header.id, 0, loaded.game.version)]
    assert bare(again[-1].game) == loaded.game


async def test_a_game_that_was_forgotten_goes_on_as_if_it_had_not_been(shelf):
    """Played with memory dropped before every command, and with memory kept: the same events."""
    forgetful, mindful = Table("practice"), Table("practice")
    stored = await shelf.keep(forgetful)
    owner = stored.header.player
    commands = ["move"] * 30 + ["undo"] * (HISTORY + 4) + ["move", "undo", "pause", "undo", "resume", "move"]
    for op in commands:
        shelf.now += 50_000
        mindful.wait(50)
        way = mindful.game.legal_moves[-1] if op == "move" else None
        if way is None:
            getattr(mindful, op)()
        else:
            mindful.move(way)
        played = await put_together(shelf).played(Command(op, stored.header.id, shelf.now, owner, way))
        assert played.event is not None
        assert told([played.event]) == told(mindful.events[-1:])


def put_together(shelf: Shelf) -> Play:
    """Play with an empty memory."""
    rooms = Rooms(shelf.games, lambda: shelf.now, 100)
    return Play(Turns(rooms, shelf.games, shelf.logs, MemoryBus(), lambda: shelf.now, shelf.process))
