"""A kill at the n-th write, and at the n-th sync, for every n: what was acknowledged is stored, whatever n was.

Each life begins with moves that an earlier one left waiting, so their folding at a start is killed in as well; it plays
several games at once, makes waiting moves be folded in each way there is, ends a game, and stops. The short form tries
some n, the long one all. strace counts by thread; so all is done again with everything written by one.
"""

import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import time
from contextlib import closing, suppress
from copy import deepcopy
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest

from tests.callers import DIRECTIONS, Caller, Json, Live, player
from tests.faults.bots import Ledger
from tests.faults.clockwork import until
from tests.faults.forks import fork, wait_for_tracer
from tests.faults.patient import be_patient
from tests.faults.steady import OFF
from tests.faults.table import LONG
from tests.ports import Port
from tests.service import SECRET, running
from twofold_service.storage import batches
from twofold_service.storage.journal import Journal

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("strace") is None, reason="needs strace: install Debian's strace"),
]
SOME = {"pwrite64": (4, 60, 130), "fdatasync": (3, 11)}
"""Which n the short form tries."""


def fold_soon() -> None:
    """Moves wait for a moment only before they are folded with those that follow."""
    wait_for_tracer()
    be_patient()
    batches.FOLD_AFTER = 20_000


def write_in_one_thread() -> None:
    """The same, and nothing is written on the event loop."""
    fold_soon()
    Journal._may_write_here = lambda self, batch: False  # type: ignore[method-assign]


@dataclass(slots=True)
class Games:
    """A database file, its player, and what that one saw of their games."""

    file: Path
    token: str
    ledgers: list[Ledger]

    def copy(self, folder: Path) -> "Games":
        for path in self.file.parent.glob("twofold.db*"):
            shutil.copy(path, folder / path.name)
        return Games(folder / self.file.name, self.token, deepcopy(self.ledgers))

    def check(self) -> int:
        """After a kill: the file is sound, and a service that starts on it tells what was acknowledged."""
        with closing(sqlite3.connect(self.file)) as beside:
            assert beside.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert beside.execute("PRAGMA foreign_key_check").fetchall() == []
        with running(self.file) as service, Caller(service.url, self.token) as caller:
            for ledger in self.ledgers:
                ledger.check_log(caller)
        return sum(len(ledger.acknowledged) for ledger in self.ledgers)


class Life:
    """One life of a service on a file, which is killed at the n-th call of a kind by a thread."""

    def __init__(self, games: Games, call: str, number: int, before: object) -> None:
        self.games = games
        self._held = Port()
        port = self._held.number
        self.url = f"http://127.0.0.1:{port}"
        folder = games.file.parent
        wanted = {"TWOFOLD_SECRET": SECRET.hex(), "TWOFOLD_DATABASE": f"sqlite:///{games.file}"}
        wanted |= {"TWOFOLD_PORT": str(port), "TWOFOLD_RATE_LIMITS": "off"}
        self.log = folder / "log"
        self.process = fork(folder, self.log, wanted, before)  # type: ignore[arg-type]
        inject = ["-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={number}"]
        command = ["strace", "-f", "-qq", "-o", str(folder / "trace"), *inject, "-p", str(self.process.pid)]
        self.tracer = subprocess.Popen(command, stderr=subprocess.DEVNULL)

    def live(self) -> bool:
        """Play, and stop; whether it was killed before all was done."""
        with suppress(*OFF):
            if until(lambda: self._listens() or not self.process.is_alive(), within=60) and self.process.is_alive():
                play(self.url, self.games)
        for ledger in self.games.ledgers:
            ledger.lose()
        self.process.terminate()
        self.process.join(30)
        self.tracer.wait(30)
        assert self.process.exitcode in (0, -signal.SIGKILL), self.log.read_text()
        return self.process.exitcode != 0

    def _listens(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", int(self.url.rpartition(":")[2])), 1):
            return True
        return False


def play(url: str, games: Games) -> None:
    """Moves of all games at once, and between them whatever makes those be folded that wait."""
    chance = random.Random(11)
    with Caller(url, games.token) as caller, Live(url, games.token) as live:
        for ledger in games.ledgers:
            all_at_once(live, [(ledger, {"op": "resume"})])
        games.ledgers.append(Ledger(caller.new("classic")["id"]))
        moves(live, games, chance, 3)
        assert caller.get("/games").status_code == 200  # a reader
        moves(live, games, chance, 2)
        all_at_once(live, [(games.ledgers[0], {"op": "undo"})])
        moves(live, games, chance, 2)
        all_at_once(live, [(games.ledgers[-1], {"op": "abandon"})])
        for _ in range(3):
            moves(live, games, chance, 1)
            time.sleep(0.03)  # the next ones take along what waits by then
        moves(live, games, chance, 2)


def moves(live: Live, games: Games, chance: random.Random, rounds: int) -> None:
    for _ in range(rounds):
        open_ = [ledger for ledger in games.ledgers if not ledger.over]
        all_at_once(live, [(ledger, {"op": "move", "direction": chance.choice(DIRECTIONS)}) for ledger in open_])


def all_at_once(live: Live, commands: list[tuple[Ledger, Json]]) -> None:
    sent = {}
    for ledger, command in commands:
        call = ledger.send(command)
        sent[live.send(game=ledger.game, **command)] = ledger, call
    for frame in live.frames(10):
        if "ev" in frame:
            continue
        ledger, call = sent.pop(frame["id"])
        if "ok" in frame:
            ledger.note(call, frame["ok"]["event"])
        else:
            ledger.refuse(call, frame["error"])
        if not sent:
            return


@pytest.fixture(scope="module")
def left(migrated, tmp_path_factory) -> Games:
    """What a life left behind that was killed while moves waited."""
    folder = tmp_path_factory.mktemp("left")
    shutil.copy(migrated, folder / "twofold.db")
    kept = tmp_path_factory.mktemp("kept")
    with (
        running(folder / "twofold.db") as service,
        player(service.url) as caller,
        Live(service.url, caller.token) as live,
    ):
        games = Games(folder / "twofold.db", str(caller.token), [])
        for mode in ("practice", "classic", "practice"):
            games.ledgers.append(Ledger(caller.new(mode)["id"]))
        moves(live, games, random.Random(5), 6)
        left = games.copy(kept)
    with closing(sqlite3.connect(left.file)) as beside:
        assert beside.execute("SELECT count(*) FROM batch").fetchone()[0] > 0, "no moves wait"
    return left


@pytest.fixture(params=[fold_soon, write_in_one_thread] if LONG else [fold_soon], ids=lambda before: before.__name__)
def before(request):
    return request.param


@pytest.mark.fault("3 a kill at the n-th write or sync")
@pytest.mark.parametrize("call", ["pwrite64", "fdatasync"])
def test_a_kill_at_any_write_or_sync_loses_and_doubles_nothing(left, call, before, tmp_path, line):
    def folder(name: str) -> Path:
        made: Path = tmp_path / name
        made.mkdir()
        return made

    killed = 0
    for number in count(1) if LONG else SOME[call]:
        life = Life(left.copy(folder(str(number))), call, number, before)
        was_killed = life.live()
        try:
            acknowledged = life.games.check()
        except AssertionError as error:
            raise AssertionError(f"killed at {call} number {number}") from error
        shutil.rmtree(life.games.file.parent)
        if not was_killed:
            break
        killed += 1
        line.ran(acknowledged=acknowledged, **{f"last_{call}": number})
    assert killed > 1
