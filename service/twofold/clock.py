"""Active time as arithmetic on given instants; instants and spans are whole microseconds."""

from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple

MS = 1_000
SECOND = 1_000_000


class Clock(NamedTuple):
    """Active time banked so far, and the instant since which more is running; `since` is None while it stands."""

    banked: int = 0
    since: int | None = None

    @property
    def running(self) -> bool:
        return self.since is not None

    def active(self, now: int) -> int:
        """Active time at an instant; one before the clock was started adds nothing."""
        since = self.since
        return self.banked if since is None or now < since else self.banked + now - since

    def start(self, now: int) -> "Clock":
        """The clock running; one that runs already goes on unchanged."""
        return self if self.running else Clock(self.banked, now)

    def stop(self, now: int) -> "Clock":
        return Clock(self.active(now)) if self.running else self

    def reaches(self, active: int) -> int | None:
        """The instant at which active time is `active`; None while the clock stands."""
        return None if self.since is None else self.since + active - self.banked


def rfc3339(instant: int) -> str:
    """An instant (microseconds since 1970 UTC) as RFC 3339 with milliseconds, cut off, not rounded."""
    seconds, micros = divmod(instant, SECOND)
    return _to_the_second(seconds) + _MILLISECONDS[micros // MS]


def from_rfc3339(text: str) -> int:
    """The instant of an RFC 3339 text with a zone, in microseconds; ValueError for anything else."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("an instant needs a zone")
    since = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return (since.days * 86_400 + since.seconds) * SECOND + since.microseconds


_MILLISECONDS = [f".{ms:03d}Z" for ms in range(1000)]


@lru_cache(maxsize=1024)
def _to_the_second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")
