"""The client that waits for its answers, and its games."""

import time
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from types import TracebackType
from typing import Concatenate, ParamSpec, TypeVar

import httpx

from twofold.game import Status
from twofold_client import _calls, _game_calls
from twofold_client._call import Call
from twofold_client._pages import Pages
from twofold_client._retry import Retry
from twofold_client._wire import DEFAULT_URL, LIMITS, Body, Wire, answer, failures, new_key
from twofold_client.errors import Refused, StaleVersion, TwofoldError
from twofold_client.standings import Page
from twofold_client.values import EventSeen, GameState, NewPlayer, Played, Player

Answer = TypeVar("Answer")
Item = TypeVar("Item")
P = ParamSpec("P")


def _answers(make: Callable[P, Call[Answer]]) -> Callable[Concatenate["Client", P], Answer]:
    @wraps(make)
    def method(client: "Client", /, *args: P.args, **asked: P.kwargs) -> Answer:
        return client.do(make(*args, **asked))

    return method


def _lists(make: Callable[P, Call[Page[Item]]]) -> Callable[Concatenate["Client", P], Pages[Item]]:
    @wraps(make)
    def method(client: "Client", /, *args: P.args, **asked: P.kwargs) -> Pages[Item]:
        return Pages(client.do, make(*args, **asked))

    return method


def _opens(make: Callable[P, Call[GameState]]) -> Callable[Concatenate["Client", P], "Game"]:
    @wraps(make)
    def method(client: "Client", /, *args: P.args, **asked: P.kwargs) -> "Game":
        return Game(client, client.do(make(*args, **asked)))

    return method


class Client:
    """A player's, or a reader's, end of a service. What may pass is tried again by itself, and never done twice."""

    def __init__(
        self,
        url: str = DEFAULT_URL,
        token: str | None = None,
        *,
        timeout: float = 10.0,
        retry: Retry | None = None,
        http: httpx.Client | None = None,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        """`timeout` is for one attempt, `retry.deadline` for all; an `http` that is handed in stays open."""
        self._wire = Wire(url, token, timeout)
        self._retry = retry or Retry()
        self._http, self._owned = http or httpx.Client(limits=LIMITS), http is None
        self._sleep = sleep

    @property
    def url(self) -> str:
        return self._wire.url

    @property
    def token(self) -> str | None:
        """Keep it: it is all that makes you the player."""
        return self._wire.token

    def do(self, call: Call[Answer]) -> Answer:
        """Make a call and read its answer; `error.call` of a failed one can be done again, under the same key."""
        call, attempts = call.with_key(new_key()), self._retry.begin()
        while True:
            try:
                with failures(call):
                    body = Body(attempts)
                    with self._http.stream(**self._wire.request(call, attempts.left)) as response:
                        for chunk in response.iter_bytes():
                            body.take(chunk)
                    return answer(call, response, body.content)
            except TwofoldError as error:
                pause = attempts.after(error, repeatable=call.repeatable)
            self._sleep(pause)

    def join(self, name: str | None = None, *, bot: bool = False) -> Player:
        """Become a new player; this client has its token from now on. A program says that it is a `bot`, for good."""
        return self._become(_calls.create_player(name, bot=bot))

    def use_link(self, code: str) -> Player:
        """Become the player who made the code; this client has a token of its own from now on."""
        return self._become(_calls.use_link(code))

    def change_token(self, others: bool = False) -> str:
        """Go on under a new token; `others` ends all other devices' at once."""
        self._wire.token = self.do(_calls.create_token(others))
        return self._wire.token

    def _become(self, call: Call[NewPlayer]) -> Player:
        made = self.do(call)
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

    def close(self) -> None:
        if self._owned:
            self._http.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _plays(make: Callable[Concatenate[str, P], Call[Played]]) -> Callable[Concatenate["Game", P], EventSeen | None]:
    @wraps(make)
    def command(game: "Game", /, *args: P.args, **asked: P.kwargs) -> EventSeen | None:
        asked.setdefault("version", game.state.version)
        return game.play(make(game.id, *args, **asked))

    return command


def _reads(make: Callable[Concatenate[str, P], Call[Answer]]) -> Callable[Concatenate["Game", P], Answer]:
    @wraps(make)
    def method(game: "Game", /, *args: P.args, **asked: P.kwargs) -> Answer:
        return game.client.do(make(game.id, *args, **asked))

    return method


class Game:
    """A game as last seen. Commands are for the version seen, unless told another, or None for any; each answers
    with the event it wrote, None for a move that changed nothing."""

    def __init__(self, client: Client, state: GameState) -> None:
        self.client, self.state = client, state

    @property
    def id(self) -> str:
        return self.state.id

    def play(self, call: Call[Played]) -> EventSeen | None:
        """Do a command and see what came of it; a stale version shows how the game stands."""
        try:
            played = self.client.do(call)
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

    def events(self, after: int = 0) -> Pages[EventSeen]:
        """The log after a version."""
        return self.client.events(self.id, after)

    def refresh(self) -> GameState:
        """See how the game stands now."""
        self._see(self.client.do(_game_calls.game(self.id)))
        return self.state

    def _see(self, state: GameState | None) -> None:
        if state is not None and state.version >= self.state.version:
            self.state = state

    def __enter__(self) -> "Game":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        """Leaving a game whose time runs pauses it; any other is left as it is."""
        if self.state.status is Status.RUNNING and self.state.clock.limit_ms is not None:
            with suppress(Refused if kind is None else TwofoldError):
                self.pause(version=None)
