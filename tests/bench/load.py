"""The run's end of the generator."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.bench.figures import Window
from tests.bench.servers import ROOT, Server, end

Answer = dict[str, Any]


class Generator:
    """Starts the process that plays, gives it orders one by one, and ends it."""

    def __init__(self, core: int, folder: Path) -> None:
        self._log = folder / "generator.log"
        with self._log.open("w") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.bench.generator"],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        os.sched_setaffinity(self._process.pid, {core})

    def play(self, kind: str, server: Server, players: int, seconds: float, warm_up: float) -> Window:
        return Window(**self._order(server, "play", kind=kind, players=players, seconds=seconds, warm_up=warm_up))

    def fan_out(self, server: Server, watchers: int, moves: int) -> list[float]:
        answer = self._order(server, "fan_out", watchers=watchers, moves=moves)
        return [float(value) for value in answer["milliseconds"]]

    def open_games(self, server: Server, games: int, moves: int) -> Answer:
        return self._order(server, "open_games", database=str(server.database), games=games, moves=moves)

    def idle_sockets(self, server: Server, sockets: int) -> Answer:
        return self._order(server, "idle_sockets", sockets=sockets)

    def end(self) -> None:
        end([self._process])

    def _order(self, server: Server, do: str, **how: Any) -> Answer:
        assert self._process.stdin is not None and self._process.stdout is not None
        order = {"do": do, "port": server.port, "pid": server.pid} | how
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the generator died: {self._log.read_text()[-2000:]}")
        answer: Answer = json.loads(line)
        if "failed" in answer:
            raise RuntimeError(f"{order}: {answer['failed']}; the server said: {server.log.read_text()[-2000:]}")
        return answer
