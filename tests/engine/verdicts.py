"""The verdict vectors: records, changed in every way, and what reading and proving them says.

`python -m tests.engine.verdicts` writes them anew.
"""

import json
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

from tests.engine.documents import MISSING, Document, another, changed, leaves, sealed
from tests.engine.games import PLAYED
from tests.engine.table import DOWN, LEFT, RIGHT, UP, Table
from twofold.compare import compare
from twofold.errors import InvalidRecord, NotComparable, Place
from twofold.parse import parse
from twofold.verify import verify

FILE = Path(__file__).parent.parent / "vectors/verdicts.jsonl"
SPREAD = 30
ROWS: list[tuple[int, list[Any]]] = [
    (0, ["undo", None, 0, None, None]),
    (3, ["start", None, 1500, None, None]),
    (3, ["resume", None, 1500, None, None]),
    (3, ["continue", None, 1500, None, None]),
    (3, ["over", None, 1500, "time_up", None]),
    (8, ["move", "left", 2200, None, [0, 2]]),
    (8, ["pause", None, 2200, "player", None]),
    (7, ["pause", None, 2200, "disconnect", None]),
    (7, ["pause", None, 2200, "outage", None]),
    (16, ["over", None, 302_212, "reveal", None]),
    (14, ["pause", None, 302_211, "idle", None]),
    (4, ["created", None, 0, None, None]),
    (4, ["move", "left", 0, None]),
]
ENDS: list[list[Any]] = [["over", None, 120_000, "player", None], ["undo", None, 120_000, None, None]]
PLACES: list[tuple[str, Place, Any]] = [
    *[
        ("classic", ("game", "created_at"), f"{instant}Z")
        for instant in (
            "0000-01-01T00:00:00.000",
            "2027-02-30T12:00:00.000",
            "2027-01-15T24:00:00.000",
            "2027-01-15T12:60:00.000",
            "2027-01-15T12:00:60.000",
            "2028-02-29T12:00:00.000",
            "2027-1-15T12:00:00.000",
            "2027-01-15T12:00:00",
        )
    ],
    *[
        ("daily", ("game", "date"), date)
        for date in ("2027-02-29", "0000-01-01", "20270115", "2027-W02-5", "", "2028-02-29")
    ],
    *[("practice", ("start", "cells", 0), cell) for cell in (8, 9, 2**40)],
    *[("practice", ("start", "values", 0), value) for value in (0, 1, 3, 2**40, 2**41, 2**40 - 1, 2**53 - 1)],
    *[("classic", ("game", "player", "name"), name) for name in ("x" * 128, "x" * 129, "\U0001f600" * 128, "\ud800")],
]
ODD: list[Any] = [None, True, "x", "1", -1, 0, 2**53 - 1, 2**53, 1.5, [], {}, "é\n\u2028" * 20, "0" * 64, MISSING]
TEXTS = [
    "",
    "{",
    "[]",
    "null",
    "{} {}",
    '{"a": 1, "a": 2}',
    '{"format": "other/1"}',
    '{"format": NaN}',
    "\ufeff{}",
    '{"a": "\t"}',
    '{"a": 01}',
    '{"\\u00e9\\n": 1}',
    "[" * 501 + "]" * 501,
]


def verdict_of(source: Document | str) -> dict[str, Any]:
    """What is found in a record, or where and why it is refused."""
    try:
        told = verify(parse(source))
    except InvalidRecord as refusal:
        return {"refused": {"place": list(refusal.place), "reason": refusal.reason}}
    findings = [{"place": list(finding.place), "message": finding.message} for finding in told.findings]
    return {"verdict": {"valid": told.valid, "proof": told.proof, "findings": findings, "result": told.result}}


def lines() -> Iterator[dict[str, Any]]:
    huge = Table("practice", given=[[2**40] * 8] * 8).play(60)
    bases = {name: played().record() for name, played in PLAYED.items()} | {"huge": huge.record()}
    hidden = {
        f"{name} without seed": PLAYED[name]().record(show_seed=False) for name in ("classic", "waiting", "sprint")
    }
    for name, record in (bases | hidden).items():
        yield {"name": name, "record": record, **verdict_of(record)}
        yield from _changes(name, record)
    for number, row in ROWS:
        for name in ("classic", "classic without seed"):
            yield _change(name, (bases | hidden)[name], ("events", number), row, fresh=True)
    ended = bases["sprint"]["events"][:14]
    for row in ENDS:
        yield _change("sprint", bases["sprint"], ("events",), [*ended, row], fresh=True)
    for name, place, value in PLACES:
        yield _change(name, bases[name], place, value, fresh=False)
    for text in TEXTS:
        yield {"text": text, **verdict_of(text)}
    for attempt in ("1.0", "1e2", "-0", "9007199254740993", "1E400"):
        text = json.dumps(bases["daily"]).replace('"attempt": 1', f'"attempt": {attempt}')
        yield {"text": text, **verdict_of(text)}
    yield from _comparisons()


def _changes(name: str, record: Document) -> Iterator[dict[str, Any]]:
    every = leaves(record)
    for place, value in every[:: len(every) // SPREAD + 1]:
        yield _change(name, record, place, another(place, value), fresh=True)
    for number, (place, value) in enumerate(every[:: len(every) // len(ODD) + 1]):
        yield _change(name, record, place, another(place, value), fresh=False)
        yield _change(name, record, place, ODD[number % len(ODD)], fresh=False)


def _change(name: str, record: Document, place: Place, value: object, *, fresh: bool) -> dict[str, Any]:
    document = changed(record, place, value)
    document = sealed(document) if fresh else document
    told = {"missing": True} if value is MISSING else {"value": value}
    return {"of": name, "place": list(place), **told, "sealed": fresh, **verdict_of(document)}


def _comparisons() -> Iterator[dict[str, Any]]:
    paths = [(LEFT, DOWN, RIGHT), (LEFT, DOWN), (LEFT, DOWN, UP, LEFT), (UP,)]
    given = [[2, 0, 0, 2], *[[0] * 4] * 3]
    games = [_named(f"g{number}", Table("practice", given=given).move(*path)) for number, path in enumerate(paths)]
    games.append(_named("another board", Table("practice").play(5)))
    games.append(_named("undone", Table("practice", given=given).move(LEFT, DOWN).undo().move(RIGHT)))
    for count in (2, 3):
        for some in combinations(games, count):
            yield {"compare": list(some), **_compared(list(some))}
    yield {"compare": games[:1], **_compared(games[:1])}
    yield {"compare": [games[0], games[0]], **_compared([games[0], games[0]])}


def _named(name: str, table: Table) -> Document:
    document = table.record()
    document["game"]["id"] = name
    return sealed(document)


def _compared(games: list[Document]) -> dict[str, Any]:
    try:
        told = compare([parse(game) for game in games])
    except NotComparable as refusal:
        return {"refused": str(refusal)}
    fork = told.fork and {
        "move": told.fork.move,
        "board": told.fork.board,
        "choices": [{"game": choice.game, "direction": choice.direction} for choice in told.fork.choices],
    }
    names = ("game", "score", "empty", "max_tile", "active_ms")
    series = [{name: getattr(one, name) for name in names} for one in told.series]
    return {"comparison": {"common_moves": told.common_moves, "fork": fork, "series": series}}


def text() -> str:
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines())


if __name__ == "__main__":
    FILE.write_text(text())
