"""What is shown of a game, wherever it is played."""

from dataclasses import dataclass

from twofold.clock import MS
from twofold.game import Outcome, Status
from twofold_cli.looks.faces import Board
from twofold_cli.looks.printed import count

NAMES = {
    "classic": "Classic",
    "sprint": "Sprint",
    "break": "Break",
    "moves100": "100 moves",
    "daily": "Daily",
    "practice": "Practice",
}
_ENDS = {
    Outcome.NO_MOVES: "Game over",
    Outcome.TIME_UP: "Time is up",
    Outcome.MOVE_LIMIT: "All moves played",
    Outcome.ABANDONED: "Game given up",
}


@dataclass(frozen=True, slots=True)
class View:
    """A game at the instant it was looked at; `fresh` is the cell of the tile that appeared last."""

    mode: str
    date: str | None
    attempt: int | None
    board: Board
    fresh: int | None
    score: int
    best: int | None
    moves: int
    move_limit: int | None
    undo_limit: int | None
    undos: int
    undo_available: bool
    active_ms: int
    limit_ms: int | None
    status: Status
    outcome: Outcome | None
    reached_goal: bool
    final: bool

    @property
    def size(self) -> int:
        return len(self.board)

    @property
    def name(self) -> str:
        return f"{NAMES.get(self.mode, self.mode)} {self.size}×{self.size}"

    @property
    def clock(self) -> str:
        """Time left where there is a limit, else time used; tenths are shown when every one of them counts."""
        left = self.active_ms if self.limit_ms is None else max(0, self.limit_ms - self.active_ms)
        if self.limit_ms is not None and left < 10_000:
            return f"0:{left // MS:02}.{left % MS // 100}"
        minutes, seconds = divmod(-(-left // MS) if self.limit_ms is not None else left // MS, 60)
        return f"{minutes}:{seconds:02}" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"

    @property
    def undos_told(self) -> str:
        if self.undo_limit is None:
            return f"{self.undos} used"
        return "none" if self.undo_limit == 0 else f"{self.undo_limit - self.undos} of {self.undo_limit} left"

    @property
    def headline(self) -> tuple[str, str]:
        """How things stand and what can be done, where it is not the player's move."""
        again = "N: new game"
        match self.status:
            case Status.READY:
                return f"{count((self.limit_ms or 0) // (60 * MS), 'minute')}. Ready?", "Enter starts the clock"
            case Status.PAUSED:
                return "Paused", "Enter goes on"
            case Status.WON:
                return "You made 2048!", f"Enter plays on · {again}"
            case Status.OVER:
                end = _ENDS[self.outcome] if self.outcome is not None else "Over"
                return end, f"U: undo · {again}" if self.undo_available else again
            case Status.RUNNING:
                return "", ""
