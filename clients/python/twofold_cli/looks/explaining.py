"""An analysis in words: figures, turning points with their boards, and reasons, as far as they are stated.

Analyses are the documents that `twofold_solver.analysis` and the service tell; their texts are not to be trusted with
the terminal, their shapes are.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from twofold.board import Direction, cells_of, rows_of, shift
from twofold_cli.looks.faces import Board
from twofold_cli.looks.printed import columns, count, safe
from twofold_cli.looks.sparks import spark

Document = Mapping[str, Any]
WIDTH = 60


def report(analysis: Document) -> list[str]:
    """The whole analysis as lines."""
    if not analysis["moves"]:
        return ["no moves were made: nothing to analyse"]
    return [*_figures(analysis), "", *_charts(analysis), "", *_turning_points(analysis)]


def reasons(worse: str, better: str, told: Sequence[Document], size: int) -> list[str]:
    """A sentence for each reason that one direction is worse than another; those of codes unknown here are left out."""
    return [_WORDS[each["code"]](worse, better, each, size) for each in told if each["code"] in _WORDS]


def _figures(analysis: Document) -> Iterator[str]:
    counts = analysis["counts"]
    if analysis["trained"]:
        accuracy = "–" if analysis["accuracy"] is None else f"{analysis['accuracy']:.1f} of 100"
        yield f"accuracy {accuracy}, {count(round(analysis['loss']), 'expected point')} lost"
        names = ("blunders", "blunder"), ("mistakes", "mistake"), ("inaccuracies", "inaccuracy")
        yield ", ".join([f"{counts[many]} {one if counts[many] == 1 else many}" for many, one in names])
    else:
        agreed = sum(played == best for played, best in zip(*_ways(analysis), strict=True))
        yield f"{agreed} of {count(analysis['moves'], 'move')} as the solver would have played"
        yield "on this size its judgement is a simple one, without points to expect"
    yield f"looked at {count(analysis['depth'], 'move')} ahead"


def _ways(analysis: Document) -> tuple[list[str], list[str]]:
    return analysis["points"]["played"], analysis["points"]["best"]


def _charts(analysis: Document) -> list[str]:
    rows = []
    for name in ("score", "loss"):
        figures = _highest(analysis["points"][name])
        rows.append((name, spark(figures, WIDTH, 0, max(figures)), f"up to {round(max(figures)):,}"))
    return columns(rows)


def _highest(figures: Sequence[float]) -> list[float]:
    """At most as many figures as there is room for, each the highest of its part: no loss goes unseen."""
    parts = min(WIDTH, len(figures))
    return [max(figures[part * len(figures) // parts : (part + 1) * len(figures) // parts]) for part in range(parts)]


def _turning_points(analysis: Document) -> Iterator[str]:
    if not analysis["trained"]:
        return
    points = analysis["turning_points"]
    yield "Turning points" if points else "No turning points."
    for point in points:
        yield ""
        yield from _turning_point(point)


def _turning_point(point: Document) -> Iterator[str]:
    played, best = safe(point["played"]), safe(point["best"])
    cost = f"{count(round(point['loss']), 'point')}, {point['share']:.0%} of what was to be expected"
    yield f"Move {point['move']:,}: {played}, a {safe(point['kind'])}; {best} was better by {cost}"
    size, cells = cells_of(point["board"])
    pushed = [shift(size, cells, Direction(way)) for way in (point["played"], point["best"])]
    boards = [rows_of(size, cells), *(rows_of(size, after.cells) for after in pushed if after is not None)]
    yield from (f"  {line}" for line in _side_by_side(("before", f"after {played}", f"after {best}"), boards))
    yield from (f"  {line}" for line in reasons(played, best, point["reasons"], size))


def _side_by_side(heads: Sequence[str], boards: Sequence[Board]) -> Iterator[str]:
    grids = [_grid(board) for board in boards]
    widths = [max(len(head), *map(len, grid)) for head, grid in zip(heads, grids, strict=True)]
    for line in zip(*([head, *grid] for head, grid in zip(heads, grids, strict=True)), strict=True):
        yield "    ".join([part.ljust(width) for part, width in zip(line, widths, strict=True)]).rstrip()


def _grid(board: Board) -> list[str]:
    return columns([[str(value) if value else "·" for value in row] for row in board], right=range(len(board)))


def _corner(cell: int, size: int) -> str:
    return f"{'bottom' if cell >= size else 'top'} {'right' if cell % size else 'left'} corner"


def _pair(tiles: Sequence[int]) -> str:
    return " and ".join(f"the {tile}" for tile in tiles)


def _of_chances(worse: str, better: str, each: Document, what: str) -> str:
    other = f"with {each['better']:.0%}" if each["better"] else "with none"
    return f"after {worse}, {what} with a chance of {each['chance']:.0%}; after {better} {other}"


_WORDS: dict[str, Callable[[str, str, Document, int], str]] = {
    "corner_left": lambda worse, better, each, size: (
        f"{worse} takes the {each['tile']} out of the {_corner(each['cell'], size)}"
    ),
    "edge_left": lambda worse, better, each, size: f"{worse} takes the {each['tile']} away from the edge",
    "corner_missed": lambda worse, better, each, size: (
        f"{better} brings the {each['tile']} into the {_corner(each['cell'], size)}"
    ),
    "corner_at_risk": lambda worse, better, each, size: _of_chances(
        worse, better, each, f"the next tile forces the {each['tile']} out of its corner"
    ),
    "end_possible": lambda worse, better, each, size: _of_chances(worse, better, each, "the next tile ends the game"),
    "chain_broken": lambda worse, better, each, size: f"{worse} breaks the chain: it parts {_pair(each['tiles'])}",
    "merge_missed": lambda worse, better, each, size: f"{better} makes a {each['tile']}",
    "cells_closed": lambda worse, better, each, size: (
        f"{worse} leaves {count(each['worse'], 'empty cell')}, {better} {each['better']}"
    ),
    "small_between": lambda worse, better, each, size: (
        f"{worse} puts a {each['tile']} between {_pair(each['between'])}"
    ),
    "gap_between": lambda worse, better, each, size: (
        f"{worse} leaves a gap between {_pair(each['between'])}, where a new tile may appear"
    ),
}
