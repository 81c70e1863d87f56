"""A game as a live connection tells of it: how it stands, and the events not yet read, in order and each once."""

import asyncio
from collections import deque
from collections.abc import Sequence

from twofold_client.errors import ProtocolError, TwofoldError
from twofold_client.values import EventSeen, GameState, after

MOST_UNREAD = 256


class Feed:
    """`last` is the version read last, `newest` the highest one known of.

    What does not fit into `_unread`, or was never told, is `lacking`: the reader fetches it from the game's log. So the
    buffer is bounded, a slow reader costs nobody anything, and nothing is missed.
    """

    def __init__(self, game: str, state: GameState | None = None, since: int | None = None) -> None:
        self.game, self.state, self.last = game, state, since
        self.newest = 0 if state is None else state.version
        self.role: str | None = None
        self.watched = False
        self.error: TwofoldError | None = None
        self._unread: deque[EventSeen] = deque()
        self._final = state is not None and state.final
        self._news = asyncio.Event()

    def begin(self) -> int | None:
        """The version to watch from; None where the game is not known yet."""
        self.error = None
        if self.state is None:
            return None
        self.last = self.newest if self.last is None else self.last
        return self.newest

    def read_from(self, version: int) -> None:
        """Read on after this version."""
        self.last = version
        self._unread.clear()

    def watch_answered(self, role: str, game: GameState | None) -> None:
        """The watch has begun; `game` where not all since the version told will follow."""
        self.role, self.watched = role, True
        if game is not None:
            if game.version < self.newest:
                told = f"{self.game} stands at version {game.version}, though {self.newest} was told before"
                self.fail(ProtocolError(told))
                return
            self.see(game)
            self.last = game.version if self.last is None else self.last
        self._news.set()

    def see(self, state: GameState) -> None:
        """The game was told of outside the order of events."""
        if self.state is None or state.version >= self.newest:
            self.state, self.newest, self._final = state, max(state.version, self.newest), state.final
            self._news.set()

    def hear(self, event: EventSeen) -> None:
        """An event was told."""
        if event.version > self.newest:
            self.newest, self._final = event.version, event.final
            self.state = None if self.state is None else after(self.state, event)
        if self.last is not None and event.version > self.last and len(self._unread) < MOST_UNREAD:
            self._unread.append(event)
        self._news.set()

    def fail(self, error: TwofoldError) -> None:
        """Nothing more will be told."""
        self.error, self.watched = error, False
        self._news.set()

    def interrupted(self) -> None:
        """The watch was refused for now: the reader will have to ask anew."""
        self.watched = False
        self._news.set()

    def take(self) -> EventSeen | None:
        """The event after the last one read, where it is here."""
        while self._unread and self.last is not None and self._unread[0].version <= self.last + 1:
            event = self._unread.popleft()
            if event.version == self.last + 1:
                self.last = event.version
                return event
        return None

    @property
    def lacking(self) -> bool:
        """Whether the next event has to come from the log."""
        return self.last is not None and self.last < self.newest

    @property
    def ended(self) -> bool:
        """Whether all is read and nothing can follow."""
        return self._final and self.last is not None and self.last >= self.newest

    def fill(self, events: Sequence[EventSeen]) -> None:
        """What the log has after the version read last."""
        if self.last is None or not events or events[0].version != self.last + 1:
            raise ProtocolError(f"the log of {self.game} has no event {(self.last or 0) + 1}, though later were told")
        self._unread.extendleft(reversed(events))

    async def news(self) -> None:
        """Wait until anything of the above has changed."""
        self._news.clear()
        await self._news.wait()
