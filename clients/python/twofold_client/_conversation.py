"""The live protocol as a client speaks it, without a socket: commands and what is heard in, frames out.

Commands stay until they are answered: after a lost connection they are said again, under the same keys, once the games
that were watched are watched again from the version known.
"""

import json
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

from twofold_client._feed import Feed
from twofold_client._reading import field, read
from twofold_client._wire import AGENT, refusal
from twofold_client.errors import GameGone, ProtocolError, TwofoldError, WrongVersion
from twofold_client.values import EventSeen, GameState

PROTOCOL = "twofold.v1"
HELLO = 0
Answered = Callable[[EventSeen | TwofoldError | None], None]


class Asked(NamedTuple):
    """A command that waits for its reply."""

    op: str
    frame: str
    feed: Feed | None
    answered: Answered


class Conversation:
    """One player's talk with the service, over as many connections as it takes. `out` is what is to be sent."""

    def __init__(self) -> None:
        self.out: deque[str] = deque()
        self.greeted = False
        self.come_back_after = 0.0
        self._number = HELLO
        self._asked: dict[int, Asked] = {}
        self._feeds: WeakValueDictionary[str, Feed] = WeakValueDictionary()
        self._watched: dict[str, Feed] = {}

    def feed(self, game: str, state: GameState | None, since: int | None) -> Feed:
        """What is told of a game: the same for all who ask."""
        feed = self._feeds.get(game)
        if feed is None:
            feed = self._feeds[game] = Feed(game, state, since)
            return feed
        if state is not None:
            feed.see(state)
        if since is not None:
            feed.read_from(since)
        return feed

    def connected(self, token: str | None) -> None:
        """There is a connection: who we are comes first, all else once that is answered."""
        self.greeted, self.come_back_after = False, 0.0
        self.out.clear()
        said = {"id": HELLO, "op": "hello", "client": AGENT}
        self.out.append(json.dumps(said if token is None else said | {"token": token}))

    def ask(self, op: str, feed: Feed | None, fields: dict[str, Any], answered: Answered) -> int:
        """Say a command, now or when there is a connection; its number."""
        self._number += 1
        told = {"id": self._number, "op": op, **({} if feed is None else {"game": feed.game}), **fields}
        asked = Asked(op, json.dumps(told), feed, answered)
        self._asked[self._number] = asked
        if self.greeted:
            self.out.append(asked.frame)
        return self._number

    def watch(self, feed: Feed, answered: Answered) -> int:
        since = feed.begin()
        return self.ask("watch", feed, {} if since is None else {"since": since}, answered)

    def unwatched(self, feed: Feed) -> None:
        """The game is not to be watched again."""
        feed.watched = False
        self._watched.pop(feed.game, None)

    def forget(self, number: int) -> None:
        """Nobody waits for this reply any more."""
        self._asked.pop(number, None)

    def hear(self, text: str | bytes) -> None:
        """A frame came; ProtocolError where it is not one of the service's, or a refusal of the hello."""
        try:
            frame = json.loads(text) if isinstance(text, str) else None
        except (ValueError, RecursionError):
            frame = None
        if not isinstance(frame, dict):
            raise ProtocolError("a live frame that is no JSON object")
        if "ev" in frame:
            self._hear_push(frame)
        elif field(frame, "id", int | None) == HELLO:
            self._hear_hello(frame)
        elif frame["id"] is None:
            raise refusal(field(frame, "error"))
        elif (asked := self._asked.pop(frame["id"], None)) is not None:
            asked.answered(self._reply(asked, frame))

    def fail(self, error: TwofoldError) -> None:
        """The talk is over, for this reason."""
        asked, self._asked = self._asked, {}
        for waiting in asked.values():
            waiting.answered(error)
        for feed in list(self._feeds.values()):
            feed.fail(error)

    def _hear_hello(self, frame: dict[str, Any]) -> None:
        if "error" in frame:
            raise refusal(frame["error"])
        if (spoken := field(field(frame, "ok"), "protocol", str)) != PROTOCOL:
            raise WrongVersion(f"expected the protocol {PROTOCOL}, found {spoken[:60]!r}")
        self.greeted = True
        said = {number: asked for number, asked in self._asked.items() if not self._watches_again(asked)}
        self._asked = {}
        for feed in list(self._watched.values()):
            self.watch(feed, lambda _: None)
        self._asked |= said
        self.out.extend(waiting.frame for waiting in said.values())

    def _watches_again(self, asked: Asked) -> bool:
        return asked.op == "watch" and asked.feed is not None and asked.feed.game in self._watched

    def _hear_push(self, push: dict[str, Any]) -> None:
        """A push; kinds that are not known are passed over."""
        match push["ev"]:
            case "event":
                event = read(EventSeen, field(push, "event"), "event")
                if (feed := self._watched.get(field(push, "game", str))) is not None:
                    feed.hear(event)
            case "draining":
                self.greeted = False  # what is asked from now on waits for the next connection
                self.come_back_after = field(push, "retry_after_ms", int) / 1000
            case "gone":
                if (feed := self._watched.pop(field(push, "game", str), None)) is not None:
                    feed.fail(GameGone(f"the game {feed.game} is gone, and its player with it"))
            case _:
                pass

    def _reply(self, asked: Asked, frame: dict[str, Any]) -> EventSeen | TwofoldError | None:
        if "error" in frame:
            return self._refused(asked, refusal(frame["error"]))
        ok, feed = field(frame, "ok", dict[str, Any]), asked.feed
        if feed is None or asked.op == "unwatch":
            return None
        if asked.op == "watch":
            game = read(GameState, ok["game"], "game") if "game" in ok else None
            self._watched[feed.game] = feed
            feed.watch_answered(field(ok, "role", str), game)
            return feed.error
        event: EventSeen | None = field(ok, "event", EventSeen | None)
        if event is not None and not (feed.watched and ok.get("replayed")):
            feed.hear(event)  # a replayed event is pushed in its own place
        return event

    def _refused(self, asked: Asked, error: TwofoldError) -> TwofoldError:
        game = getattr(error, "game", None)
        if asked.feed is not None and game is not None:
            asked.feed.see(game)
        if asked.feed is not None and asked.op == "watch":
            self.unwatched(asked.feed)
            if error.retryable:
                asked.feed.interrupted()
            else:
                asked.feed.fail(error)
        return error
