"""Rules as data, and the named modes."""

from dataclasses import dataclass

from twofold.errors import InvalidOption

GOAL = 2048


@dataclass(frozen=True, slots=True)
class Rules:
    """What one game is played by; a limit of None is no limit."""

    size: int = 4
    undo_limit: int | None = 1
    time_limit_ms: int | None = None
    move_limit: int | None = None
    goal: int = GOAL


@dataclass(frozen=True, slots=True)
class Mode:
    """A named set of rules and the options it leaves open; the first of each is the default."""

    name: str
    sizes: tuple[int, ...] = (4,)
    undo_limits: tuple[int | None, ...] = (1,)
    time_limit_ms: int | None = None
    move_limit: int | None = None
    ranked: bool = True

    @property
    def starts_by_command(self) -> bool:
        return self.time_limit_ms is not None

    def rules(self, size: int | None = None, undo_limit: int | None = None) -> Rules:
        """The rules for the chosen options, None meaning the default; InvalidOption where the mode has no such one."""
        size = self.sizes[0] if size is None else size
        if size not in self.sizes:
            raise InvalidOption("size", f"{self.name} is played on {_listed(self.sizes)}")
        undo_limit = self.undo_limits[0] if undo_limit is None else undo_limit
        if undo_limit not in self.undo_limits:
            raise InvalidOption("undo_limit", f"{self.name} has {_listed(self.undo_limits)} undos")
        return Rules(size, undo_limit, self.time_limit_ms, self.move_limit)

    def category(self, rules: Rules) -> str | None:
        """The name under which bests and rankings of such games are kept; None where there are none."""
        return f"{self.name}-{rules.size}-{rules.undo_limit}" if self.ranked else None


def _listed(options: tuple[int | None, ...]) -> str:
    return " or ".join("unlimited" if option is None else str(option) for option in sorted(options, key=str))


MODES = {
    mode.name: mode
    for mode in (
        Mode("classic", sizes=(4, 5, 6), undo_limits=(1, 0, 5)),
        Mode("sprint", time_limit_ms=120_000),
        Mode("break", time_limit_ms=300_000),
        Mode("moves100", move_limit=100),
        Mode("daily"),
        Mode("practice", sizes=(4, 3, 5, 6, 7, 8), undo_limits=(None,), ranked=False),
    )
}
