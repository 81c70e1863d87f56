"""The use case: who may look at what, at which version, and how often something is drawn."""

import asyncio
from collections import Counter
from typing import Any

import pytest

from tests.pictures.scenes import frames
from twofold_service.errors import Busy, CorruptGame, NotFound
from twofold_service.usecases.lines import LONGEST_LINE
from twofold_service.usecases.pictures import Kept, Key, Pictures

ADDRESS = "198.51.100.7"


class Desk:
    """Does everything at once, or once it is told to; counts, and knows who worked at the same time."""

    def __init__(self) -> None:
        self.done = 0
        self.at_work: list[str] = []
        self.begun = asyncio.Event()
        self.free = asyncio.Event()
        self.free.set()

    async def do(self, address: str, call: Any, *arguments: Any) -> Any:
        assert address not in self.at_work
        self.at_work.append(address)
        self.begun.set()
        await self.free.wait()
        self.at_work.remove(address)
        self.done += 1
        return call(*arguments)


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def pictures(house, desk) -> Pictures:
    return Pictures(house.reading, house.logs, desk, house.now)


@pytest.fixture
async def game(house, ada):
    """Six moves, two of them taken back, and one more: version 10."""
    view = await house.moves(await house.begin(ada, undo_limit=5), 6)
    await house.do(view, "undo")
    await house.do(view, "undo")
    return await house.moves(view, 1)


async def drawn(pictures, kind, view, version=None):
    return await pictures.draw(kind, await pictures.look(view.header.id, view.header.player, version), ADDRESS)


@pytest.mark.parametrize(("version", "expected"), [(1, 1), (4, 4), (7, 7), (8, 6), (9, 5), (10, 6), (None, 6)])
async def test_the_film_is_the_final_path_up_to_a_version(pictures, game, version, expected):
    assert len(frames(await drawn(pictures, "replay.gif", game, version))) == expected


@pytest.mark.parametrize("kind", ["board.svg", "board.png", "replay.gif"])
async def test_a_picture_is_drawn_once_a_version(pictures, desk, house, game, kind):
    first = await drawn(pictures, kind, game)
    after = desk.done
    assert await drawn(pictures, kind, game) == first == await drawn(pictures, kind, game, 10)
    assert desk.done == after

    await house.move(game)

    assert await drawn(pictures, kind, game) != first


async def test_an_earlier_position_is_drawn_as_it_was(pictures, house, game):
    before = await drawn(pictures, "board.svg", game)
    await house.moves(game, 3)

    assert await drawn(Pictures(house.reading, house.logs, Desk(), house.now), "board.svg", game, 10) == before


async def test_a_version_that_is_not_reached_is_not_found(pictures, game):
    with pytest.raises(NotFound):
        await pictures.look(game.header.id, game.header.player, 11)


async def test_who_asks_for_what_is_being_drawn_gets_the_same(pictures, desk, game):
    desk.free.clear()
    asking = [asyncio.ensure_future(drawn(pictures, "replay.gif", game)) for _ in range(30)]
    await desk.begun.wait()
    desk.free.set()

    assert len(set(await asyncio.gather(*asking))) == 1
    assert desk.done == 1


async def test_one_address_has_one_drawn_at_a_time_some_in_line_and_is_refused_beyond(pictures, desk, game):
    desk.free.clear()
    asking = [
        asyncio.ensure_future(drawn(pictures, kind, game, version))
        for kind in ("board.png", "replay.gif")
        for version in range(1, 10)
    ]
    while sum(task.done() for task in asking) < len(asking) - LONGEST_LINE:
        await asyncio.wait(asking, timeout=0.01)
    assert desk.at_work == [ADDRESS]
    desk.free.set()

    answers = await asyncio.gather(*asking, return_exceptions=True)

    assert Counter(map(type, answers)) == {bytes: LONGEST_LINE, Busy: len(asking) - LONGEST_LINE}
    assert await drawn(pictures, "replay.gif", game, 9)


async def test_who_goes_away_takes_no_picture_from_the_others(pictures, desk, game):
    desk.free.clear()
    leaving, staying = (asyncio.ensure_future(drawn(pictures, "board.png", game)) for _ in range(2))
    await desk.begun.wait()
    leaving.cancel()
    await asyncio.sleep(0)
    desk.free.set()

    assert (await staying).startswith(b"\x89PNG")


async def test_what_everybody_may_see_is_public(pictures, house, ada):
    open_, private, daily = (
        await house.begin(ada),
        await house.begin(ada, visibility="private"),
        await house.begin(ada, "daily"),
    )

    async def public(view):
        return (await pictures.look(view.header.id, ada, None)).public

    assert [await public(view) for view in (open_, private, daily)] == [True, False, False]
    await house.wait(3)
    house.now.at = daily.header.reveals_at
    assert await public(daily)


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM event WHERE version = 5 AND game = {}",
        "UPDATE event SET direction = NULL WHERE version = 5 AND game = {}",
        "UPDATE event SET cell = 99 WHERE version = 5 AND game = {}",
        "UPDATE event SET cell = -1 WHERE version = 5 AND game = {}",
        "UPDATE event SET cell = NULL WHERE version = 5 AND game = {}",
        "UPDATE event SET tile = 16 WHERE version = 5 AND game = {}",
        "UPDATE event SET type = 99 WHERE version = 5 AND game = {}",
        "UPDATE event SET frame = NULL WHERE version = 1 AND game = {}",
    ],
)
async def test_a_log_that_cannot_be_read_makes_no_film(pictures, house, game, change):
    statement = change.format(game.header.key)
    await house.service.journal.run(lambda connection: connection.exec_driver_sql(statement))

    with pytest.raises(CorruptGame):
        await drawn(pictures, "replay.gif", game)
    assert await drawn(pictures, "board.png", game)


def test_pictures_are_kept_up_to_a_limit_the_longest_unused_go_first():
    kept = Kept(10)
    keys: list[Key] = [("board.png", "game", version) for version in range(4)]
    kept.keep(keys[0], b"1234")
    kept.keep(keys[1], b"1234")
    kept.get(keys[0])
    kept.keep(keys[2], b"1234")
    kept.keep(keys[3], b"12345678901")

    assert [kept.get(key) for key in keys] == [None, None, None, None]
    kept.keep(keys[0], b"1234567890")
    assert kept.get(keys[0]) == b"1234567890"
