"""What the service refuses: a code and a status each.

ServiceError
├── Unauthorized, Forbidden, NotFound          401, 403, 404: about the caller
├── Invalid, KeyReused                         422: what was sent
├── StaleVersion                               409 (412 for If-Match), with the game as it stands
├── DailySealed                                403
├── AttemptOpen, TooMany, NotFinal,
│   CorruptGame                                409
├── RuleRefused                                409: the rule book's own refusal, under its own code
├── RateLimited                                429, with Retry-After
├── Draining, Busy, StorageUnavailable,
│   SolverUnavailable                          503, with Retry-After
├── StorageFull                                507
└── MethodNotAllowed, TooLarge, UnsupportedMedia, Internal, BadFrame
"""

from typing import TYPE_CHECKING, ClassVar

from twofold.errors import Refusal

if TYPE_CHECKING:
    from twofold_service.usecases.values import GameView

Loc = tuple[str | int, ...]


class ServiceError(Exception):
    """A failure with a stable `code`; `detail` is for a person, `errors` names the fields at fault."""

    status: int = 500
    code: str = "internal"
    title: ClassVar[str] = "Something went wrong on our side"
    retryable: ClassVar[bool] = False

    def __init__(self, detail: str = "", *, errors: list[tuple[Loc, str]] | None = None) -> None:
        self.errors = errors or []
        self.detail = detail or self._first_error() or f"{self.title}."
        super().__init__(self.detail)
        self.retry_after: int | None = None
        self.game: GameView | None = None

    def _first_error(self) -> str:
        if not self.errors:
            return ""
        loc, message = self.errors[0]
        return f"{'.'.join(map(str, loc))}: {message}"


class Unauthorized(ServiceError):
    status, code, title = 401, "unauthorized", "A valid token is needed"


class Forbidden(ServiceError):
    status, code, title = 403, "forbidden", "This belongs to another player"


class NotFound(ServiceError):
    status, code, title = 404, "not_found", "There is no such thing here"


class DailySealed(ServiceError):
    status, code, title = 403, "daily_sealed", "Finish your own first attempt at this daily to see the others"


class Invalid(ServiceError):
    status, code, title = 422, "invalid", "Something in the request is not as it must be"


class KeyReused(ServiceError):
    status, code, title = 422, "key_reused", "This idempotency key was used for another command"


class StaleVersion(ServiceError):
    status, code, title = 409, "stale_version", "The game has gone on since the version you saw"


class AttemptOpen(ServiceError):
    status, code, title = 409, "attempt_open", "Your attempt at this daily is still open"


class TooMany(ServiceError):
    status, code, title = 409, "too_many", "A limit on how many of these may be open is reached"


class NotFinal(ServiceError):
    status, code, title = (
        409,
        "not_final",
        "This game can still be played on, or an undo could revive it",
    )


class CorruptGame(ServiceError):
    status, code, title = 409, "corrupt_game", "This game's stored data cannot be read"


class RuleRefused(ServiceError):
    """A refusal of the rule book, carried to the caller under its own code."""

    status, title = 409, "The game does not allow that now"

    def __init__(self, refusal: Refusal | type[Refusal]) -> None:
        super().__init__(refusal.says)
        self.code = refusal.code


class RateLimited(ServiceError):
    status, code, title, retryable = 429, "rate_limited", "Too many requests", True

    def __init__(self, detail: str = "", *, retry_after: int = 1) -> None:
        super().__init__(detail)
        self.retry_after = retry_after


class _Unavailable(ServiceError):
    status, retryable = 503, True

    def __init__(self, detail: str = "") -> None:
        super().__init__(detail)
        self.retry_after = 1


class Draining(_Unavailable):
    code, title = "draining", "This instance is shutting down"


class Busy(_Unavailable):
    code, title = "busy", "Too much of this work is waiting already"


class StorageUnavailable(_Unavailable):
    code, title = "storage_unavailable", "The storage does not answer"


class SolverUnavailable(_Unavailable):
    code, title = "solver_unavailable", "The solver cannot be used here at the moment"

    def __init__(self, detail: str = "") -> None:
        super().__init__(detail)
        self.retry_after = 60  # somebody has to mend it


class StorageFull(_Unavailable):
    status, code, title = 507, "storage_full", "The storage is full"


class MethodNotAllowed(ServiceError):
    status, code, title = 405, "method_not_allowed", "This path does not take that method"


class TooLarge(ServiceError):
    status, code, title = 413, "too_large", "The body is larger than this path takes"


class UnsupportedMedia(ServiceError):
    status, code, title = 415, "unsupported_media_type", "The body must be application/json"


class Internal(ServiceError):
    pass


class BadFrame(ServiceError):
    status, code, title = 400, "bad_frame", "This frame is no command"
