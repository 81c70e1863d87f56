"""A house for each test, and a player in it."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.service import Hand
from tests.usecases.house import House
from twofold_service.usecases.values import Player

NewHouse = Callable[..., Awaitable[House]]


@pytest.fixture
async def new_house(new_database) -> AsyncIterator[NewHouse]:
    """Opens houses: `await new_house(path=…, now=…, <setting>=…)`."""
    opened: list[House] = []

    async def open_one(*, path: Path | None = None, now: Hand | None = None, **wanted: Any) -> House:
        opened.append(House(path or new_database(), now, **wanted))
        return await opened[-1].open()

    yield open_one
    for house in opened:
        await house.close()


@pytest.fixture
async def house(new_house) -> House:
    opened: House = await new_house()
    return opened


@pytest.fixture
async def ada(house) -> Player:
    player: Player = await house.join("Ada")
    return player
