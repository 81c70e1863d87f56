"""`twofold play`: the game on the terminal, here or on a service."""

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from twofold.daily import parse_date
from twofold.errors import InvalidOption
from twofold.rules import MODES
from twofold_cli import servers, tokens
from twofold_cli.failing import UNHEARD, USAGE, WRONG, extra, fail
from twofold_cli.looks.faces import Board
from twofold_cli.looks.printed import safe
from twofold_cli.tables.here import Here
from twofold_cli.tables.instants import Now
from twofold_cli.tables.local import LocalGame
from twofold_cli.tables.table import Table
from twofold_cli.tables.wishes import Wish, rows_in

if TYPE_CHECKING:
    from twofold_client import Client

Mode = Annotated[str, typer.Option(help=f"One of {', '.join(MODES)}.")]
Size = Annotated[int | None, typer.Option(help="Rows and columns, where the mode leaves them open.")]
Undos = Annotated[int | None, typer.Option("--undo-limit", help="Classic: 0, 1 or 5 undos.")]
Seed = Annotated[str | None, typer.Option(help="Practice: 64 hex digits.")]
Rows = Annotated[str | None, typer.Option("--board", help="Practice: rows of face values, [[2,0,4],[0,0,0],[0,0,2]].")]
Date = Annotated[str | None, typer.Option(help="Practice: a past daily, YYYY-MM-DD.")]
GameId = Annotated[str | None, typer.Option("--game", help="Go on with this game of a service, or watch it.")]
Name = Annotated[str | None, typer.Option(help="Your name, where you are new to the service.")]
Local = Annotated[bool, typer.Option("--local", help="Play on this machine, whatever TWOFOLD_SERVER says.")]
Server = Annotated[str | None, typer.Option(help="Address of a service [TWOFOLD_SERVER].", metavar="URL")]
Export = Annotated[Path | None, typer.Option(help="Write the last game's record to this file on leaving.")]
Light = Annotated[bool, typer.Option("--light", help="Begin with the light page; T changes it.")]


def add(app: typer.Typer) -> None:
    app.command()(play)


def play(
    mode: Mode = "classic",
    size: Size = None,
    undo_limit: Undos = None,
    seed: Seed = None,
    board: Rows = None,
    date: Date = None,
    server: Server = None,
    local: Local = False,
    game: GameId = None,
    name: Name = None,
    export: Export = None,
    light: Light = False,
) -> None:
    """Play on the terminal: arrow keys, WASD or HJKL; ? shows all keys."""
    wish = _wish(mode, size, undo_limit, seed, board, date)
    url = None if local else servers.address(server)
    if url is None and game is not None:
        fail("a game is gone on with on a service: name it by --server", USAGE)
    if export is not None and (export.is_dir() or not export.absolute().parent.is_dir()):
        fail(f"{safe(str(export))}: no file can be written there", USAGE)
    screens = extra("twofold_cli.tui.play", "tui")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        fail("the game is played on a terminal; input or output is none", USAGE)
    table = Here(Now(), os.urandom) if url is None else _served(url, name, game)
    app = screens.Play(table, wish, light=light, export=export)
    app.run()
    for path in app.exported:
        print(f"Exported to {path}")
    if table.way_back:
        print(f"Back to this game: {table.way_back}")
    if app.failed is not None:
        fail(str(app.failed), UNHEARD if app.failed.unheard else WRONG)
    if app.return_code:
        raise typer.Exit(app.return_code)


def _wish(
    mode: str, size: int | None, undo_limit: int | None, seed: str | None, board: str | None, date: str | None
) -> Wish:
    """The options as a wish, tried at once so that what is wrong is said before the screen changes."""
    wish = Wish(mode, size, undo_limit, _seed(seed), _board(board), _date(date))
    try:
        LocalGame(wish, bytes(32), 0, "tried")
    except InvalidOption as error:
        fail(f"{error.field}: {error}", USAGE)
    return wish


def _seed(text: str | None) -> bytes | None:
    if text is not None and not re.fullmatch("[0-9a-fA-F]{64}", text):
        fail("seed: 64 hex digits", USAGE)
    return None if text is None else bytes.fromhex(text)


def _board(text: str | None) -> Board | None:
    rows = None if text is None else rows_in(text)
    if text is not None and rows is None:
        fail("board: rows of face values, like [[2,0,4],[0,0,0],[0,0,2]]", USAGE)
    return rows


def _date(text: str | None) -> str | None:
    try:
        return None if text is None else parse_date(text).isoformat()
    except ValueError:
        fail("date: YYYY-MM-DD", USAGE)


def _served(url: str, name: str | None, game: str | None) -> Table:
    """A table on the service, as the player one is there; who is new there joins, and the token is kept."""
    with servers.opened(url) as client:
        _be_somebody(client, name)
        if game is not None:
            client.game(game)  # one that is not there is said before the screen changes
        token = client.token
    client_package = extra("twofold_client", "client")
    served = extra("twofold_cli.tables.served", "client")
    table: Table = served.Served(client_package.AsyncClient(url, token, retry=served.PATIENCE), Now(), game)
    return table


def _be_somebody(client: "Client", name: str | None) -> None:
    if client.token is not None:
        client.me()
        return
    client.join(name)
    assert client.token is not None
    tokens.keep(client.url, client.token)
