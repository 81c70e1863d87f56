"""What can go wrong with a service, each failure one line and one class.

TwofoldError                    `.retryable`, `.retry_after`; `.call`: what was asked, to be done again as it was
├── ServiceError                the service refuses: `.code`, `.status`, `.problem`, `.game` where it tells one
│   ├── Unauthorized, Forbidden, DailySealed, NotFound
│   ├── Invalid, KeyReused, TooLarge, UnsupportedMedia, MethodNotAllowed, BadFrame
│   ├── StaleVersion            the game has gone on; `.game` is how it stands
│   ├── AttemptOpen, TooMany, CorruptGame, NotFinal
│   ├── Refused                 the game does not allow that now
│   │   ├── GameOver, NotStarted, AlreadyStarted, GamePaused, AwaitingContinue
│   │   └── NotRunning, NotPaused, NotWon, UndoExhausted, NothingToUndo
│   ├── Unavailable             it may well work later
│   │   ├── RateLimited, Draining, Busy
│   │   └── StorageUnavailable, StorageFull, SolverUnavailable
│   └── Internal
├── UnderWay                    what was asked for is still being made; `.progress`: how much of it is, from 0 to 1
├── GameGone                    a watched game was deleted with its player
├── LiveClosed                  this end closed the live connection
└── NoAnswer                    the service was not heard
    ├── ServerVanished          no connection, or it was lost before the answer
    ├── SlowAnswer              no whole answer in time
    └── ProtocolError           something answered, but not as this service does
        ├── NotOurs             HTML, or whatever else is no JSON of ours
        └── WrongVersion        another version of the protocol

A code that is not known here gives a plain ServiceError with that `.code`.
"""

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from twofold_client._call import Call
    from twofold_client.values import GameState, Problem


class TwofoldError(Exception):
    """Root of all failures. `retryable`: the same may succeed later; `untouched`: nothing can have been done yet."""

    retryable: bool = False
    retry_after: float | None = None
    untouched: bool = False
    call: "Call[Any] | None" = None


class ServiceError(TwofoldError):
    """A refusal, in the service's own words; `retry_after` is in seconds."""

    known_as: ClassVar[str] = ""

    def __init__(
        self, problem: "Problem", *, retry_after: float | None = None, game: "GameState | None" = None
    ) -> None:
        super().__init__(f"{problem.code}: {problem.detail}")
        self.problem = problem
        self.code = problem.code
        self.status = problem.status
        self.retryable = problem.retryable
        self.retry_after = retry_after
        self.game = game


class Unauthorized(ServiceError):
    known_as = "unauthorized"


class Forbidden(ServiceError):
    known_as = "forbidden"


class DailySealed(ServiceError):
    known_as = "daily_sealed"


class NotFound(ServiceError):
    known_as = "not_found"


class Invalid(ServiceError):
    """Something in the request is not as it must be; `problem.errors` names the fields."""

    known_as = "invalid"


class KeyReused(ServiceError):
    known_as = "key_reused"


class TooLarge(ServiceError):
    known_as = "too_large"


class UnsupportedMedia(ServiceError):
    known_as = "unsupported_media_type"


class MethodNotAllowed(ServiceError):
    known_as = "method_not_allowed"


class BadFrame(ServiceError):
    known_as = "bad_frame"


class StaleVersion(ServiceError):
    known_as = "stale_version"


class AttemptOpen(ServiceError):
    known_as = "attempt_open"


class TooMany(ServiceError):
    known_as = "too_many"


class CorruptGame(ServiceError):
    known_as = "corrupt_game"


class NotFinal(ServiceError):
    known_as = "not_final"


class Refused(ServiceError):
    """The game does not allow that now; nothing was changed."""


class GameOver(Refused):
    known_as = "game_over"


class NotStarted(Refused):
    known_as = "not_started"


class AlreadyStarted(Refused):
    known_as = "already_started"


class GamePaused(Refused):
    known_as = "paused"


class AwaitingContinue(Refused):
    known_as = "awaiting_continue"


class NotRunning(Refused):
    known_as = "not_running"


class NotPaused(Refused):
    known_as = "not_paused"


class NotWon(Refused):
    known_as = "not_won"


class UndoExhausted(Refused):
    known_as = "undo_exhausted"


class NothingToUndo(Refused):
    known_as = "nothing_to_undo"


class Unavailable(ServiceError):
    """It may well work later; what is refused at the door is known to be `untouched`."""


class RateLimited(Unavailable):
    known_as, untouched = "rate_limited", True


class Draining(Unavailable):
    known_as, untouched = "draining", True


class Busy(Unavailable):
    known_as, untouched = "busy", True


class StorageUnavailable(Unavailable):
    known_as = "storage_unavailable"


class StorageFull(Unavailable):
    known_as = "storage_full"


class SolverUnavailable(Unavailable):
    known_as = "solver_unavailable"


class Internal(ServiceError):
    known_as = "internal"


class UnderWay(TwofoldError):
    """What was asked for is still being made: the same again will have it. `progress` goes from 0 to 1."""

    retryable, retry_after = True, 0.5

    def __init__(self, progress: float) -> None:
        super().__init__(f"still being made, {progress:.0%} done")
        self.progress = progress


class GameGone(TwofoldError):
    """A watched game is gone, and its player with it."""


class LiveClosed(TwofoldError):
    """This end closed the live connection; whether a command without its answer was done is not known."""


class NoAnswer(TwofoldError):
    """The service was not heard; whether it did what was asked is not known, unless `untouched`."""

    retryable = True

    def __init__(self, reason: str, *, untouched: bool = False, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.untouched = untouched
        self.retry_after = retry_after

    def __str__(self) -> str:
        reason = super().__str__()
        return reason if self.call is None else f"{self.call}: {reason}"


class ServerVanished(NoAnswer):
    pass


class SlowAnswer(NoAnswer):
    pass


class ProtocolError(NoAnswer):
    """What answered does not speak as this service does; the same again would help only behind a failing gateway."""

    def __init__(self, reason: str, *, passing: bool = False, retry_after: float | None = None) -> None:
        super().__init__(reason, retry_after=retry_after)
        self.retryable = passing


class NotOurs(ProtocolError):
    pass


class WrongVersion(ProtocolError):
    pass


def _below(root: type[ServiceError]) -> list[type[ServiceError]]:
    return [deeper for child in root.__subclasses__() for deeper in (child, *_below(child))]


BY_CODE = {kind.known_as: kind for kind in _below(ServiceError) if kind.known_as}
"""The class of each code."""
