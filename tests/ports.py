"""Ports of this machine for programs that are told theirs: nobody else gets them while a test holds them."""

import socket
import weakref
from contextlib import suppress


class Port:
    """A free port, held for as long as this value lives, over all lives of whoever listens on it.

    It is held by a socket that is bound and does not listen: whoever binds it by its number and with SO_REUSEADDR, as
    servers do, may listen on it, and the system hands it out to nobody who asks for any.
    """

    def __init__(self, number: int = 0) -> None:
        held = socket.socket()
        weakref.finalize(self, held.close)
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", number))
        self.number: int = held.getsockname()[1]


def row(count: int) -> list[Port]:
    """So many free ports that follow each other."""
    while True:
        first = Port()
        with suppress(OSError, OverflowError):
            return [first, *(Port(first.number + step) for step in range(1, count))]
