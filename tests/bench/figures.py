"""Figures: one measurement's window, and the median of several with its lowest and highest."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Window:
    """What was seen between two instants. `cpu` is the servers' CPU time, `own` the generator's, in seconds."""

    replies: int
    seconds: float
    cpu: float
    own: float
    p50: float
    p99: float
    errors: int
    dry: int
    lost: int

    @property
    def rate(self) -> float:
        return self.replies / self.seconds

    @property
    def us(self) -> float:
        """Server CPU microseconds per reply."""
        return self.cpu * 1e6 / self.replies if self.replies else float("nan")

    @property
    def faults(self) -> str:
        """What went wrong in it, in words; empty where nothing did."""
        counts = {"refused": self.errors, "players out of games": self.dry, "connections lost": self.lost}
        return ", ".join(f"{count} {word}" for word, count in counts.items() if count)


@dataclass(frozen=True, slots=True)
class Spread:
    """A median with the lowest and the highest."""

    middle: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        return cls(median(values), min(values), max(values))


def percentile(ordered: Sequence[int], share: float) -> float:
    """The value below which so large a share of the ordered values lies; 0 where there are none."""
    return float(ordered[min(len(ordered) - 1, int(len(ordered) * share))]) if ordered else 0.0
