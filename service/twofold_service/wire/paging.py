"""Cursors of lists: opaque to the caller, a place in the list to us."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode

from twofold_service.errors import Invalid
from twofold_service.usecases.boards import Mark, Place

_LARGEST = 2**63


def cursor_of(key: int | None) -> str | None:
    """The cursor of a list in the order of keys."""
    return None if key is None else _written([key])


def key_of(cursor: str | None) -> int | None:
    """The key in a cursor; Invalid for anything that no such list of ours gave out."""
    if cursor is None:
        return None
    match _read(cursor):
        case [int() as key] if 0 < key < _LARGEST:
            return key
    raise _not_ours()


def cursor_of_mark(mark: Mark | None) -> str | None:
    """The cursor of a ranking."""
    return None if mark is None else _written([mark.as_of, mark.before, *mark.place])


def mark_of(cursor: str | None) -> Mark | None:
    """Where a page of a ranking ended; Invalid for anything that no ranking of ours gave out."""
    if cursor is None:
        return None
    match _read(cursor):
        case [*figures, str() as game] if len(figures) == len(Place._fields) + 1:
            numbers = [figure for figure in figures if type(figure) is int and -_LARGEST <= figure < _LARGEST]
            if len(numbers) == len(figures):
                as_of, before, first, second, minus_score, moves, active_ms, ended_at = numbers
                return Mark(as_of, before, Place(first, second, minus_score, moves, active_ms, ended_at, game))
    raise _not_ours()


def _written(values: list[int | str]) -> str:
    return urlsafe_b64encode(json.dumps(values, separators=(",", ":")).encode()).decode().rstrip("=")


def _read(cursor: str) -> object:
    try:
        values = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        if not isinstance(values, list) or _written(values) != cursor or not all(map(_is_plain, values)):
            raise _not_ours()
    except (ValueError, TypeError, RecursionError) as error:
        raise _not_ours() from error
    return values


def _is_plain(value: object) -> bool:
    return type(value) is int or (isinstance(value, str) and value.isascii() and value.isalnum())


def _not_ours() -> Invalid:
    return Invalid(errors=[(("query", "cursor"), "this is no cursor of this list")])
