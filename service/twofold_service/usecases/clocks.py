"""Clocks: deadlines that fire by themselves, and what a stop of the service or of this process costs nobody."""

import asyncio
import heapq
import logging
from contextlib import suppress
from functools import partial

from twofold.clock import SECOND
from twofold_service.errors import CorruptGame, NotFound, ServiceError, StorageFull, StorageUnavailable
from twofold_service.usecases.play import Play
from twofold_service.usecases.ports import GameStore, Now, ProcessStore
from twofold_service.usecases.rooms import Room, Rooms
from twofold_service.usecases.values import Command, Played

log = logging.getLogger("twofold.clocks")
BEAT = SECOND // 2
LEASE = 3 * SECOND
STEP = 256


class Clocks:
    """Watches the deadlines of running games, this process's own heartbeat, and the leases of others."""

    longest_gap = 2 * SECOND

    def __init__(
        self,
        play: Play,
        rooms: Rooms,
        games: GameStore,
        processes: ProcessStore,
        now: Now,
        process: str,
        *,
        alone: bool,
    ) -> None:
        self._play = play
        self._rooms = rooms
        self._games = games
        self._processes = processes
        self._now = now
        self._process = process
        self._alone = alone
        self._deadlines: list[tuple[int, str]] = []
        self._wake = asyncio.Event()
        self._last_beat = now()

    def watch(self, room: Room) -> None:
        """Fire the game's deadline when it comes; once watched, moves need not tell again."""
        deadline = room.game.deadline(room.touched)
        if deadline is None or room.keeper != self._process:
            return
        room.timed = True
        heapq.heappush(self._deadlines, (deadline, room.header.id))
        if self._deadlines[0][1] == room.header.id:
            self._wake.set()

    def settle_soon(self, game: str) -> None:
        """Storage refused what is owed to a game: try again in a second."""
        heapq.heappush(self._deadlines, (self._now() + SECOND, game))

    def look(self, now: int) -> None:
        """Notice a gap in this process's own life, before any command or deadline is taken: it is an outage."""
        if now - self._last_beat > self.longest_gap:
            log.warning("this process stood still for %.1f s", (now - self._last_beat) / SECOND)
            self.outage(self._last_beat)
        if now > self._last_beat:
            self._last_beat = now

    def outage(self, at: int) -> None:
        """Pause every running game that this process keeps as of an instant."""
        running = {room.header.id for room in self._rooms if room.game.clock.running and room.keeper == self._process}
        forgotten = {game for _, game in self._deadlines if self._rooms.get(game) is None}  # after a write that failed
        for game in running | forgotten:
            self._play.insist(Command("outage", game, at, keeper=self._process))

    async def begin(self) -> None:
        """Before anything is taken: pause what was left running, however short ago its process was heard of."""
        first = await self._processes.heartbeats()
        silent = set() if self._alone else set(first) - {self._process}
        for _ in range(2 * LEASE // BEAT):
            if not silent:
                break
            await asyncio.sleep(BEAT / SECOND)  # a living process is heard of again by then
            now, latest = self._now(), await self._processes.heartbeats()
            silent = {process for process in silent if latest.get(process) == first[process] >= now - LEASE}
            await self._processes.beat()  # others that start at the same time wait likewise
        await self.recover()
        await self._processes.beat()  # what cannot be written is known before anything is taken
        self._last_beat = self._now()

    async def recover(self) -> None:
        """Pause the games of processes that live no more, as of when each was last heard of."""
        heartbeats = await self._processes.heartbeats()
        now = self._now()
        dead = [
            process
            for process, heartbeat in heartbeats.items()
            if process != self._process and (self._alone or now - heartbeat > LEASE)
        ]
        if not dead:
            return
        last_heard = {process: heartbeats[process] for process in dead}
        games = await self._games.kept_by(dead)
        for start in range(0, len(games), STEP):
            await asyncio.gather(*[self._orphaned(game, last_heard) for game in games[start : start + STEP]])
        await self._processes.forget(last_heard)  # who has woken up meanwhile stays

    async def _orphaned(self, game: str, last_heard: dict[str, int]) -> None:
        try:
            room = await self._rooms.open_anew(game)
            if room.keeper in last_heard:  # nobody has gone on with it meanwhile
                await self._play.played(Command("outage", game, last_heard[room.keeper], keeper=room.keeper))
        except (CorruptGame, NotFound) as error:
            log.warning("the game could not be paused: %s", error.code, extra={"game": game})

    async def run(self) -> None:
        """Fire deadlines and beat until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._fire())
            group.create_task(self._beat())

    async def _fire(self) -> None:
        while True:
            self._wake.clear()
            wait = (self._deadlines[0][0] - self._now()) / SECOND if self._deadlines else 3600.0
            if wait > 0:
                with suppress(TimeoutError):  # not wait_for: there a cancellation that comes with the answer gets lost
                    async with asyncio.timeout(min(wait, BEAT / SECOND)):
                        await self._wake.wait()
            now = self._now()
            self.look(now)
            self._fire_due(now)

    def _fire_due(self, now: int) -> None:
        while self._deadlines and self._deadlines[0][0] <= now:
            _, game = heapq.heappop(self._deadlines)
            room = self._rooms.get(game)
            if room is not None and not self._play.insists(game):
                room.timed = False
                deadline = room.game.deadline(room.touched)
                if deadline is None or deadline > now:
                    self.watch(room)
                    continue
            self._play.play(Command("settle", game, now), partial(self._settled, game))

    def _settled(self, game: str, outcome: Played | Exception) -> None:
        if isinstance(outcome, StorageUnavailable | StorageFull):
            self.settle_soon(game)  # owed still
        _log_failure(game, outcome)
        room = self._rooms.get(game)
        if room is not None and not room.timed:
            self.watch(room)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT / SECOND)
            self.look(self._now())
            try:
                await self._processes.beat()
                if not self._alone:
                    await self.recover()
            except ServiceError as error:
                log.warning("no heartbeat could be stored: %s", error.detail)


def _log_failure(game: str, outcome: Played | Exception) -> None:
    if isinstance(outcome, Exception):
        log.warning("a game's clock could not be served: %r", outcome, extra={"game": game})
