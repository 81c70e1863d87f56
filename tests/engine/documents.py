"""Documents taken apart and changed."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from twofold.board import Direction
from twofold.errors import Place
from twofold.game import EventType, Outcome, Status
from twofold.record import digest
from twofold.rules import MODES

Document = dict[str, Any]
MISSING = object()


def parts(value: object, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """A value and every value in it, with their places."""
    yield place, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        yield from parts(part, (*place, key))


def leaves(document: Document) -> list[tuple[Place, Any]]:
    """The values that hold no others."""
    return [(place, value) for place, value in parts(document) if not isinstance(value, dict | list)]


def changed(document: Document, place: Place, value: object) -> Document:
    """A copy with another value at a place, or with none."""
    document = deepcopy(document)
    part: Any = document
    for key in place[:-1]:
        part = part[key]
    if value is MISSING:
        del part[place[-1]]
    else:
        part[place[-1]] = value
    return document


def sealed(document: Document) -> Document:
    """The document under a digest of its own."""
    return document | {"digest": digest(document)}


def kind(place: Place) -> str:
    """The figure at a place: its path without numbers, or the column of an event."""
    if place[0] == "events":
        return f"events.{('type', 'direction', 'active_ms', 'cause', 'spawn')[int(place[2])]}"
    return ".".join(key for key in place if isinstance(key, str))


WORDS: dict[str, list[str]] = {
    "game.mode": list(MODES),
    "result.status": list(map(str, Status)),
    "result.outcome": list(map(str, Outcome)),
    "events.type": [str(word) for word in EventType if word is not EventType.CREATED],
    "events.direction": list(map(str, Direction)),
}


def another(place: Place, value: Any) -> Any:
    """A value that could stand at the place just as well."""
    if words := WORDS.get(kind(place)):
        return words[(words.index(value) + 1) % len(words)] if value in words else words[0]
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        value, zone = (value[:-1], "Z") if kind(place).endswith("_at") else (value, "")
        return f"{value[:-1]}{'0' if value[-1] != '0' else '1'}{zone}"
    return 5 if value is None else value + 1
