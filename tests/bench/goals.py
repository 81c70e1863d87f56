"""The ratios to demand: the last table of performance.md as data, and what a measured figure is called beside it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Goal:
    """What to reach; `less` where smaller figures are better."""

    floor: float
    target: float | None = None
    stretch: float | None = None
    less: bool = False

    def verdict(self, value: float) -> str:
        """How far a figure gets, in words."""
        best = "below floor"
        for word, bound in (("floor", self.floor), ("target", self.target), ("stretch", self.stretch)):
            if bound is not None and (value <= bound if self.less else value >= bound):
                best = f"reaches {word}"
        return best


WS_OVER_ECHO = Goal(0.40, 0.70, 1.0)
REST_OVER_POST = Goal(0.45, 1.5, 2.0)
WS_OVER_COLYSEUS = Goal(0.40, 0.70, 1.0)
WS_OVER_BOARDGAME = Goal(2.0, 4, 6)
DURABLE_OVER_MEMORY = Goal(0.60, 0.75, 0.85)
GROUP_OVER_SINGLE = Goal(20, 30)
ADDED_P50_MS = Goal(0.3, less=True)
IDLE_SOCKET_KIB = Goal(25, 20, less=True)
ENGINE_OVER_GYMNASIUM = Goal(10, 20)

WITHOUT_PEERS = "Not measured: Colyseus, boardgame.io, node ws. With Node and npm, `make bench-peers` adds them."
