"""`twofold export`: a game's record from a service."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from twofold_cli.failing import fail
from twofold_cli.saving import save, text
from twofold_cli.servers import Server, opened
from twofold_cli.tables.table import Refused


def add(app: typer.Typer) -> None:
    app.command()(export)


def export(
    game: Annotated[str, typer.Argument(help="A game's id.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A file; - is standard output.")] = None,
    server: Server = None,
) -> None:
    """Write a game's record, which `verify`, `show` and `compare` read."""
    with opened(server) as client:
        document = client.record(game).document
    if output is None or output == Path("-"):
        sys.stdout.write(text(document))
        return
    try:
        save(document, output)
    except Refused as refused:
        fail(str(refused))
