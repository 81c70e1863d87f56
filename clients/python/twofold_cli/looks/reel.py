"""A replay as pure state: where it stands, how fast it runs, and what its jumps do."""

from dataclasses import dataclass, replace

SPEEDS = (1, 2, 4, 8, 16, 32, 64, 128)


@dataclass(frozen=True, slots=True)
class Reel:
    """`at` is the event shown, `last` the last there is; `speed` is events a second, `due` the part of the next one
    that has already run."""

    last: int
    at: int = 0
    speed: int = 4
    playing: bool = False
    due: float = 0.0

    def after(self, seconds: float) -> "Reel":
        """So much later; it stops at the end."""
        if not self.playing:
            return self
        whole, due = divmod(self.due + seconds * self.speed, 1)
        at = self.at + int(whole)
        return self.seek(self.last)._stopped() if at >= self.last else replace(self, at=at, due=due)

    def seek(self, at: int) -> "Reel":
        return replace(self, at=min(max(at, 0), self.last), due=0.0)

    def step(self, events: int) -> "Reel":
        """By hand, so that it stops."""
        return self.seek(self.at + events)._stopped()

    def part(self, tenths: int) -> "Reel":
        return self.seek(round(self.last * tenths / 10))

    def toggled(self) -> "Reel":
        """Playing or not; from the end it begins again."""
        if self.playing:
            return self._stopped()
        return replace(self if self.at < self.last else self.seek(0), playing=self.last > 0)

    def faster(self, steps: int) -> "Reel":
        place = min(max(SPEEDS.index(self.speed) + steps, 0), len(SPEEDS) - 1)
        return replace(self, speed=SPEEDS[place])

    def _stopped(self) -> "Reel":
        return replace(self, playing=False, due=0.0)
