"""A player, a watcher and one who begins games, while the service is killed, stopped and started again under them."""

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

import pytest

from tests.faults.serving import Serving
from twofold.game import Cause, EventType, Status
from twofold_client import AsyncClient, EventSeen, LiveGame, Retry, errors
from twofold_client.record import Record

pytestmark = pytest.mark.slow
PATIENT = Retry(first=0.02, longest=0.2, deadline=120)
ENDS = ("kill", "terminate", "kill")
FEW = 5
"""Moves after which a game has surely gone on: one at most was on its way when the service ended."""


class Story(NamedTuple):
    """What everybody saw, and what the service has kept."""

    watched: list[EventSeen]
    log: list[EventSeen]
    answered: list[EventSeen]
    record: Record
    made: list[str]
    kept: list[str]


@pytest.fixture(scope="module")
def story(migrated, tmp_path_factory) -> Iterator[Story]:
    folder = tmp_path_factory.mktemp("restarts")
    shutil.copy(migrated, folder / "twofold.db")
    serving = Serving(folder)
    serving.start()
    try:
        yield asyncio.run(_live_through(serving))
    finally:
        serving.kill()


async def _live_through(serving: Serving) -> Story:
    async with AsyncClient(serving.url, retry=PATIENT) as player, AsyncClient(serving.url, retry=PATIENT) as watcher:
        await player.join()
        game = await player.new_game("practice", size=8)
        done, moved = asyncio.Event(), asyncio.Queue[None]()
        async with player.live() as playing, watcher.live() as watching, asyncio.TaskGroup() as group:
            watched = watching.game(game.id, since=0)
            await watched.watch()
            answers = group.create_task(_play(playing.game(game), moved, done))
            making = group.create_task(_begin_games(player, done))
            group.create_task(_restart(serving, moved, done))
            told = [event async for event in watched]
        log, record = [event async for event in player.events(game.id)], await game.record()
        kept = [known.id async for known in player.games()]
    return Story(told, log, answers.result(), record, [game.id, *making.result()], kept)


async def _play(game: LiveGame, moved: asyncio.Queue[None], done: asyncio.Event) -> list[EventSeen]:
    """Play on; whatever is refused because the service has paused the game is seen, and met next time."""
    answered = []
    while not done.is_set():
        with suppress(errors.StaleVersion, errors.Refused):
            if game.state.status is Status.PAUSED:
                answered.append(await game.resume())
            else:
                answered.append(await game.move(game.state.legal_moves[0]))
                moved.put_nowait(None)
    answered.append(await game.abandon(version=None))
    return [event for event in answered if event is not None]


async def _begin_games(client: AsyncClient, done: asyncio.Event) -> list[str]:
    made = []
    while not done.is_set():
        made.append((await client.new_game("classic")).id)
        await asyncio.sleep(0.01)
    return made


async def _restart(serving: Serving, moved: asyncio.Queue[None], done: asyncio.Event) -> None:
    for end in ENDS:
        await _gone_on(moved)
        await asyncio.to_thread(getattr(serving, end))
        await asyncio.to_thread(serving.start)
    await _gone_on(moved)
    done.set()


async def _gone_on(moved: asyncio.Queue[None]) -> None:
    """Wait until the game is played again, however long a busy machine takes for that, and a while more."""
    while not moved.empty():
        moved.get_nowait()
    for _ in range(FEW):
        await moved.get()
    await asyncio.sleep(0.4)


def test_no_event_is_missed_or_repeated(story):
    assert [event.version for event in story.watched] == list(range(1, len(story.log) + 1))
    assert story.watched == story.log


def test_the_service_did_restart_under_a_game_that_went_on(story):
    pauses = [event.cause for event in story.watched if event.type is EventType.PAUSE]

    assert pauses == [Cause.OUTAGE] * len(ENDS)
    assert story.watched[-1].moves > 20


def test_every_command_was_done_once_and_answered(story):
    ours = [event for event in story.log if event.type not in (EventType.CREATED, EventType.PAUSE)]

    assert story.answered == ours


def test_every_game_was_begun_once(story):
    assert sorted(story.made) == sorted(story.kept)
    assert len(story.made) > 10


def test_the_record_proves_itself(story):
    assert story.record.verify().valid
    assert len(story.record.parsed.entries) == len(story.log) - 1
