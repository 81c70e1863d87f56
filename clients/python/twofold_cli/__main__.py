"""Entry point of the `twofold` command: one readable line for what goes wrong."""

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

import typer
from typer.exceptions import TyperException

from twofold import __version__
from twofold_cli.failing import WRONG, Failed
from twofold_cli.looks.printed import safe
from twofold_cli.verbs import analyse, bot, compare, daily, export, hint, play, service, show, train, upkeep, verify

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


for verb in (play, show, analyse, hint, verify, daily, compare, export, bot, service, upkeep, train):
    verb.add(app)


def main(arguments: Sequence[str] | None = None) -> None:
    _open_streams()
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
        _leave_unwritten()
        sys.exit(WRONG)
    except OSError as error:
        _leave_unwritten()
        typer.echo(f"twofold: {safe(str(error.filename or 'input or output'))}: {error.strerror or error}", err=True)
        sys.exit(WRONG)
    except (KeyboardInterrupt, typer.Abort):
        sys.exit(130)


def _open_streams() -> None:
    """Where the caller has closed a stream, nothing is read or written, as from and to the null device."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))


def _leave_unwritten() -> None:
    """What could not be written is not tried again on the way out."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
