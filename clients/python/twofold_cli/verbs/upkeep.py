"""`twofold backup`, `restore`, `doctor`: for those who run a service. They need the extra `service`."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from twofold_cli.failing import extra, fail
from twofold_cli.looks.printed import as_json as json_of
from twofold_cli.looks.printed import columns, safe
from twofold_cli.verbs.service import DatabaseUrl, settings_of

MARKS = {"ok": ("✓", "green"), "warn": ("!", "yellow"), "fail": ("✗", "red")}


def add(app: typer.Typer) -> None:
    app.command()(backup)
    app.command()(restore)
    app.command()(doctor)


Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace what is there.")]


def backup(
    file: Annotated[Path, typer.Argument(help="Where to write the copy.")],
    database: DatabaseUrl = None,
    overwrite: Overwrite = False,
) -> None:
    """Copy the database to a file, while the service plays on."""
    upkeep = _upkeep(file)
    settings = settings_of(database=database)
    with _refusals(upkeep), _progress("copying") as progress:
        upkeep.backup(settings, file, progress, overwrite=overwrite)
        secret = upkeep.secret_beside(settings)
    typer.echo(f"{safe(str(file))}: {_size(file.stat().st_size)}, readable by you alone")
    if secret is not None:
        typer.echo(f"Keep {safe(str(secret))} with it: the dailies to come are made from it.")


def restore(
    file: Annotated[Path, typer.Argument(help="What `twofold backup` has written.")],
    database: DatabaseUrl = None,
    overwrite: Overwrite = False,
) -> None:
    """Make the database what a copy is; no service may be using it."""
    upkeep = _upkeep(file)
    with _refusals(upkeep), _progress("restoring") as progress:
        upkeep.restore(settings_of(database=database), file, progress, overwrite=overwrite)
    typer.echo("The database is what the backup was; games that ran then are paused by the next start.")


def doctor(
    database: DatabaseUrl = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """Look at settings, database, Redis, clock and machine, and say what to do; exit 1 where something is wrong."""
    findings = extra("twofold_service.doctor", "service").examine(settings_of(database=database))
    failed = _print_json(findings) if as_json else _print_table(findings)
    raise typer.Exit(1 if failed else 0)


def _print_json(findings: Iterator[Any]) -> bool:
    failed = False
    for found in findings:
        failed = failed or found.state == "fail"
        typer.echo(json_of({"name": found.name, "state": found.state, "says": found.says, "do": found.do or None}))
    return failed


def _print_table(coming: Iterator[Any]) -> bool:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    with console.status("looking"):
        findings = list(coming)
    rows = columns([(MARKS[found.state][0], found.name, safe(found.says)) for found in findings])
    for row, found in zip(rows, findings, strict=True):
        console.print(Text(row[:1], style=MARKS[found.state][1]) + Text(row[1:]), soft_wrap=True)
        if found.do:
            console.print(Text(f"   → {safe(found.do)}", style="bold"), soft_wrap=True)
    states = [found.state for found in findings]
    bad, doubtful = states.count("fail"), states.count("warn")
    console.print(f"{len(states)} looked at, {bad} wrong, {doubtful} to look at", soft_wrap=True)
    return bad > 0


def _upkeep(file: Path) -> Any:
    if str(file) == "-":
        fail("a copy is a file, not a stream: give it a name")
    return extra("twofold_service.upkeep", "service")


@contextmanager
def _refusals(upkeep: Any) -> Iterator[None]:
    try:
        yield
    except upkeep.DatabaseRefused as refused:
        fail(str(refused))


@contextmanager
def _progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on a terminal, nothing in a pipe."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=None)

        def show(done: int, total: int) -> None:
            told = what if total or not done else f"{what}, {_size(done)}"
            bar.update(task, completed=done, total=total or None, description=told)

        yield show


def _size(count: float) -> str:
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"
