"""`twofold compare`: games of one seed side by side, from files or from a service."""

import json
import os
from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated

import typer

from twofold.compare import FEWEST, MOST, Comparison, Series
from twofold.compare import compare as side_by_side
from twofold.errors import InvalidRecord, NotComparable
from twofold.record import Record
from twofold_cli.failing import USAGE, fail
from twofold_cli.looks import telling
from twofold_cli.looks.faces import PRINTED, lined
from twofold_cli.looks.printed import columns, count, duration, safe
from twofold_cli.looks.sparks import spark
from twofold_cli.recordings import load
from twofold_cli.servers import Server, opened

HEAD = ("", "player", "score", "tile", "moves", "empty", "time", "end", "game")
LETTERS, WIDTH = "ABCD", 60


def add(app: typer.Typer) -> None:
    app.command()(compare)


def compare(
    games: Annotated[list[str], typer.Argument(metavar="A B…", help="Two to four record files, or ids of games.")],
    server: Server = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Compare games that share a seed: figures, spark lines, and where they first part."""
    if not FEWEST <= len(games) <= MOST:
        fail(f"{FEWEST} to {MOST} games are compared, these are {len(games)}", USAGE)
    records = _records(games, server)
    try:
        comparison = side_by_side(records)
    except (NotComparable, InvalidRecord) as error:
        fail(str(error))
    if as_json:
        headers = [{"game": record.header.id, "player": record.header.player_name} for record in records]
        print(json.dumps({"games": headers, **asdict(comparison)}, ensure_ascii=False))
    else:
        print("\n".join([*_table(records, comparison), "", *_sparks(comparison), "", *_fork(comparison)]))


def _records(games: list[str], server: str | None) -> list[Record]:
    """From files where all are files, else from a service."""
    files = [game for game in games if game == "-" or os.path.exists(game)]
    if len(files) == len(games):
        return [load(game).record for game in games]
    if files or any(os.sep in game or game.endswith(".json") for game in games):
        missing = next(game for game in games if game not in files)
        fail(f"{safe(missing)}: no such file; games are compared from files, or by their ids on a service", USAGE)
    with opened(server) as client:
        return [client.record(game).parsed for game in games]


def _table(records: list[Record], comparison: Comparison) -> list[str]:
    rows = [HEAD]
    for letter, record, series in zip(LETTERS, records, comparison.series, strict=False):
        figures = (f"{series.score[-1]:,}", str(series.max_tile[-1]), str(len(series.score) - 1))
        end = record.result["outcome"] or record.result["status"]
        rest = (str(series.empty[-1]), duration(series.active_ms[-1]), end.replace("_", " "), safe(series.game))
        rows.append((letter, telling.player(record), *figures, *rest))
    return columns(rows, right=(2, 3, 4, 5, 6))


def _sparks(comparison: Comparison) -> list[str]:
    told = []
    for name, pick in _FIGURES.items():
        picked = [pick(series) for series in comparison.series]
        lowest, highest = min(map(min, picked)), max(map(max, picked))
        longest = max(map(len, picked))
        for letter, figures in zip(LETTERS, picked, strict=False):
            width = max(1, round(min(WIDTH, longest) * len(figures) / longest))
            told.append((name if letter == "A" else "", letter, spark(figures, width, lowest, highest)))
    return columns(told)


_FIGURES: dict[str, Callable[[Series], tuple[float, ...]]] = {
    "score": lambda series: series.score,
    "empty cells": lambda series: series.empty,
    "highest tile": lambda series: tuple(tile.bit_length() for tile in series.max_tile),
    "time": lambda series: series.active_ms,
}


def _fork(comparison: Comparison) -> list[str]:
    together = f"{count(comparison.common_moves, 'move')} in common"
    fork = comparison.fork
    if fork is None:
        return [f"{together}; they never part"]
    letters = dict(zip([series.game for series in comparison.series], LETTERS, strict=False))
    chosen = ", ".join(f"{letters[choice.game]} goes {choice.direction}" for choice in fork.choices)
    return [f"{together}; at move {fork.move}, {chosen}:", str(lined(fork.board, PRINTED))]
