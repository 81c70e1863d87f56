"""Starting on a full database: as quick as on an empty one."""

import asyncio
import itertools
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from tests.faults.serving import READY_WITHIN
from tests.faults.table import form
from tests.service import put_together
from tests.storage.filling import fill
from twofold_service.now import ServiceTime
from twofold_service.storage.database import Database

pytestmark = pytest.mark.slow
GAMES, RUNNING = 100_000, 100
NOMINAL = 3.0
"""Seconds to be ready in, on an idle machine."""
STEPS = 100
COPIES = 70
NEW = {
    "key": "key + n * 1000000",
    "game": "game + n * 1000000",
    "id": "id || 'x' || n",
    "attempt": "attempt + n",
}
"""What of a row differs in its n-th copy."""


def multiply(file: Path, times: int) -> tuple[int, int]:
    """Copy every game that is over so many times; how many there are then, and how many of them run."""
    with closing(sqlite3.connect(file)) as beside, beside:
        for table, others in (("game", "g.key"), ("event", "e.game"), ("result", "r.game")):
            columns = [name for _, name, *_ in beside.execute(f"PRAGMA table_info({table})")]
            change = ", ".join(NEW.get(name, name) for name in columns)
            still = "SELECT key FROM game WHERE status = 'over' AND key < 1000000"
            number = "WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?)"
            copies = f"SELECT {change} FROM number, {table} {others[0]} WHERE {others} IN ({still})"  # noqa: S608
            beside.execute(f"{number} INSERT INTO {table} ({', '.join(columns)}) {copies}", (times,))
        games, running = beside.execute("SELECT count(*), sum(status = 'running') FROM game").fetchone()
        return games, running


def started(file: Path) -> int:
    """What SQLite did while a service started on a database, in units of STEPS of its virtual machine."""
    done = itertools.count()
    service = put_together(file)

    def watched(connection: Any, *_: Any) -> None:
        connection.set_progress_handler(lambda: next(done) < 0, STEPS)

    for engine in (service.database.reading, service.database.writing):
        event.listen(engine, "checkout", watched)

    async def live() -> None:
        await service.start()
        await service.stop()

    asyncio.run(live())
    service.database.close()
    return next(done)


def none_runs(file: Path) -> bool:
    with closing(sqlite3.connect(file)) as beside:
        (running,) = beside.execute("SELECT count(*) FROM game WHERE status = 'running'").fetchone()
        return not running


@pytest.fixture
def few(migrated: Path, tmp_path: Path) -> Path:
    """A database of 1,900 games, of which 100 were left running."""
    file = tmp_path / "few.db"
    shutil.copy(migrated, file)
    database = Database(f"sqlite:///{file}", 3000)
    fill(database, RUNNING, ServiceTime()())  # of twenty games of a player, one runs
    database.close()
    return file


@pytest.fixture
def many(few: Path, tmp_path: Path) -> Path:
    """The same with over 100,000 games."""
    file = tmp_path / "many.db"
    shutil.copy(few, file)
    games, running = multiply(file, COPIES)
    assert (games > GAMES, running) == (True, RUNNING)
    return file


def test_a_start_reads_as_little_of_a_hundred_thousand_stored_games_as_of_two_thousand(few, many):
    little, much = started(few), started(many)
    print(f"\n{little} x {STEPS} steps with few games, {much} with many", end="")
    assert none_runs(few)
    assert none_runs(many)
    assert little > RUNNING
    assert much < 1.1 * little


@pytest.mark.fault("13 start with 100,000 stored games")
def test_a_service_starts_with_a_hundred_thousand_stored_games(new_serving, many, line):
    serving = new_serving()
    shutil.copy(many, serving.file)
    seconds = serving.start()
    line.ran(ready_after=f"{seconds:.2f} s", paused=RUNNING)
    assert none_runs(serving.file)
    assert seconds < form(READY_WITHIN, NOMINAL), "CI's machine is shared with others; what is read there is counted"
