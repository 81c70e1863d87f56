"""The supervisor alone, with workers that do as they are told."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.faults.clockwork import until

SCRIPT = """
import ctypes, logging, os, signal, sys, time
from twofold_service.supervisor import Supervisor
logging.basicConfig(level="INFO", format="%(message)s", stream=sys.stdout)
def work(lifeline):
    os.write(1, b"born %d\\n" % os.getpid())  # at once, for two are born at a time
    {body}
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # orphans become its children, as those of a container's first process do
Supervisor(work, 2).run()
print("done", flush=True)
"""


class Supervised:
    def __init__(self, folder: Path, body: str) -> None:
        self._log = folder / "log"
        with open(self._log, "wb") as log:
            command = [sys.executable, "-c", SCRIPT.format(body=body)]
            self.process = subprocess.Popen(command, stdout=log, stderr=log)

    @property
    def log(self) -> str:
        return self._log.read_text()

    def workers(self) -> list[int]:
        """All that were ever born."""
        return [int(line.split()[1]) for line in self.log.splitlines() if line.startswith("born")]

    def born(self, count: int) -> list[int]:
        until(lambda: len(self.workers()) >= count)
        return self.workers()


@pytest.fixture
def supervised(tmp_path):
    made = []

    def start(body: str) -> Supervised:
        made.append(Supervised(tmp_path, body))
        return made[-1]

    yield start
    for each in made:
        each.process.kill()
        each.process.wait()
        for worker in each.workers():
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)


def test_a_worker_that_dies_is_replaced_and_told_of(supervised):
    run = supervised("signal.pause()")
    os.kill(run.born(2)[0], signal.SIGKILL)
    run.born(3)
    assert f"worker {run.workers()[0]} ended (by signal 9)" in run.log


def test_workers_that_die_at_once_are_replaced_slower_and_slower(supervised):
    run = supervised("sys.exit(7)")
    run.born(4)
    time.sleep(1)
    assert len(run.workers()) < 12
    assert "ended (status 1)" in run.log
    run.process.send_signal(signal.SIGTERM)
    assert run.process.wait(10) == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_all_workers_and_then_the_supervisor(supervised, number):
    run = supervised("signal.pause()")
    run.born(2)
    run.process.send_signal(number)
    assert run.process.wait(10) == 0
    assert run.log.endswith("done\n")


def test_the_lifeline_ends_when_the_supervisor_does(supervised):
    run = supervised("os.read(lifeline, 1); print('alone', flush=True)")
    run.born(2)
    run.process.kill()
    until(lambda: run.log.count("alone") == 2)


def test_orphans_that_a_container_hands_to_the_supervisor_do_no_harm(supervised):
    run = supervised("os.fork() or (time.sleep(0.5), os._exit(0))")  # a worker leaves at once, its child does later
    run.born(2)
    time.sleep(1)
    assert run.process.poll() is None
    assert "Traceback" not in run.log
