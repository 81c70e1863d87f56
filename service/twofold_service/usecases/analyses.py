"""Analyses: a final game looked over by the solver, beside the event loop, one at a time, and kept."""

import asyncio
import time
from collections.abc import Callable
from functools import partial

from twofold.clock import SECOND
from twofold.game import Game
from twofold_service.counting import Queue
from twofold_service.errors import Busy, CorruptGame, NotFinal
from twofold_service.usecases import logs, solving
from twofold_service.usecases.asking import follow
from twofold_service.usecases.ports import AnalysisStore, FollowedDesk, LogStore, Now
from twofold_service.usecases.reading import Reading
from twofold_service.usecases.values import Header, Player, Underway

EDITION = 2
"""Changes with the weights and with what an analysis says, so that nobody is told an old one."""
MOST_JOBS, MOST_OF_ADDRESS = 16, 4
PATIENCE = 1.0
"""Seconds in which a question is answered itself, or by how far its answer is."""
KEPT_FOR = 15 * SECOND
"""How long work goes on for somebody who was told how far it is, and has not asked again."""
DESK = "analysis"


class Job:
    """An analysis that is being made, or waits for its turn, and who wants it."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.asked = time.monotonic()
        self.running = False
        self.progress = 0.0
        self.waiting = 0
        self.kept_until = 0
        self.task: asyncio.Task[bytes]

    def is_forsaken(self, now: int) -> bool:
        return not self.waiting and now >= self.kept_until


class Analyses:
    """Looks games over for those who may see them, once each game and depth; `tell` hears how far each is.

    Another process may be at the same game: both come to the same, and the later one writes it again.
    """

    def __init__(
        self,
        reading: Reading,
        log_store: LogStore,
        store: AnalysisStore,
        desk: FollowedDesk,
        now: Now,
        tell: Callable[[str, int, float], None],
        *,
        patience: float = PATIENCE,
    ) -> None:
        self._reading = reading
        self._logs = log_store
        self._store = store
        self._desk = desk
        self._now = now
        self._tell = tell
        self._patience = patience
        self._turn = asyncio.Lock()
        self._jobs: dict[tuple[str, int], Job] = {}
        self.counts = Queue()

    async def of_game(self, game: str, viewer: Player | None, depth: int, address: str) -> bytes | Underway:
        """The analysis as JSON, or how far it is.

        The work ends where all go who wait for it, and where nobody asks again who was told how far it is. NotFound,
        DailySealed, NotFinal, Busy, SolverUnavailable, CorruptGame.
        """
        room = await self._reading.room(game, viewer)
        header, state = room.header, room.game
        if not state.final:
            raise NotFinal
        stored = await self._store.analysis(header.key, depth, EDITION)
        if stored is not None:
            return stored
        job = self._jobs.get((header.id, depth)) or self._begin(header, state, depth, address)
        return await self._awaited(job)

    async def close(self) -> None:
        """End all work."""
        tasks = [job.task for job in self._jobs.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _begin(self, header: Header, state: Game, depth: int, address: str) -> Job:
        """A new job; Busy where too many wait, of all or of one address."""
        of_address = sum(job.address == address for job in self._jobs.values())
        if len(self._jobs) >= MOST_JOBS or of_address >= MOST_OF_ADDRESS:
            self.counts.refused += 1
            raise Busy("Analyses are queued up; try again in a moment.")
        job, key = Job(address), (header.id, depth)
        job.task = asyncio.create_task(self._work(job, header, state, depth))
        self._jobs[key] = job
        self.counts.inside += 1

        def done(task: asyncio.Task[bytes]) -> None:
            del self._jobs[key]
            self.counts.inside -= 1
            if not task.cancelled():
                task.exception()  # whoever waits is told; where nobody does, whoever asks next meets it again

        job.task.add_done_callback(done)
        return job

    async def _awaited(self, job: Job) -> bytes | Underway:
        job.waiting += 1
        try:
            await asyncio.wait({job.task}, timeout=self._patience)
        except asyncio.CancelledError:
            job.waiting -= 1
            if job.is_forsaken(self._now()):
                job.task.cancel()
            raise
        job.waiting -= 1
        if job.task.cancelled():
            raise Busy("The work was interrupted; try again.")
        if job.task.done():
            return job.task.result()
        job.kept_until = self._now() + KEPT_FOR
        return Underway(job.running, job.progress)

    async def _work(self, job: Job, header: Header, state: Game, depth: int) -> bytes:
        async with self._turn:
            if job.is_forsaken(self._now()):
                raise Busy("Nobody has waited for this any more.")
            job.running = True
            self.counts.waits.add(time.monotonic() - job.asked)
            start, steps = await logs.path(self._logs, header.id, state.version, solving.step)
            told = partial(self._progressed, job, header.id, depth)
            path = (start.rules.size, start.position, steps, state.position)
            document: bytes | None = await follow(self._desk, DESK, told, solving.analyse, header.id, *path, depth)
        if document is None:
            raise CorruptGame
        await self._store.keep(header.key, depth, EDITION, document, self._now())
        self._tell(header.id, depth, 1.0)
        return document

    def _progressed(self, job: Job, game: str, depth: int, share: float) -> None:
        if job.is_forsaken(self._now()):
            job.task.cancel()
        elif share != job.progress:
            job.progress = share
            self._tell(game, depth, share)
