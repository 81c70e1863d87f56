"""A live connection: commands out of a session to the use cases, answers and events back. It decides nothing."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any

from twofold.board import Direction
from twofold.clock import MS, rfc3339
from twofold.game import Event
from twofold_service.api.addresses import Addresses
from twofold_service.api.deps import Services, is_key
from twofold_service.errors import Internal, Invalid, ServiceError, TooMany, Unauthorized
from twofold_service.usecases.live import Live
from twofold_service.usecases.values import Command, Played, Player, Told
from twofold_service.wire import frames, session
from twofold_service.wire.events import event_json
from twofold_service.wire.games import game_out, player_out
from twofold_service.wire.problems import Problem, problem

log = logging.getLogger("twofold.live")
STEP = 16


class Encoder:
    """An event's JSON, made once for the reply and for everybody who watches."""

    def __init__(self) -> None:
        self._event: Event | None = None
        self._json = self._push = b""

    def encoded(self, event: Event, *, daily: bool) -> bytes:
        if event is not self._event:
            self._json = event_json(event, daily=daily)
            self._event, self._push = event, b""
        return self._json

    def pushed(self, told: Told) -> bytes:
        encoded = self.encoded(told.event, daily=told.header.date is not None)
        self._push = self._push or session.event_push(told.header.id, encoded)
        return self._push


@dataclass(slots=True)
class Shared:
    """What all connections share."""

    services: Services
    live: Live
    addresses: Addresses
    origins: frozenset[str]
    socket_watches: int
    draining: bool = False
    told: Encoder = field(default_factory=Encoder)
    closed: Counter[int] = field(default_factory=Counter)
    faults: int = 0
    requests: "count[int]" = field(default_factory=count)


class Connection:
    """One end of the live channel.

    Text messages that came are put into `inbox`, each with the instant it did; `work` takes them as long as it may, and
    while some are left no more is to be read. `flush` hands what the session has to say to the socket; `writable` waits
    until little of it is left there.
    """

    def __init__(
        self, shared: Shared, flush: Callable[[], None], writable: Callable[[], Coroutine[Any, Any, object]]
    ) -> None:
        self._shared = shared
        self._services = shared.services
        self._flush = flush
        self._writable = writable
        self.inbox: list[tuple[bytes, int]] = []  # not a deque: an empty one takes 0.7 KiB
        self._is_behind = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._waiting = False
        self._working = False
        self._closed = False
        self.session = session.Session(shared.services.now())
        self.player: Player | None = None
        self.address = ""

    @property
    def about(self) -> dict[str, str]:
        """Whom a log line is about."""
        return {"player": "" if self.player is None else self.player.id}

    def hear_binary(self) -> None:
        self.work()  # what came before
        self._refuse_unread(frames.Unread("Frames are text, not binary."))

    def work(self) -> None:
        """Take the commands that wait, as long as answers are not too many, and have said what there is to say."""
        inbox, talk = self.inbox, self.session
        if inbox and not self._working:  # else one is answered at once, and the loop goes on by itself
            self._working = True
            taken = 0
            for message, arrived in inbox:
                if self._waiting or talk.full or talk.closing is not None:
                    break
                taken += 1
                self._take(message, arrived)
            del inbox[:taken]
            self._working = False
        was_behind, self._is_behind = self._is_behind, bool(inbox)
        if talk.out or was_behind or self._is_behind or talk.closing is not None:
            self._flush()  # be it only to read again, or no more

    def close(self) -> None:
        """The socket is gone, or as good as gone."""
        if self._closed:
            return
        self._closed = True
        for task in self._tasks:
            task.cancel()
        self._shared.live.close(self)

    def told(self, told: Told) -> None:
        if told.by is self:
            return
        self.session.push_event(told.header.id, told.event.version, self._shared.told.pushed(told))
        self._flush()

    def gone(self, game: str) -> None:
        self.session.gone(game)
        self._flush()

    def analysed(self, game: str, depth: int, progress: float) -> None:
        self.session.analysed(game, depth, progress)
        self._flush()

    def end_token(self) -> None:
        self.session.close(session.BAD_TOKEN, "this token has ended")
        self._flush()

    def _take(self, message: bytes, arrived: int) -> None:
        try:
            frame = self.session.hear(message)
        except (frames.Unread, frames.Misread) as error:
            self._refuse_unread(error)
            return
        try:
            player = self.player
            if player is None:
                self._services.rates.count_address(self.address)
            else:
                self._services.rates.count_player(player.key)
            if type(frame) is _Move:  # nearly all are
                self._play(frame, _DIRECTIONS[frame.direction], arrived)
            elif isinstance(frame, frames.GameCommand):
                self._play(frame, None, arrived)
            elif isinstance(frame, frames.Ping):
                self.session.answer(frame.id, {"server_now": rfc3339(arrived)})
            elif isinstance(frame, frames.Hello):
                self._spawn(self._greet(frame))
            elif isinstance(frame, frames.Watch):
                self._watch(frame)
            else:
                self._shared.live.unwatch(self, frame.game)
                self.session.end_watch(frame.game)
                self.session.answer(frame.id, {})
        except ServiceError as error:
            self.session.refuse(frame.id, self.problem(error))

    def _refuse_unread(self, error: frames.Unread | frames.Misread) -> None:
        self.session.refuse_unread(error.id, self.problem(error))

    def _play(self, frame: frames.Move | frames.GameCommand, direction: Direction | None, arrived: int) -> None:
        if self.player is None:
            raise Unauthorized("Commands need a token in hello.")
        if frame.key is not None and not is_key(frame.key):
            raise Invalid(errors=[(("key",), "a key has 1 to 64 printable ASCII characters")])
        command = Command(frame.op, frame.game, arrived, self.player, direction, frame.version, frame.key, self)
        self._services.play.play(command, partial(self._played, frame.id, command))

    def _played(self, id_: int | str, command: Command, outcome: Played | Exception) -> None:
        if not isinstance(outcome, Exception) and outcome.event is not None:
            self._shared.live.attend(self, command.game)
        if self._closed:
            return
        if isinstance(outcome, Exception):
            self.session.refuse(id_, self.problem(outcome))
        else:
            self._answer_played(id_, command, outcome)
        if self.inbox or self._is_behind:
            self.work()
        else:
            self._flush()

    def _answer_played(self, id_: int | str, command: Command, played: Played) -> None:
        event = played.event
        encoded = b"null" if event is None else self._shared.told.encoded(event, daily=played.header.date is not None)
        moved = (b'{"moved":true,' if event else b'{"moved":false,') if command.op == "move" else b"{"
        ok = b"".join((moved, b'"event":', encoded, b',"replayed":true}' if played.replayed else b"}"))
        if event is None or played.replayed:
            self.session.answer_encoded(id_, ok)
        else:
            self.session.answer_event(id_, command.game, event.version, ok)

    # commands that wait for storage; those that came after them wait too

    async def _greet(self, hello: frames.Hello) -> None:
        try:
            if hello.token is not None:
                players = self._services.players
                player = players.known(hello.token) or await players.by_token(hello.token)
                self._shared.live.greet(self, player)
        except Unauthorized as error:
            self.session.refuse(hello.id, self.problem(error))
            self.session.close(session.BAD_TOKEN, "this token is not known")
        except Exception as error:
            self.session.refuse(hello.id, self.problem(error))
        else:
            self.session.greeted = True
            self.session.answer(hello.id, self._welcome())

    def _welcome(self) -> frames.HelloOk:
        return {
            "player": None if self.player is None else player_out(self.player),
            "protocol": session.PROTOCOL,
            "server_now": rfc3339(self._services.now()),
            "ping_ms": session.PING_EVERY // MS,
            "limits": {
                "frame_bytes": session.LARGEST_FRAME,
                "unanswered": session.MOST_UNANSWERED,
                "watches": self._shared.socket_watches,
            },
        }

    def _watch(self, frame: frames.Watch) -> None:
        if not self.session.may_watch(frame.game, self._shared.socket_watches):
            raise TooMany(f"One socket watches at most {self._shared.socket_watches} games.")
        self.session.begin_watch(frame.game)
        self._spawn(self._begin_watching(frame))

    async def _begin_watching(self, frame: frames.Watch) -> None:
        try:
            watched = await self._shared.live.watch(self, frame.game, frame.since)
        except Exception as error:
            self._shared.live.unwatch(self, frame.game)
            self.session.end_watch(frame.game)
            self.session.refuse(frame.id, self.problem(error))
            return
        version = watched.view.game.version
        if watched.missed is None:
            game = game_out(watched.view, self._services.now())
            self.session.answer_watch(
                frame.id, frame.game, version, {"recovered": False, "role": watched.role, "game": game}
            )
        else:
            self.session.answer_watch(frame.id, frame.game, frame.since or 0, {"recovered": True, "role": watched.role})
            await self._tell_missed(frame.game, watched.missed, daily=watched.view.header.date is not None)
        self.session.caught_up(frame.game, version)

    async def _tell_missed(self, game: str, missed: list[Event], *, daily: bool) -> None:
        """Tell events from the log, no faster than they are taken."""
        for event in missed:
            self.session.missed(game, event.version, session.event_push(game, event_json(event, daily=daily)))
            if len(self.session.out) >= STEP:
                self._flush()
                await self._writable()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        async def then_work() -> None:
            try:
                await work
            finally:
                self._waiting = False
            self.work()

        self._waiting = True

        task = asyncio.create_task(then_work())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: work.close())  # a task that is cancelled early never comes to it

    def problem(self, error: Exception) -> Problem:
        request = f"ws{next(self._shared.requests):x}"
        if not isinstance(error, ServiceError):
            self._shared.faults += 1
            log.error("a live command failed", exc_info=error, extra={"request": request, **self.about})
            error = Internal()
        return problem(error, request, self._services.now())


_Move = frames.Move
_DIRECTIONS = {way.value: way for way in Direction}
