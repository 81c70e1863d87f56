"""`twofold bot`: the solver plays on a service, as a player that says it is a bot. Extras `client` and `solver`."""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from twofold.errors import InvalidOption
from twofold.rules import MODES
from twofold_cli import servers, solving, tokens
from twofold_cli.failing import UNHEARD, USAGE, WRONG, extra, fail
from twofold_cli.looks.printed import count, duration, safe
from twofold_cli.servers import Server
from twofold_cli.tables.wishes import Wish

if TYPE_CHECKING:
    from twofold_client import GameState

Level = Annotated[int, typer.Option(min=1, max=4, help="Moves that the solver looks ahead.", show_default=False)]


def add(app: typer.Typer) -> None:
    app.command()(bot)


def bot(
    level: Level,
    server: Server = None,
    games: Annotated[int, typer.Option(min=0, help="How many games; 0: one after the other, until stopped.")] = 1,
    mode: Annotated[str, typer.Option(help=f"One of {', '.join(MODES)}.")] = "classic",
    size: Annotated[int | None, typer.Option(help="Rows and columns, where the mode leaves them open.")] = None,
    undo_limit: Annotated[int | None, typer.Option("--undo-limit", help="Classic: 0, 1 or 5 undos.")] = None,
    name: Annotated[str | None, typer.Option(help="The bot's name, where it is new to the service.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a game.")] = False,
) -> None:
    """Let the solver play on a service; Ctrl+C stops it, and its open game goes on next time."""
    try:
        rules = Wish(mode, size, undo_limit).rules
    except InvalidOption as error:
        fail(f"{error.field}: {error}", USAGE)
    robot, clients = extra("twofold_cli.robot", "client"), extra("twofold_client", "client")
    solver, url = solving.solver(), servers.address(server) or servers.DEFAULT
    token = _a_bot_s_token(url, level, name)
    with _telling(games, as_json) as seen:
        try:
            client = clients.AsyncClient(url, token, retry=robot.PATIENCE)
            asyncio.run(robot.play(client, robot.Task(mode, rules, solver, level), games, seen))
        except KeyboardInterrupt:
            typer.echo("stopped; the open game goes on with the next `twofold bot`", err=True)
            raise
        except clients.errors.StaleVersion:
            fail(f"{url}: another program plays the open game of this bot; TWOFOLD_TOKEN may name another bot", WRONG)
        except clients.TwofoldError as error:
            fail(servers.told(url, error), UNHEARD if isinstance(error, clients.errors.NoAnswer) else WRONG)


def _a_bot_s_token(url: str, level: int, name: str | None) -> str:
    """Of the bot of TWOFOLD_TOKEN, else of the one that played this level last time, else of a new one."""
    account = f"#bot-{level}"
    with servers.opened(url, account) as client:
        if client.token is None:
            client.join(name or f"Solver, level {level}", bot=True)
            assert client.token is not None
            tokens.keep(url + account, client.token)
        elif not client.me().bot:
            fail(f"{url}: the token is a person's; bots play as players of their own", USAGE)
        return client.token


@contextmanager
def _telling(games: int, as_json: bool) -> Iterator[Callable[[int, "GameState"], None]]:
    """Takes the games as they go on: a line each once it is over, and how it stands where somebody looks."""
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    from twofold_cli.looks.bars import bar

    with bar(SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()) as progress:
        task = progress.add_task("connecting", total=None)

        def seen(number: int, state: "GameState") -> None:
            if state.final:
                print(_document(state) if as_json else _told(state), flush=True)
            else:
                of = f" of {games:,}" if games else ""
                progress.update(task, description=f"game {number:,}{of}: {_figures(state)}")

        yield seen


def _figures(state: "GameState") -> str:
    return f"{count(state.score, 'point')} in {count(state.moves, 'move')}, highest tile {state.max_tile}"


def _told(state: "GameState") -> str:
    end = "over" if state.outcome is None else state.outcome.replace("_", " ")
    return f"{safe(state.id)}: {_figures(state)}, {duration(state.clock.active_ms)} of play, {end}"


def _document(state: "GameState") -> str:
    figures = {name: getattr(state, name) for name in ("score", "max_tile", "moves", "outcome", "reached_goal")}
    return json.dumps({"game": state.id, "mode": state.mode, **figures, "active_ms": state.clock.active_ms})
