"""`twofold verify`: whether records prove themselves; no server needed."""

import json
import sys
from typing import Annotated

import typer

from twofold.__main__ import prove
from twofold_cli.looks.printed import safe

MANY = 10


def add(app: typer.Typer) -> None:
    app.command()(verify)


def verify(
    files: Annotated[list[str], typer.Argument(help="Records; - is standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """Play records again and check every figure; exit 1 if one is not valid."""
    from rich.console import Console
    from rich.progress import Progress

    bar = Console(stderr=True)
    all_valid = True
    hidden = len(files) < MANY or not bar.is_terminal
    # Lines would be written through the bar, to standard error; that is right only where both are one terminal.
    with Progress(console=bar, transient=True, disable=hidden, redirect_stdout=sys.stdout.isatty()) as progress:
        for name in progress.track(files, description="verifying"):
            valid, told = prove(name)
            all_valid = all_valid and valid
            file = safe(name.encode(errors="replace").decode())
            print(json.dumps({"file": file, "valid": valid, "told": told}) if as_json else f"{file}: {told}")
    raise typer.Exit(0 if all_valid else 1)
