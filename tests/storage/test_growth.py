"""What a game costs: the same for every move, however long the game is."""

import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import event

from tests.engine.table import DOWN, LEFT, Table
from tests.storage.shelf import Shelf
from twofold.board import shift
from twofold_service.storage.database import Database
from twofold_service.usecases import logs

SIZE = {
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size",
    "postgresql": "SELECT pg_total_relation_size('event')",
}
ROW = {
    "sqlite": "SELECT length(cells) + length(CAST(score AS text)) FROM game",
    "postgresql": "SELECT pg_column_size(game) FROM game",
}
FEW_DOZEN = {"sqlite": 60, "postgresql": 140}
"""On PostgreSQL a row brings 28 bytes of its own, and the index on (game, version) 24 and more."""


@pytest.fixture(scope="module")
def marathon() -> Table:
    """20,000 moves on a board that holds them: down or left, whichever leaves more room."""
    table = Table("practice", given=[[2048] + [0] * 7, *[[0] * 8] * 7])
    while table.game.position.moves < 20_000:
        pushed = [(room.cells.count(0), way) for way in (DOWN, LEFT) if (room := shift(8, table.board, way))]
        table.wait(60)
        table.move(max(pushed)[1] if pushed else table.game.legal_moves[-1])
    return table


async def test_a_move_takes_the_same_few_bytes_at_any_length(shelf: Shelf, marathon: Table, database: Database):
    kind = database.reading.dialect.name
    stored = await shelf.create(await shelf.player(), marathon.events[0], "practice")
    size, row = {}, {}
    for moves in (1_000, 10_500, 20_000):
        await shelf.extend(stored, marathon.events[: moves + 1])
        stored = stored._replace(game=marathon.events[moves].game)
        size[moves], row[moves] = shelf.ask(SIZE[kind]), shelf.ask(ROW[kind])
    early, late = (size[10_500] - size[1_000]) / 9_500, (size[20_000] - size[10_500]) / 9_500
    print(f"\n{kind}: {early:.1f} bytes a move from 1,000 to 10,500, {late:.1f} from there to 20,000")
    assert max(early, late) < FEW_DOZEN[kind]
    assert late == pytest.approx(early, rel=0.1)
    assert row[20_000] - row[1_000] < 8


async def test_a_long_game_is_loaded_and_looked_into_as_fast_as_a_short_one(
    shelf: Shelf, marathon: Table, database: Database
):
    short, long = await shelf.keep(Table("practice").play(300)), await shelf.keep(marathon)
    statements: list[str] = []

    def heard(*told: Any) -> None:
        statements.append(told[2])

    event.listen(database.reading, "before_cursor_execute", heard)

    async def cost(question: Callable[[], Awaitable[object]]) -> tuple[int, float]:
        """Statements for one answer, and the quickest of twenty times."""
        statements.clear()
        await question()
        count, times = len(statements), []
        for _ in range(20):
            begun = time.perf_counter()
            await question()
            times.append(time.perf_counter() - begun)
        return count, min(times)

    for question in (
        lambda game: lambda: shelf.games.load(game.header.id),
        lambda game: lambda: logs.as_of(shelf.logs, game.header.id, game.game.version - 1 - game.game.version % 256),
        lambda game: lambda: logs.positions_before(shelf.logs, game.header.id, game.game.position),
    ):
        (statements_short, quick), (statements_long, slow) = await cost(question(short)), await cost(question(long))
        print(f"\n{database.reading.dialect.name}: {quick * 1e3:.2f} ms short, {slow * 1e3:.2f} ms long")
        assert statements_long == statements_short
        assert slow < 4 * quick + 0.005
    event.remove(database.reading, "before_cursor_execute", heard)
