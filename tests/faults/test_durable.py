"""Durable before acknowledged: a reply leaves after the sync of its commit. kill -9 cannot show this, a trace can."""

import shutil
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.callers import Live, player
from tests.faults import trace
from tests.faults.serving import CHECKOUT, PATIENT, Serving
from tests.faults.table import form

MOVES = form(30, 1000)

pytestmark = pytest.mark.skipif(shutil.which("strace") is None, reason="needs strace: install Debian's strace")


@pytest.fixture
def traced(new_serving, tmp_path):
    """Plays moves one after the other under a trace: how many were acknowledged, and which before the sync."""

    def play(entry: Sequence[str]) -> tuple[int, list[str]]:
        output = tmp_path / "trace"
        serving = new_serving(around=trace.around(output), entry=entry)
        serving.start()
        port = play_moves(serving)
        serving.kill()
        return trace.unsynced_replies(trace.read(whole(output, serving.process.pid)), port)

    return play


def play_moves(serving: Serving) -> int:
    """Play so many moves on one connection; its port on our side."""
    with player(serving.url) as caller, Live(serving.url, caller.token) as live:
        game, moved = caller.new("practice", size=8)["id"], 0
        while moved < MOVES:
            for direction in ("left", "down", "right", "up"):
                moved += live.ok("move", game=game, direction=direction)["moved"]
        port: int = live.socket.socket.getsockname()[1]
        return port


def whole(output: Path, process: int) -> list[str]:
    """The lines of a trace, once it tells of the end of the process."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        lines = output.read_text(errors="replace").splitlines()
        if any(line.startswith(f"{process} ") and "+++ killed" in line for line in lines[-20:]):
            return lines
        time.sleep(0.05)
    raise AssertionError("the trace does not end")


@pytest.mark.slow
@pytest.mark.fault("2 sync before answer, by system calls")
def test_every_reply_leaves_after_the_sync_of_its_commit(traced, line):
    acknowledged, early = traced(PATIENT)
    assert acknowledged >= MOVES
    assert early == []
    line.ran(acknowledged, acknowledged=acknowledged)


@pytest.mark.slow
def test_the_same_check_finds_replies_that_did_not_wait_for_a_sync(traced):
    acknowledged, early = traced((str(CHECKOUT / "tests/faults/unsynced.py"),))
    assert acknowledged >= MOVES
    assert len(early) == acknowledged
