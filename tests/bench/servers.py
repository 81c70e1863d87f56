"""The servers that are measured: started pinned to one core, all at once, and ended together."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

from tests.bench import peers, proc

ROOT = Path(__file__).parents[2]
READY_WITHIN = 90.0
END_WITHIN = 3.0
BARE = ("post", "echo")
OTHERS = (*BARE, *peers.NAMES)


@dataclass(frozen=True, slots=True)
class Server:
    name: str
    port: int
    database: Path
    log: Path
    process: "subprocess.Popen[bytes]"

    @property
    def pid(self) -> int:
        return self.process.pid


class Servers:
    """Starts servers in a folder; `end` ends them."""

    def __init__(self, folder: Path, core: int) -> None:
        self._folder = folder
        self._core = core
        self._running: list[Server] = []

    def start(self, **variants: str) -> dict[str, Server]:
        """Servers that answer, by name: `serve` is the command itself; others are of `bare`, `peers` and `runner`."""
        started = {name: self._spawn(name, variant) for name, variant in variants.items()}
        self._running += started.values()
        deadline = time.monotonic() + READY_WITHIN
        for name, server in started.items():
            while not _answers(server.port, "/" if variants[name] in OTHERS else "/readyz"):
                if server.process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(f"{name} did not start: {server.log.read_text()[-2000:]}")
                time.sleep(0.05)
        for server in started.values():
            proc.pin(server.pid, self._core)
        return started

    def end(self) -> None:
        end([server.process for server in self._running])

    def _spawn(self, name: str, variant: str) -> Server:
        port = _free_port()
        database, log = self._folder / f"{name}.db", self._folder / f"{name}.log"
        if variant == "serve":
            command = [str(Path(sys.executable).with_name("twofold")), "serve"]
        elif variant in BARE:
            command = [sys.executable, "-m", "tests.bench.bare", variant, str(port)]
        elif variant in peers.NAMES:
            command = ["node", str(peers.FOLDER / f"{variant}.mjs"), str(port)]
        else:
            command = [sys.executable, "-m", "tests.bench.runner", variant]
        inherited = {key: value for key, value in os.environ.items() if not key.startswith("TWOFOLD_")}
        environment = inherited | {
            "PYTHONPATH": str(ROOT),
            "TWOFOLD_PORT": str(port),
            "TWOFOLD_DATABASE": f"sqlite:///{database}",
            "TWOFOLD_RATE_LIMITS": "off",
            "TWOFOLD_LOG_LEVEL": "warning",
            "NODE_ENV": "production",
        }
        with log.open("w") as out:
            process = subprocess.Popen(command, cwd=self._folder, env=environment, stdout=out, stderr=out)
        return Server(name, port, database, log, process)


def end(processes: Sequence["subprocess.Popen[bytes] | subprocess.Popen[str]"]) -> None:
    """Ask all to end, wait a little, kill who does not: nobody needs what they would still store."""
    for process in processes:
        process.terminate()
    deadline = time.monotonic() + END_WITHIN
    for process in processes:
        try:
            process.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def _answers(port: int, path: str) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", path)
        return connection.getresponse().status in (200, 404)
    except OSError:
        return False
    finally:
        connection.close()
