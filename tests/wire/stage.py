"""A game that several play and one session watches: each act is one thing that may happen next."""

import json
from typing import Any

from twofold_service.wire.session import Session, event_push

GAME = "g1"
Json = dict[str, Any]


class Stage:
    """Feeds a session as api/live.py does. An act that cannot come now does nothing."""

    def __init__(self) -> None:
        self.session = Session(0)
        self.version = 1
        self.asked: list[int] = []
        self.mine: list[int] = []
        self.watching = False
        self._told = False
        self._since: int | None = None
        self._read_until = 0
        self._unread: list[int] | None = None

    def others_play(self) -> None:
        self.version += 1
        if self._told:
            self.session.push_event(GAME, self.version, event_push(GAME, _event(self.version)))

    def i_play(self) -> None:
        self.version += 1
        self.mine.append(self.version)
        self.session.answer_event(self._ask(), GAME, self.version, b'{"event":%b}' % _event(self.version))

    def begin_watch(self, since: int) -> None:
        if self._since is None:
            self.watching, self._since = False, min(since, self.version + 1)
            self.session.begin_watch(GAME)

    def read_game(self) -> None:
        """The game is read for the watch, which is told of it from now on."""
        if self._since is None or self._unread is not None:
            return
        known = self._since if self._since <= self.version else self.version
        self._told, self._read_until = True, self.version
        self._unread = list(range(known + 1, self.version + 1))
        self.session.answer_watch(self._ask(), GAME, known, {"known": known})

    def read_event(self) -> None:
        """An event is read for the watch; after the last it has caught up."""
        if self._unread:
            version = self._unread.pop(0)
            self.session.missed(GAME, version, event_push(GAME, _event(version)))
        elif self._unread is not None:
            self.session.caught_up(GAME, self._read_until)
            self.watching, self._since, self._unread = True, None, None

    def refuse_watch(self) -> None:
        if self._since is not None:
            self._told, self._since, self._unread = False, None, None
            self.session.end_watch(GAME)
            self.session.answer(self._ask(), {"unwatched": True})

    def unwatch(self) -> None:
        if self._since is None:
            self.watching = self._told = False
            self.session.end_watch(GAME)
            self.session.answer(self._ask(), {"unwatched": True})

    def lose(self) -> None:
        """The game is gone; a watch that is on its way will be refused."""
        self.watching = self._told = False
        self.session.gone(GAME)
        self.refuse_watch()

    def settle(self) -> None:
        """Let a watch that was begun come to its end."""
        self.read_game()
        while self._unread is not None:
            self.read_event()

    @property
    def frames(self) -> list[Json]:
        return [json.loads(frame) for frame in self.session.out]

    def _ask(self) -> int:
        self.asked.append(len(self.asked) + 1)
        self.session.unanswered += 1
        return self.asked[-1]


def _event(version: int) -> bytes:
    return b'{"version":%d}' % version
