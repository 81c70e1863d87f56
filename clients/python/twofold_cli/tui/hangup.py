"""A terminal that is gone. Whoever has lost it without a signal would look for keys for ever, with all of a core."""

import os
import select
from threading import Thread

HUNG_UP = 129
"""The exit status of what SIGHUP ends."""


def end_with(terminal: int) -> None:
    """End this process once the terminal (a file descriptor) is closed at its other end."""

    def watch() -> None:
        gone = select.poll()
        gone.register(terminal, 0)  # no need to ask for POLLHUP
        if any(event & (select.POLLHUP | select.POLLERR) for _, event in gone.poll()):
            os._exit(HUNG_UP)

    Thread(target=watch, name="hang-up", daemon=True).start()
