"""Play: one command on one game, from its arrival to the answer after the commit."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from twofold import errors as rules
from twofold.game import Cause, Event, EventType, Game, Status
from twofold_service.errors import (
    Draining,
    KeyReused,
    NotFound,
    RuleRefused,
    ServiceError,
    StaleVersion,
    StorageFull,
    StorageUnavailable,
)
from twofold_service.usecases import logs
from twofold_service.usecases.ports import (
    Append,
    Bus,
    Command,
    GameStore,
    KeyConflict,
    LogStore,
    Now,
    Played,
    Told,
    UsedKey,
    VersionConflict,
)
from twofold_service.usecases.rooms import Room, Rooms, check_owner

log = logging.getLogger("twofold.play")
Answer = Callable[[Played | Exception], None]


class Play:
    """Takes commands on the event loop and answers each exactly once, by calling back."""

    def __init__(self, rooms: Rooms, games: GameStore, log_store: LogStore, bus: Bus, now: Now, process: str) -> None:
        self._rooms = rooms
        self._games = games
        self._logs = log_store
        self._bus = bus
        self._now = now
        self._process = process
        self._tasks: set[asyncio.Task[None]] = set()
        self.watch_clock: Callable[[Room], None] = lambda room: None
        self.look_at_clock: Callable[[int], None] = lambda now: None
        self.settle_soon: Callable[[str], None] = lambda game: None
        self.in_flight = 0
        self.draining = False
        self._settled: asyncio.Future[None] | None = None
        self._unavailable_at = 0
        self._refused: dict[str, Command] = {}
        self.answered = 0
        self.refused = 0

    def play(self, command: Command, answer: Answer) -> None:
        """Carry out a command in its turn; `answer` gets what came of it, or the exception that says why not."""
        if command.op != "outage":
            self.look_at_clock(command.at)
        if command.player is not None and self.draining:
            answer(Draining())
            return
        self.in_flight += 1
        room = self._rooms.get(command.game)
        if room is None:
            self._spawn(self._open_and_play(command, answer), answer)
        elif room.busy or room.waiting:
            room.waiting.append(partial(self._turn, room, command, answer))
        else:
            self._turn(room, command, answer)

    def insist(self, command: Command) -> None:
        """Carry out a pause of the service's own; where storage refuses it, before all else that is written there."""

        def answer(outcome: Played | Exception) -> None:
            if isinstance(outcome, StorageUnavailable | StorageFull):
                self._refused.setdefault(command.game, command)
                self.settle_soon(command.game)
            elif isinstance(outcome, Exception) and not isinstance(outcome, NotFound):
                log.warning("game %s could not be paused: %r", command.game, outcome)

        self.play(command, answer)

    def insists(self, game: str) -> bool:
        """Whether storage has still to take a pause of this game."""
        return game in self._refused

    async def played(self, command: Command) -> Played:
        """The same for one who can wait."""
        done: asyncio.Future[Played] = asyncio.get_running_loop().create_future()

        def answer(outcome: Played | Exception) -> None:
            if done.cancelled():
                return
            if isinstance(outcome, Exception):
                done.set_exception(outcome)
            else:
                done.set_result(outcome)

        self.play(command, answer)
        return await done

    async def settled(self, within: float) -> None:
        """Return when no command is in flight any more, or after so many seconds."""
        if self.in_flight:
            self._settled = asyncio.get_running_loop().create_future()
            await asyncio.wait({self._settled}, timeout=within)

    def _turn(self, room: Room, command: Command, answer: Answer) -> None:
        """Decide now, from memory; whatever needs storage first goes on in a task that keeps the room busy."""
        if command.player is not None and command.at < self._unavailable_at:
            self._finish(answer, StorageUnavailable())  # it has waited in vain already, behind others of the room
            return
        if room.gone:
            self.in_flight -= 1
            self.play(command, answer)
            return
        try:
            _check_caller(room, command)
            owed = self._owed_by(room, command.at)
            if owed is not None:
                self._write(room, owed, None, partial(self._turn_again, room, command, answer))
                return
            event = _decide(room, command)
        except rules.PositionForgotten:
            self._hold(room, self._remember(room, command, answer), answer)
        except (rules.Refusal, StaleVersion) as refused:
            refusal = RuleRefused(refused) if isinstance(refused, rules.Refusal) else refused
            if command.key is None:
                self._finish(answer, refusal)
            else:
                self._hold(room, self._look_up_key(room, command, answer, refusal), answer)
        except ServiceError as error:
            self._finish(answer, error)
        else:
            self._accept(room, command, event, answer)

    def _owed_by(self, room: Room, at: int) -> Event | None:
        """What is to be written before a command that arrived at an instant: what storage refused, then what is due."""
        refused = self._refused.get(room.header.id)
        if refused is not None:
            event = owed_by(room, refused.at) or _OPS[refused.op](room.game, refused)
            if event is not None:
                return event
            del self._refused[room.header.id]
        return owed_by(room, at)

    def _accept(self, room: Room, command: Command, event: Event | None, answer: Answer) -> None:
        key = None if command.key is None else (command.key, _use_of(command, event))
        if event is None and command.player is not None:
            room.touched = max(room.touched, command.at)
        if event is None and key is None:
            self._finish(answer, Played(None, room.view))
            return
        self._write(room, event, key, partial(self._answer_written, room, command, event, answer), command.by)

    def _write(
        self,
        room: Room,
        event: Event | None,
        key: tuple[str, UsedKey] | None,
        then: Callable[[Exception | None], None],
        by: object = None,
    ) -> None:
        """Append an event, and bring the room up to it once it is committed."""
        room.busy = True
        whole = event is not None and (
            event.type is not EventType.MOVE or event.game.status is not Status.RUNNING or room.keeper != self._process
        )

        def done(error: Exception | None) -> None:
            room.busy = False
            if error is None and event is not None:
                self.advance(room, event, by)
            elif error is not None and not isinstance(error, KeyConflict):
                if isinstance(error, StorageUnavailable):
                    self._unavailable_at = self._now()
                self._rooms.forget(room)
            then(error)
            room.next_turn()

        at = self._now() if event is None else event.game.at
        self._games.append(Append(room.header, room.game, event, whole, key, at, done))

    def advance(self, room: Room, event: Event, by: object) -> None:
        """Bring a room up to an event that is committed, and tell those who watch."""
        room.game = event.game
        room.keeper = self._process
        if event.game.peak_score > room.best.score:
            room.best.score = event.game.peak_score
        if event.game.clock.running and not room.timed:
            self.watch_clock(room)
        self._bus.tell(Told(room.header, event, by))

    def _answer_written(
        self, room: Room, command: Command, event: Event | None, answer: Answer, error: Exception | None
    ) -> None:
        if error is None:
            self._finish(answer, Played(event, room.view))
        elif isinstance(error, KeyConflict):
            self._hold(room, self._look_up_key(room, command, answer, None), answer)
        else:
            self._turn_again(room, command, answer, error)

    def _turn_again(self, room: Room, command: Command, answer: Answer, error: Exception | None) -> None:
        """After a write that was not the command's own, or that storage had overtaken."""
        if error is None:
            self._turn(room, command, answer)
        elif isinstance(error, VersionConflict):
            self.in_flight -= 1
            self.play(command, answer)
        else:
            self._finish(answer, error)

    async def _open_and_play(self, command: Command, answer: Answer) -> None:
        room = await self._rooms.open(command.game)
        self.in_flight -= 1
        if room.game.clock.running and not room.timed:
            self.watch_clock(room)
        self.play(command, answer)

    async def _remember(self, room: Room, command: Command, answer: Answer) -> Callable[[], None]:
        """For an undo that reaches back further than memory does: read on, then take the turn again."""
        history = await logs.positions_before(self._logs, room.header.id, room.game.position)
        room.game = room.game._replace(history=history)
        return partial(self._turn, room, command, answer)

    async def _look_up_key(
        self, room: Room, command: Command, answer: Answer, refusal: ServiceError | None
    ) -> Callable[[], None]:
        """Answer what the key was used for before; `refusal` where it was not."""
        assert command.key is not None
        used = await self._logs.used_key(room.header.key, command.key)
        if used is None:
            return partial(self._finish, answer, refusal or KeyReused())
        if used[:3] != (command.op, command.direction, command.version):
            return partial(self._finish, answer, KeyReused("This key was used for another command of this game."))
        event, version = None, used.event_version
        if version is not None:
            event = await anext(logs.events(self._logs, room.header.id, version - 1, version))
        return partial(self._finish, answer, Played(event, room.view, replayed=True))

    def _hold(self, room: Room, work: Coroutine[Any, Any, Callable[[], None]], answer: Answer) -> None:
        """Keep the room busy while a task reads what the turn needs; then do what the reading says."""

        async def alone() -> None:
            try:
                go_on = await work
            except Exception:  # answered where the task ends; those who wait have their turns all the same
                room.busy = False
                room.next_turn()
                raise
            room.busy = False
            go_on()
            room.next_turn()

        room.busy = True
        self._spawn(alone(), answer)

    def _spawn(self, work: Coroutine[Any, Any, None], answer: Answer) -> None:
        async def answered() -> None:
            try:
                await work
            except ServiceError as error:
                self._finish(answer, error)
            except Exception as error:
                log.exception("a command failed")
                self._finish(answer, error)

        task = asyncio.create_task(answered())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _finish(self, answer: Answer, outcome: Played | Exception) -> None:
        self.in_flight -= 1
        if not self.in_flight and self._settled is not None and not self._settled.done():
            self._settled.set_result(None)
        self.answered += 1
        if isinstance(outcome, Exception):
            self.refused += 1
        answer(outcome)


def owed_by(room: Room, at: int) -> Event | None:
    """What the server itself has to write before a command that arrived at an instant: time up, idle, reveal."""
    game, reveals_at = room.game, room.header.reveals_at
    if reveals_at is None or at < reveals_at:
        return game.due(at, room.touched)
    return game.due(reveals_at, room.touched) or (None if game.final else game.abandon(reveals_at, Cause.REVEAL))


def _check_caller(room: Room, command: Command) -> None:
    if command.player is not None:
        check_owner(room.header, command.player)


def _decide(room: Room, command: Command) -> Event | None:
    """The event a command makes on the game as it stands, None for none; Refusal, StaleVersion."""
    game, reveals_at = room.game, room.header.reveals_at
    if command.version is not None and command.version != game.version:
        stale = StaleVersion(f"The game is at version {game.version}, you saw {command.version}.")
        stale.game = room.view
        raise stale
    if reveals_at is not None and command.at >= reveals_at and command.player is not None:
        raise rules.GameOver
    return _OPS[command.op](game, command)


def _use_of(command: Command, event: Event | None) -> UsedKey:
    direction = None if command.direction is None else command.direction.value
    return UsedKey(command.op, direction, command.version, None if event is None else event.version)


def _move(game: Game, command: Command) -> Event | None:
    assert command.direction is not None
    return game.move(command.direction, command.at)


def _disconnect(game: Game, command: Command) -> Event | None:
    timed = game.rules.time_limit_ms is not None and game.status is Status.RUNNING
    return game.pause(command.at, Cause.DISCONNECT) if timed else None


def _outage(game: Game, command: Command) -> Event | None:
    return game.pause(command.at, Cause.OUTAGE) if game.status is Status.RUNNING else None


_OPS: dict[str, Callable[[Game, Command], Event | None]] = {
    "move": _move,
    "start": lambda game, command: game.start(command.at),
    "undo": lambda game, command: game.undo(command.at),
    "pause": lambda game, command: game.pause(command.at),
    "resume": lambda game, command: game.resume(command.at),
    "continue": lambda game, command: game.go_on(command.at),
    "abandon": lambda game, command: game.abandon(command.at),
    "settle": lambda game, command: None,
    "disconnect": _disconnect,
    "outage": _outage,
}
