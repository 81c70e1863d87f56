"""The game somebody wants to play."""

import json
from dataclasses import dataclass, replace

from twofold.errors import InvalidOption
from twofold.rules import MODES, Rules
from twofold_cli.looks.faces import Board


@dataclass(frozen=True, slots=True)
class Wish:
    """A mode and its options, None for the mode's own; seed and board are for practice, date too."""

    mode: str = "classic"
    size: int | None = None
    undo_limit: int | None = None
    seed: bytes | None = None
    board: Board | None = None
    date: str | None = None

    @property
    def rules(self) -> Rules:
        """InvalidOption, naming the field, for what is not to be had."""
        if self.mode not in MODES:
            raise InvalidOption("mode", f"the modes are {', '.join(MODES)}")
        for field in ("seed", "board", "date"):
            if self.mode != "practice" and getattr(self, field) is not None:
                raise InvalidOption(field, "is for practice alone")
        if self.board is not None and self.size not in (None, len(self.board)):
            raise InvalidOption("size", f"the board has {len(self.board)} rows")
        size = self.size if self.board is None else len(self.board)
        return MODES[self.mode].rules(size, self.undo_limit)

    def other_size(self, step: int) -> "Wish":
        """With the mode's next size, or the one before."""
        sizes = sorted(MODES[self.mode].sizes)
        return replace(self, size=sizes[(sizes.index(self.rules.size) + step) % len(sizes)])

    def other_undo_limit(self) -> "Wish":
        limits = MODES[self.mode].undo_limits
        return replace(self, undo_limit=limits[(limits.index(self.rules.undo_limit) + 1) % len(limits)])


def rows_in(text: str) -> Board | None:
    """The board somebody has written as rows of whole numbers, which may be no tiles; None where it is none."""
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if type(rows) is not list or not all(type(row) is list and all(type(x) is int for x in row) for row in rows):
        return None
    return tuple(map(tuple, rows))
