"""The desk's worker: followed from here, stopped from here, giving way to others."""

import asyncio
import os
import time
from pathlib import Path

import pytest

from twofold_service.desk import ProcessDesk

NICEST = 19


@pytest.fixture
def desk():
    desk = ProcessDesk(niceness=5)
    yield desk
    desk.close()


def halves(told, file: str) -> int:
    """Tell half of the work, again and again, until a file is there."""
    while not Path(file).exists():
        told(0.5)
        time.sleep(0.01)
    return 42


def endless(told, file: str) -> None:
    """Go on until told to stop, then make a file."""
    try:
        while True:
            told(0.1)
            time.sleep(0.01)
    finally:
        Path(file).touch()


def niceness() -> int:
    return os.nice(0)


def square(number: int) -> int:
    return number * number


async def test_a_call_is_followed_while_it_works(desk, tmp_path):
    file, heard = tmp_path / "go", []

    def told(share: float) -> None:
        heard.append(share)
        file.touch()

    assert await desk.follow("here", told, halves, str(file)) == 42
    assert set(heard) == {0.5}


async def test_a_call_that_is_cancelled_ends_at_its_next_word_and_the_worker_takes_others(desk, tmp_path):
    file, begun = tmp_path / "ended", asyncio.Event()
    working = asyncio.ensure_future(desk.follow("here", lambda share: begun.set(), endless, str(file)))
    await begun.wait()

    working.cancel()
    await asyncio.gather(working, return_exceptions=True)

    assert await desk.do("here", square, 7) == 49
    assert file.exists()


async def test_a_call_cancelled_before_it_began_stops_no_other(desk, tmp_path):
    file, begun = tmp_path / "go", asyncio.Event()
    first = asyncio.ensure_future(desk.follow("one", lambda share: begun.set(), halves, str(file)))
    await begun.wait()
    second = asyncio.ensure_future(desk.follow("other", lambda share: None, endless, str(tmp_path / "ended")))
    await asyncio.sleep(0)

    second.cancel()
    await asyncio.gather(second, return_exceptions=True)
    file.touch()

    assert await first == 42
    assert await desk.do("other", square, 3) == 9


async def test_the_worker_gives_way(desk):
    assert await desk.do("here", niceness) == min(os.nice(0) + 5, NICEST)
