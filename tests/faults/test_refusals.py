"""What cannot be served is refused: one readable line, exit status 1, nothing harmed."""

import os
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from tests.faults.serving import Serving
from tests.faults.test_locked import locked
from twofold_service.storage.database import Database

pytestmark = pytest.mark.slow
DIARY = b"my diary\n" * 1000
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"]


def diary(serving: Serving) -> None:
    serving.file.write_bytes(DIARY)


def damaged(serving: Serving) -> None:
    with open(serving.file, "r+b") as file:
        file.seek(4096)
        file.write(bytes(range(256)) * 32)


def of_a_later_release(serving: Serving) -> None:
    with closing(sqlite3.connect(serving.file)) as beside, beside:
        beside.execute("UPDATE alembic_version SET version_num = '9999'")


def not_to_be_written(serving: Serving) -> None:
    serving.folder.chmod(0o555)


SETTINGS = {
    "a secret that is no hex": ({"TWOFOLD_SECRET": "zz" * 32}, "TWOFOLD_SECRET must be hex digits"),
    "another address, no secret": ({"TWOFOLD_HOST": "0.0.0.0", "TWOFOLD_SECRET": ""}, "needs TWOFOLD_SECRET"),  # noqa: S104
}
URLS = {
    "games.db": "no database URL",
    "sqlite:////nowhere/at/all/games.db": "No such file or directory",
    "postgresql://127.0.0.1:9/games": "refused",
}
FILES: dict[str, tuple[Callable[[Serving], None], str]] = {
    "a file that is no database": (diary, "not a database"),
    "a damaged database": (damaged, "malformed"),
    "a database of a later release": (of_a_later_release, "9999"),
    "a folder that may not be written to": (not_to_be_written, "Permission denied"),
}


@pytest.fixture(scope="module")
def refused(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Serving]]:
    """All that must not start, started at once, by what is wrong with it."""
    made: dict[str, Serving] = {}
    with ExitStack() as stack:

        def make(name: str, **more: str) -> Serving:
            around = NOBODY if name.startswith("a folder") and os.geteuid() == 0 else []
            folder = tmp_path_factory.mktemp("refused")
            for part in (folder, *folder.parents[:2]):
                part.chmod(0o755)
            shutil.copy(migrated, folder / "twofold.db")
            made[name] = Serving(folder, around=around, **more)  # type: ignore[arg-type]
            stack.callback(made[name].kill)
            return made[name]

        for name, (environment, _) in SETTINGS.items():
            make(name, **environment)
        for url in URLS:
            make(url, database=url)
        for name, (spoil, _) in FILES.items():
            spoil(make(name))
        held = make("a file that is in use")
        database = Database(f"sqlite:///{held.file}", 100)
        database.hold()
        stack.callback(database.close)
        stack.enter_context(locked(make("a database that is locked", TWOFOLD_STORAGE_TIMEOUT_MS="300").file))
        stack.enter_context(socket.create_server(("127.0.0.1", make("a port that is in use").port)))
        for serving in made.values():
            serving.launch()
        yield made


OTHERS = {
    "a file that is in use": "in use by another process",
    "a database that is locked": "database is locked",
    "a port that is in use": "Address already in use",
}
SAYS = {name: says for name, (_, says) in [*SETTINGS.items(), *FILES.items()]} | URLS | OTHERS


@pytest.mark.parametrize(("what", "says"), SAYS.items())
def test_what_cannot_be_served_is_refused_in_one_line(refused, what, says):
    serving = refused[what]
    status = serving.process.wait(60)
    if what.startswith("a folder") and os.geteuid() == 0 and not nobody_runs_python():
        pytest.skip("another user cannot run this Python")
    assert (status, len(serving.log.splitlines())) == (1, 1), serving.log
    assert serving.log.startswith("twofold: ")
    assert says in serving.log


def nobody_runs_python() -> bool:
    return subprocess.run([*NOBODY, sys.executable, "-c", "import twofold_cli"], cwd="/").returncode == 0


def test_a_file_that_is_no_database_is_left_as_it_is(refused):
    serving = refused["a file that is no database"]
    serving.process.wait(60)
    assert serving.file.read_bytes() == DIARY
