"""Records read from files, whoever wrote them."""

import sys
from typing import NamedTuple

from twofold.errors import InvalidRecord
from twofold.game import Event
from twofold.parse import LIMIT_BYTES, parse
from twofold.record import Record
from twofold.replay import replay
from twofold_cli.failing import fail
from twofold_cli.looks.printed import safe


class Recording(NamedTuple):
    """A record, and all its events played again."""

    record: Record
    events: list[Event]


def load(name: str) -> Recording:
    """The record in a file, `-` for standard input; one line where it cannot be read or has not happened."""
    try:
        record = parse(_content(name))
        return Recording(record, list(replay(record)))
    except OSError as error:
        fail(f"{safe(name)}: cannot be read: {error.strerror}")
    except InvalidRecord as error:
        fail(f"{safe(name)}: not a record: {error}")


def _content(name: str) -> bytes:
    """The file, or as much of it as shows that it is too long."""
    if name == "-":
        return sys.stdin.buffer.read(LIMIT_BYTES + 1)
    with open(name, "rb") as file:
        return file.read(LIMIT_BYTES + 1)
