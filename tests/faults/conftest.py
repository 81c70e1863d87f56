"""Services as processes, each in a folder of its own, and gone after the test."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.faults.redis_server import RedisServer, running
from tests.faults.serving import Serving
from tests.storage import postgres

New = Callable[..., Serving]


@pytest.fixture
def new_serving(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[New]:
    """Makes a service that is not started yet: on a fresh SQLite file, or `database=…`."""
    with ExitStack() as stack:

        def new(**wanted: Any) -> Serving:
            folder = tmp_path_factory.mktemp("serving")
            if "database" not in wanted:
                shutil.copy(migrated, folder / "twofold.db")
            serving = Serving(folder, **wanted)
            stack.callback(serving.kill)
            return serving

        yield new


@pytest.fixture(scope="module")
def cluster() -> Iterator[postgres.Cluster]:
    """A PostgreSQL of our own, which may be killed."""
    with postgres.cluster() as running:
        yield running


@pytest.fixture
def postgres_url(cluster: postgres.Cluster) -> Iterator[str]:
    """An empty database on it."""
    url = cluster.create_database()
    yield url
    cluster.drop_database(url)


@pytest.fixture
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """A Redis of our own, which may be killed."""
    with running(tmp_path_factory.mktemp("redis")) as server:
        yield server
