"""Live games: played and watched over one connection."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol

from twofold_client import _game_calls
from twofold_client._call import Call
from twofold_client._connection import Connection
from twofold_client._conversation import Conversation
from twofold_client._feed import Feed
from twofold_client._retry import Retry
from twofold_client._wire import Wire, new_key
from twofold_client.errors import ServerVanished, SlowAnswer, TwofoldError
from twofold_client.standings import Page
from twofold_client.values import EventSeen, GameState, Played

if TYPE_CHECKING:
    from twofold_client.aclient import AsyncGame

P = ParamSpec("P")
MOST_UNANSWERED = 64


class Does(Protocol):
    """A client's `do`."""

    async def __call__(self, call: Call[Page[EventSeen]], /) -> Page[EventSeen]: ...


class Live:
    """One connection for many games, opened and closed by `async with`."""

    def __init__(self, wire: Wire, retry: Retry, do: Does, sleep: Callable[[float], Awaitable[object]]) -> None:
        self._retry, self._do, self._sleep = retry, do, sleep
        self._talk = Conversation()
        self._connection = Connection(self._talk, wire, retry, sleep)
        self._room = asyncio.Semaphore(MOST_UNANSWERED)

    @property
    def connected(self) -> bool:
        """Whether the service hears us now; if not, that is being mended, unless `over` says why it never will be."""
        return self._talk.greeted

    @property
    def lost(self) -> TwofoldError | None:
        """Why the connection was lost last."""
        return self._connection.lost

    @property
    def over(self) -> TwofoldError | None:
        """Why there will be no connection any more."""
        return self._connection.over

    def game(self, game: "AsyncGame | GameState | str", *, since: int | None = None) -> "LiveGame":
        """A game to play and to watch; its events are those after `since`, else after what is known of it, else all
        from the first look on."""
        if isinstance(game, str):
            return LiveGame(self, self._talk.feed(game, None, since))
        state = game if isinstance(game, GameState) else game.state
        return LiveGame(self, self._talk.feed(state.id, state, since))

    async def do(self, feed: Feed, call: Call[Played]) -> EventSeen | None:
        """A command, under a key: said again after a lost connection, done once."""
        call = call.with_key(new_key())
        fields = {**call.json, "key": call.key}
        return await self.insist(call.operation, partial(self._talk.ask, call.operation, feed, fields))

    async def watch(self, feed: Feed) -> None:
        await self.insist("watch", partial(self._talk.watch, feed))

    async def unwatch(self, feed: Feed) -> None:
        self._talk.unwatched(feed)
        await self.insist("unwatch", partial(self._talk.ask, "unwatch", feed, {}))

    async def ping(self) -> None:
        """Come back once the service has answered."""
        await self.insist("ping", partial(self._talk.ask, "ping", None, {}))

    async def insist(self, op: str, ask: Callable[..., int]) -> EventSeen | None:
        """Ask until there is an answer, the time is up, or it makes no sense to ask again."""
        attempts = self._retry.begin()
        while True:
            try:
                return await self._once(op, ask, attempts.left)
            except TwofoldError as error:
                if self._connection.over is not None:
                    raise
                pause = attempts.after(error, repeatable=True)
            await self._sleep(pause)

    async def _once(self, op: str, ask: Callable[..., int], within: float) -> EventSeen | None:
        answer: asyncio.Future[EventSeen | TwofoldError | None] = asyncio.get_running_loop().create_future()
        number: int | None = None
        try:
            async with asyncio.timeout(within), self._room:
                if self._connection.over is not None:
                    raise self._connection.over
                number = ask(answered=lambda told: None if answer.done() else answer.set_result(told))
                self._connection.send()
                told = await answer
        except TimeoutError:
            lost = self._connection.lost
            if not self._talk.greeted and lost is not None:
                raise ServerVanished(f"live {op}: {lost}") from lost
            raise SlowAnswer(f"live {op}: no answer in time") from None
        finally:
            if number is not None:
                self._talk.forget(number)
        if isinstance(told, TwofoldError):
            raise told
        return told

    async def log(self, feed: Feed) -> None:
        """Fetch what the feed lacks from the game's log."""
        page = await self._do(_game_calls.events(feed.game, feed.last or 0))
        feed.fill(page.items)

    async def __aenter__(self) -> "Live":
        await self._connection.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._connection.close()


def _plays(
    make: Callable[Concatenate[str, P], Call[Played]],
) -> Callable[Concatenate["LiveGame", P], Coroutine[Any, Any, EventSeen | None]]:
    @wraps(make)
    async def command(game: "LiveGame", /, *args: P.args, **asked: P.kwargs) -> EventSeen | None:
        asked.setdefault("version", game.feed.newest or None)
        return await game.live.do(game.feed, make(game.id, *args, **asked))

    return command


class LiveGame:
    """A game over a live connection. Commands are as those of a client's game, and answer with the event they wrote.

    `async for` gives its events, in order and each once, whatever becomes of the connection, until nothing can follow;
    to leave the loop and to come back to it loses none. Only one loop reads a game at a time.
    """

    def __init__(self, live: Live, feed: Feed) -> None:
        self.live, self.feed = live, feed

    @property
    def id(self) -> str:
        return self.feed.game

    @property
    def state(self) -> GameState:
        """The game as it was last told of; LookupError before it was."""
        if self.feed.state is None:
            raise LookupError(f"nothing is known of {self.id} yet: await its watch() first")
        return self.feed.state

    @property
    def role(self) -> str | None:
        """`player` or `spectator`, once it is watched."""
        return self.feed.role

    move = _plays(_game_calls.move)
    start = _plays(_game_calls.start)
    undo = _plays(_game_calls.undo)
    pause = _plays(_game_calls.pause)
    resume = _plays(_game_calls.resume)
    continue_ = _plays(_game_calls.continue_)
    abandon = _plays(_game_calls.abandon)

    async def watch(self) -> GameState:
        """Begin to be told of the game; a loop over it does so by itself."""
        if not self.feed.watched:
            await self.live.watch(self.feed)
        return self.state

    async def unwatch(self) -> None:
        """Be told no more; a later loop goes on where the last one was."""
        if self.feed.watched:
            await self.live.unwatch(self.feed)

    def __aiter__(self) -> "LiveGame":
        return self

    async def __anext__(self) -> EventSeen:
        feed = self.feed
        while (event := feed.take()) is None:
            if feed.ended:
                await self.unwatch()
                raise StopAsyncIteration
            if feed.error is not None:
                raise feed.error
            if feed.lacking:
                await self.live.log(feed)
            elif not feed.watched:
                await self.live.watch(feed)
            else:
                await feed.news()
        return event

    async def __aenter__(self) -> "LiveGame":
        return self

    async def __aexit__(self, *_: object) -> None:
        with suppress(TwofoldError):
            await self.unwatch()
