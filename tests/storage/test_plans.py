"""Query plans: whatever the store asks or writes, an index leads to it, and no table is read from end to end."""

import re
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from sqlalchemy import Connection, event, inspect

from tests.engine.table import NOON, Table
from tests.storage.filling import DEAD, fill
from tests.storage.shelf import Shelf, append_of
from twofold.daily import date_of
from twofold.rules import Rules
from twofold_service.storage.database import Database
from twofold_service.storage.rankings import StoredStandings
from twofold_service.usecases import ports
from twofold_service.usecases.boards import ATTEMPTS, ORDERS, PERIODS, daily_board, leaderboard, with_hints
from twofold_service.usecases.values import Day, Luck, Par, UsedKey

TODAY = date_of(NOON)
TOMORROW = "2099-01-01"
BOARD = "classic-4-1/all"
PAR = Par((), None, None, Luck(2, 1, 1, 0.0))
BOARDS = [
    *[daily_board(TODAY, attempt, order) for attempt in ATTEMPTS for order in ORDERS],
    *[leaderboard("classic-4-1", period, NOON) for period in PERIODS],
]
PARTS = {
    "games": ports.GameStore,
    "logs": ports.LogStore,
    "players": ports.PlayerStore,
    "days": ports.DayStore,
    "standings": ports.StandingStore,
    "processes": ports.ProcessStore,
    "analyses": ports.AnalysisStore,
    "pars": ports.ParStore,
}
SMALL = {
    "process": "one row a living process",
    "day": "one row a date; the unrevealed are asked for once in 30 s, those of three days and the week ahead",
    "par": "one row a date; those without figures are asked for once in 30 s",
    "ix_player_hidden": "holds only hidden players",
    "ix_player_gone": "holds only deleted players whose games are not yet removed",
}
"""What may be read from end to end, and why."""

SORTED = {
    "FROM token": "a player has six at most",
    "GROUP BY category": "a player's own games, summed up for their records",
    "game.date = ": "a date's games, gone through once when it is revealed",
}
"""What is sorted on SQLite, and why it may be."""


@pytest.fixture(scope="module")
def filled(database: Database) -> Database:
    fill(database, 150, NOON)
    return database


@pytest.fixture
def heard(filled: Database) -> Iterator[dict[str, Any]]:
    """Every statement sent to the database, with its first parameters."""
    statements: dict[str, Any] = {}

    def listen(_: Any, cursor: Any, statement: str, parameters: Any, context: Any, many: bool) -> None:
        statements.setdefault(statement, parameters[0] if many and parameters else parameters)

    for engine in (filled.reading, filled.writing):
        event.listen(engine, "before_cursor_execute", listen)
    yield statements
    for engine in (filled.reading, filled.writing):
        event.remove(engine, "before_cursor_execute", listen)


async def test_no_statement_reads_a_table_from_end_to_end(shelf: Shelf, filled: Database, heard: dict[str, Any]):
    done = set()
    for name, ask in (await everything(shelf)).items():
        await ask()
        done.add(name)
    assert done == {f"{part}.{name}" for part, port in PARTS.items() for name in vars(port) if name[0] != "_"}
    with filled.reading.begin() as connection:
        full = {
            (statement, line)
            for statement, parameters in list(heard.items())
            if statement.split()[0] in ("SELECT", "UPDATE", "DELETE", "INSERT")
            for line in PLANS[connection.dialect.name](connection, statement, parameters)
            if not set(re.findall(r"\w+", line)) & set(SMALL)
        }
    assert not full, "\n".join(f"{line}\n    {statement}" for statement, line in full)
    assert len(heard) > 60


def sqlite_scans(connection: Connection, statement: str, parameters: Any) -> list[str]:
    """Scans of a table, and sorting where an index could give the order."""
    rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters).all()
    details = [str(row[3]) for row in rows]
    scans = [line for line in details if line.startswith("SCAN") and not _of_no_table(line)]
    resorted = any("TEMP B-TREE" in line and "RIGHT PART" not in line for line in details)  # the right part: ties
    sorted_ = resorted and not any(part in statement for part in SORTED)
    return [*scans, *["sorted"] * sorted_]


def _of_no_table(line: str) -> bool:
    return "CONSTANT ROW" in line or line == "SCAN peaks" or line.startswith("SCAN (subquery")


def postgres_scans(connection: Connection, statement: str, parameters: Any) -> list[str]:
    """Scans of a table, or of an index without a condition, where PostgreSQL is asked to do without."""
    connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
    lines = [row[0].strip() for row in connection.exec_driver_sql(f"EXPLAIN {statement}", parameters)]
    scans = [line for line in lines if "Seq Scan on" in line]
    for line, next_line in zip(lines, [*lines[1:], ""], strict=True):
        if re.search(r"Index (Only )?Scan", line) and not next_line.startswith("Index Cond"):
            scans.append(line)
    return scans


PLANS = {"sqlite": sqlite_scans, "postgresql": postgres_scans}


@pytest.mark.parametrize("board", BOARDS)
async def test_a_page_and_a_rank_of_every_board_come_from_the_index_of_ranks(board, shelf, filled, heard):
    standings = StoredStandings(shelf.readers)
    first = await standings.page(board, NOON, None, 0, 20)
    following = await standings.page(board, NOON, first[-1].place, 20, 20)
    await standings.own(board, NOON, following[-1].result.player.key)

    with filled.reading.begin() as connection:
        plans = [PLAN[connection.dialect.name](connection, *asked) for asked in list(heard.items())]

    page, following_page, mine, better = [plan for plan in plans if "standing" in plan]
    for plan in (page, following_page, better):
        assert "ix_standing_rank" in plan, plan
        assert not re.search(r"SCAN (?!player USING INDEX ix_player_hidden)|Seq Scan|\bSort\b|TEMP B-TREE", plan), plan
    assert re.search("pk_standing|PRIMARY KEY|ix_standing_player", mine), mine


def sqlite_plan(connection: Connection, statement: str, parameters: Any) -> str:
    rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
    return "\n".join(str(row[3]) for row in rows)


def postgres_plan(connection: Connection, statement: str, parameters: Any) -> str:
    """How it does without what serves only small tables."""
    for way in ("seqscan", "sort", "bitmapscan", "hashjoin", "mergejoin"):
        connection.exec_driver_sql(f"SET LOCAL enable_{way} = off")
    return "\n".join(row[0] for row in connection.exec_driver_sql(f"EXPLAIN {statement}", parameters))


PLAN = {"sqlite": sqlite_plan, "postgresql": postgres_plan}


async def everything(shelf: Shelf) -> dict[str, Callable[[], Awaitable[object]]]:
    """A call of every method of the store, each on what is there."""
    games, logs, players, days, processes = shelf.games, shelf.logs, shelf.players, shelf.days, shelf.processes
    standings = StoredStandings(shelf.readers)
    me = await shelf.player()
    table = Table("daily").play(3).abandon()
    mine = await shelf.keep(Table().play(2), me)
    doomed = await shelf.keep(Table().play(2), await shelf.player())
    hot = Table().play(3).events

    async def append() -> None:
        """A move; an end and an end undone, on the boards of a leaderboard and of a date."""
        await shelf.append(mine.header, hot[2].game, hot[3], ("key", UsedKey("move", "left", None, 4)))
        await shelf.append(mine.header, hot[3].game, hot[3].game.abandon(NOON), None)
        for mode in ("moves100", "daily"):
            over = Table(mode, Rules(move_limit=3)).play(3)
            played = await shelf.keep(over, await shelf.player())
            await shelf.append(played.header, over.game, over.undo().events[-1])

    async def create() -> None:
        await shelf.create(me, Table().events[0], key="key", open_limit=9)
        old = await shelf.keep(Table("daily"), me)
        closing = [append_of(old.header, old.game, old.game.abandon(NOON))]
        await shelf.create(me, table.events[0], "daily", closing=closing)

    async def page() -> None:
        for status in (None, "open", "over", "paused"):
            for mode in (None, "classic"):
                for before in (None, 2000):
                    await games.page(me, mode, status, 20, before)

    async def standings_page() -> None:
        first = await standings.page(BOARD, NOON, None, 0, 20)
        assert len(await standings.page(BOARD, NOON, first[-1].place, 20, 20)) == 20
        assert len(await standings.page(BOARD, NOON, first[-1].place, 20, 20, [with_hints(BOARD)])) == 20

    async def standings_own() -> None:
        for also in ([], [with_hints(BOARD)]):
            await standings.own(BOARD, NOON, 7, also)

    async def sweep() -> None:
        await players.sweep(NOON + 1, 100)

    async def add_token() -> None:
        await players.add_token(me.key, b"new" * 10, NOON, me.token, NOON + 60)

    async def take_link() -> None:
        await players.take_link(b"code" * 8, b"other" * 6, NOON)
        await players.take_link(b"nothing", b"another" * 4, NOON)

    async def end_tokens() -> None:
        await players.end_tokens(me.key, only=me.token)
        await players.end_tokens(me.key, but=me.token)

    return {
        "games.append": append,
        "games.load": lambda: games.load(mine.header.id),
        "games.standing": lambda: games.standing(mine.header.id),
        "games.versions": lambda: games.versions([mine.header.id, doomed.header.id]),
        "games.create": create,
        "games.page": page,
        "games.created_by_key": lambda: games.created_by_key(me.key, "key"),
        "games.latest_attempt": lambda: games.latest_attempt(me.key, TODAY),
        "games.first_attempt": lambda: games.first_attempt(me.key, TODAY),
        "games.mark_assisted": lambda: games.mark_assisted(mine.header.key),
        "games.kept_by": lambda: games.kept_by([DEAD, "another"]),
        "games.forget_keys": lambda: games.forget_keys(NOON + 1, 100),
        "games.of_date": lambda: games.of_date(TODAY, 5000, 100),
        "logs.log": lambda: logs.log(mine.header.id, 1, 100),
        "logs.frame": lambda: logs.frame(mine.header.id, 1),
        "logs.used_key": lambda: logs.used_key(mine.header.key, "key"),
        "logs.raw": lambda: logs.raw(mine.header.id),
        "players.create": lambda: players.create("somebody", None, b"token" * 6, NOON),
        "players.by_token": lambda: players.by_token(b"token" * 6),
        "players.living": lambda: players.living([1, 2], NOON),
        "players.player": lambda: players.player(me.key),
        "players.rename": lambda: players.rename(me.key, "Another"),
        "players.add_token": add_token,
        "players.touch_token": lambda: players.touch_token(me.token, NOON),
        "players.put_link": lambda: players.put_link(me.key, b"code" * 8, NOON + 60),
        "players.take_link": take_link,
        "players.end_tokens": end_tokens,
        "players.records": lambda: players.records(1, NOON),
        "players.delete": lambda: players.delete(doomed.header.player.key, NOON),
        "players.sweep": sweep,
        "days.publish": lambda: days.publish([Day(TODAY, bytes(32)), Day(TOMORROW, bytes(32))], NOON),
        "days.day": lambda: days.day(TODAY),
        "days.players": lambda: days.players(TODAY),
        "days.unrevealed": lambda: days.unrevealed(TOMORROW),
        "days.mark_revealed": lambda: days.mark_revealed(TODAY, NOON),
        "standings.page": standings_page,
        "standings.own": standings_own,
        "processes.beat": processes.beat,
        "processes.heartbeats": processes.heartbeats,
        "processes.forget": lambda: processes.forget({DEAD: 0}),
        "analyses.analysis": lambda: shelf.analyses.analysis(mine.header.key, 2, 1),
        "analyses.keep": lambda: shelf.analyses.keep(mine.header.key, 2, 1, b"{}", NOON),
        "pars.claim": lambda: shelf.pars.claim("me", NOON, NOON - 1),
        "pars.renew": lambda: shelf.pars.renew(TODAY, "me", NOON),
        "pars.keep": lambda: shelf.pars.keep(TODAY, PAR, NOON),
        "pars.par": lambda: shelf.pars.par(TODAY),
        "pars.scores": lambda: shelf.pars.scores(TODAY),
    }


def test_every_reference_has_an_index_so_that_a_deletion_finds_what_hangs_on_it(database: Database):
    with database.reading.connect() as connection:
        seen = inspect(connection)
        for table in set(seen.get_table_names()) - {"alembic_version"}:
            leading = [index["column_names"][0] for index in seen.get_indexes(table)]
            leading.append(seen.get_pk_constraint(table)["constrained_columns"][0])
            for reference in seen.get_foreign_keys(table):
                assert reference["constrained_columns"][0] in leading, table
