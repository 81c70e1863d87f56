"""Moves that stand in batches alone: played again, and shown to a reader beside their games' own rows."""

import logging
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock
from typing import NamedTuple

import orjson
from sqlalchemy import Connection

from twofold.game import Event, Game
from twofold_service.storage.codec import (
    EVENT,
    HOT,
    STATE,
    Unreadable,
    event_row,
    game_of,
    hot_of,
    move_again,
    rules_of,
)
from twofold_service.storage.statements import Row, execute, insert_sql, query, update_sql

log = logging.getLogger("twofold.journal")

_GAME = f"SELECT {', '.join(('player', 'mode', 'size', 'undo_limit', 'seed', 'given', *STATE))} FROM game WHERE key = ?"  # noqa: S608
_SHOW = """
CREATE TEMP TABLE moved AS SELECT * FROM main.game WHERE false;
CREATE TEMP TABLE moves AS SELECT * FROM main.event WHERE false;
CREATE UNIQUE INDEX temp.moved_game ON moved (key);
CREATE UNIQUE INDEX temp.moves_version ON moves (game, version);
CREATE TEMP VIEW game AS
    SELECT * FROM main.game WHERE key NOT IN (SELECT key FROM moved) UNION ALL SELECT * FROM moved;
CREATE TEMP VIEW event AS SELECT * FROM main.event UNION ALL SELECT * FROM moves
"""
_SHOW_GAME = "INSERT INTO moved SELECT * FROM main.game WHERE key = ? AND version = ?"
_SHOW_STATE, _SHOW_LOG = update_sql(HOT, "?", "moved"), insert_sql("moves", EVENT, "?")


class Moves(NamedTuple):
    """Moves of one game of a player, in order."""

    player: int
    events: list[Event]


@dataclass(slots=True)
class Unfolded:
    """By key, the games of which some moves stand in batches alone; and the number of the last batch."""

    last: int = 0
    games: dict[int, Moves] = field(default_factory=dict)


def played_again(connection: Connection) -> Unfolded:
    """All moves that stand in batches alone."""
    left, stands = Unfolded(), _Stands(connection)
    for number, batch in query(connection, "SELECT number, moves FROM batch ORDER BY number"):
        left.last = max(left.last, number)
        for key, version, direction, at in _read(number, batch):
            player, game = stands.at(key)
            if game is None or version <= game.version:
                continue
            event = move_again(game, direction, at)
            if event is None or event.version != version:
                log.error("move %d of game number %d does not follow from those before it", version, key)
                stands.spoilt(key)
                continue
            stands.moved(key, event.game)
            left.games.setdefault(key, Moves(player, [])).events.append(event)
    return left


class Beside:
    """Shows to readers, beside the games' own rows, the moves that stand in batches alone.

    To play many again takes longer than to read, so what they came to is kept while the batches are the same ones.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._batches: list[Row] = []
        self._states: list[Row] = []
        self._log: list[Row] = []

    def show(self, connection: Connection) -> None:
        """Let `game` and `event` tell of those moves, until this transaction is rolled back.

        Views of this connection's own hide the tables; nothing is written to the database.
        """
        states, log = self._played_again(connection)
        for statement in _SHOW.split(";"):
            execute(connection, statement)
        execute(connection, _SHOW_GAME, [state[-2:] for state in states])
        execute(connection, _SHOW_STATE, states)
        execute(connection, _SHOW_LOG, log)
        execute(connection, "DELETE FROM moves WHERE game NOT IN (SELECT key FROM moved)")  # folded since

    def _played_again(self, connection: Connection) -> tuple[list[Row], list[Row]]:
        """Of each game the row it would have, and those of its log."""
        with self._lock:
            batches = query(connection, "SELECT count(*), max(number) FROM batch")
            if batches != self._batches:
                games = played_again(connection).games.items()
                self._states = [(*hot_of(events[-1].game), key, events[0].version - 1) for key, (_, events) in games]
                self._log = [event_row(key, event) for key, (_, events) in games for event in events]
                self._batches = batches
            return self._states, self._log


class _Stands:
    """The games that are played on, each read once, with their players."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._games: dict[int, tuple[int, Game | None]] = {}

    def at(self, key: int) -> tuple[int, Game | None]:
        if key not in self._games:
            self._games[key] = _load(self._connection, key)
        return self._games[key]

    def moved(self, key: int, game: Game) -> None:
        self._games[key] = self._games[key][0], game

    def spoilt(self, key: int) -> None:
        self._games[key] = 0, None


def _load(connection: Connection, key: int) -> tuple[int, Game | None]:
    row = next(iter(query(connection, _GAME, (key,))), None)
    if row is None:
        return 0, None
    player, mode, size, undo_limit, seed, given, *state = row
    try:
        return player, game_of(rules_of(mode, size, undo_limit), seed, given, state)
    except Unreadable as error:
        log.error("game number %d is left as it is: %s", key, error)
        return player, None


def _read(number: int, batch: bytes) -> list[tuple[int, int, int, int]]:
    """Key, version, direction and instant of each move of a batch."""
    with suppress(ValueError, TypeError):
        moves = [(key, version, direction, at) for key, version, direction, at in orjson.loads(batch)]
        if all(type(figure) is int and 0 <= figure < 1 << 63 for move in moves for figure in move):
            return moves
    log.error("batch %d cannot be read, its moves are left out", number)
    return []
