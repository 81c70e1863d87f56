"""Entry point of the `twofold` command: one readable line for what goes wrong."""

import sys

import typer

from twofold import __version__
from twofold_cli import service, verify

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


verify.add(app)
service.add(app)


def main() -> None:
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
