"""Metrics in Prometheus' words."""

from collections.abc import Callable

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

from twofold_service.usecases.live import Live
from twofold_service.usecases.play import Play
from twofold_service.usecases.rooms import Rooms


class Metrics:
    """What this process can tell of itself; read when asked, so that a move pays nothing for it."""

    content_type = CONTENT_TYPE_LATEST

    def __init__(self, rooms: Rooms, play: Play, live: Live) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        PlatformCollector(registry=self._registry)
        self._gauge("twofold_games_in_memory", "games held in memory", lambda: len(rooms))
        self._gauge("twofold_sockets", "open WebSockets", lambda: len(live))
        self._gauge("twofold_commands_in_flight", "commands not answered yet", lambda: play.in_flight)
        self._gauge("twofold_commands", "commands answered since the start", lambda: play.answered)
        self._gauge("twofold_refusals", "commands refused since the start", lambda: play.refused)

    def page(self) -> bytes:
        return generate_latest(self._registry)

    def _gauge(self, name: str, text: str, read: Callable[[], float]) -> None:
        Gauge(name, text, registry=self._registry).set_function(read)
