"""Puts the service together: the only room with all the keys."""

import asyncio
import logging
import secrets
from collections.abc import Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware

from twofold_service.api import commands
from twofold_service.api.addresses import Addresses
from twofold_service.api.deps import Services
from twofold_service.api.door import Asgi, Door, Receive, Scope, Send
from twofold_service.api.hub import Hub
from twofold_service.api.interface import create_api
from twofold_service.api.lean import LeanRoute
from twofold_service.api.limits import Rates
from twofold_service.api.live import Shared
from twofold_service.api.metrics import Metrics, Sources
from twofold_service.api.readiness import Readiness
from twofold_service.bus.memory import MemoryBus
from twofold_service.bus.redis import RedisBus, channel_of
from twofold_service.counting import Requests
from twofold_service.desk import ProcessDesk
from twofold_service.errors import ServiceError, StorageUnavailable
from twofold_service.ids import Ids
from twofold_service.lag import LoopLag
from twofold_service.now import ServiceTime
from twofold_service.others import Others, listen, their_time
from twofold_service.settings import Settings
from twofold_service.storage.analyses import StoredAnalyses
from twofold_service.storage.database import Database
from twofold_service.storage.days import StoredDays
from twofold_service.storage.games import StoredGames
from twofold_service.storage.journal import Journal
from twofold_service.storage.logs import StoredLogs
from twofold_service.storage.pars import StoredPars
from twofold_service.storage.players import StoredPlayers
from twofold_service.storage.processes import StoredProcesses, newest_instant, register
from twofold_service.storage.rankings import StoredStandings
from twofold_service.storage.readers import Readers
from twofold_service.tracing import Otlp, Tracing
from twofold_service.usecases.analyses import Analyses
from twofold_service.usecases.clocks import Clocks
from twofold_service.usecases.daily import Daily
from twofold_service.usecases.following import Following
from twofold_service.usecases.games import Games
from twofold_service.usecases.hints import Hints
from twofold_service.usecases.live import Live
from twofold_service.usecases.lookout import Lookout
from twofold_service.usecases.pars import SHUFFLES, Pars
from twofold_service.usecases.pictures import Pictures
from twofold_service.usecases.play import Play
from twofold_service.usecases.players import Players
from twofold_service.usecases.ports import Now, RandomBytes
from twofold_service.usecases.rankings import Rankings
from twofold_service.usecases.reading import Reading
from twofold_service.usecases.rooms import Rooms
from twofold_service.usecases.turns import Turns

log = logging.getLogger("twofold")
DRAIN_WITHIN = 3.5
CLOSE_WITHIN = 1.5
GIVES_WAY = 10
"""The niceness of what works for minutes: whoever plays comes first."""


@dataclass(slots=True)
class Service:
    """A service put together: `asgi` for HTTP, `hub` for WebSockets; it lives between `start` and `stop`."""

    asgi: Asgi
    api: FastAPI
    hub: Hub
    database: Database
    journal: Journal
    readers: Readers
    desks: tuple[ProcessDesk, ...]
    analyses: Analyses
    pars: Pars
    clocks: Clocks
    play: Play
    live: Live
    games: Games
    players: Players
    daily: Daily
    readiness: Readiness
    lag: LoopLag
    now: Now
    others: Others | None
    tasks: list[asyncio.Task[None]]
    tracing: Tracing | None = None

    async def start(self) -> None:
        """Take up what an earlier life left, then be ready."""
        self.journal.start()
        if self.others is not None:
            for work in self.others.work():
                self._keep_doing(work)
        await asyncio.to_thread(self.api.openapi)  # takes a quarter of a second once: not while clocks run
        await self.daily.publish()
        await self.clocks.begin()
        await self.daily.reveal()
        for work in (self.clocks.run(), self.hub.tick(), self._chores(), self.pars.run(), self.lag.run()):
            self._keep_doing(work)
        self.readiness.started = True

    async def drain(self) -> None:
        """Stop in good order: nothing new, what is in flight answered, running games paused, sockets closed."""
        self.readiness.draining = self.games.draining = self.play.draining = True
        self.live.stopping = True
        self.hub.tell_draining()
        await self.play.settled(DRAIN_WITHIN)
        self.clocks.outage(self.now())
        await self.play.settled(DRAIN_WITHIN / 2)
        await self.hub.close_all(CLOSE_WITHIN)
        if self.others is not None and self.others.presence is not None:
            await self.others.presence.settled()
            await self.play.settled(DRAIN_WITHIN / 2)

    async def stop(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.analyses.close()
        await self.journal.stop()
        self.readers.close()
        for desk in self.desks:
            desk.close()
        if self.tracing is not None:
            await self.tracing.close()
        self.database.close()

    def _keep_doing(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        task.add_done_callback(self._tell_if_failed)
        self.tasks.append(task)

    async def _chores(self) -> None:
        """What is done now and then: publish and reveal days, end tokens, sweep."""
        turns = 0
        while True:
            self.players.end_expired()
            try:
                if turns % 30 == 0:
                    await self.daily.publish()
                    await self.daily.reveal()
                if turns % 60 == 59:
                    await self.players.sweep()
                    await self.games.forget_keys()
            except ServiceError as error:
                log.warning("a chore was put off: %s", error.detail)
            turns += 1
            await asyncio.sleep(1)

    def _tell_if_failed(self, task: asyncio.Task[None]) -> None:
        """What runs as long as the service does has ended by itself: nobody waits for it, so it must be told."""
        if not task.cancelled() and (error := task.exception()) is not None:
            log.critical("a part of the service has stopped; restart it", exc_info=error)
            self.readiness.broken = True


def assemble(settings: Settings, secret: bytes, database: Database, *, now: Now | None = None) -> Service:
    """The service on a database that is migrated and, where it is a file, held by this process.

    `now` stands for service time; by default it goes on from the newest instant stored."""
    process = secrets.token_hex(8)
    now = now or ServiceTime(newest_instant(database), their_time(settings, secret, database, process))
    register(database, process, now())
    journal = Journal(database, process, now)
    readers = Readers(database, journal)
    game_store, log_store = StoredGames(readers, journal, process), StoredLogs(readers)
    player_store, processes = StoredPlayers(readers, journal), StoredProcesses(readers, journal)
    limited = settings.rate_limits == "on"

    desk, easel, solver, analyst = ProcessDesk(), ProcessDesk(), ProcessDesk(), ProcessDesk(GIVES_WAY)
    new_id, random = Ids(), secrets.token_bytes
    here = MemoryBus()
    far = None
    if settings.redis and not database.is_sqlite:
        far = RedisBus(here, settings.redis, channel_of(secret), process, now)
    bus = far or here
    rooms = Rooms(game_store, now, settings.cached_games)
    turns = Turns(rooms, game_store, log_store, bus, now, process)
    play = Play(turns)
    clocks = Clocks(play, rooms, game_store, processes, now, process, alone=database.is_sqlite)
    turns.watch_clock, play.look_at_clock, play.settle_soon = clocks.watch, clocks.look, clocks.settle_soon
    known = Players(player_store, bus, now, new_id, random)
    puzzles = Daily(StoredDays(readers, journal), game_store, play, now, secret)
    making = Games(
        rooms,
        game_store,
        turns,
        play,
        puzzles,
        now=now,
        new_id=new_id,
        random=random,
        open_limit=settings.open_games if limited else None,
    )
    reading = Reading(rooms, game_store, log_store, player_store, desk, now)
    live = Live(
        reading,
        play,
        log_store,
        now,
        player_sockets=settings.player_sockets if limited else None,
        address_sockets=settings.address_sockets if limited else None,
    )
    here.on_told.append(live.tell)
    here.on_renamed.append(rooms.rename_player)
    here.on_gone += [rooms.drop_player, live.tell_gone]
    here.on_token_ended.append(live.tell_token_ended)

    rates = Rates(
        on=limited,
        address=settings.address_rate,
        player=settings.player_rate,
        new_player=settings.new_player_rate,
    )
    others = None
    if not database.is_sqlite:
        following = Following(rooms, game_store, log_store, live)
        rooms.process, rooms.before_adding, turns.catch_up = process, following.tell_missed, following.catch_up
        reading.open = making.open = following.current
        lookout = Lookout(live, rooms, following, game_store, player_store, now)
        presence = None if far is None else listen(far, following, lookout, live, rooms, known, rates)
        others = Others(following, lookout, far, presence)
    rankings = Rankings(StoredStandings(readers), puzzles, reading, desk, now)
    drawing = Pictures(reading, log_store, easel, now)
    helping = Hints(rooms, game_store, play, solver, now)
    looking_over = Analyses(reading, log_store, StoredAnalyses(readers, journal), analyst, now, live.tell_analysed)
    pars = Pars(StoredPars(readers, journal), puzzles, analyst, now, process, SHUFFLES)
    services = Services(
        known, making, reading, play, puzzles, rankings, drawing, helping, looking_over, pars, rates=rates, now=now
    )
    addresses = Addresses(settings.trusted_proxies)
    origins = frozenset(origin.strip().rstrip("/") for origin in settings.origins.split(",") if origin.strip())
    shared = Shared(services, live, addresses, origins, settings.socket_watches)
    hub, lag, requests = Hub(shared), LoopLag(), Requests()
    answers = partial(storage_answers, readers, database.older_revisions())
    readiness = Readiness(answers, processes.silent_for, lambda: lag.standing)
    queues = {
        "readers": readers.counts,
        "records": desk.counts,
        "pictures": easel.counts,
        "hints": solver.counts,
        "analyses": looking_over.counts,
    }
    sources = Sources(
        rooms,
        play,
        live,
        journal.counts,
        queues,
        requests,
        shared.closed,
        hub.outbox_bytes,
        lag.lags,
        live_faults=lambda: shared.faults,
        hears_others=None if far is None else lambda: far.is_heard,
        broken=lambda: readiness.broken,
        unwritten=processes.silent_for,
    )
    api = create_api(now, readiness, Metrics(sources), settings.metrics_token)
    tracing = Otlp() if settings.tracing == "otlp" else None
    if tracing is not None:
        play.follow = tracing.follow_command
    asgi = _entrance(settings, api, services, addresses, requests, tracing, random)
    return Service(
        asgi,
        api,
        hub,
        database,
        journal,
        readers,
        (desk, easel, solver, analyst),
        looking_over,
        pars,
        clocks,
        play,
        live,
        making,
        known,
        puzzles,
        readiness,
        lag,
        now,
        others,
        [],
        tracing,
    )


def _entrance(
    settings: Settings,
    api: FastAPI,
    services: Services,
    addresses: Addresses,
    requests: Requests,
    tracing: Tracing | None,
    random: RandomBytes,
) -> Asgi:
    """What a request meets first: the door, or where a browser asks what other origins may do, the answer to that."""
    door = Door(
        api,
        services,
        {
            route.path.rpartition("/")[2]: route.answer
            for route in commands.router.routes
            if isinstance(route, LeanRoute)
        },
        requests,
        now=services.now,
        random=random,
        rates=services.rates,
        addresses=addresses,
        body_limit=partial(_body_limit, settings),
    )
    inside = door if tracing is None else tracing.follow_requests(door)
    preflight = CORSMiddleware(
        inside,
        allow_origins=["*"],
        allow_methods=["GET", "POST", "PATCH", "DELETE"],
        allow_headers=["Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match", "Accept"],
    )

    async def enter(scope: Scope, receive: Receive, send: Send) -> None:
        is_asked = scope["type"] == "http" and scope["method"] == "OPTIONS"
        await (preflight if is_asked else inside)(scope, receive, send)

    return enter


async def storage_answers(readers: Readers, older: frozenset[str]) -> None:
    """Return once storage has told its schema, and that is no older than this release; else StorageUnavailable.

    A later release's schema is served on: its processes may be starting beside this one.
    """
    asked = "SELECT version_num FROM alembic_version"
    revision = await readers.ask(lambda session: session.connection().exec_driver_sql(asked).scalar(), moves=False)
    if revision is None or revision in older:
        raise StorageUnavailable("The database's schema is older than this release.")


def _body_limit(settings: Settings, path: str) -> int:
    if path == "/v1/slides":
        return settings.slides_bytes
    return settings.record_bytes if path == "/v1/verify" else settings.body_bytes
