"""The solver once more, slowly: plain Python on the rule book's own moves, whole numbers, no merging, no batches."""

from collections.abc import Iterator
from functools import cached_property

from twofold.board import Direction, empty_cells, shift
from twofold_solver.network import ENTRIES, TUPLES, UNIT, Network

SIZE = 4
TOP = 15


class Oracle:
    def __init__(self, network: Network) -> None:
        self.network = network

    @cached_property
    def forms(self) -> list[list[int]]:
        """The eight ways to walk over a board's cells."""
        ways = []
        for rows in (range(SIZE), range(SIZE - 1, -1, -1)):
            for columns in (range(SIZE), range(SIZE - 1, -1, -1)):
                ways.append([row * SIZE + column for row in rows for column in columns])
                ways.append([row * SIZE + column for column in columns for row in rows])
        return ways

    def worths(self, cells: bytes, depth: int) -> dict[Direction, int]:
        return {way: UNIT * gain + self.expected(after, depth - 1) for way, gain, after in moves(cells)}

    def expected(self, after: bytes, depth: int) -> int:
        if depth == 0:
            return self.value(after)
        total = 0
        for cell in (empty := empty_cells(after)):
            for rank, share in ((1, 9), (2, 1)):
                board = after[:cell] + bytes([rank]) + after[cell + 1 :]
                total += share * max(self.worths(board, depth).values(), default=0)
        return total // (10 * len(empty))

    def value(self, after: bytes) -> int:
        total = 0
        for form in self.forms:
            for number, tuple_ in enumerate(TUPLES):
                place = sum(after[form[cell]] << 4 * at for at, cell in enumerate(tuple_))
                total += int(self.network.levels[self.network.table[number * ENTRIES + place]])
        return total


def moves(cells: bytes) -> Iterator[tuple[Direction, int, bytes]]:
    for way in Direction:
        shifted = shift(SIZE, cells, way)
        if shifted is not None:
            yield way, shifted.gain, bytes(min(rank, TOP) for rank in shifted.cells)
