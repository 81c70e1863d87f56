"""Puts the service together: the only room with all the keys."""

import asyncio
import logging
import secrets
from dataclasses import dataclass
from functools import partial

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware

from twofold import __version__
from twofold_service.api import (
    commands,
    daily,
    games,
    leaderboards,
    ops,
    page,
    pictures,
    players,
    problems,
    records,
    rules,
)
from twofold_service.api.addresses import Addresses
from twofold_service.api.deps import Services
from twofold_service.api.door import Asgi, Door
from twofold_service.api.lean import LeanRoute
from twofold_service.api.limits import Rates
from twofold_service.api.live import Shared
from twofold_service.api.metrics import Metrics
from twofold_service.api.openapi import describe
from twofold_service.api.readiness import Readiness
from twofold_service.api.socket import Hub
from twofold_service.bus.memory import MemoryBus
from twofold_service.desk import ProcessDesk
from twofold_service.errors import ServiceError
from twofold_service.ids import Ids
from twofold_service.now import ServiceTime
from twofold_service.settings import Settings
from twofold_service.storage.database import Database
from twofold_service.storage.days import StoredDays
from twofold_service.storage.games import StoredGames
from twofold_service.storage.journal import Journal
from twofold_service.storage.logs import StoredLogs
from twofold_service.storage.players import StoredPlayers
from twofold_service.storage.processes import StoredProcesses, newest_instant, register
from twofold_service.storage.rankings import StoredStandings
from twofold_service.storage.readers import Readers
from twofold_service.usecases.clocks import Clocks
from twofold_service.usecases.daily import Daily
from twofold_service.usecases.games import Games
from twofold_service.usecases.live import Live
from twofold_service.usecases.pictures import Pictures
from twofold_service.usecases.play import Play
from twofold_service.usecases.players import Players
from twofold_service.usecases.ports import Now, RandomBytes
from twofold_service.usecases.rankings import Rankings
from twofold_service.usecases.reading import Reading
from twofold_service.usecases.rooms import Rooms
from twofold_service.usecases.turns import Turns

log = logging.getLogger("twofold")
DRAIN_WITHIN = 4.0
CLOSE_WITHIN = 1.5


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
    clocks: Clocks
    play: Play
    games: Games
    players: Players
    daily: Daily
    readiness: Readiness
    now: Now
    tasks: list[asyncio.Task[None]]

    async def start(self) -> None:
        """Take up what an earlier life left, then be ready."""
        self.journal.start()
        await asyncio.to_thread(self.api.openapi)  # takes a quarter of a second once: not while clocks run
        await self.daily.publish()
        await self.clocks.begin()
        await self.daily.reveal()
        for work in (self.clocks.run(), self.hub.tick(), self._chores()):
            task = asyncio.create_task(work)
            task.add_done_callback(_tell_if_failed)
            self.tasks.append(task)
        self.readiness.started = True

    async def drain(self) -> None:
        """Stop in good order: nothing new, what is in flight answered, running games paused, sockets closed."""
        self.readiness.draining = self.games.draining = self.play.draining = True
        self.hub.tell_draining()
        await self.play.settled(DRAIN_WITHIN)
        self.clocks.outage(self.now())
        await self.play.settled(DRAIN_WITHIN / 2)
        await self.hub.close_all(CLOSE_WITHIN)

    async def stop(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.journal.stop()
        self.readers.close()
        for desk in self.desks:
            desk.close()
        self.database.close()

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


def _tell_if_failed(task: asyncio.Task[None]) -> None:
    """What runs as long as the service does has ended by itself: nobody waits for it, so the log must tell."""
    if not task.cancelled() and (error := task.exception()) is not None:
        log.critical("a part of the service has stopped; restart it", exc_info=error)


def assemble(settings: Settings, secret: bytes, database: Database, *, now: Now | None = None) -> Service:
    """The service on a database that is migrated and, where it is a file, held by this process.

    `now` stands for service time; by default it goes on from the newest instant stored."""
    now = now or ServiceTime(newest_instant(database))
    process = secrets.token_hex(8)
    register(database, process, now())
    journal = Journal(database, process, now)
    readers = Readers(database, journal)
    game_store, log_store = StoredGames(readers, journal, process), StoredLogs(readers)
    player_store, processes = StoredPlayers(readers, journal), StoredProcesses(readers, journal)
    limited = settings.rate_limits == "on"

    bus, desk, easel, new_id, random = MemoryBus(), ProcessDesk(), ProcessDesk(), Ids(), secrets.token_bytes
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
    bus.on_told.append(live.tell)
    bus.on_renamed.append(rooms.rename_player)
    bus.on_gone += [rooms.drop_player, live.tell_gone]
    bus.on_token_ended.append(live.tell_token_ended)

    rates = Rates(
        on=limited,
        address=settings.address_rate,
        player=settings.player_rate,
        new_player=settings.new_player_rate,
    )
    rankings = Rankings(StoredStandings(readers), puzzles, reading, desk, now)
    drawing = Pictures(reading, log_store, easel, now)
    services = Services(known, making, reading, play, puzzles, rankings, drawing, rates, now)
    addresses = Addresses(settings.trusted_proxies)
    origins = frozenset(origin.strip().rstrip("/") for origin in settings.origins.split(",") if origin.strip())
    hub = Hub(Shared(services, live, addresses, origins, settings.socket_watches))
    readiness = Readiness(partial(storage_answers, readers))
    api = create_api(now, readiness, Metrics(rooms, play, live), settings.metrics_token)
    asgi = _entrance(settings, api, services, addresses, random)
    return Service(
        asgi,
        api,
        hub,
        database,
        journal,
        readers,
        (desk, easel),
        clocks,
        play,
        making,
        known,
        puzzles,
        readiness,
        now,
        [],
    )


def _entrance(settings: Settings, api: FastAPI, services: Services, addresses: Addresses, random: RandomBytes) -> Asgi:
    """What a request meets first: rules for other origins, then the door."""
    door = Door(
        api,
        services,
        {
            route.path.rpartition("/")[2]: route.answer
            for route in commands.router.routes
            if isinstance(route, LeanRoute)
        },
        now=services.now,
        random=random,
        rates=services.rates,
        addresses=addresses,
        body_limit=partial(_body_limit, settings),
    )
    return CORSMiddleware(
        door,
        allow_origins=["*"],
        allow_methods=["GET", "POST", "PATCH", "DELETE"],
        allow_headers=["Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match", "Accept"],
        expose_headers=["ETag", "Location", "Retry-After", "X-Request-Id"],
    )


def create_api(now: Now, readiness: Readiness, metrics: Metrics | None, metrics_token: str) -> FastAPI:
    """The HTTP interface; its use cases come with each request, from the door."""
    api = FastAPI(
        title="Twofold", version=__version__, openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False
    )
    for router in (
        players.router,
        rules.router,
        games.router,
        pictures.router,
        commands.router,
        records.router,
        daily.router,
        leaderboards.router,
    ):
        api.include_router(router, prefix="/v1")
    api.include_router(ops.routes(readiness, metrics, metrics_token))
    api.mount("/docs/assets", ops.docs_assets())
    api.include_router(page.routes(page.found()))
    problems.install(api, now)
    describe(api)
    return api


def undeployed_api() -> FastAPI:
    """The HTTP interface with nothing behind it, to be described."""

    async def nothing() -> None:
        return

    return create_api(lambda: 0, Readiness(nothing), None, "")


async def storage_answers(readers: Readers) -> None:
    """Return once storage has answered a question; StorageUnavailable otherwise."""
    await readers.ask(lambda session: session.connection().exec_driver_sql("SELECT 1").scalar(), moves=False)


def _body_limit(settings: Settings, path: str) -> int:
    if path == "/v1/slides":
        return settings.slides_bytes
    return settings.record_bytes if path == "/v1/verify" else settings.body_bytes
