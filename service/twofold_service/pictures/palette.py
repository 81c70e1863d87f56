"""Colours: the classic ones, with digits so dark or so light that they pass contrast AA on every tile."""

from typing import NamedTuple

Colour = tuple[int, int, int]


class Face(NamedTuple):
    """A tile's colour and that of its digits."""

    ground: Colour
    ink: Colour


def colour(code: str) -> Colour:
    """`#rrggbb` as numbers."""
    red, green, blue = bytes.fromhex(code[1:])
    return red, green, blue


def code(shown: Colour) -> str:
    return f"#{bytes(shown).hex()}"


def blend(below: Colour, above: Colour, part: float) -> Colour:
    """So much of the upper colour over the lower one."""
    red, green, blue = (round(low + (high - low) * part) for low, high in zip(below, above, strict=True))
    return red, green, blue


def face(exponent: int) -> Face:
    """How the tile 2**exponent looks."""
    return _FACES[min(exponent, len(_FACES)) - 1]


PAGE = colour("#faf8ef")
BOARD = colour("#bbada0")
EMPTY = blend(BOARD, colour("#eee4da"), 0.35)
TEXT = colour("#6b6259")
PLATE = Face(colour("#776e65"), colour("#ffffff"))
"""Where the score stands."""

_BROWN, _DARK, _LIGHT = colour("#685e55"), colour("#2e241c"), colour("#f9f6f2")
_FACES = (
    Face(colour("#eee4da"), _BROWN),
    Face(colour("#ede0c8"), _BROWN),
    Face(colour("#f2b179"), _DARK),
    Face(colour("#f59563"), _DARK),
    Face(colour("#f67c5f"), _DARK),
    Face(colour("#f65e3b"), _DARK),
    Face(colour("#edcf72"), _DARK),
    Face(colour("#edcc61"), _DARK),
    Face(colour("#edc850"), _DARK),
    Face(colour("#edc53f"), _DARK),
    Face(colour("#edc22e"), _DARK),
    Face(colour("#3c3a32"), _LIGHT),
)
