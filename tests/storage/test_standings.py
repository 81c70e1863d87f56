"""Standings kept while games end and ends are undone are those that a recount of all results gives."""

import random
from functools import partial
from itertools import count
from typing import Any

from sqlalchemy import delete, select
from sqlmodel import SQLModel, col

from tests.engine.table import NOON, Table
from tests.storage.shelf import Shelf
from twofold.clock import SECOND
from twofold.daily import DAY, date_of
from twofold.game import create
from twofold.rules import MODES
from twofold_service.storage.rankings import StoredStandings
from twofold_service.storage.standings import Result, enter, withdraw
from twofold_service.storage.tables import ResultRow, StandingRow
from twofold_service.usecases.boards import Finish, Place, boards, place

_seeds = count(1)


async def game_of(shelf: Shelf, player, mode: str, *, assisted: bool = False) -> ResultRow:
    """A stored game of the player's, and a result of it that is still to be entered."""
    created = create(MODES[mode].rules(), b"%032d" % next(_seeds), NOON)
    header = (await shelf.create(player, created, mode)).header
    chance = random.Random(header.key)
    goal = chance.random() < 0.3
    return ResultRow(
        game=header.key,
        id=header.id,
        player=player.key,
        category=header.category or "",
        date=header.date,
        attempt=header.attempt,
        score=chance.choice((100, 200, 300)),
        max_tile=chance.choice((16, 32)),
        moves=chance.choice((50, 60)),
        active_ms=chance.choice((1000, 2000)),
        goal_moves=chance.choice((40, 45)) if goal else None,
        goal_active_ms=chance.choice((900, 950)) if goal else None,
        pauses=0,
        elapsed_ms=3000,
        outcome="no_moves",
        reached_goal=goal,
        ended_at=NOON + chance.choice((0, DAY, 9 * DAY, 40 * DAY)) + header.key * SECOND,
        assisted=assisted,
        bot=player.bot,
    )


def as_result(row: ResultRow) -> Result:
    finish = Finish(**{name: getattr(row, name) for name in Finish.__slots__})
    return Result(row.game, row.player, row.pauses, row.elapsed_ms, row.outcome, row.reached_goal, finish)


def _columns(table: type[SQLModel]) -> list[Any]:
    return [col(getattr(table, name)) for name in table.model_fields]


def recount(shelf: Shelf) -> dict[tuple[str, int], Place]:
    """The best place of each player on each board, from the results alone."""
    best: dict[tuple[str, int], Place] = {}
    with shelf.database.reading.connect() as connection:
        for row in connection.execute(select(*_columns(ResultRow))):
            finish = Finish(*(getattr(row, name) for name in Finish.__slots__))
            for board, order in boards(finish).items():
                here = (board, row.player)
                best[here] = min(best.get(here, place(order, finish)), place(order, finish))
    return best


def kept(shelf: Shelf) -> dict[tuple[str, int], Place]:
    with shelf.database.reading.connect() as connection:
        rows = connection.execute(select(*_columns(StandingRow))).all()
    return {(row.board, row.player): Place(*(getattr(row, name) for name in Place._fields)) for row in rows}


async def test_standings_equal_a_recount_after_any_ends_and_undone_ends(shelf: Shelf):
    chance, players = random.Random(7), [await shelf.player(bot=bot) for bot in (False, False, True)]
    results = [
        await game_of(shelf, who, mode, assisted=number % 3 == 0)
        for who in players
        for mode in ("classic", "daily")
        for number in range(5)
    ]
    entered: list[ResultRow] = []
    for _ in range(120):
        outside = [row for row in results if row not in entered]
        if entered and (not outside or chance.random() < 0.4):
            row = chance.choice(entered)
            entered.remove(row)
            await shelf.journal.run(partial(withdraw, player=row.player, game=row.game))
        else:
            row = chance.choice(outside)
            entered.append(row)
            await shelf.journal.run(partial(enter, results=[as_result(row)]))

        assert kept(shelf) == recount(shelf)


async def test_pages_fit_together_while_results_arrive(shelf: Shelf):
    standings, board = StoredStandings(shelf.readers), f"daily/{date_of(NOON)}/first/score"
    await shelf.journal.run(
        lambda connection: connection.execute(delete(StandingRow).where(col(StandingRow.board) == board))
    )
    for _ in range(9):
        row = await game_of(shelf, await shelf.player(), "daily")
        row.ended_at = NOON + row.game
        await shelf.journal.run(partial(enter, results=[as_result(row)]))
    seen: list[tuple[int | None, str]] = []
    after, as_of = None, NOON + DAY

    while page := await standings.page(board, as_of, after, len(seen), 2):
        seen += [(ranked.result.rank, ranked.result.game) for ranked in page]
        after = page[-1].place
        late = await game_of(shelf, await shelf.player(), "daily")
        late.score, late.ended_at = 10**6, as_of + 1
        await shelf.journal.run(partial(enter, results=[as_result(late)]))

    assert [rank for rank, _ in seen] == list(range(1, 10))
    assert len({game for _, game in seen}) == 9


async def test_ones_own_rank_is_the_place_on_the_whole_board(shelf: Shelf):
    standings, board = StoredStandings(shelf.readers), f"daily/{date_of(NOON)}/first/time"
    everybody = await standings.page(board, NOON + 99 * DAY, None, 0, 100)

    own = [await standings.own(board, NOON + 99 * DAY, ranked.result.player.key) for ranked in everybody]

    assert own == everybody
    assert len(own) > 5


async def test_who_is_hidden_stands_before_nobody(shelf: Shelf):
    standings, board = StoredStandings(shelf.readers), f"daily/{date_of(NOON)}/first/score"
    for _ in range(4):
        await shelf.journal.run(
            partial(enter, results=[as_result(await game_of(shelf, await shelf.player(), "daily"))])
        )
    best, *others = await standings.page(board, NOON + 99 * DAY, None, 0, 100)

    shelf.change("UPDATE player SET hidden = true WHERE key = :key", key=best.result.player.key)

    listed = await standings.page(board, NOON + 99 * DAY, None, 0, 100)
    own = [await standings.own(board, NOON + 99 * DAY, ranked.result.player.key) for ranked in (best, *others)]
    assert own == [None, *listed]
    assert [ranked.result.rank for ranked in listed] == list(range(1, len(others) + 1))


async def test_a_bot_s_end_is_entered_on_the_boards_of_bots(shelf: Shelf):
    standings, table = StoredStandings(shelf.readers), Table().play(3).abandon()
    board, later = "classic-4-1/all", NOON + 9 * DAY

    stored = await shelf.keep(table, await shelf.player(bot=True))

    bots, people = [await standings.page(name, later, None, 0, 100) for name in (f"{board}/bots", board)]
    (ranked,) = [ranked for ranked in bots if ranked.result.game == stored.header.id]
    assert ranked.result.player.bot is True
    assert stored.header.id not in [one.result.game for one in people]
    loaded = await shelf.games.load(stored.header.id)
    assert loaded is not None and loaded.header.player.bot is True
