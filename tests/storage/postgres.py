"""PostgreSQL for tests: a server that is given, or a throwaway cluster from the machine's own programs."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url

from tests.ports import Port

NOBODY = 65534
READY_WITHIN = 30.0
_numbers = count(1)


def programs() -> Path | None:
    """The folder of the newest initdb and postgres on this machine."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    on_path = shutil.which("postgres")
    return Path(on_path).resolve().parent if on_path else None


class Server:
    """A server that runs already, reached by the URL of a database on it."""

    def __init__(self, url: str) -> None:
        self._url = make_url(url)

    def create_database(self, encoding: str | None = None) -> str:
        """The URL of a fresh, empty database; its encoding is the server's where none is named."""
        name = f"twofold_test_{os.getpid()}_{next(_numbers)}"
        made = f"TEMPLATE template0 ENCODING '{encoding}' LC_COLLATE 'C' LC_CTYPE 'C'" if encoding else ""
        self._run(f'CREATE DATABASE "{name}" {made}')
        return self._url.set(drivername="postgresql", database=name).render_as_string(hide_password=False)

    def drop_database(self, url: str) -> None:
        self._run(f'DROP DATABASE IF EXISTS "{make_url(url).database}" WITH (FORCE)')

    def _run(self, statement: str) -> None:
        url = self._url.set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(statement)


class Cluster(Server):
    """A cluster of our own in a folder; where we are root, it belongs to another user, as PostgreSQL wants it."""

    def __init__(self, folder: Path, bin_: Path) -> None:
        self._held = Port()
        self.port = self._held.number
        super().__init__(f"postgresql://postgres@127.0.0.1:{self.port}/postgres")
        self._folder, self._bin = folder, bin_
        self._process: subprocess.Popen[bytes] | None = None
        folder.chmod(0o755)
        self._data = folder / "data"
        self._data.mkdir(mode=0o700)
        if os.geteuid() == 0:
            os.chown(folder, NOBODY, NOBODY)
            os.chown(self._data, NOBODY, NOBODY)
        options = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
        command = [*self._as_nobody(), str(bin_ / "initdb"), *options, "-D", str(self._data)]
        subprocess.run(command, check=True, capture_output=True, cwd=folder)

    def start(self) -> None:
        """Start, and return once it answers; tried again while a killed life still holds the folder."""
        until = time.monotonic() + READY_WITHIN
        settings = [f"unix_socket_directories={self._folder}", "listen_addresses=127.0.0.1", f"port={self.port}"]
        settings += ["fsync=on", "shared_buffers=32MB", "log_min_messages=fatal"]
        settings += ["autovacuum=off"]  # statistics taken at some moment of a test would change its plans
        command = [*self._as_nobody(), str(self._bin / "postgres"), "-D", str(self._data)]
        command += [part for setting in settings for part in ("-c", setting)]
        with open(self._folder / "log", "ab") as log:
            while time.monotonic() < until:
                if self._process is None or self._process.poll() is not None:
                    self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self._folder)
                with suppress(psycopg.OperationalError):
                    self._run("SELECT 1")
                    return
                time.sleep(0.1)
        raise RuntimeError(f"PostgreSQL did not come up: {(self._folder / 'log').read_text()[-2000:]}")

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(READY_WITHIN)

    def kill(self) -> None:
        """End every process of the cluster at once, as a loss of power would."""
        assert self._process is not None
        main = self._process.pid
        children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        for process in (main, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self._process.wait()

    def _as_nobody(self) -> list[str]:
        if os.geteuid() != 0:
            return []
        return ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--"]


@contextmanager
def cluster() -> Iterator[Cluster]:
    """A running cluster in a folder of its own, gone afterwards; the test is skipped where there are no programs."""
    bin_ = programs()
    if bin_ is None:
        pytest.skip("needs PostgreSQL: install Debian's postgresql, or set TWOFOLD_TEST_DATABASE_URL")
    folder = Path(tempfile.mkdtemp(prefix="twofold-pg-"))
    try:
        running = Cluster(folder, bin_)
        try:
            running.start()
            yield running
        finally:
            running.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
