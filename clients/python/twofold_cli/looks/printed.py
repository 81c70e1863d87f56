"""What the command prints: text that is safe on a terminal, aligned columns, durations, values as JSON."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from rich.cells import cell_len

Row = Sequence[str]


def safe(text: str) -> str:
    """A text of anybody's without the characters that would steer a terminal."""
    return "".join([letter if letter.isprintable() else "\ufffd" for letter in text])


def columns(rows: Iterable[Row], right: Iterable[int] = ()) -> list[str]:
    """Rows as lines with their cells one below the other; the columns named in `right` end at one edge."""
    table, right = list(rows), set(right)
    widths = [max(map(cell_len, column)) for column in zip(*table, strict=True)]
    return ["  ".join(_padded(cell, widths[at], at in right) for at, cell in enumerate(row)).rstrip() for row in table]


def _padded(cell: str, width: int, right: bool) -> str:
    blank = " " * (width - cell_len(cell))
    return blank + cell if right else cell + blank


def duration(milliseconds: int | None) -> str:
    """1:02.5 or 1:00:02; a dash where there is none."""
    if milliseconds is None:
        return "–"
    minutes, rest = divmod(milliseconds // 100, 600)
    if minutes >= 60:
        return f"{minutes // 60}:{minutes % 60:02}:{rest // 10:02}"
    return f"{minutes}:{rest // 10:02}.{rest % 10}"


def count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def as_json(value: object) -> str:
    """Values of the client as the JSON that the service tells them in."""
    return json.dumps(value, default=_plain, ensure_ascii=False)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%dT%H:%M:%S}.{value.microsecond // 1000:03}Z"
    return asdict(value, dict_factory=_told)


def _told(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    """As the service does: of people it is not told that they are no bots."""
    return dict([each for each in fields if each != ("bot", False)])
