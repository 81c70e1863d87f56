"""A board as text: in the classic colours, or drawn with lines where there are none."""

from collections.abc import Iterator
from typing import NamedTuple

from rich.style import Style
from rich.text import Text

from twofold_cli.looks.palette import BOARD, EMPTY, face

Board = tuple[tuple[int, ...], ...]
LOWEST, TALLEST = 2, 9
COMFORTABLE, NARROW, NARROWEST = 6, 5, 4


class Tile(NamedTuple):
    """How large a tile is drawn, in rows and columns; a row of it is shared with the gap, a column is beside it."""

    height: int
    width: int


PRINTED = Tile(2, 8)
"""Among lines of text, where there is no screen to fill."""


def fit(size: int, rows: int, columns: int) -> Tile | None:
    """The largest tiles, about square, with which a board fits; None where there is no room for it."""
    for height in range(TALLEST, LOWEST - 1, -1):
        for width in (max(COMFORTABLE, 2 * height - 1), NARROW, NARROWEST):
            if 1 + size * height <= rows and 1 + size * (width + 1) <= columns and width < 3 * height:
                return Tile(height, width)
    return None


def digits(value: int, width: int) -> str:
    """A face value, as a power where its digits do not fit."""
    return "" if not value else str(value) if len(str(value)) <= width else f"2^{value.bit_length() - 1}"


def coloured(board: Board, tile: Tile, fresh: int | None = None) -> Text:
    """The board in colours; half a row lies between tiles. The tile in the cell `fresh` is the one that appeared."""
    width = len(board) * (tile.width + 1) + 1
    lines = [Text("▄" * width, Style(color=BOARD))]
    for y, row in enumerate(board):
        fresh_column = None if fresh is None or fresh // len(board) != y else fresh % len(board)
        lines += [_coloured_line(row, tile, line, fresh_column) for line in range(tile.height)]
    return Text("\n").join(lines)


def _coloured_line(row: tuple[int, ...], tile: Tile, line: int, fresh: int | None) -> Text:
    text, gap = Text(), Style(bgcolor=BOARD)
    for x, value in enumerate(row):
        ground, ink = face(value) if value else (EMPTY, EMPTY)
        text.append(" ", gap)
        if line == tile.height - 1:
            text.append("▄" * tile.width, Style(color=BOARD, bgcolor=ground))
        else:
            shown = digits(value, tile.width) if line == _middle(tile) else ""
            style = Style(color=ink, bgcolor=ground, bold=True, underline=x == fresh and bool(shown))
            text.append_text(_centred(shown, tile.width, style, Style(bgcolor=ground)))
    return text.append(" ", gap)


def _centred(shown: str, width: int, style: Style, blank: Style) -> Text:
    left = (width - len(shown) + 1) // 2
    return Text.assemble((" " * left, blank), (shown, style), (" " * (width - len(shown) - left), blank))


def lined(board: Board, tile: Tile, fresh: int | None = None) -> Text:
    """The board in lines, for terminals and files without colours, as large as the coloured one."""
    return Text("\n".join(_lines(board, tile, fresh)))


def _lines(board: Board, tile: Tile, fresh: int | None) -> Iterator[str]:
    rule = "─" * tile.width
    inner, last = [rule] * len(board), len(board) - 1
    yield f"┌{'┬'.join(inner)}┐"
    for y, row in enumerate(board):
        for line in range(tile.height - 1):
            shown = [""] * len(row)
            if line == _middle(tile):
                marks = ["·" if y * len(row) + x == fresh else "" for x in range(len(row))]
                shown = [mark + digits(value, tile.width - 2) for mark, value in zip(marks, row, strict=True)]
            yield f"│{'│'.join(cell.center(tile.width) for cell in shown)}│"
        yield f"└{'┴'.join(inner)}┘" if y == last else f"├{'┼'.join(inner)}┤"


def _middle(tile: Tile) -> int:
    return 1 if tile.height == 3 else (tile.height - 1) // 2
