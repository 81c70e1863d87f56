"""`twofold verify`: whether records prove themselves; no server needed."""

import json
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
    from twofold_cli.looks.bars import bar

    all_valid = True
    with bar(hidden=len(files) < MANY) as progress:
        for name in progress.track(files, description="verifying"):
            valid, told = prove(name)
            all_valid = all_valid and valid
            file = safe(name.encode(errors="replace").decode())
            print(json.dumps({"file": file, "valid": valid, "told": told}) if as_json else f"{file}: {told}")
    raise typer.Exit(0 if all_valid else 1)
