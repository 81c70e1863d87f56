"""`twofold hint`: what a service's solver would do, in a game of one's own or on any board."""

from typing import TYPE_CHECKING, Annotated

import typer

from twofold_cli.failing import USAGE, fail
from twofold_cli.looks import explaining
from twofold_cli.looks.printed import as_json as json_of
from twofold_cli.looks.printed import columns
from twofold_cli.servers import Server, opened
from twofold_cli.solving import Depth
from twofold_cli.tables.wishes import rows_in

if TYPE_CHECKING:
    from twofold_client import Hint


def add(app: typer.Typer) -> None:
    app.command()(hint)


def hint(
    game: Annotated[
        str | None, typer.Argument(help="The id of a game of yours: it is `assisted` from then on.")
    ] = None,
    board: Annotated[
        str | None, typer.Option(help="Any board instead: rows of face values, [[2,0,4],[0,0,0],[0,0,2]].")
    ] = None,
    depth: Depth = 2,
    server: Server = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Tell what each direction is worth, the best first; a game that was helped so is out of the usual rankings."""
    rows = None if board is None else rows_in(board)
    if (game is None) == (board is None):
        fail("a game's id or a --board, one of them", USAGE)
    if board is not None and rows is None:
        fail("board: rows of face values, like [[2,0,4],[0,0,0],[0,0,2]]", USAGE)
    with opened(server) as client:
        told = client.hint(rows, depth) if rows is not None else client.game_hint(game or "", depth)
    print(json_of(told) if as_json else "\n".join(_lines(told)))


def _lines(hint: "Hint") -> list[str]:
    ways = sorted(hint.values, key=lambda way: -hint.values[way])
    unit = "points to expect" if hint.trained else "a judgement for comparing, no points"
    lines = columns([(way, f"{hint.values[way]:,.0f}") for way in ways], right=(1,))
    lines[0] += f"  {unit}"
    if len(ways) > 1:
        lines += explaining.reasons(ways[1], ways[0], hint.reasons, hint.size)
    return lines
