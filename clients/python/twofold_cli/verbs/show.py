"""`twofold show`: a record replayed on the terminal, or told where there is none."""

import json
import sys
from typing import Annotated

import typer

from twofold.board import rows_of
from twofold.verify import verify
from twofold_cli.failing import extra
from twofold_cli.looks import telling
from twofold_cli.looks.faces import PRINTED, lined
from twofold_cli.looks.printed import columns
from twofold_cli.recordings import Recording, load

HEAD = ("event", "move", "time", "", "tile", "score")


def add(app: typer.Typer) -> None:
    app.command()(show)


def show(
    file: Annotated[str, typer.Argument(help="A record; - is standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object with every position.")] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Text, also on a terminal.")] = False,
    light: Annotated[bool, typer.Option("--light", help="Begin with the light page; T changes it.")] = False,
) -> None:
    """Replay a record: Space plays, arrows step, + and - change the speed."""
    recording = load(file)
    verdict = verify(recording.record)
    if as_json:
        print(json.dumps(telling.document(recording.record, recording.events, verdict), ensure_ascii=False))
    elif plain or not (sys.stdout.isatty() and sys.stdin.isatty()):
        _tell(recording, telling.proof(verdict))
    else:
        app = extra("twofold_cli.tui.replay", "tui").Replay(recording, telling.proof(verdict), light=light)
        app.run()
        if app.return_code:
            raise typer.Exit(app.return_code)


def _tell(recording: Recording, proof: str) -> None:
    record, events = recording
    last = events[-1]
    print(f"{telling.title(record)} {telling.origin(record)}")
    print(telling.outcome(record, last))
    print(proof)
    print()
    print("\n".join(columns([HEAD, *telling.lines(events)], right=(0, 1, 2, 5))))
    print()
    print(lined(rows_of(record.rules.size, last.game.position.cells), PRINTED))
