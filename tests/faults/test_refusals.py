"""What cannot be served is refused: one readable line, exit status 1, nothing harmed."""

import os
import shutil
import socket
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from tests.faults.forks import fork
from tests.faults.test_locked import locked
from tests.ports import Port
from tests.service import SECRET
from twofold_service.storage.database import Database

NOBODY = 65534
DIARY = b"my diary\n" * 1000


class Attempt:
    """A start of `twofold serve` on a database of its own."""

    def __init__(self, folder: Path, *, as_nobody: bool = False) -> None:
        self._held = Port()
        self.port = self._held.number
        self.folder, self.file, self.as_nobody = folder, folder / "twofold.db", as_nobody
        self.environment = {"TWOFOLD_SECRET": SECRET.hex(), "TWOFOLD_DATABASE": f"sqlite:///{self.file}"}
        self.said = ""

    def run(self) -> int | None:
        """The exit status; what it said is in `said`."""
        log = self.folder.with_suffix(".log")
        wanted = self.environment | {"TWOFOLD_PORT": str(self.port)}
        process = fork(self.folder, log, wanted, become_nobody if self.as_nobody else None)
        process.join(60)
        process.kill()
        process.join()
        self.said = log.read_text()
        return process.exitcode


def become_nobody() -> None:
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


@pytest.fixture
def attempt(migrated, tmp_path) -> Iterator[Callable[..., Attempt]]:
    """Makes an attempt on a fresh database; `with_` is a setting each."""

    def make(**with_: str) -> Attempt:
        folder = tmp_path / "attempt"
        folder.mkdir()
        shutil.copy(migrated, folder / "twofold.db")
        made = Attempt(folder)
        made.environment |= {f"TWOFOLD_{name.upper()}": value for name, value in with_.items()}
        return made

    yield make


def check(attempt: Attempt, says: str) -> None:
    status = attempt.run()
    assert (status, len(attempt.said.splitlines())) == (1, 1), attempt.said
    assert attempt.said.startswith("twofold: ")
    assert says in attempt.said


@pytest.mark.parametrize(
    ("with_", "says"),
    [
        ({"secret": "zz" * 32}, "TWOFOLD_SECRET must be hex digits"),
        ({"secret": "ab" * 31}, "at least 64 hex digits"),
        ({"host": "0.0.0.0", "secret": ""}, "needs TWOFOLD_SECRET"),  # noqa: S104
        ({"host": "203.0.113.1"}, "cannot listen on 203.0.113.1"),
        ({"workers": "2"}, "workers: several workers need PostgreSQL and Redis"),
        ({"workers": "2", "redis": "redis://127.0.0.1"}, "on SQLite one process serves"),
        ({"workers": "2", "database": "postgresql://127.0.0.1/games"}, "TWOFOLD_REDIS to redis://"),
        ({"redis": "localhost:6379"}, "redis: this is no Redis URL"),
        ({"storage_timeout_ms": "soon"}, "storage_timeout_ms"),
        ({"player_rate": "often"}, "player_rate: a rate is written like 60/second"),
        ({"address_rate": ""}, "address_rate: a rate is written like 60/second"),
        ({"origins": "https://example.org, example.com"}, "origins: origins are written like https://example.org"),
        ({"trusted_proxies": "127.0.0.1, proxy"}, "trusted_proxies: addresses or networks are written like"),
    ],
)
def test_settings_that_cannot_be_are_refused(attempt, with_, says):
    check(attempt(**with_), says)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("mysql://localhost/games", "mysql is not supported"),
        ("games.db", "no database URL"),
        ("sqlite://", "needs a file"),
        ("sqlite:////nowhere/at/all/games.db", "No such file or directory"),
        ("postgresql://127.0.0.1:9/games", "refused"),
    ],
)
def test_a_database_that_cannot_be_reached_is_refused(attempt, url, says):
    check(attempt(database=url), says)


@pytest.mark.postgres
@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_that_cannot_keep_every_name_is_refused(attempt, cluster, encoding):
    check(
        attempt(database=cluster.create_database(encoding)), f"encoding {encoding}, not UTF8; make another by createdb"
    )


def test_a_secret_of_its_own_that_is_cut_off_is_refused(attempt):
    tried = attempt(secret="")
    Path(f"{tried.file}.secret").write_text(SECRET.hex()[:20])
    check(tried, "not whole")


def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(attempt):
    tried = attempt()
    tried.file.write_bytes(DIARY)
    check(tried, "not a database")
    assert tried.file.read_bytes() == DIARY


def test_a_damaged_database_is_refused(attempt):
    tried = attempt()
    with open(tried.file, "r+b") as file:
        file.seek(4096)
        file.write(bytes(range(256)) * 32)
    check(tried, "malformed")


def test_a_database_of_a_later_release_is_refused(attempt):
    tried = attempt()
    with closing(sqlite3.connect(tried.file)) as beside, beside:
        beside.execute("UPDATE alembic_version SET version_num = '9999'")
    check(tried, "another release of Twofold")


def test_a_database_that_somebody_else_has_locked_is_refused(attempt):
    tried = attempt(storage_timeout_ms="300")
    with locked(tried.file):
        check(tried, "database is locked")


def test_a_database_that_another_service_serves_is_refused(attempt):
    tried = attempt()
    database = Database(f"sqlite:///{tried.file}", 300)
    database.hold()
    check(tried, "in use by another process")
    database.close()


def test_a_port_that_is_taken_is_refused(attempt):
    tried = attempt()
    with socket.create_server(("127.0.0.1", tried.port)):
        check(tried, f"cannot listen on 127.0.0.1:{tried.port}: Address already in use")


def test_a_folder_that_may_not_be_written_to_is_refused(attempt):
    """As another user, where we are root, who may write everywhere."""
    with ExitStack() as stack:
        tried = attempt()
        tried.as_nobody = os.geteuid() == 0
        for part, mode in ((tried.folder, 0o555), *((part, 0o755) for part in tried.folder.parents[:3])):
            stack.callback(part.chmod, part.stat().st_mode & 0o777)
            part.chmod(mode)
        check(tried, "Permission denied")
