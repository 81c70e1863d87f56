"""All sockets of the live channel: made for uvicorn, kept, and in the end closed in batches."""

import asyncio
import logging
from typing import Any

from uvicorn.config import Config
from uvicorn.server import ServerState

from twofold.clock import MS
from twofold_service.api.live import Shared
from twofold_service.api.socket import LiveSocket, Outgoing

log = logging.getLogger("twofold.live")
TICK = 0.5
BATCHES = 5
COME_BACK_AFTER, LATER_EACH = 250 * MS, 100 * MS
"""When the sockets of the first batch are to come back, and how much later those of each next one; a batch is closed
later than the one before, too, so that they are spread over more than these delays."""


class Hub:
    """All sockets: makes them, lets them look at the time, ends them."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._outgoing = Outgoing()
        self._sockets: set[LiveSocket] = set()

    def protocol(self, config: Config, server_state: ServerState, app_state: dict[str, Any]) -> "LiveSocket":
        """What uvicorn makes a connection's protocol with."""
        return LiveSocket(self._shared, self._sockets, self._outgoing, server_state)

    async def tick(self) -> None:
        """Let every connection look at the time, until cancelled."""
        while True:
            await asyncio.sleep(TICK)
            for socket in list(self._sockets):
                try:
                    socket.tick()
                except Exception:  # one socket's fault must not keep the others from their pings
                    log.exception("a socket could not look at the time")

    def outbox_bytes(self) -> list[int]:
        """How much each socket has still to take."""
        return [socket.unsent for socket in self._sockets]

    def tell_draining(self) -> None:
        """Take no new connection; tell each open one when to come back, not all at once."""
        self._shared.draining = True
        for number, socket in enumerate(list(self._sockets)):
            socket.connection.session.draining(COME_BACK_AFTER + number % BATCHES * LATER_EACH)
            socket.flush()

    async def close_all(self, within: float) -> None:
        """Close every connection, in batches spread over so many seconds."""
        sockets = list(self._sockets)
        for start in range(BATCHES if sockets else 0):
            for socket in sockets[start::BATCHES]:
                socket.shutdown()
            await asyncio.sleep(within / BATCHES)
