"""Cursors of lists: opaque to the caller, a key to us."""

from base64 import urlsafe_b64decode, urlsafe_b64encode

from twofold_service.errors import Invalid

_MARK = b"g1:"


def cursor_of(key: int | None) -> str | None:
    return None if key is None else urlsafe_b64encode(_MARK + str(key).encode()).decode().rstrip("=")


def key_of(cursor: str | None) -> int | None:
    """The key in a cursor; Invalid for anything that no list of ours gave out."""
    if cursor is None:
        return None
    try:
        text = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        key = int(text.removeprefix(_MARK))
        if cursor_of(key) != cursor or not 0 < key < 2**63:
            raise ValueError("not ours")
    except ValueError as error:
        raise Invalid(errors=[(("query", "cursor"), "this is no cursor of this list")]) from error
    return key
