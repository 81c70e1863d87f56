"""What the rules refuse.

RuleError
├── Refusal                 a command the game's state does not allow
│   ├── GameOver            game_over
│   ├── NotStarted          not_started
│   ├── AlreadyStarted      already_started
│   ├── GamePaused          paused
│   ├── AwaitingContinue    awaiting_continue
│   ├── NotRunning          not_running
│   ├── NotPaused           not_paused
│   ├── NotWon              not_won
│   ├── UndoExhausted       undo_exhausted
│   └── NothingToUndo       nothing_to_undo
├── InvalidBoard            rows that are no board
├── InvalidOption           an option the mode does not offer
├── InvalidRecord           a document that is no record, with the place
├── NotComparable           records that do not belong side by side
└── PositionForgotten       an undo needs a position this value no longer holds
"""

Place = tuple[str | int, ...]
"""The path into a document, for example ("events", 3, 1); empty for the whole."""


class RuleError(Exception):
    """Root of everything the rule book raises on purpose."""


class Refusal(RuleError):
    """A command the game's state does not allow; `code` is stable, nothing was changed."""

    code = "refused"
    says = "The game does not allow that now."

    def __init__(self) -> None:
        super().__init__(self.says)


class GameOver(Refusal):
    code = "game_over"
    says = "The game is over."


class NotStarted(Refusal):
    code = "not_started"
    says = "The game waits for its start command."


class AlreadyStarted(Refusal):
    code = "already_started"
    says = "The game was started before."


class GamePaused(Refusal):
    code = "paused"
    says = "The game is paused; resume it first."


class AwaitingContinue(Refusal):
    code = "awaiting_continue"
    says = "The goal is reached; continue the game first."


class NotRunning(Refusal):
    code = "not_running"
    says = "Only a running game can be paused."


class NotPaused(Refusal):
    code = "not_paused"
    says = "Only a paused game can be resumed."


class NotWon(Refusal):
    code = "not_won"
    says = "Only a game that waits at its goal can be continued."


class UndoExhausted(Refusal):
    code = "undo_exhausted"
    says = "All undos of this game are used."


class NothingToUndo(Refusal):
    code = "nothing_to_undo"
    says = "There is no move to undo."


class InvalidBoard(RuleError):
    """Rows that are no board; the message says why."""


class InvalidOption(RuleError):
    """An option the mode does not offer; `field` names it."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(reason)
        self.field = field


class InvalidRecord(RuleError):
    """A document that is no record, or one of a game that cannot have been; says where and why."""

    def __init__(self, place: Place, reason: str) -> None:
        super().__init__(place, reason)  # both, so that it survives the way out of a process pool
        self.place = place
        self.reason = reason

    def __str__(self) -> str:
        return f"{dotted(self.place)}: {self.reason}"


def dotted(place: Place) -> str:
    """A place as a person reads it: events.3.1."""
    return ".".join(map(str, place)) or "record"


class NotComparable(RuleError):
    """Records that do not belong side by side; the message says why."""


class PositionForgotten(RuleError):
    """An undo reaches back further than the positions held; hand the earlier one in."""
