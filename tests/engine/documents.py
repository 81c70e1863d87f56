"""Documents taken apart and changed."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from twofold.errors import Place
from twofold.record import digest

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
