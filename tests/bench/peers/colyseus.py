"""Colyseus, protocol of 0.18 with schema 5: what is sent, and what a state or a patch says.

A message is a byte that tells its kind and a body. In a state or patch the body is a row of changes: 255 and a number
name the object they are made to (0 is the root), each other byte is an operation in its two highest bits and a field
in the rest (of the root), or an operation followed by an index (of the array).
"""

from tests.bench.peers.board import ORDERS, SIZE, choose
from tests.bench.sockets import Meter

ROOM = "board"
JOIN, DATA, STATE, PATCH = 10, 13, 14, 15
JOINED = bytes((JOIN,))
ROOT, CELLS, SCORE, MOVES = 0, 0, 1, 2
SWITCH, OPERATION, REPLACE, ADD = 255, 0b1100_0000, 0, 0b1000_0000
UINT32 = 4


def _text(text: str) -> bytes:
    """A short string in MessagePack."""
    return bytes((0xA0 | len(text),)) + text.encode()


SAID = {way: bytes((DATA,)) + _text("move") + _text(way) for way in ORDERS[0]}


class Board:
    """The room's state as its player has it. Where a game is over, any message begins another."""

    __slots__ = ("_expected", "_meter", "cells", "moves")

    def __init__(self, meter: Meter) -> None:
        self.cells = bytearray(SIZE * SIZE)
        self.moves = 0
        self._meter = meter
        self._expected = 0

    def follow(self, message: bytes) -> bytes:
        """What to send after a state or a patch: each message is one move and brings one patch."""
        self.take(message)
        if self.moves != self._expected:
            self._meter.errors += 1
        way = choose(bytes(self.cells), self.moves)
        self._expected = 0 if way is None else self.moves + 1
        return SAID[way or "left"]

    def take(self, message: bytes) -> None:
        """Apply a state or a patch; ValueError where it holds anything but this state's own changes."""
        at, size, target = 1, len(message), ROOT
        while at < size:
            change, at = message[at], at + 1
            if change == SWITCH:
                target, at = message[at], at + 1
            elif target != ROOT:
                if change not in (REPLACE, ADD):
                    raise ValueError(f"no change of a cell: {message.hex()}")
                self.cells[message[at]] = message[at + 1]
                at += 2
            else:
                field = change & ~OPERATION
                if field == CELLS:
                    at += 1  # the array's own number
                elif field in (SCORE, MOVES):
                    if field == MOVES:
                        self.moves = int.from_bytes(message[at : at + UINT32], "little")
                    at += UINT32
                else:
                    raise ValueError(f"no field of the state: {message.hex()}")
