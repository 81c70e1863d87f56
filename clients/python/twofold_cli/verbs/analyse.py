"""`twofold analyse`: where a game went wrong, worked out here (extra `solver`) or by a service (extra `client`)."""

import os
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from twofold.verify import verify
from twofold_cli import solving
from twofold_cli.failing import USAGE, extra, fail
from twofold_cli.looks import explaining, telling
from twofold_cli.looks.printed import as_json as json_of
from twofold_cli.looks.printed import safe
from twofold_cli.recordings import load
from twofold_cli.servers import Server, opened
from twofold_cli.solving import Depth

if TYPE_CHECKING:
    from twofold_client import Analysis, Client


def add(app: typer.Typer) -> None:
    app.command()(analyse)


def analyse(
    game: Annotated[str, typer.Argument(metavar="FILE|GAME", help="A record, - for standard input; or a game's id.")],
    depth: Depth = 2,
    server: Server = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object with every move.")] = False,
) -> None:
    """Tell what each move cost, and where the game turned: of a record here, of a final game by its service."""
    if game == "-" or os.path.exists(game):
        head, document = _here(game, depth)
    elif os.sep in game or game.endswith(".json"):
        fail(f"{safe(game)}: no such file; a game on a service is named by its id", USAGE)
    else:
        head, document = _there(game, depth, server)
    print(json_of(document) if as_json else "\n".join([*head, *explaining.report(document)]))


def _here(file: str, depth: int) -> tuple[list[str], dict[str, Any]]:
    """The record's title and its analysis, made on this machine."""
    from twofold_cli.looks.bars import bar

    analysis = extra("twofold_solver.analysis", "solver")
    record, events = load(file)
    verdict = verify(record)
    if not verdict.valid:
        fail(f"{safe(file)}: not analysed: {verdict.findings[0]}")
    solver = solving.solver()
    with bar() as progress:
        task = progress.add_task("analysing", total=1.0)
        path = analysis.path_of(events)
        found = analysis.analyse(solver, path, depth, lambda share: progress.update(task, completed=share))
    head = [f"{telling.title(record)} {telling.origin(record)}", telling.outcome(record, events[-1])]
    return head, {"game": record.header.id, **found.document()}


def _there(game: str, depth: int, server: str | None) -> tuple[list[str], dict[str, Any]]:
    """The game's title and its analysis, waited for as long as its service is at it."""
    from twofold_cli.looks.bars import bar

    with opened(server) as client, bar() as progress:
        task = progress.add_task("analysing", total=1.0)
        analysis = _made(client, game, depth, lambda share: progress.update(task, completed=share))
        record = client.record(game).parsed
    return [f"{telling.title(record)} {telling.origin(record)}"], asdict(analysis)


def _made(client: "Client", game: str, depth: int, told: Callable[[float], None]) -> "Analysis":
    under_way = extra("twofold_client.errors", "client").UnderWay
    while True:
        try:
            return client.analysis(game, depth)
        except under_way as still:
            told(still.progress)
