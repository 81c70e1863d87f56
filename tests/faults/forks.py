"""`twofold serve` by a process that has loaded all code before it forks, which takes a fraction of a fresh start."""

import ctypes
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Mapping
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from twofold_cli.__main__ import main

PRELOAD = ["twofold_cli.__main__", "twofold_service.__main__"]
LET_ANYBODY_TRACE = 0x59616D61
TRACED_WITHIN = 20.0
Before = Callable[[], None]


def fork(folder: Path, log: Path, environment: Mapping[str, str], before: Before | None = None) -> ForkServerProcess:
    """A process that serves from a folder, started; what `before` does it does first."""
    forked = multiprocessing.get_context("forkserver")
    forked.set_forkserver_preload(PRELOAD)
    process = forked.Process(target=serve, args=(folder, log, dict(environment), before))
    process.start()
    return process


def serve(folder: Path, log: Path, environment: dict[str, str], before: Before | None) -> None:
    """What the process does."""
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.chdir(folder)
    os.environ.update(environment)
    if before is not None:
        before()
    sys.argv = ["twofold", "serve"]
    main()


def wait_for_tracer() -> None:
    """Go on once somebody traces this process."""
    ctypes.CDLL(None).prctl(LET_ANYBODY_TRACE, ctypes.c_ulong(-1), 0, 0, 0)
    end = time.monotonic() + TRACED_WITHIN
    while "TracerPid:\t0\n" in Path("/proc/self/status").read_text():
        if time.monotonic() > end:
            sys.exit("nobody traces")
        time.sleep(0.002)
