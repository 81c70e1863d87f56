"""The instant now: read from the system once, and from then on a clock that nobody sets and that counts sleep."""

import time

_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class Now:
    """Calling it gives the instant now, in microseconds since 1970 UTC."""

    def __init__(self) -> None:
        self._offset = (time.time_ns() - time.clock_gettime_ns(_CLOCK)) // 1000

    def __call__(self) -> int:
        return self._offset + time.clock_gettime_ns(_CLOCK) // 1000
