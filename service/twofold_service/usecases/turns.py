"""Turns: the commands on one game, one after the other; each is decided from memory, written, answered."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from twofold import errors as rules
from twofold.clock import SECOND
from twofold.game import Event, EventType
from twofold_service.errors import KeyReused, RuleRefused, ServiceError, StaleVersion, StorageUnavailable
from twofold_service.usecases import logs
from twofold_service.usecases.decisions import decide, is_keepers, is_plain, owed_by, owed_from, pause_owed, use_of
from twofold_service.usecases.ports import Append, Bus, GameStore, KeyConflict, LogStore, Now, VersionConflict
from twofold_service.usecases.rooms import Room, Rooms, refuse_other
from twofold_service.usecases.values import Command, Played, Told, UsedKey

log = logging.getLogger("twofold.play")
KEEPER_STEP = SECOND // 10
KEEPER_WITHIN = 6 * SECOND
Answer = Callable[[Played | Exception], None]
_MOVE = EventType.MOVE  # a member is looked up slowly in its class


class Turns:
    """What the turns of all rooms share: rooms and logs to read, the journal that writes, the bus that tells.

    `watch_clock` is called with a room whose clock has begun to run, `finished` with what came of each command. Where
    other processes write to the same games, `catch_up` brings a room that is kept busy up to storage. `unavailable_at`
    is when storage was last found unavailable.
    """

    def __init__(self, rooms: Rooms, games: GameStore, log_store: LogStore, bus: Bus, now: Now, process: str) -> None:
        self._rooms = rooms
        self.games = games
        self._logs = log_store
        self._bus = bus
        self.now = now
        self.process = process
        self._tasks: set[asyncio.Task[None]] = set()
        self.unavailable_at = 0
        self._put_off: dict[str, Command] = {}
        self.watch_clock: Callable[[Room], None] = lambda room: None
        self.finished: Callable[[str, Played | Exception], None] = lambda op, outcome: None
        self.catch_up: Callable[[Room], Awaitable[None]] | None = None

    def put_off(self, pause: Command) -> None:
        """Storage refused a pause of the service's own: it comes before all else that is written to its game."""
        self._put_off.setdefault(pause.game, pause)
        room = self._rooms.peek(pause.game)
        if room is not None:
            room.owed_from = 0

    def has_put_off(self, game: str) -> bool:
        return game in self._put_off

    def advance(self, room: Room, event: Event, by: object) -> None:
        """Bring a room up to an event that is committed, and tell those who watch."""
        game = room.game = event.game
        room.keeper = self.process
        if event.type is not _MOVE:  # a move only puts off what is owed; all else may start a clock
            room.owed_from = 0
        if game.peak_score > room.best.score:
            room.best.score = game.peak_score
        if not room.timed and game.clock.running:
            self.watch_clock(room)
        self._bus.tell(Told(room.header, event, by))

    def seat(self, turn: "Turn") -> None:
        """Let a turn come, now or after those that wait for the same room."""
        room = self._rooms.get(turn.command.game)
        if room is None:
            self.spawn(self._open(turn), turn)
            return
        turn.room = room
        if room.busy or room.waiting:
            room.waiting.append(turn.take)
        else:
            turn.take()

    def owed_by(self, room: Room, at: int) -> Event | None:
        """What is to be written before a command that arrived at an instant: what storage refused, then what is due."""
        if self._put_off and (refused := self._put_off.get(room.header.id)) is not None:
            event = owed_by(room, refused.at) or pause_owed(room, refused)
            if event is not None:
                return event
            del self._put_off[room.header.id]
        event = owed_by(room, at)
        if event is None:
            room.owed_from = owed_from(room)
        return event

    def is_for_another(self, room: Room, owed: Event) -> bool:
        """Whether another process keeps the game, which alone writes what its clock owes, or is soon found dead."""
        return self.catch_up is not None and room.keeper != self.process and is_keepers(owed)

    async def await_keeper(self, turn: "Turn") -> None:
        """Give a game's keeper, or those who find it dead, a moment; then the room is read again for the turn."""
        if self.now() - turn.command.at > KEEPER_WITHIN:
            raise StorageUnavailable("The process that keeps this game has not written what its clock owes; try again.")
        await asyncio.sleep(KEEPER_STEP / SECOND)
        if not turn.room.busy:
            self._rooms.forget(turn.room)
        self.seat(turn)

    def not_written(self, room: Room, error: Exception) -> None:
        """Storage has refused, and may have what memory has not: the room is read again."""
        if isinstance(error, StorageUnavailable):
            self.unavailable_at = self.now()
        self._rooms.forget(room)

    async def earlier(self, room: Room) -> None:
        """Remember positions further back than memory does."""
        history = await logs.positions_before(self._logs, room.header.id, room.game.position)
        room.game = room.game._replace(history=history)

    async def used_key(self, room: Room, key: str) -> tuple[UsedKey, Event | None] | None:
        """What the key was used for in this game before, and the event that came of it."""
        used = await self._logs.used_key(room.header.key, key)
        if used is None or used.event_version is None:
            return None if used is None else (used, None)
        version = used.event_version
        return used, await anext(logs.events(self._logs, room.header.id, version - 1, version))

    def spawn(self, work: Coroutine[Any, Any, None], turn: "Turn") -> None:
        """Do what a turn needs in a task; where that fails, so does the turn."""

        async def answered() -> None:
            try:
                await work
            except ServiceError as error:
                turn.finish(error)
            except Exception as error:
                log.exception("a command failed", extra={"game": turn.command.game})
                turn.finish(error)

        task = asyncio.create_task(answered())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _open(self, turn: "Turn") -> None:
        room = await self._rooms.open(turn.command.game)
        if room.game.clock.running and not room.timed and room.keeper == self.process:
            self.watch_clock(room)
        self.seat(turn)


class Turn(Append):
    """A command's turn in its room: decided from memory, written, answered.

    Only one turn of a room writes at a time. What is owed to the game is written before the command's own event.
    """

    __slots__ = ("_answer", "_has_looked", "_is_own", "_turns", "command", "room")

    def __init__(self, turns: Turns, command: Command, answer: Answer) -> None:
        self._turns = turns
        self._answer = answer
        self._has_looked = False
        self._is_own = False
        self.command = command
        self.room: Room

    def take(self) -> None:
        """Decide now; whatever needs storage first goes on in a task that keeps the room busy."""
        room, command, turns = self.room, self.command, self._turns
        if command.at < turns.unavailable_at and command.player is not None:
            self.finish(StorageUnavailable())  # it has waited in vain already, behind others of the room
            return
        if room.gone:
            turns.seat(self)
            return
        try:
            if command.player is not None and command.player.key != room.header.player.key:
                refuse_other(room.header)
            owed = None if command.at < room.owed_from else turns.owed_by(room, command.at)
            event = decide(room, command) if owed is None else owed
        except rules.PositionForgotten:
            self._hold(self._remember())
        except (rules.Refusal, StaleVersion) as refused:
            refusal = RuleRefused(refused) if isinstance(refused, rules.Refusal) else refused
            if self._looks_first():
                pass
            elif command.key is None:
                self.finish(refusal)
            else:
                self._hold(self._look_up_key(command.key, refusal))
        except ServiceError as error:
            self.finish(error)
        else:
            if owed is not None:
                self._write_owed(owed)
            elif event is not None:
                self._write(event, command.key, is_own=True)
            elif not self._looks_first():
                self._do_nothing()

    def done(self, error: Exception | None) -> None:
        """The commit was made, or failed."""
        room, event = self.room, self.event
        room.busy = False
        if error is None:
            if event is not None:
                self._turns.advance(room, event, self.command.by)
            if self._is_own:
                self.finish(Played(event, room.header, room.game, room.best.score))
            else:
                self.take()
        elif isinstance(error, KeyConflict):
            assert self.command.key is not None
            self._hold(self._look_up_key(self.command.key, None))
        else:
            self._turns.not_written(room, error)
            if isinstance(error, VersionConflict):
                self._turns.seat(self)
            else:
                self.finish(error)
        if room.waiting:
            room.next_turn()

    def _answer_with(self, event: Event | None) -> None:
        room = self.room
        self.finish(Played(event, room.header, room.game, room.best.score))

    def finish(self, outcome: Played | Exception) -> None:
        """Answer, once."""
        self._turns.finished(self.command.op, outcome)
        self._answer(outcome)

    def _do_nothing(self) -> None:
        if self.command.key is not None:
            self._write(None, self.command.key, is_own=True)
        else:
            self._touch()
            self._answer_with(None)

    def _write_owed(self, owed: Event) -> None:
        if self.command.op == "outage" or not self._turns.is_for_another(self.room, owed):
            self._write(owed, None, is_own=False)
        elif self.command.player is None:
            self._answer_with(None)
        else:
            self._turns.spawn(self._turns.await_keeper(self), self)

    def _looks_first(self) -> bool:
        """Whether others may have written meanwhile: then storage is asked, once, before memory alone answers."""
        if self._turns.catch_up is None or self._has_looked:
            return False
        self._hold(self._catch_up(self._turns.catch_up))
        return True

    def _write(self, event: Event | None, key: str | None, *, is_own: bool) -> None:
        """Append an event, or the key of a no-op alone, and keep the room busy until that is done."""
        room, turns = self.room, self._turns
        room.busy = True
        self._is_own = is_own
        self.header, self.before, self.event = room.header, room.game, event
        self.key = None if key is None else (key, use_of(self.command, event))
        if event is None:
            self._touch()
            self.whole, self.at = False, turns.now()
        else:
            self.whole, self.at = room.keeper != turns.process or not is_plain(event), event.game.at
        turns.games.append(self)

    def _touch(self) -> None:
        if self.command.player is not None:
            self.room.touched = max(self.room.touched, self.command.at)

    def _hold(self, work: Coroutine[Any, Any, Callable[[], None]]) -> None:
        """Keep the room busy while a task reads what the turn needs; then do what the reading says."""
        room = self.room

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
        self._turns.spawn(alone(), self)

    async def _remember(self) -> Callable[[], None]:
        """For an undo that reaches back further than memory does: read on, then take the turn again."""
        await self._turns.earlier(self.room)
        return self.take

    async def _catch_up(self, catch_up: Callable[[Room], Awaitable[None]]) -> Callable[[], None]:
        self._has_looked = True
        await catch_up(self.room)
        return self.take

    async def _look_up_key(self, key: str, refusal: ServiceError | None) -> Callable[[], None]:
        """Answer what the key was used for before; `refusal` where it was not."""
        command = self.command
        if self._turns.catch_up is not None and not self._has_looked:
            await self._turns.catch_up(self.room)
        used = await self._turns.used_key(self.room, key)
        outcome: Played | Exception
        if used is None:
            outcome = refusal or KeyReused()
        elif used[0][:3] != (command.op, command.direction, command.version):
            outcome = KeyReused("This key was used for another command of this game.")
        else:
            room = self.room
            outcome = Played(used[1], room.header, room.game, room.best.score, replayed=True)
        return lambda: self.finish(outcome)
