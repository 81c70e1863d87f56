"""What a log line looks like: text for people, JSON for programs, with whom and what it is about, and no secret."""

import json
import logging
import re
import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import Literal, Protocol


class Request(Protocol):
    """The request that is being answered; the ids of its game and its player once they are known."""

    id: str
    game: str
    player: str


CURRENT: ContextVar[Request | None] = ContextVar("request", default=None)
"""Set by the door; tasks that a request begins have it too."""

ABOUT = ("request", "game", "player")
"""What a line is about: given as `extra`, else that of the current request."""

LONGEST = 64
QUIET_FOR = 60.0
"""Seconds without another line of a solver that cannot be opened."""
_SECRETS = re.compile(r"(\btf_)[\w-]{20,}|(://[^\s:/@]*:)[^\s@]+(?=@)")
"""Tokens of players, and passwords in URLs."""


class Text(logging.Formatter):
    """`2027-01-15 12:00:00,000 INFO twofold.http: request failed [request=… game=…]`"""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:
        about = " ".join(f"{name}={value}" for name, value in _about(record).items())
        return super().formatMessage(record) + (f" [{about}]" if about else "")

    def format(self, record: logging.LogRecord) -> str:
        return _without_secrets(super().format(record))


class Json(logging.Formatter):
    """One object a line: `at`, `level`, `logger`, `message`, what it is about, and `error` with a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line = {
            "at": f"{at}.{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _without_secrets(record.getMessage()),
            **_about(record),
        }
        if record.exc_info:
            line["error"] = _without_secrets(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)


class Seldom(logging.Filter):
    """Lets one line of a logger through in so many seconds: who is refused may ask again without end."""

    def __init__(self, name: str, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._logger = name
        self._seconds = seconds
        self._clock = clock
        self._quiet_until = clock()

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name != self._logger:
            return True
        now = self._clock()
        if now < self._quiet_until:
            return False
        self._quiet_until = now + self._seconds
        return True


def install(level: str, form: Literal["text", "json"]) -> None:
    """Write what we log, from a level on, to standard error; of libraries only warnings.

    At a lower level they tell statements with rows, and frames: seeds and tokens are among these.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(Json() if form == "json" else Text())
    handler.addFilter(Seldom("twofold.solver", QUIET_FOR))
    wanted = logging.getLevelNamesMapping()[level.upper()]
    logging.basicConfig(level=max(wanted, logging.WARNING), handlers=[handler])
    logging.getLogger("twofold").setLevel(wanted)


def _about(record: logging.LogRecord) -> dict[str, str]:
    request = CURRENT.get()
    known = {} if request is None else {"request": request.id, "game": request.game, "player": request.player}
    return {name: _one_word(value) for name in ABOUT if (value := getattr(record, name, "") or known.get(name, ""))}


def _one_word(value: str) -> str:
    """An id as it was sent to us, which may be anything, without what would make another line of it."""
    return "".join([letter if letter.isprintable() else "\ufffd" for letter in _without_secrets(value)[:LONGEST]])


def _without_secrets(text: str) -> str:
    """The text without tokens and passwords that somebody else's words might hold; our own lines have none."""
    return _SECRETS.sub(r"\1\2…", text)
