"""Clients of the running service."""

from collections.abc import AsyncIterator, Iterator

import pytest

from twofold_client import AsyncClient, Client

ONE_BEFORE_THE_GOAL = [[1024, 1024, 8, 2], [16, 4, 2, 0], [2, 0, 0, 0], [0, 0, 0, 0]]
SEED = "22710ba2a14dbfbfb15b97b163ff44af52fd2fee647e3703b24fe9dc46ad0690"


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch) -> None:
    """The service is on this machine, whatever the environment says of proxies."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")


@pytest.fixture
def client(url) -> Iterator[Client]:
    """A new player."""
    with Client(url) as joined:
        joined.join("Ada")
        yield joined


@pytest.fixture
async def aclient(url) -> AsyncIterator[AsyncClient]:
    async with AsyncClient(url) as joined:
        await joined.join("Ada")
        yield joined
