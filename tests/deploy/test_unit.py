"""The service does its work inside what the systemd unit allows: these system calls, and no memory made executable."""

import ctypes
import os
import re
import signal
from pathlib import Path

import pytest

from tests.callers import Live, answer, player
from tests.deploy.files import env_example, unit
from tests.deploy.tools import from_system, said
from tests.faults.serving import Serving

PR_SET_MDWE, PR_GET_MDWE = 65, 66
ONLY_OF_ROOT = {"fchown"}
"""SQLite's own, and only where it runs as root."""
NO_NEW_CODE = (
    "import ctypes; from tests.faults.patient import be_patient, main; be_patient(); "
    f"assert ctypes.CDLL(None).prctl({PR_SET_MDWE}, 1, 0, 0, 0) == 0; main()"
)


@pytest.fixture(scope="module")
def made_calls(tmp_path_factory) -> set[str]:
    """The system calls of a service that starts, plays, draws, verifies, gives a hint and stops."""
    if ctypes.CDLL(None).prctl(PR_GET_MDWE, 0, 0, 0, 0) < 0:
        pytest.skip("needs Linux 6.3: it can forbid a process to make memory executable")
    folder: Path = tmp_path_factory.mktemp("unit")
    traced = (from_system("strace", "strace"), "-f", "-qq", "-c", "-o", str(folder / "calls"))
    serving = Serving(folder, around=traced, entry=("-c", NO_NEW_CODE), **env_example())
    try:
        serving.start()
        with player(serving.url) as me, Live(serving.url, me.token) as live:
            game = me.new()
            for way in ("left", "down", "right", "up"):
                live.ok("move", game=game["id"], direction=way)
            record = me.get(f"/games/{game['id']}/export").json()
            assert answer(me.post("/verify", json=record))["origin"] == "stored"
            assert me.get(f"/games/{game['id']}/board.png").status_code == 200
            assert answer(me.get(f"/games/{game['id']}/hint"))["trained"]
        (traced_process,) = Path(f"/proc/{serving.process.pid}/task/{serving.process.pid}/children").read_text().split()
        os.kill(int(traced_process), signal.SIGTERM)
        assert serving.process.wait(30) == 0, serving.log
    finally:
        serving.kill()
    assert "Traceback" not in serving.log
    return set(re.findall(r"^ *[\d.]+ .* (\w+)$", (folder / "calls").read_text(), re.MULTILINE)) - {"total"}


def allowed_calls() -> set[str]:
    """What the unit's filters leave of all system calls."""
    sets: dict[str, set[str]] = {}
    for line in said(from_system("systemd-analyze", "systemd"), "--no-pager", "syscall-filter").splitlines():
        if line.startswith("@"):
            members = sets.setdefault(line.strip(), set())
        elif line.startswith("    ") and not line.strip().startswith("#"):
            members.add(line.strip())

    def calls(name: str) -> set[str]:
        return set().union(*map(calls, sets[name])) if name in sets else {name}

    allowed = set[str]()
    for given in unit("SystemCallFilter"):
        named = set().union(*map(calls, given.removeprefix("~").split()))
        allowed = allowed - named if given.startswith("~") else allowed | named
    return allowed | calls("@default")


def test_the_unit_forbids_no_call_that_the_service_makes(made_calls):
    assert {"fdatasync", "sendto", "execve"} & made_calls
    assert made_calls - allowed_calls() - ONLY_OF_ROOT == set()


def test_the_unit_forbids_calls_that_no_service_needs():
    assert {"mount", "ptrace", "setuid", "chown", "bpf"}.isdisjoint(allowed_calls())
