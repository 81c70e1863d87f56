"""Two processes of one service: a PostgreSQL and a Redis of the tests' own, and what runs on them."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, closing
from typing import Any

import pytest

from tests.bus.halves import Half
from tests.callers import Caller, Live
from tests.faults.redis_server import RedisServer, running
from tests.faults.serving import Serving
from tests.service import Hand
from tests.storage import postgres
from twofold_service.storage.database import Database


@pytest.fixture(scope="session")
def cluster() -> Iterator[postgres.Cluster]:
    with postgres.cluster() as running:
        yield running


@pytest.fixture(scope="module")
def database(cluster: postgres.Cluster) -> Iterator[str]:
    url = cluster.create_database()
    yield url
    cluster.drop_database(url)


@pytest.fixture(scope="module")
def redis(tmp_path_factory) -> Iterator[RedisServer]:
    with running(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture(scope="module")
def new_process(database: str, redis: RedisServer, tmp_path_factory) -> Iterator[Callable[..., Serving]]:
    """Starts processes of one service."""
    with ExitStack() as stack:

        def new(**environment: str) -> Serving:
            environment = {"TWOFOLD_REDIS": redis.url, **environment}
            serving = Serving(tmp_path_factory.mktemp("serving"), database, **environment)
            stack.callback(serving.kill)
            serving.start()
            return serving

        yield new


@pytest.fixture(scope="module")
def pair(new_process) -> tuple[Serving, Serving]:
    """Two processes that all tests of a module share."""
    return new_process(), new_process()


@pytest.fixture
def here(pair, join) -> Caller:
    """A new player, at the first process."""
    caller: Caller = join(pair[0].url)
    return caller


@pytest.fixture
def there(pair, here) -> Iterator[Caller]:
    """The same player, at the second process."""
    with Caller(pair[1].url, here.token) as caller:
        yield caller


@pytest.fixture
def connect() -> Iterator[Callable[..., Live]]:
    """Opens live connections: `connect(caller)`."""
    with ExitStack() as stack:
        yield lambda caller, **options: stack.enter_context(Live(caller.url, caller.token, **options))


@pytest.fixture
async def halves(database: str) -> AsyncIterator[tuple[Half, Half]]:
    """Two processes without a bus between them, whose time is moved by hand."""
    with closing(Database(database, 3000)) as made:
        made.migrate()
    now = Hand()
    one, other = (
        Half(database, now, open_games=3, rate_limits="on"),
        Half(database, now, open_games=3, rate_limits="on"),
    )
    async with AsyncExitStack() as stack:
        for half in (one, other):
            stack.push_async_callback(half.close)
            await half.open()
        yield one, other


def watching(live: Live, game: dict[str, Any]) -> Live:
    """The connection, once it watches a game."""
    live.ok("watch", game=game["id"])
    return live
