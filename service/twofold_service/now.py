"""Service time: an instant read once at start, and from then on a clock that nobody sets and that counts sleep."""

import time
from time import clock_gettime_ns

from twofold.clock import SECOND

MAX_AHEAD = 48 * 3600 * SECOND


class ClockAhead(RuntimeError):
    """The newest stored instant lies so far ahead of the system's clock that one of the two must be wrong."""


class ServiceTime:
    """Calling it gives the instant now, in microseconds since 1970 UTC."""

    __slots__ = ("_offset",)

    def __init__(self, newest_stored: int = 0, living: int | None = None) -> None:
        """Goes on from what a living process says, else from the system's clock; from no earlier than what is stored.

        ClockAhead where what is stored lies too far ahead."""
        system = time.time_ns() // 1000
        if newest_stored - system > MAX_AHEAD:
            days = (newest_stored - system) / (86_400 * SECOND)
            raise ClockAhead(f"the database's newest instant is {days:.1f} days ahead of this machine's clock")
        self._offset = max(system if living is None else living, newest_stored) - clock_gettime_ns(_CLOCK) // 1000

    def __call__(self) -> int:
        return self._offset + clock_gettime_ns(_CLOCK) // 1000


_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
