"""What happens, counted where it happens with plain numbers; `api/metrics.py` makes metrics of them when asked."""

from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import dataclass, field

SECONDS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
MEMBERS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)


class Histogram:
    """How many values were at most each bound, and their sum; used by one thread."""

    __slots__ = ("bounds", "counts", "sum")

    def __init__(self, bounds: tuple[float, ...] = SECONDS) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.sum = 0.0

    def add(self, value: float) -> None:
        self.counts[bisect_left(self.bounds, value)] += 1
        self.sum += value


@dataclass(slots=True)
class Writing:
    """What a process's writer does: how large batches are, how long they wait and their commits take, how many fail."""

    sizes: Histogram = field(default_factory=lambda: Histogram(MEMBERS))
    waits: Histogram = field(default_factory=Histogram)
    commits: Histogram = field(default_factory=Histogram)
    failures: int = 0

    def wrote(self, members: int, commit: float) -> None:
        self.sizes.add(members)
        self.commits.add(commit)


@dataclass(slots=True)
class Commands:
    """Commands by what they asked for: those that made an event, and what came of the others."""

    done: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    others: Counter[tuple[str, str]] = field(default_factory=Counter)


@dataclass(slots=True)
class Requests:
    """HTTP requests by method, route and status; how long their answers took."""

    answered: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    seconds: Histogram = field(default_factory=Histogram)

    def answer(self, method: str, route: str, status: int, seconds: float) -> None:
        self.answered[method if method in METHODS else "other", route, status] += 1
        self.seconds.add(seconds)


@dataclass(slots=True)
class Queue:
    """Work that waits for somebody to do it: how long it did, how much is there, how much was turned away."""

    waits: Histogram = field(default_factory=Histogram)
    inside: int = 0
    refused: int = 0
