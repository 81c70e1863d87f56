"""`twofold verify`: whether records prove themselves; no server needed."""

import json
import sys
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from twofold.__main__ import prove

MANY = 10


def add(app: typer.Typer) -> None:
    app.command()(verify)


def verify(
    files: Annotated[list[str], typer.Argument(help="Records; - is standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """Play records again and check every figure; exit 1 if one is not valid."""
    bar = Console(stderr=True)
    shown = track(files, "verifying", console=bar, transient=True, disable=len(files) < MANY or not bar.is_terminal)
    all_valid = True
    for name in shown:
        valid, told = prove(name)
        all_valid = all_valid and valid
        print(json.dumps({"file": name, "valid": valid, "told": told}) if as_json else f"{name}: {told}")
    sys.exit(0 if all_valid else 1)
