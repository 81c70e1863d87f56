"""The process that does long computations ends with the service, however that ends."""

import signal
from pathlib import Path

import pytest

from tests.callers import Caller, answer, player
from tests.faults.clockwork import until
from tests.faults.serving import Serving

pytestmark = pytest.mark.slow


def worker_of(serving: Serving) -> int:
    """The process that verifies; there is one once a record was sent."""
    with player(serving.url) as me, Caller(serving.url) as stranger:
        record = answer(me.get(f"/games/{me.new('practice')['id']}/export"))
        assert answer(stranger.post("/verify", json=record))["valid"]
    main = serving.process.pid
    children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
    (worker,) = [int(child) for child in children if "spawn_main" in command(int(child))]
    return worker


def command(process: int) -> str:
    """The command line of a process, empty where there is none."""
    try:
        return Path(f"/proc/{process}/cmdline").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_no_worker_outlives_the_service(new_serving, number):
    serving = new_serving()
    serving.start()
    worker = worker_of(serving)
    serving.process.send_signal(number)
    serving.process.wait(30)
    until(lambda: "spawn_main" not in command(worker), within=30)


def test_what_a_killed_service_leaves_is_removed_without_a_word(new_serving):
    serving = new_serving()
    serving.start()
    worker_of(serving)
    main = serving.process.pid
    children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
    (tracker,) = [int(child) for child in children if "resource_tracker" in command(int(child))]

    serving.kill()

    until(lambda: not command(tracker), within=30)
    assert "resource_tracker" not in serving.log
