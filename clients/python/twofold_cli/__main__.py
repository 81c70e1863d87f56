"""Entry point of the `twofold` command: one readable line for what goes wrong."""

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

import typer
from typer.exceptions import TyperException

from twofold import __version__
from twofold_cli.failing import Failed
from twofold_cli.verbs import compare, daily, export, play, service, show, verify

app = typer.Typer(
    help="Twofold, the open game service for 2048.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"twofold {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Show the version."),
) -> None:
    pass


for verb in (play, show, verify, daily, compare, export, service):
    verb.add(app)


def main(arguments: Sequence[str] | None = None) -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without our letters shows others
    try:
        status = app(None if arguments is None else list(arguments), standalone_mode=False)
        sys.stdout.flush()
        sys.exit(status)
    except (Failed, TyperException) as error:
        line = error.format_message() if isinstance(error, TyperException) else str(error)
        if line:  # the help, which is shown where nothing was asked for, has told its own
            typer.echo(f"twofold: {line}", err=True)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing is left to be flushed to nobody
        sys.exit(1)
    except (KeyboardInterrupt, typer.Abort):
        sys.exit(130)


if __name__ == "__main__":
    main()
