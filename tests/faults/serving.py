"""`twofold serve` in several lives at one address: killed, frozen, traced, and started again."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import httpx

from tests.ports import Port
from tests.service import SECRET

CHECKOUT = Path(__file__).parents[2]
READY_WITHIN = 60.0
PATIENT = ("-m", "tests.faults.patient")
AS_IT_IS = ("-m", "twofold_cli")
"""The command itself: a gap of two seconds in its life is an outage, whoever else had the cores meanwhile."""


class Serving:
    """A service on a database of its own; `around` is the command that runs it, `entry` what Python runs."""

    def __init__(
        self,
        folder: Path,
        database: str | None = None,
        *,
        around: Sequence[str] = (),
        entry: Sequence[str] = PATIENT,
        **environment: str,
    ) -> None:
        self._held = Port()
        self.port = self._held.number
        self.url = f"http://127.0.0.1:{self.port}"
        self.folder, self.file = folder, folder / "twofold.db"
        where = ["--port", str(self.port), "--database", database or f"sqlite:///{self.file}"]
        self._command = [*around, sys.executable, *entry, "serve", *where]
        ours = {"TWOFOLD_RATE_LIMITS": "off", "TWOFOLD_SECRET": SECRET.hex(), "PYTHONPATH": str(CHECKOUT)}
        self._environment = {**os.environ, **ours, **environment}
        self.process: subprocess.Popen[bytes]

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text()

    def start(self) -> float:
        """Start, and return once ready: after how many seconds."""
        begun = time.monotonic()
        self.launch()
        return self.ready() - begun

    def launch(self) -> None:
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder, env=self._environment
            )

    def ready(self, within: float = READY_WITHIN) -> float:
        """Wait until ready; when that was."""
        end = time.monotonic() + within
        with httpx.Client(base_url=self.url, trust_env=False, timeout=5) as probe:
            while (now := time.monotonic()) < end and self.process.poll() is None:
                with suppress(httpx.HTTPError):
                    if probe.get("/readyz").status_code == 200:
                        return time.monotonic()
                time.sleep(max(0.0, 0.02 - (time.monotonic() - now)))
        raise AssertionError(f"the service is not ready: {self.log[-2000:]}")

    def freeze(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def terminate(self, within: float = 30) -> tuple[int, float]:
        """SIGTERM: the exit status, and how many seconds that took."""
        begun = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(within), time.monotonic() - begun

    def kill(self) -> None:
        """SIGKILL, whatever state the process is in."""
        if hasattr(self, "process"):
            self.process.kill()
            self.process.wait()
