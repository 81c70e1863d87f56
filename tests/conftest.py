"""The service as fixtures; and where TWOFOLD_TEST_NO_SKIP is set, a skipped test fails the run."""

import fcntl
import gc
import os
import shutil
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.callers import Bare, Caller, Live, player
from tests.faults.serving import Serving
from tests.faults.table import line, pytest_collection_modifyitems, pytest_runtest_call, pytest_terminal_summary
from tests.service import Hand, Running, running
from twofold_service.storage.database import Database

# Others have the cores too: how long an example takes, or to think of one, says nothing.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

# the fault table's fixture and hooks
__all__ = ["line", "pytest_collection_modifyitems", "pytest_runtest_call", "pytest_terminal_summary"]
Serve = Callable[..., Running]
Join = Callable[..., Caller]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def migrated(tmp_path_factory) -> Path:
    """An empty database of this release, to be copied; no service has told it an instant yet."""
    path: Path = tmp_path_factory.mktemp("migrated") / "twofold.db"
    database = Database(f"sqlite:///{path}", 3000)
    database.hold()
    database.migrate()
    database.close()
    return path


@pytest.fixture(scope="session")
def new_database(migrated, tmp_path_factory) -> Callable[[], Path]:
    """Makes a database of its own."""

    def copy() -> Path:
        path: Path = tmp_path_factory.mktemp("database") / "twofold.db"
        shutil.copy(migrated, path)
        return path

    return copy


@pytest.fixture(scope="module")
def service(new_database) -> Iterator[Running]:
    """A service that all tests of a module share."""
    with running(new_database()) as shared:
        yield shared


@pytest.fixture(scope="module")
def process(new_database) -> Iterator[Serving]:
    """A service that is a process of its own, for whoever starts programs beside it."""
    database = new_database()
    serving = Serving(database.parent, f"sqlite:///{database}")
    try:
        serving.start()
        yield serving
    finally:
        serving.kill()


@pytest.fixture
def serve(new_database) -> Iterator[Serve]:
    """Starts services of the test's own: `serve(now=…, path=…, <setting>=…)`."""
    with ExitStack() as stack:

        def start(*, path: Path | None = None, now: Hand | None = None, **wanted: Any) -> Running:
            return stack.enter_context(running(path or new_database(), now, **wanted))

        yield start


@pytest.fixture
def clock() -> Hand:
    """Service time from noon on the 15th of January 2027, moved by the test."""
    return Hand()


@pytest.fixture
def timed(serve: Serve, clock) -> Running:
    """A service of the test's own whose time is `clock`."""
    return serve(now=clock)


@pytest.fixture
def url(service) -> str:
    return str(service.url)


@pytest.fixture
def join() -> Iterator[Join]:
    """Makes players: `join(url, name)`."""
    with ExitStack() as stack:
        yield lambda url, name=None: stack.enter_context(player(url, name))


@pytest.fixture
def me(join: Join, url) -> Caller:
    """A new player of the shared service."""
    return join(url)


@pytest.fixture
def other(join: Join, url) -> Caller:
    return join(url)


@pytest.fixture
def stranger(url) -> Iterator[Caller]:
    """Somebody without a token."""
    with Caller(url) as nobody:
        yield nobody


@pytest.fixture
def live(service) -> Iterator[Callable[..., Live]]:
    """Opens live connections: `live(player)`, `live()` without a token."""
    with ExitStack() as stack:

        def open_one(who: Caller | None = None, to: Running | None = None, **options: Any) -> Live:
            token = None if who is None else who.token
            return stack.enter_context(Live((to or service).url, token, **options))

        yield open_one


@pytest.fixture
def bare(service) -> Iterator[Callable[..., Bare]]:
    """Opens bare sockets: `bare(*headers)`."""
    with ExitStack() as stack:
        yield lambda *headers, to=None, **options: stack.enter_context(Bare((to or service).port, *headers, **options))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Among several processes of tests, one that is marked `alone` has the machine to itself.

    Whoever wants it stands at the door, so that nobody new goes in; others only pass through.
    """
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return (yield)
    shared: Path = item.config._tmp_path_factory.getbasetemp().parent  # type: ignore[attr-defined]
    alone = item.get_closest_marker("alone") is not None
    with open(shared / "door", "w") as door, open(shared / "room", "w") as room:
        fcntl.flock(door, fcntl.LOCK_EX)
        fcntl.flock(room, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        fcntl.flock(door, fcntl.LOCK_UN)
        if alone:
            gc.collect()  # what all tests before have left is not looked through while time is measured
        try:
            return (yield)
        finally:
            fcntl.flock(room, fcntl.LOCK_UN)  # a process forked meanwhile has the file open too


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Name each skipped test and fail; `make test` alone may skip what a machine cannot run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or os.environ.get("TWOFOLD_TEST_NO_SKIP", "") in ("", "0"):
        return
    skipped = reporter.stats.get("skipped", [])
    if not skipped:
        return
    reporter.write("\n")
    reporter.section("skipped, but TWOFOLD_TEST_NO_SKIP is set", red=True)
    for report in skipped:
        reporter.write_line(f"{report.nodeid}: {report.longrepr[2]}")
    if session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
