"""Starting on a full database: as quick as on an empty one."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.storage.filling import fill
from twofold_service.now import ServiceTime
from twofold_service.storage.database import Database

pytestmark = pytest.mark.slow
GAMES = 100_000
NOMINAL, NOISY = 3.0, 10.0
"""Seconds to be ready in on an idle machine, and on one where others work."""
NEW = {
    "key": "key + n * 1000000",
    "game": "game + n * 1000000",
    "id": "id || 'x' || n",
    "attempt": "attempt + n",
}
"""What of a row differs in its n-th copy."""


def multiply(file: Path, times: int) -> tuple[int, int]:
    """Copy every game that does not run so many times; how many there are then, and how many of them run."""
    with closing(sqlite3.connect(file)) as beside, beside:
        for table, others in (("game", "g.key"), ("event", "e.game"), ("result", "r.game")):
            columns = [name for _, name, *_ in beside.execute(f"PRAGMA table_info({table})")]
            change = ", ".join(NEW.get(name, name) for name in columns)
            still = "SELECT key FROM game WHERE status <> 'running' AND key < 1000000"
            number = "WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?)"
            copies = f"SELECT {change} FROM number, {table} {others[0]} WHERE {others} IN ({still})"  # noqa: S608
            beside.execute(f"{number} INSERT INTO {table} ({', '.join(columns)}) {copies}", (times,))
        games, running = beside.execute("SELECT count(*), sum(status = 'running') FROM game").fetchone()
        return games, running


def test_a_hundred_thousand_stored_games_do_not_slow_a_start(new_serving):
    serving = new_serving()
    database = Database(f"sqlite:///{serving.file}", 3000)
    fill(database, 100, ServiceTime()())
    database.close()
    games, running = multiply(serving.file, 55)
    assert games > GAMES
    seconds = serving.start()
    print(f"\nready after {seconds:.2f} s with {games} games, of which {running} had to be paused", end="")
    assert seconds < NOISY
    with closing(sqlite3.connect(serving.file)) as beside:
        assert beside.execute("SELECT count(*) FROM game WHERE status = 'running'").fetchone() == (0,)
