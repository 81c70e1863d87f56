"""The bare Node server: JSON of this benchmark's own making."""

from tests.bench.peers.board import ORDERS, cells_in, choose, number_in
from tests.bench.sockets import Meter

LOOK = b"{}"
SAID = {way: b'{"direction":"%b"}' % way.encode() for way in ORDERS[0]}


class Table:
    """A player who reads each answer's board; where a game is over, any message begins another."""

    __slots__ = ("_expected", "_meter")

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._expected = 0

    def follow(self, answer: bytes) -> bytes:
        moves = number_in(answer, b"moves")
        if moves != self._expected:
            self._meter.errors += 1
        way = choose(cells_in(answer), moves)
        self._expected = 0 if way is None else moves + 1
        return SAID[way or "left"]
