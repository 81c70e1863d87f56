"""A disk that is full or fails: what is not stored is not acknowledged, reads go on, and so does play afterwards."""

import json
import os
import shlex
import shutil
import subprocess
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from tests.callers import Caller, Json, Live, answer, player, problem
from tests.faults.clockwork import until
from tests.faults.serving import Serving

UNSHARE = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]
FAILING = {"fdatasync": "30..36", "pwrite64": "200..206"}
"""Which calls of the thread that writes fail; the first are those of a start."""


def may_mount() -> bool:
    """Whether this machine lets us mount a file system that nobody else sees."""
    if shutil.which("unshare") is None:
        return False
    tried = [*UNSHARE, "mount", "-t", "tmpfs", "none", "/mnt"]
    return subprocess.run(tried, check=False, capture_output=True).returncode == 0


def play_until_refused(live: Live, game: Json) -> tuple[list[Json], Json]:
    """The events that were acknowledged, and the refusal."""
    acknowledged: list[Json] = []
    while len(acknowledged) < 5000:
        for direction in ("left", "down", "right", "up"):
            reply = live.reply(live.send("move", game=game["id"], direction=direction))
            if "error" in reply:
                return acknowledged, reply["error"]
            if reply["ok"]["moved"]:
                acknowledged.append(reply["ok"]["event"])
    raise AssertionError("nothing was ever refused")


def log_of(caller: Caller, game: Json) -> list[Json]:
    """The game's events but for its creation."""
    lines = caller.get(f"/games/{game['id']}/events", headers={"Accept": "application/x-ndjson"})
    assert lines.status_code == 200, lines.text
    return [json.loads(line) for line in lines.text.splitlines()][1:-1]


def move_any(live: Live, game: Json) -> Json:
    """The event of one move, nothing where storage still refuses."""
    for direction in ("left", "down", "right", "up"):
        reply = live.reply(live.send("move", game=game["id"], direction=direction))
        if "error" in reply:
            assert reply["error"]["status"] in (503, 507)
            return {}
        if reply["ok"]["moved"]:
            event: Json = reply["ok"]["event"]
            return event
    raise AssertionError("no direction moves")


@pytest.mark.slow
@pytest.mark.fault("4 disk full")
def test_a_full_disk_refuses_writes_with_507_and_nothing_else(new_serving, tmp_path):
    if not may_mount():
        pytest.skip("needs leave to mount in a namespace of its own (unshare --mount)")
    disk = tmp_path / "disk"
    disk.mkdir()
    serving: Serving = new_serving(database=f"sqlite:///{disk}/twofold.db", around=on_a_small_disk(disk))
    serving.start()
    with player(serving.url) as caller, Live(serving.url, caller.token) as live:
        game = caller.new("practice", size=8)
        filler = Path(f"/proc/{serving.process.pid}/root{disk}/filler")
        fill(filler)
        acknowledged, refusal = play_until_refused(live, game)
        assert (refusal["status"], refusal["code"], refusal["retryable"]) == (507, "storage_full", True)
        problem(caller.ask(game["id"], "pause"), 507, "storage_full")
        problem(caller.post("/games", json={"mode": "classic"}), 507, "storage_full")
        assert log_of(caller, game) == acknowledged
        assert caller.game(game["id"])["version"] == len(acknowledged) + 1
        for path in ("/healthz", "/readyz"):
            assert httpx.get(serving.url + path, trust_env=False).status_code == 200
        filler.unlink()
        event = until(lambda: move_any(live, game))
        assert event["version"] == len(acknowledged) + 2
        assert caller.new()["version"] == 1


def on_a_small_disk(disk: Path) -> list[str]:
    """The command that runs another with a disk of 8 MB at a folder, which only that one sees."""
    mount = f'mount -t tmpfs -o size=8M none {shlex.quote(str(disk))} && exec "$0" "$@"'
    return [*UNSHARE, "sh", "-c", mount]


def fill(filler: Path) -> None:
    with open(filler, "wb", buffering=0) as file:
        for size in (1 << 16, 1 << 12, 1):
            try:
                while file.write(b"\0" * size) == size:
                    pass
            except OSError:
                continue


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("strace") is None, reason="needs strace: install Debian's strace")
@pytest.mark.fault("4 I/O error on write and sync")
@pytest.mark.parametrize("call", FAILING)
def test_a_sync_or_write_that_fails_acknowledges_nothing_and_play_goes_on(new_serving, tmp_path, line, call):
    inject = ["-e", f"trace={call}", "-e", f"inject={call}:error=EIO:when={FAILING[call]}"]
    serving: Serving = new_serving(around=["strace", "-D", "-f", "-qq", "-o", str(tmp_path / "trace"), *inject])
    serving.start()
    with player(serving.url) as caller, Live(serving.url, caller.token) as live:
        game = caller.new("practice", size=8)
        acknowledged, refusal = play_until_refused(live, game)
        assert "EIO" in (tmp_path / "trace").read_text()
        assert (refusal["status"], refusal["code"]) == (503, "storage_unavailable")
        assert log_of(caller, game) == acknowledged
        event = until(lambda: move_any(live, game))
        assert event["version"] == len(acknowledged) + 2
        acknowledged.append(event)
    serving.kill()
    with closing(new_life(serving, caller)) as caller:
        assert [event for event in log_of(caller, game) if event["type"] == "move"] == acknowledged
    line.ran(acknowledged=len(acknowledged))


def new_life(serving: Serving, caller: Caller) -> Caller:
    """The caller at the service in its next life."""
    serving.start()
    assert answer(httpx.get(serving.url + "/healthz", trust_env=False))
    return Caller(serving.url, caller.token)
