"""A Redis of the tests' own, which may be killed."""

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.ports import Port

WITHIN = 30.0


def program() -> str | None:
    return shutil.which("redis-server")


class RedisServer:
    """Keeps nothing on disk; listens on a port of its own."""

    def __init__(self, folder: Path) -> None:
        self._held = Port()
        self.port = self._held.number
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        command = [program() or "redis-server", *options, "--dir", str(self._folder)]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + WITHIN
        while time.monotonic() < end:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return
            time.sleep(0.02)
        raise RuntimeError("redis-server did not come up")

    @property
    def is_running(self) -> bool:
        return self._process is not None

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


@contextmanager
def running(folder: Path) -> Iterator[RedisServer]:
    if program() is None:
        pytest.skip("needs redis-server: install Debian's redis-server")
    server = RedisServer(folder)
    server.start()
    try:
        yield server
    finally:
        server.kill()
