"""Colours of the terminal game: the classic ones, with digits dark or light enough to be read on every tile."""

from typing import NamedTuple


class Face(NamedTuple):
    """A tile's colour and that of its digits."""

    ground: str
    ink: str


BOARD, EMPTY = "#bbada0", "#cdc1b4"
PLATE = Face("#776e65", "#ffffff")
"""Where the score stands."""


def face(value: int) -> Face:
    """How a tile looks; those beyond 2048 look alike."""
    return _FACES[min(value.bit_length() - 1, len(_FACES)) - 1]


_BROWN, _DARK, _LIGHT = "#685e55", "#2e241c", "#f9f6f2"
_FACES = (
    Face("#eee4da", _BROWN),
    Face("#ede0c8", _BROWN),
    Face("#f2b179", _DARK),
    Face("#f59563", _DARK),
    Face("#f67c5f", _DARK),
    Face("#f65e3b", _DARK),
    Face("#edcf72", _DARK),
    Face("#edcc61", _DARK),
    Face("#edc850", _DARK),
    Face("#edc53f", _DARK),
    Face("#edc22e", _DARK),
    Face("#3c3a32", _LIGHT),
)
