"""boardgame.io 0.50 over socket.io 3 (engine.io 4): what is sent, what is an answer, and a player's row of matches."""

import json
from collections.abc import Iterable

from tests.bench.peers.board import cells_in, choose, number_in
from tests.bench.sockets import Meter

GAME = "board"
PATH = "/socket.io/?EIO=4&transport=websocket"
OPEN, PING, PONG = b"0", b"2", b"3"
CONNECT, EVENT = b"40/board,", b"42/board,"
ANSWERS = (EVENT + b'["sync"', EVENT + b'["update"')
PLAYER = "0"
PATIENCE = 100
"""Moves of one match: its store copies the match's whole log at each, so that later ones cost more."""

Match = tuple[str, str]
"""Its id, and the credentials of its one player."""


class Row:
    """A player who plays fresh matches one after the other; each begins with a `sync`."""

    __slots__ = ("_credentials", "_id", "_matches", "_meter", "_state")

    def __init__(self, matches: Iterable[Match], meter: Meter) -> None:
        self._matches = list(matches)
        self._meter = meter
        self._id = self._credentials = ""
        self._state = -1

    def next_match(self) -> bytes | None:
        """What opens the next match; None where there is none."""
        if not self._matches:
            self._meter.dry += 1
            return None
        self._id, self._credentials = self._matches.pop()
        self._state = -1
        return _event("sync", self._id, PLAYER, self._credentials, 1)

    def follow(self, answer: bytes) -> bytes | None:
        """What to send after a `sync` or an `update`. States of a match are numbered, one a move."""
        state = number_in(answer, b"_stateID")
        if state != self._state + 1:
            self._meter.errors += 1
        self._state = state
        way = choose(cells_in(answer), state) if state < PATIENCE else None
        if way is None:
            return self.next_match()
        move = {"type": "move", "args": [way], "playerID": PLAYER, "credentials": self._credentials}
        return _event("update", {"type": "MAKE_MOVE", "payload": move}, state, self._id, PLAYER)


def _event(name: str, *arguments: object) -> bytes:
    return EVENT + json.dumps([name, *arguments], separators=(",", ":")).encode()
