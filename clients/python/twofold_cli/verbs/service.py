"""Commands of the service: serve, migrate, openapi, players. They need the extra `service`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from twofold_cli.failing import extra, fail


def add(app: typer.Typer) -> None:
    app.command()(serve)
    app.command()(migrate)
    app.command()(openapi)
    players = typer.Typer(help="Look after players.", no_args_is_help=True)
    players.command()(hide)
    players.command()(rename)
    app.add_typer(players, name="players")


Host = Annotated[str | None, typer.Option(help="Address to listen on [TWOFOLD_HOST, 127.0.0.1].")]
Port = Annotated[int | None, typer.Option(help="Port to listen on [TWOFOLD_PORT, 8000].")]
DatabaseUrl = Annotated[
    str | None, typer.Option("--database", help="sqlite:///FILE or postgresql://… [TWOFOLD_DATABASE].")
]
Workers = Annotated[int | None, typer.Option(help="Number of processes [TWOFOLD_WORKERS, 1].")]


def serve(host: Host = None, port: Port = None, database: DatabaseUrl = None, workers: Workers = None) -> None:
    """Run the game service."""
    running = _service()
    settings = settings_of(host=host, port=port, database=database, workers=workers)
    try:
        running.serve(settings)
    except running.Refused as refused:
        fail(str(refused))


def migrate(database: DatabaseUrl = None) -> None:
    """Bring the database to this release's schema."""
    running = _service()
    try:
        running.migrate(settings_of(database=database))
    except running.Refused as refused:
        fail(str(refused))
    typer.echo("The database is at the newest schema.")


def openapi(
    check: Annotated[
        bool, typer.Option("--check", help="Compare only; exit 1 where a file is not up to date.")
    ] = False,
    folder: Annotated[Path, typer.Option(help="Where the documents are.")] = Path("openapi"),
) -> None:
    """Write openapi.json and asyncapi.yaml."""
    _service()
    from twofold_service.documents import documents

    stale = []
    for name, text in documents().items():
        path = folder / name
        if path.exists() and path.read_text() == text:
            continue
        stale.append(str(path))
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    if check and stale:
        fail(f"{' and '.join(stale)} not up to date; run: make openapi")


def hide(player: str, database: DatabaseUrl = None) -> None:
    """Show a player's name as – and their games on no list."""
    _change(database, player, hidden=True)


def rename(player: str, name: str, database: DatabaseUrl = None) -> None:
    """Give a player another name."""
    _change(database, player, name=name)


def _change(database: str | None, player: str, **values: Any) -> None:
    running = _service()
    try:
        running.change_player(settings_of(database=database), player, values)
    except running.Refused as refused:
        fail(str(refused))


def settings_of(**given: Any) -> Any:
    """The settings of the environment and of `.env`, with those that were given; one line where they cannot be."""
    _service()
    from pydantic import ValidationError

    from twofold_service.settings import Settings

    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        fail("; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()))
    except (OSError, UnicodeDecodeError) as error:
        fail(f".env: cannot be read: {error}")


def _service() -> Any:
    return extra("twofold_service.__main__", "service")
