"""The client whose answers are awaited, and its games: the twin of client.py."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import suppress
from functools import wraps
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, TypeVar

import httpx

from twofold.game import Status
from twofold_client import _calls, _game_calls
from twofold_client._call import Call
from twofold_client._pages import AsyncPages
from twofold_client._retry import Retry
from twofold_client._wire import DEFAULT_URL, LIMITS, Body, Wire, answer, failures, new_key
from twofold_client.errors import Refused, StaleVersion, TwofoldError
from twofold_client.live import Live
from twofold_client.standings import Page
from twofold_client.values import EventSeen, GameState, NewPlayer, Played, Player

Answer = TypeVar("Answer")
Item = TypeVar("Item")
P = ParamSpec("P")
Soon = Coroutine[Any, Any, Answer]


def _answers(make: Callable[P, Call[Answer]]) -> Callable[Concatenate["AsyncClient", P], Soon[Answer]]:
    @wraps(make)
    async def method(client: "AsyncClient", /, *args: P.args, **asked: P.kwargs) -> Answer:
        return await client.do(make(*args, **asked))

    return method


def _lists(make: Callable[P, Call[Page[Item]]]) -> Callable[Concatenate["AsyncClient", P], AsyncPages[Item]]:
    @wraps(make)
    def method(client: "AsyncClient", /, *args: P.args, **asked: P.kwargs) -> AsyncPages[Item]:
        return AsyncPages(client.do, make(*args, **asked))

    return method


def _opens(make: Callable[P, Call[GameState]]) -> Callable[Concatenate["AsyncClient", P], "Opening"]:
    @wraps(make)
    def method(client: "AsyncClient", /, *args: P.args, **asked: P.kwargs) -> "Opening":
        return Opening(client, make(*args, **asked))

    return method


class AsyncClient:
    """A player's, or a reader's, end of a service. What may pass is tried again by itself, and never done twice."""

    def __init__(
        self,
        url: str = DEFAULT_URL,
        token: str | None = None,
        *,
        timeout: float = 10.0,
        retry: Retry | None = None,
        http: httpx.AsyncClient | None = None,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        """`timeout` is for one attempt, `retry.deadline` for all; an `http` that is handed in stays open."""
        self._wire = Wire(url, token, timeout)
        self._retry = retry or Retry()
        self._http, self._owned = http or httpx.AsyncClient(limits=LIMITS), http is None
        self._sleep = sleep

    @property
    def url(self) -> str:
        return self._wire.url

    @property
    def token(self) -> str | None:
        """Keep it: it is all that makes you the player."""
        return self._wire.token

    async def do(self, call: Call[Answer]) -> Answer:
        """Make a call and read its answer; `error.call` of a failed one can be done again, under the same key."""
        call, attempts = call.with_key(new_key()), self._retry.begin()
        while True:
            try:
                with failures(call):
                    body = Body(attempts)
                    async with self._http.stream(**self._wire.request(call, attempts.left)) as response:
                        async for chunk in response.aiter_bytes():
                            body.take(chunk)
                    return answer(call, response, body.content)
            except TwofoldError as error:
                pause = attempts.after(error, repeatable=call.repeatable)
            await self._sleep(pause)

    async def join(self, name: str | None = None, *, bot: bool = False) -> Player:
        """Become a new player; this client has its token from now on. A program says that it is a `bot`, for good."""
        return await self._become(_calls.create_player(name, bot=bot))

    async def use_link(self, code: str) -> Player:
        """Become the player who made the code; this client has a token of its own from now on."""
        return await self._become(_calls.use_link(code))

    async def change_token(self, others: bool = False) -> str:
        """Go on under a new token; `others` ends all other devices' at once."""
        self._wire.token = await self.do(_calls.create_token(others))
        return self._wire.token

    async def _become(self, call: Call[NewPlayer]) -> Player:
        made = await self.do(call)
        self._wire.token = made.token
        return made.player

    me = _answers(_calls.me)
    rename = _answers(_calls.rename)
    delete_me = _answers(_calls.delete_me)
    create_link = _answers(_calls.create_link)
    records = _answers(_calls.records)
    modes = _answers(_calls.modes)
    slides = _answers(_calls.slides)
    many_slides = _answers(_calls.many_slides)
    hint = _answers(_calls.hint)
    new_game = _opens(_game_calls.new_game)
    game = _opens(_game_calls.game)
    games = _lists(_game_calls.games)
    events = _lists(_game_calls.events)
    record = _answers(_game_calls.record)
    raw_rows = _answers(_game_calls.raw_rows)
    picture = _answers(_game_calls.picture)
    verify = _answers(_game_calls.verify)
    game_hint = _answers(_game_calls.game_hint)
    analysis = _answers(_game_calls.analysis)
    today = _answers(_calls.today)
    daily = _answers(_calls.daily)
    results = _lists(_calls.results)
    compare = _answers(_calls.compare)
    leaderboard = _lists(_calls.leaderboard)
    health = _answers(_calls.health)
    readiness = _answers(_calls.readiness)
    metrics = _answers(_calls.metrics)

    def live(self) -> Live:
        """A live connection, opened by `async with`: one for many games."""
        return Live(self._wire, self._retry, self.do, self._sleep)

    async def close(self) -> None:
        if self._owned:
            await self._http.aclose()

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _plays(
    make: Callable[Concatenate[str, P], Call[Played]],
) -> Callable[Concatenate["AsyncGame", P], Soon[EventSeen | None]]:
    @wraps(make)
    async def command(game: "AsyncGame", /, *args: P.args, **asked: P.kwargs) -> EventSeen | None:
        asked.setdefault("version", game.state.version)
        return await game.play(make(game.id, *args, **asked))

    return command


def _reads(make: Callable[Concatenate[str, P], Call[Answer]]) -> Callable[Concatenate["AsyncGame", P], Soon[Answer]]:
    @wraps(make)
    async def method(game: "AsyncGame", /, *args: P.args, **asked: P.kwargs) -> Answer:
        return await game.client.do(make(game.id, *args, **asked))

    return method


class AsyncGame:
    """A game as last seen. Commands are for the version seen, unless told another, or None for any; each answers
    with the event it wrote, None for a move that changed nothing."""

    def __init__(self, client: AsyncClient, state: GameState) -> None:
        self.client, self.state = client, state

    @property
    def id(self) -> str:
        return self.state.id

    async def play(self, call: Call[Played]) -> EventSeen | None:
        """Do a command and see what came of it; a stale version shows how the game stands."""
        try:
            played = await self.client.do(call)
        except StaleVersion as stale:
            self._see(stale.game)
            raise
        self._see(played.game)
        return played.event

    move = _plays(_game_calls.move)
    start = _plays(_game_calls.start)
    undo = _plays(_game_calls.undo)
    pause = _plays(_game_calls.pause)
    resume = _plays(_game_calls.resume)
    continue_ = _plays(_game_calls.continue_)
    abandon = _plays(_game_calls.abandon)
    record = _reads(_game_calls.record)
    picture = _reads(_game_calls.picture)
    hint = _reads(_game_calls.game_hint)
    analysis = _reads(_game_calls.analysis)

    def events(self, after: int = 0) -> AsyncPages[EventSeen]:
        """The log after a version."""
        return self.client.events(self.id, after)

    async def refresh(self) -> GameState:
        """See how the game stands now."""
        self._see(await self.client.do(_game_calls.game(self.id)))
        return self.state

    def _see(self, state: GameState | None) -> None:
        if state is not None and state.version >= self.state.version:
            self.state = state

    async def __aenter__(self) -> "AsyncGame":
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        """Leaving a game whose time runs pauses it; any other is left as it is."""
        if self.state.status is Status.RUNNING and self.state.clock.limit_ms is not None:
            with suppress(Refused if kind is None else TwofoldError):
                await self.pause(version=None)


class Opening:
    """A game that is being opened: to be awaited, or entered by `async with`."""

    def __init__(self, client: AsyncClient, call: Call[GameState]) -> None:
        self._client, self._call = client, call

    def __await__(self) -> Generator[Any, None, AsyncGame]:
        return self._open().__await__()

    async def _open(self) -> AsyncGame:
        return AsyncGame(self._client, await self._client.do(self._call))

    async def __aenter__(self) -> AsyncGame:
        self._game = await self._open()
        return self._game

    async def __aexit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        await self._game.__aexit__(kind, error, trace)
