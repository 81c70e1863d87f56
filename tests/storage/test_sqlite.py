"""SQLite as we use it: durable, checked, and one process a file."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from twofold_service.__main__ import Refused, _secret
from twofold_service.settings import Settings
from twofold_service.storage.database import Database, DatabaseRefused

TIMEOUT = 1234
IN_USE = "in use by another process"


@pytest.fixture
def path(tmp_path) -> Path:
    return Path(tmp_path / "twofold.db")


@pytest.fixture
def file(path):
    """A migrated database that is held, as `serve` does."""
    database = Database(f"sqlite:///{path}", TIMEOUT)
    database.hold()
    database.migrate()
    yield database
    database.close()


def twofold(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "twofold_cli", *arguments]
    known = {name: value for name, value in os.environ.items() if not name.startswith("TWOFOLD_")}
    return subprocess.run(
        command, capture_output=True, text=True, timeout=60, cwd=cwd, env={**known, **environment}, check=False
    )


def test_every_connection_is_durable_patient_and_checks_references(file):
    for engine in (file.reading, file.writing):
        with engine.connect() as connection:
            for pragma, value in PRAGMAS.items():
                assert connection.exec_driver_sql(f"PRAGMA {pragma}").scalar() == value


PRAGMAS = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": TIMEOUT}
"""synchronous 2 is FULL: NORMAL loses answered commands when power fails."""


def test_a_row_without_what_it_refers_to_is_refused(file):
    with pytest.raises(IntegrityError), file.writing.begin() as connection:
        connection.execute(text("INSERT INTO best (player, category, score, max_tile) VALUES (7, 'x', 0, 0)"))


def test_a_writer_waits_from_the_start_and_a_reader_never(file):
    with file.writing.begin(), file.reading.connect() as reader:
        assert reader.execute(text("SELECT count(*) FROM player")).scalar() == 0
    assert file.writing.pool.size() == 1


def test_one_process_holds_a_file(file, path):
    other = Database(f"sqlite:///{path}", TIMEOUT)
    with pytest.raises(DatabaseRefused, match=IN_USE):
        other.hold()
    file.close()
    other.hold()
    other.close()


def test_another_name_of_the_file_is_no_other_file(file, path, monkeypatch):
    path.with_name("link.db").symlink_to(path)
    monkeypatch.chdir(path.parent)
    for name in (path.with_name("link.db"), path.name, f"../{path.parent.name}/{path.name}"):
        other = Database(f"sqlite:///{name}", TIMEOUT)
        with pytest.raises(DatabaseRefused, match=IN_USE):
            other.hold()
        other.close()


@pytest.mark.slow
@pytest.mark.parametrize("command", ["serve", "migrate"])
def test_a_second_process_says_so_in_one_line_and_ends(file, path, command):
    port = ("--port", "0") if command == "serve" else ()
    done = twofold(command, *port, "--database", f"sqlite:///{path}", cwd=path.parent)
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert IN_USE in line


@pytest.mark.parametrize("content", ["", "\n", "abc123\n", "no hex digits at all"])
def test_a_secret_that_was_not_written_to_its_end_is_refused(file, path, content):
    """Whoever guesses the secret knows the dailies to come; an empty one is guessed by everybody."""
    secret = path.with_name(path.name + ".secret")
    secret.write_text(content)
    with pytest.raises(Refused, match=str(secret)):
        _secret(Settings(_env_file=None), file)
    assert secret.read_text() == content


def test_a_service_makes_its_secret_once_and_keeps_it_to_itself(file, path):
    made = _secret(Settings(_env_file=None), file)
    secret = path.with_name(path.name + ".secret")
    assert (len(made), secret.stat().st_mode & 0o777) == (32, 0o600)
    assert _secret(Settings(_env_file=None), file) == made
    assert sorted(other.name for other in path.parent.glob("*secret*")) == [secret.name]


def test_a_new_database_is_read_by_its_owner_alone(file, path):
    """It holds the seeds of games that are still played."""
    parts = sorted(path.parent.glob(f"{path.name}*"))
    assert [part.stat().st_mode & 0o777 for part in parts] == [0o600] * len(parts)
    assert path in parts
