"""Why one direction is worse than another: features of the board and of what both choices make of it, never a guess.

A feature is told only where it is seen on the board after the worse choice and not on the one after the better (or the
other way round); where none is, there is no reason. Boards are those before the spawn. Texts belong to whoever shows
them; this is all that they may say:

- `corner_left` (`tile`, `cell`, `to`): the largest tile stood in the corner `cell`, and the worse takes it to `to`;
- `edge_left` (`tile`, `cell`, `to`): the largest tile stood at the edge, and the worse takes it inside, to `to`;
- `corner_missed` (`tile`, `cell`): the better brings the largest tile into the corner `cell`, the worse into none;
- `corner_at_risk` (`tile`, `cell`, `chance`, `better`): after the worse, the next tile leaves, with this chance,
  only moves that take the largest tile out of its corner; after the better with the lesser chance `better`;
- `end_possible` (`chance`, `better`): after the worse, the next tile ends the game with this chance; after the better
  with a lesser one;
- `chain_broken` (`tiles`, `cells`): two neighbours of the chain down from the largest tile, each half of the one
  before, are parted by the worse, and not by the better;
- `merge_missed` (`tile`): the better makes `tile`, at least a sixteenth of the largest, the worse no merge as large;
- `cells_closed` (`worse`, `better`): empty cells left by each, fewer by the worse;
- `small_between` (`tile`, `cell`, `between`): the worse puts a small tile between two at least eight times as large;
- `gap_between` (`cell`, `between`): the worse leaves an empty cell between two large tiles, where a 2 or 4 may appear;
  the better leaves no such cell.

Tiles are face values. Cells are row-major indices, of the board before the move in `corner_left.cell`, `edge_left.cell`
and `chain_broken`, else of the one after it. A tile is large from 16 and a sixteenth of the largest on. Chances go
from 0 to 1 and differ by a twentieth at least.
"""

from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from twofold.board import Direction, Shift, empty_cells, legal_moves, shift

_LARGE, _LEAST_LARGE = 4, 4
"""Ranks below the largest tile, and the least rank, at which a tile counts as large."""
_SMALLER = 3
"""Ranks by which a small tile is below its large neighbours."""
_SHORTEST_CHAIN = 3
_TILES = {1: 0.9, 2: 0.1}
_LEAST_CHANCE = 0.05


class Code(StrEnum):
    CORNER_LEFT = "corner_left"
    EDGE_LEFT = "edge_left"
    CORNER_MISSED = "corner_missed"
    CORNER_AT_RISK = "corner_at_risk"
    END_POSSIBLE = "end_possible"
    CHAIN_BROKEN = "chain_broken"
    MERGE_MISSED = "merge_missed"
    CELLS_CLOSED = "cells_closed"
    SMALL_BETWEEN = "small_between"
    GAP_BETWEEN = "gap_between"


class Reason(NamedTuple):
    code: Code
    fields: dict[str, Any]
    """Numbers and lists of them."""

    def document(self) -> dict[str, Any]:
        """As JSON tells it: the code among its fields."""
        return {"code": self.code.value, **self.fields}


class Choice(NamedTuple):
    """A direction on a board."""

    size: int
    before: bytes
    shift: Shift

    @property
    def after(self) -> bytes:
        return self.shift.cells

    def lands(self, cell: int) -> int:
        """Where the tile of a cell comes to."""
        return next((slide.target for slide in self.shift.slides if slide.origin == cell), cell)

    def merges(self, cell: int) -> bool:
        return any(slide.merged for slide in self.shift.slides if slide.origin == cell)


def reasons(size: int, cells: bytes, worse: Direction, better: Direction) -> tuple[Reason, ...]:
    """What is worse about one legal direction than about another, in the order of the list above; often nothing.

    ValueError where a direction is not legal.
    """
    bad, good = _choice(size, cells, worse), _choice(size, cells, better)
    return tuple(Reason(code, fields) for code, tell in _TOLD.items() if (fields := tell(bad, good)) is not None)


Fields = dict[str, Any] | None


def _choice(size: int, cells: bytes, direction: Direction) -> Choice:
    shifted = shift(size, cells, direction)
    if shifted is None:
        raise ValueError(f"{direction} changes nothing on this board")
    return Choice(size, cells, shifted)


def _corner_left(bad: Choice, good: Choice) -> Fields:
    corner = _held_corner(bad.size, bad.before)
    if corner is None or _held_corner(bad.size, bad.after) is not None or _held_corner(good.size, good.after) is None:
        return None
    to = bad.lands(corner)
    return None if to in _corners(bad.size) else {"tile": 1 << max(bad.before), "cell": corner, "to": to}


def _edge_left(bad: Choice, good: Choice) -> Fields:
    if not _at_edge(good.size, good.after) or _at_edge(bad.size, bad.after):
        return None
    cell = next((cell for cell in _edge(bad.size) if bad.before[cell] == max(bad.before)), None)
    if cell is None or (to := bad.lands(cell)) in _edge(bad.size):
        return None
    return {"tile": 1 << bad.before[cell], "cell": cell, "to": to}


def _corner_missed(bad: Choice, good: Choice) -> Fields:
    if _held_corner(bad.size, bad.before) is not None or _held_corner(bad.size, bad.after) is not None:
        return None
    corner = _held_corner(good.size, good.after)
    return None if corner is None else {"tile": 1 << max(good.after), "cell": corner}


def _corner_at_risk(bad: Choice, good: Choice) -> Fields:
    corner = _held_corner(bad.size, bad.after)
    if corner is None or _held_corner(good.size, good.after) is None:
        return None
    chances = _chances(bad, good, _evicts)
    return chances and {"tile": 1 << max(bad.after), "cell": corner, **chances}


def _end_possible(bad: Choice, good: Choice) -> Fields:
    return _chances(bad, good, _ends)


def _chances(bad: Choice, good: Choice, happens: Callable[[int, bytes], bool]) -> Fields:
    worse, better = _chance(bad, happens), _chance(good, happens)
    return {"chance": round(worse, 3), "better": round(better, 3)} if worse - better >= _LEAST_CHANCE else None


def _chain_broken(bad: Choice, good: Choice) -> Fields:
    chain = _chain(bad.size, bad.before)
    if len(chain) < _SHORTEST_CHAIN:
        return None
    neighbours = _neighbours(bad.size)
    for upper, lower in pairwise(chain):
        if bad.merges(upper) or bad.merges(lower) or bad.lands(lower) in neighbours[bad.lands(upper)]:
            continue
        if good.lands(lower) in neighbours[good.lands(upper)] or good.lands(lower) == good.lands(upper):
            return {"tiles": [1 << bad.before[upper], 1 << bad.before[lower]], "cells": [upper, lower]}
    return None


def _merge_missed(bad: Choice, good: Choice) -> Fields:
    best = _largest_merge(good)
    return {"tile": best} if best > _largest_merge(bad) and best >= 1 << _large(good.before) else None


def _cells_closed(bad: Choice, good: Choice) -> Fields:
    worse, better = bad.after.count(0), good.after.count(0)
    return {"worse": worse, "better": better} if worse < better else None


def _small_between(bad: Choice, good: Choice) -> Fields:
    others = (*_betweens(good.size, good.after), *_betweens(bad.size, bad.before))
    known = {(place.tile, place.between) for place in others}
    for place in _betweens(bad.size, bad.after):
        if place.tile and (place.tile, place.between) not in known:
            return {"tile": 1 << place.tile, "cell": place.cell, "between": [1 << rank for rank in place.between]}
    return None


def _gap_between(bad: Choice, good: Choice) -> Fields:
    if any(not place.tile for place in _betweens(good.size, good.after)):
        return None
    for place in _betweens(bad.size, bad.after):
        if not place.tile:
            return {"cell": place.cell, "between": [1 << rank for rank in place.between]}
    return None


_TOLD: dict[Code, Callable[[Choice, Choice], Fields]] = {
    Code.CORNER_LEFT: _corner_left,
    Code.EDGE_LEFT: _edge_left,
    Code.CORNER_MISSED: _corner_missed,
    Code.CORNER_AT_RISK: _corner_at_risk,
    Code.END_POSSIBLE: _end_possible,
    Code.CHAIN_BROKEN: _chain_broken,
    Code.MERGE_MISSED: _merge_missed,
    Code.CELLS_CLOSED: _cells_closed,
    Code.SMALL_BETWEEN: _small_between,
    Code.GAP_BETWEEN: _gap_between,
}


class _Between(NamedTuple):
    """A cell with large tiles at two opposite sides; `tile` is its rank."""

    cell: int
    tile: int
    between: tuple[int, ...]


def _betweens(size: int, cells: bytes) -> Iterator[_Between]:
    large = _large(cells)
    for one, cell, other in _triples(size):
        ends = min(cells[one], cells[other])
        if ends >= large and cells[cell] <= ends - _SMALLER:
            yield _Between(cell, cells[cell], tuple(sorted((cells[one], cells[other]))))


def _large(cells: bytes) -> int:
    return max(max(cells) - _LARGE, _LEAST_LARGE)


def _largest_merge(choice: Choice) -> int:
    return max((2 * slide.value for slide in choice.shift.slides if slide.merged), default=0)


def _held_corner(size: int, cells: bytes) -> int | None:
    """The corner that holds the largest tile."""
    largest = max(cells)
    return next((corner for corner in _corners(size) if cells[corner] == largest), None)


def _corners(size: int) -> tuple[int, ...]:
    return (0, size - 1, size * (size - 1), size * size - 1)


def _at_edge(size: int, cells: bytes) -> bool:
    largest = max(cells)
    return any(cells[cell] == largest for cell in _edge(size))


@cache
def _edge(size: int) -> frozenset[int]:
    return frozenset(cell for cell, around in enumerate(_neighbours(size)) if len(around) < 4)


def _chance(choice: Choice, happens: Callable[[int, bytes], bool]) -> float:
    """Of the next tile, that something is so after it."""
    empty = empty_cells(choice.after)
    chance = 0.0
    for cell in empty:
        for rank, share in _TILES.items():
            board = choice.after[:cell] + bytes((rank,)) + choice.after[cell + 1 :]
            chance += share * happens(choice.size, board)
    return chance / len(empty)


def _ends(size: int, board: bytes) -> bool:
    return 0 not in board and not legal_moves(size, board)


def _evicts(size: int, board: bytes) -> bool:
    """There are moves, and each takes the largest tile out of its corner."""
    largest = max(board)
    pushed = [after.cells for way in Direction if (after := shift(size, board, way)) is not None]
    return bool(pushed) and all(cells[corner] < largest for cells in pushed for corner in _corners(size))


def _chain(size: int, cells: bytes) -> list[int]:
    """Cells from a largest tile down to an 8, each the neighbour that is half of the one before; the longest."""
    neighbours, longest = _neighbours(size), dict[int, list[int]]()
    for cell in sorted(range(len(cells)), key=lambda at: cells[at]):
        if cells[cell] >= _LEAST_LARGE - 1:
            steps = [longest[step] for step in neighbours[cell] if cells[step] == cells[cell] - 1 and step in longest]
            longest[cell] = [cell, *max(steps, key=len, default=[])]
    largest = max(cells)
    return max((chain for cell, chain in longest.items() if cells[cell] == largest), key=len, default=[])


@cache
def _neighbours(size: int) -> list[tuple[int, ...]]:
    return [
        tuple(
            y * size + x
            for y, x in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
            if 0 <= y < size and 0 <= x < size
        )
        for row in range(size)
        for column in range(size)
    ]


@cache
def _triples(size: int) -> list[tuple[int, int, int]]:
    """Three cells in a line, along rows and columns."""
    along = [row * size + column for row in range(size) for column in range(1, size - 1)]
    across = [row * size + column for row in range(1, size - 1) for column in range(size)]
    return [(cell - 1, cell, cell + 1) for cell in along] + [(cell - size, cell, cell + size) for cell in across]
