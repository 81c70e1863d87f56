"""`twofold daily`: the puzzle of a date, who played it how well, and one's own place."""

from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from twofold.daily import parse_date
from twofold_cli.failing import USAGE, fail
from twofold_cli.looks.printed import Row, as_json, columns, count, duration, safe
from twofold_cli.servers import Server, opened

if TYPE_CHECKING:
    from twofold_client import Page, Result
    from twofold_client.standings import Daily, Par

HEAD = ("rank", "player", "score", "tile", "moves", "time", "to 2048", "attempt", "game")
RIGHT = (0, 2, 3, 4, 5, 6, 7)


class Order(StrEnum):
    SCORE = "score"
    MAX_TILE = "max_tile"
    MOVES = "moves"
    TIME = "time"


class Attempt(StrEnum):
    FIRST = "first"
    BEST = "best"


def add(app: typer.Typer) -> None:
    app.command()(daily)


def daily(
    date: Annotated[str | None, typer.Argument(help="YYYY-MM-DD; today, in UTC, where none is named.")] = None,
    order: Annotated[Order, typer.Option(help="What is ranked by.")] = Order.SCORE,
    attempt: Annotated[Attempt, typer.Option(help="First attempts alone, or everybody's best.")] = Attempt.FIRST,
    bots: Annotated[bool, typer.Option("--bots", help="Bots instead of people.")] = False,
    assisted: Annotated[bool, typer.Option("--assisted", help="Games with hints among the others.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=100, help="How many results.")] = 20,
    server: Server = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Show the daily puzzle of a date and its results."""
    _check(date)
    with opened(server) as client:
        puzzle = client.today() if date is None else client.daily(date)
        ranking = client.results(puzzle.date, order.value, attempt.value, assisted=assisted, bots=bots, limit=limit)
        page = ranking.first()
    if as_json:
        _print_json(puzzle, page)
    else:
        print("\n".join([*_info(puzzle), "", *_table(page)]))


def _check(date: str | None) -> None:
    try:
        if date is not None:
            parse_date(date)
    except ValueError:
        fail(f"{safe(date or '')}: a date is written YYYY-MM-DD", USAGE)


def _print_json(puzzle: "Daily", page: "Page[Result]") -> None:
    results = {"items": page.items, "order": page.order, "as_of": page.as_of, "me": page.me}
    print(as_json({"daily": puzzle, "results": results}))


def _info(puzzle: "Daily") -> list[str]:
    told = [
        f"Daily puzzle of {puzzle.date}: {count(puzzle.players, 'player')}",
        f"open until {_instant(puzzle.closes_at)}, seed shown from {_instant(puzzle.reveals_at)}",
        f"commitment {puzzle.commitment}",
    ]
    if puzzle.seed is not None:
        told.append(f"seed       {puzzle.seed}")
    if puzzle.par is not None:
        told += _par(puzzle.par)
    return list(map(safe, told))


def _par(par: "Par") -> list[str]:
    """What the solver made of the tiles, how people did, and how lucky the tiles were."""
    scores = ", ".join(f"{level.score:,} looking {count(level.level, 'move')} ahead" for level in par.levels)
    people = "" if par.best is None else f"; best of players {par.best:,}, median {par.median:,}"
    share = f"{par.luck.share:.0%} of {par.luck.games} other days"
    return [f"par        {scores}{people}", f"luck       better than {share} for the solver, mean {par.luck.mean:,}"]


def _table(page: "Page[Result]") -> list[str]:
    if not page.items:
        return ["No results yet."]
    mine = None if page.me is None else page.me.game
    listed = {result.game for result in page.items}
    rows = [_row(result, mine) for result in page.items]
    below = [] if page.me is None or page.me.game in listed else [_row(page.me, mine)]
    ways = f"ranked by {'; '.join(map(safe, page.order))}"
    own = [] if page.me is None else [f"your rank: {page.me.rank}"]
    return [*columns([HEAD, *rows, *below], RIGHT), "", ways, *own]


def _row(result: "Result", mine: str | None) -> Row:
    marks = (("bot", result.player.bot), ("assisted", result.assisted), ("you", result.game == mine))
    mark = "".join(f" ({name})" for name, holds in marks if holds)
    return (
        "–" if result.rank is None else str(result.rank),
        f"{safe(result.player.name or '–')}{mark}",
        f"{result.score:,}",
        str(result.max_tile),
        f"{result.moves:,}",
        duration(result.active_ms),
        "–" if result.goal_moves is None else f"{result.goal_moves} / {duration(result.goal_active_ms)}",
        "–" if result.attempt is None else str(result.attempt),
        safe(result.game),
    )


def _instant(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
