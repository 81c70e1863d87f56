"""Damaged games: told as such where they are read, left as they are, harming no other."""

import json
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from tests.callers import Caller, Live, answer, player, problem
from tests.engine.table import Table
from tests.service import running
from tests.storage.shelf import Shelf
from twofold_service.errors import CorruptGame
from twofold_service.storage.database import Database
from twofold_service.usecases import logs
from twofold_service.usecases.values import CorruptRow

ROW_DAMAGES = {
    "truncated cells": "UPDATE game SET cells = substr(cells, 1, 9) WHERE key = :key",
    "no cells": "UPDATE game SET cells = substr(cells, 1, 0) WHERE key = :key",
    "wrong score": "UPDATE game SET score = score + 4 WHERE key = :key",
    "wrong moves": "UPDATE game SET moves = moves - 7 WHERE key = :key",
    "unknown mode": "UPDATE game SET mode = 'blitz' WHERE key = :key",
    "impossible size": "UPDATE game SET size = 9 WHERE key = :key",
    "unknown status": "UPDATE game SET status = 'asleep' WHERE key = :key",
    "unknown outcome": "UPDATE game SET outcome = 'lost' WHERE key = :key",
    "a clock that runs while paused": "UPDATE game SET status = 'paused' WHERE key = :key",
    "negative count": "UPDATE game SET undos = -1 WHERE key = :key",
    "short seed": "UPDATE game SET seed = substr(seed, 1, 5) WHERE key = :key",
    "no date": "UPDATE game SET date = 'soon', attempt = 1 WHERE key = :key",
}
LOG_END_DAMAGES = {
    "missing last event": "DELETE FROM event WHERE game = :key AND version = 21",
    "no log": "DELETE FROM event WHERE game = :key",
    "version ahead of the log": "UPDATE game SET version = version + 1 WHERE key = :key",
    "version behind the log": "UPDATE game SET version = version - 1 WHERE key = :key",
    "another last event": "UPDATE event SET at = at + 1 WHERE game = :key AND version = 21",
}
LOG_DAMAGES = {
    "hole": "DELETE FROM event WHERE game = :key AND version = 100",
    "hole before the last": "DELETE FROM event WHERE game = :key AND version = 599",
    "no end": "DELETE FROM event WHERE game = :key AND version > 512",
    "unknown type": "UPDATE event SET type = 99 WHERE game = :key AND version = 100",
    "unknown direction": "UPDATE event SET direction = 7 WHERE game = :key AND version = 100",
    "a move that changes nothing": "UPDATE event SET direction = NULL WHERE game = :key AND version = 100",
    "a tile off the board": "UPDATE event SET cell = 999 WHERE game = :key AND version = 100",
    "a huge tile": "UPDATE event SET tile = 32767 WHERE game = :key AND version = 100",
    "no first frame": "UPDATE event SET frame = NULL WHERE game = :key AND version = 1",
    "frame of rubbish": "UPDATE event SET frame = :rubbish WHERE game = :key AND version = 1",
    "frame of another shape": "UPDATE event SET frame = :shape WHERE game = :key AND version = 1",
    "frame cut off": "UPDATE event SET frame = substr(frame, 1, 40) WHERE game = :key AND version = 1",
    "undo to another shape": "UPDATE event SET frame = :shape WHERE game = :key AND version = 301",
    "time going back": "UPDATE event SET at = 5 WHERE game = :key AND version = 100",
}
ON_SQLITE_ONLY = {
    "a word for a number": "UPDATE game SET score = 'many' WHERE key = :key",
    "a fraction": "UPDATE game SET moves = 2.5 WHERE key = :key",
    "text for cells": "UPDATE game SET cells = 'cells' WHERE key = :key",
    "text for a size": "UPDATE game SET size = 'large' WHERE key = :key",
    "text for a seed": "UPDATE game SET seed = 'seed' WHERE key = :key",
    "text for an instant": "UPDATE game SET at = 'noon' WHERE key = :key",
}
RUBBISH: dict[str, Any] = {"rubbish": b"\xff\x00rubbish", "shape": b"[1,2,3]"}


def damage(shelf: Shelf, statement: str, key: int) -> None:
    used = {name: value for name, value in RUBBISH.items() if f":{name}" in statement}
    shelf.change(statement, key=key, **used)


def whole_row(shelf: Shelf, key: int) -> Any:
    with shelf.database.reading.connect() as connection:
        return connection.execute(text("SELECT * FROM game WHERE key = :key"), {"key": key}).one()


@pytest.mark.parametrize("damaged", [*ROW_DAMAGES, *LOG_END_DAMAGES, *ON_SQLITE_ONLY])
async def test_a_damaged_game_is_told_as_such_and_left_as_it_is(shelf: Shelf, database: Database, damaged: str):
    statement = (ROW_DAMAGES | LOG_END_DAMAGES | ON_SQLITE_ONLY)[damaged]
    if damaged in ON_SQLITE_ONLY and not database.is_sqlite:
        return
    me = await shelf.player()
    stored, whole = await shelf.keep(Table().play(20), me), await shelf.keep(Table().play(5), me)
    damage(shelf, statement, stored.header.key)
    before = whole_row(shelf, stored.header.key)
    with pytest.raises(CorruptGame):
        await shelf.games.load(stored.header.id)
    if damaged not in LOG_END_DAMAGES:
        listed, _ = await shelf.games.page(me, None, None, 10, None)
        assert listed[1] == CorruptRow(stored.header.id, "blitz" if damaged == "unknown mode" else "classic")
        assert listed[0] == await shelf.games.load(whole.header.id)
    raw = await shelf.logs.raw(stored.header.id)
    assert raw is not None
    assert "seed" not in raw.game
    assert stored.game.seed.hex() not in json.dumps([raw.game, raw.events])
    assert whole_row(shelf, stored.header.key) == before


@pytest.mark.parametrize("damaged", LOG_DAMAGES)
async def test_a_damaged_log_is_told_as_such_where_it_is_read(shelf: Shelf, damaged: str):
    table = Table("practice", given=[[2] + [0] * 7, *[[0] * 8] * 7]).play(299).undo().play(299)
    stored = await shelf.keep(table)
    damage(shelf, LOG_DAMAGES[damaged], stored.header.key)
    with pytest.raises(CorruptGame):
        async for _ in logs.events(shelf.logs, stored.header.id, 0, len(table.events)):
            pass


def prepared(path: Any) -> tuple[str, list[str]]:
    """A player with three games of twenty moves on a service that is over; the token, and the games' ids."""
    with running(path) as service, player(service.url, "Zoë") as me:
        games = [me.play(me.new(), 20)["id"] for _ in range(3)]
        assert me.token is not None
        return me.token, games


def change(path: Any, statement: str, game: str) -> None:
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        key = connection.execute(text("SELECT key FROM game WHERE id = :id"), {"id": game}).scalar_one()
        connection.execute(text(statement), {"key": key})
    engine.dispose()


@pytest.mark.parametrize("damaged", ["truncated cells", "wrong score", "unknown mode", "missing last event"])
def test_a_damaged_game_is_refused_everywhere_but_raw_and_another_takes_its_place(new_database, damaged: str):
    path = new_database()
    token, (broken, *whole) = prepared(path)
    change(path, (ROW_DAMAGES | LOG_END_DAMAGES)[damaged], broken)
    with running(path) as service, Caller(service.url, token) as me, Live(service.url, token) as live:
        for reading in ("", "/events", "/export"):
            problem(me.get(f"/games/{broken}{reading}"), 409, "corrupt_game")
        for op in ("undo", "pause", "abandon"):
            problem(me.ask(broken, op), 409, "corrupt_game")
        problem(me.ask(broken, "move", direction="left"), 409, "corrupt_game")
        assert live.refused("watch", game=broken)["code"] == "corrupt_game"
        assert live.refused("move", game=broken, direction="left")["code"] == "corrupt_game"

        raw = answer(me.get(f"/games/{broken}/export?raw=1"))
        assert "seed" not in raw["game"]
        assert raw["game"]["id"] == broken
        assert len(raw["events"]) >= 20
        with player(service.url) as other:
            problem(other.get(f"/games/{broken}/export?raw=1"), 403, "forbidden")

        items = answer(me.get("/games"))["items"]
        shown = {item["id"]: item for item in items}
        if damaged != "missing last event":
            assert shown[broken] == {"id": broken, "mode": shown[broken]["mode"], "status": "corrupt"}
        assert all(shown[game]["moves"] == 20 for game in whole)

        fresh = me.new(replaces=broken)
        assert me.play(fresh, 3)["moves"] == 3
        for game in whole:
            assert me.play(me.do(game, "resume")["game"], 1)["moves"] == 21
        problem(me.get(f"/games/{broken}"), 409, "corrupt_game")


def test_a_log_with_a_hole_is_never_told_as_whole(new_database):
    path = new_database()
    token, (broken, *_) = prepared(path)
    change(path, "DELETE FROM event WHERE game = :key AND version = 12", broken)
    with running(path) as service, Caller(service.url, token) as me:
        problem(me.get(f"/games/{broken}/events"), 409, "corrupt_game")
        problem(me.get(f"/games/{broken}/export"), 409, "corrupt_game")
        problem(me.get(f"/games/{broken}/events", headers={"Accept": "application/x-ndjson"}), 409, "corrupt_game")
        assert me.play(me.do(broken, "resume")["game"], 2)["moves"] == 22


def test_a_damaged_daily_blocks_no_new_attempt(new_database):
    path = new_database()
    with running(path) as service, player(service.url) as me:
        first = me.play(me.new("daily"), 2)["id"]
        token = me.token
    change(path, ROW_DAMAGES["truncated cells"], first)
    with running(path) as service, Caller(service.url, token) as me:
        assert me.new("daily", replaces=first)["attempt"] == 2
