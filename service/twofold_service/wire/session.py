"""The live protocol without a socket: frames in, commands out; answers and events in, frames out.

The shell feeds what it hears and the instants, hands the frames in `out` to the socket, and closes it once `closing`
says so. Instants are in microseconds.
"""

from collections import deque
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from twofold.clock import MS, SECOND, rfc3339
from twofold_service.errors import BadFrame
from twofold_service.wire.encode import dumps
from twofold_service.wire.frames import Frame, Hello, Unread, read
from twofold_service.wire.problems import Problem

PROTOCOL = "twofold.v1"
LARGEST_FRAME = 4096
LARGEST_MESSAGE = 64 * 1024
MOST_BAD_FRAMES = 5
MOST_UNANSWERED = 64
MOST_HELD = 1000
HELLO_WITHIN = 10 * SECOND
PING_EVERY = 5 * SECOND
SILENT_AFTER = 10 * SECOND

RESTART = 1012
SLOW, SILENT, INTERNAL = 4000, 4001, 4003
BAD_TOKEN, BROKEN, OTHER_VERSION, TOO_MANY_ERRORS, NO_HELLO = 4500, 4501, 4504, 4505, 4506


class Close(NamedTuple):
    code: int
    reason: str


class Held(NamedTuple):
    version: int
    frame: bytes
    is_reply: bool


@dataclass(slots=True)
class Watching:
    """A watched game: the version told last; frames wait in `held` until the watch has caught up."""

    last: int = 0
    held: deque[Held] | None = field(default_factory=deque)


class Session:
    """One connection's side of the protocol; `heard_at` is when anything came last, be it a pong."""

    __slots__ = (
        "_bad",
        "_opened_at",
        "_pinged_at",
        "_watching",
        "closing",
        "greeted",
        "heard_at",
        "out",
        "unanswered",
    )

    def __init__(self, now: int) -> None:
        self.out: list[bytes] = []
        self.closing: Close | None = None
        self.greeted = False
        self.unanswered = 0
        self._bad = 0
        self.heard_at = self._opened_at = self._pinged_at = now
        self._watching: dict[str, Watching] = {}

    @property
    def full(self) -> bool:
        """Too many commands are unanswered: stop reading until some are."""
        return self.unanswered >= MOST_UNANSWERED

    def may_watch(self, game: str, limit: int) -> bool:
        return game in self._watching or len(self._watching) < limit

    def hear(self, text: bytes) -> Frame:
        """The command in a text frame, to be answered exactly once; BadFrame (Unread) or Misread where it is none."""
        if len(text) > LARGEST_FRAME:
            raise Unread(f"A frame has at most {LARGEST_FRAME} bytes.")
        frame = read(text)
        if self.greeted is isinstance(frame, Hello):
            raise Unread("hello comes first, and once.", frame.id)
        self.unanswered += 1
        return frame

    def tick(self, now: int) -> bool:
        """Look at the time, every second or so; True when a WebSocket ping is due."""
        if not self.greeted and now - self._opened_at >= HELLO_WITHIN:
            self.close(NO_HELLO, "no hello within 10 s")
        elif now - self.heard_at >= SILENT_AFTER:
            self.close(SILENT, "silent for 10 s")
        elif now - self._pinged_at >= PING_EVERY:
            self._pinged_at = now
            if self.greeted:
                self.out.append(dumps({"ev": "ping", "server_now": rfc3339(now)}))
            return True
        return False

    def close(self, code: int, reason: str) -> None:
        if self.closing is None:
            self.closing = Close(code, reason)

    def answer(self, id_: int | str, ok: Any) -> None:
        self.answer_encoded(id_, dumps(ok))

    def answer_encoded(self, id_: int | str, ok: bytes) -> None:
        self.unanswered -= 1
        self.out.append(_reply(id_, ok))

    def answer_event(self, id_: int | str, game: str, version: int, ok: bytes) -> None:
        """The reply that carries an event, in its place among the game's pushes."""
        self.unanswered -= 1
        self._tell(game, version, _reply(id_, ok), is_reply=True)

    def refuse(self, id_: int | str, problem: Problem) -> None:
        self.unanswered -= 1
        self.out.append(b'{"id":%b,"error":%b}' % (dumps(id_), dumps(problem)))

    def refuse_unread(self, id_: int | str | None, problem: Problem) -> None:
        """The answer to a frame that was not taken as a command; the fifth that was none closes."""
        self.out.append(b'{"id":%b,"error":%b}' % (dumps(id_), dumps(problem)))
        if problem["code"] == BadFrame.code:
            self._bad += 1
            if self._bad >= MOST_BAD_FRAMES:
                self.close(TOO_MANY_ERRORS, "too many frames that are no commands")

    def push_event(self, game: str, version: int, frame: bytes) -> None:
        if game in self._watching:
            self._tell(game, version, frame)

    def begin_watch(self, game: str) -> None:
        """Hold back what is told of the game until `caught_up`; one watch of a game begins at a time."""
        self._watching[game] = Watching()

    def answer_watch(self, id_: int | str, game: str, version: int, ok: Any) -> None:
        """Answer a watch by which the other side knows the game up to a version."""
        self._release(game, version)
        self.answer(id_, ok)

    def missed(self, game: str, version: int, frame: bytes) -> None:
        """Tell the next event from the log, unless the reply that carries it was held back for it."""
        if game in self._watching and not self._release(game, version):
            self.out.append(frame)

    def caught_up(self, game: str, version: int) -> None:
        """All up to a version is told: what was told meanwhile follows."""
        watching = self._watching.get(game)
        if watching is None or watching.held is None:
            return
        held, watching.held, watching.last = watching.held, None, version
        for number, frame, is_reply in held:
            self._tell(game, number, frame, is_reply=is_reply)

    def end_watch(self, game: str) -> None:
        """The watch was refused or is over; replies that were held back for it leave now."""
        watching = self._watching.pop(game, None)
        if watching is not None and watching.held:
            self.out += [frame for _, frame, is_reply in watching.held if is_reply]

    def draining(self, retry_after: int) -> None:
        self.out.append(dumps({"ev": "draining", "retry_after_ms": retry_after // MS}))

    def analysed(self, game: str, depth: int, progress: float) -> None:
        self.out.append(dumps({"ev": "analysis", "game": game, "depth": depth, "progress": progress}))

    def gone(self, game: str) -> None:
        self.end_watch(game)
        self.out.append(dumps({"ev": "gone", "game": game}))

    def _release(self, game: str, version: int) -> bool:
        """Let replies held back up to a version leave; whether one of them carried just that version."""
        watching, carried = self._watching.get(game), False
        while watching is not None and watching.held and watching.held[0].version <= version:
            held = watching.held.popleft()
            if held.is_reply:
                self.out.append(held.frame)
                carried = held.version == version
        return carried

    def _tell(self, game: str, version: int, frame: bytes, *, is_reply: bool = False) -> None:
        watching = self._watching.get(game)
        if watching is None:
            self.out.append(frame)
        elif watching.held is not None:
            watching.held.append(Held(version, frame, is_reply))
            if len(watching.held) > MOST_HELD:
                self.close(SLOW, "too slow a reader")
        elif is_reply or version > watching.last:
            watching.last = max(version, watching.last)
            self.out.append(frame)


def _reply(id_: int | str, ok: bytes) -> bytes:
    return b"".join((b'{"id":', dumps(id_), b',"ok":', ok, b"}"))


def event_push(game: str, event: bytes) -> bytes:
    return b'{"ev":"event","game":%b,"event":%b}' % (dumps(game), event)
