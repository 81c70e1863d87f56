"""Databases to test storage on: each test module gets a fresh one of each kind."""

import os
from collections.abc import AsyncIterator, Iterator

import pytest

from tests.storage import postgres
from tests.storage.shelf import Shelf
from twofold_service.storage.database import Database

KINDS = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[postgres.Server]:
    """The server of TWOFOLD_TEST_DATABASE_URL, else a throwaway one."""
    given = os.environ.get("TWOFOLD_TEST_DATABASE_URL")
    if given:
        yield postgres.Server(given)
        return
    with postgres.cluster() as running:
        yield running


@pytest.fixture(scope="module", params=KINDS)
def database_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of an empty database."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path_factory.mktemp('database') / 'twofold.db'}"
        return
    server = request.getfixturevalue("postgres_server")
    fresh = server.create_database()
    yield fresh
    server.drop_database(fresh)


@pytest.fixture(scope="module")
def database(database_url: str) -> Iterator[Database]:
    """A database at the newest schema."""
    database = Database(database_url, 3000)
    database.migrate()
    yield database
    database.close()


@pytest.fixture
async def shelf(database: Database) -> AsyncIterator[Shelf]:
    """All of storage on the database, as a process has it."""
    async with Shelf(database) as shelf:
        yield shelf
