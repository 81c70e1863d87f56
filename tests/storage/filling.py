"""Fills a database with many games, past the store and fast: copies of a few that were really played."""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection

from tests.engine.table import Table
from twofold.board import max_tile
from twofold.clock import MS
from twofold.daily import date_of
from twofold.rules import MODES
from twofold_service.storage.codec import EVENT, STATE, event_row, state_of
from twofold_service.storage.database import Database
from twofold_service.storage.statements import insert_sql
from twofold_service.storage.tables import GameRow, PlayerRow, ResultRow
from twofold_service.usecases.boards import Finish, Place, boards, place

GAME = tuple(GameRow.model_fields)
PLAYER = tuple(PlayerRow.model_fields)
RESULT = tuple(ResultRow.model_fields)
STANDING = ("board", "player", "game", *Place._fields)
GAMES_EACH = 20
DEAD = "a process that is no more"


def played() -> list[Table]:
    """One game of each kind; of twenty, one runs, three stand, the others are over."""
    over = [Table("classic").play(moves).abandon() for moves in (5, 9, 17, 6, 8)]
    over += [Table("moves100").play(4).abandon(), Table("sprint").wait(10).start().play(5).wait(120_000)]
    open_ = [Table("sprint"), Table("classic").play(7).pause(), Table("practice").play(3).pause()]
    return [*over, *over, *open_, Table("classic").play(3), Table("daily").play(6).abandon()][: GAMES_EACH - 1]


def fill(database: Database, players: int, now: int) -> int:
    """So many players with twenty games each, as of `now`; how many games that makes."""
    tables = played()
    later = now - max(table.game.at for table in tables)
    tables = [shifted(table, later) for table in tables]
    with database.writing.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
        keys = range(1, players + 1)
        people = ((key, f"player{key:08}", f"Player {key}", False, True, now, None, False) for key in keys)
        write(connection, "player", PLAYER, list(people))
        tokens = [(key, key, b"filled%026d" % key, now, now) for key in keys]
        write(connection, "token", ("key", "player", "hash", "created_at", "used_at"), tokens)
        write(connection, "process", ("id", "heartbeat"), [(DEAD, now)])
        copies = [(key * 100 + number, key, table) for key in keys for number, table in enumerate(tables)]
        write(connection, "game", GAME, [game_row(*copy) for copy in copies])
        for batch in batches(copies, 5000):
            write(
                connection, "event", EVENT, [event_row(key, event) for key, _, table in batch for event in table.events]
            )
        ranked = [copy for copy in copies if copy[2].game.over and copy[2].mode != "practice"]
        results = [result_row(*copy) for copy in ranked]
        write(connection, "result", RESULT, [tuple(getattr(row, column) for column in RESULT) for row in results])
        write(connection, "standing", STANDING, standings(results))
        categories = sorted({category(table) for _, _, table in ranked})
        bests = [(key, name, 100, 5) for key in keys for name in categories]
        write(connection, "best", ("player", "category", "score", "max_tile"), bests)
    with database.writing.begin() as connection:
        if connection.dialect.name == "postgresql":
            for table_name in ("player", "token", "game"):
                connection.exec_driver_sql(
                    f"SELECT setval(pg_get_serial_sequence('{table_name}', 'key'), max(key)) FROM {table_name}"  # noqa: S608
                )
    return len(copies)


def shifted(table: Table, later: int) -> Table:
    """The same game at another time."""

    def moved(instant: int | None) -> int | None:
        return None if instant is None else instant + later

    for index, event in enumerate(table.events):
        game = event.game
        game = game._replace(
            at=game.at + later,
            started_at=moved(game.started_at),
            ended_at=moved(game.ended_at),
            clock=game.clock._replace(since=moved(game.clock.since)),
        )
        table.events[index] = event._replace(game=game)
    return table


def category(table: Table) -> str:
    return MODES[table.mode].category(table.game.rules) or ""


def game_row(key: int, player: int, table: Table) -> tuple[Any, ...]:
    daily = table.mode == "daily"
    row = {
        "key": key,
        "id": f"game{key:010}",
        "player": player,
        "mode": table.mode,
        "category": category(table) or None,
        "size": table.game.rules.size,
        "undo_limit": table.game.rules.undo_limit,
        "private": False,
        "date": date_of(table.game.at) if daily else None,
        "attempt": 1 if daily else None,
        "seed": table.game.seed,
        "given": table.game.given,
        "created_at": table.events[0].game.at,
        "keeper": DEAD,
        "assisted": False,
    }
    row |= dict(zip(STATE, state_of(table.game), strict=True))
    return tuple(row[column] for column in GAME)


def result_row(key: int, player: int, table: Table) -> ResultRow:
    game, position = table.game, table.game.position
    return ResultRow(
        game=key,
        id=f"game{key:010}",
        player=player,
        category=category(table),
        date=date_of(game.at) if table.mode == "daily" else None,
        attempt=1 if table.mode == "daily" else None,
        score=position.score,
        max_tile=max_tile(position.cells),
        moves=position.moves,
        active_ms=game.clock.banked // MS,
        pauses=game.pauses,
        elapsed_ms=game.elapsed_ms,
        outcome=str(game.outcome),
        reached_goal=False,
        ended_at=game.ended_at or 0,
    )


def standings(results: list[ResultRow]) -> list[tuple[Any, ...]]:
    """Each player's best place on every board."""
    best: dict[tuple[str, int], tuple[Place, int]] = {}
    for row in results:
        finish = Finish(*(getattr(row, name) for name in Finish.__slots__))
        for board, order in boards(finish).items():
            its = (place(order, finish), row.game)
            best[board, row.player] = min(best.get((board, row.player), its), its)
    return [(board, player, game, *its) for (board, player), (its, game) in best.items()]


def batches(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def write(connection: Connection, table: str, columns: tuple[str, ...], rows: list[tuple[Any, ...]]) -> None:
    mark = "?" if connection.dialect.paramstyle == "qmark" else "%s"
    connection.exec_driver_sql(insert_sql(table, columns, mark), rows)
