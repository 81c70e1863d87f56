"""Metrics in Prometheus' words, made when they are asked for of what was counted, so that a move pays nothing."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from twofold import __version__
from twofold.game import Status
from twofold_service.counting import Histogram, Queue, Requests, Writing
from twofold_service.usecases.live import Live
from twofold_service.usecases.play import Play
from twofold_service.usecases.rooms import Rooms
from twofold_service.wire import session

ALARMING = ("internal", "storage_full", "storage_unavailable", "corrupt_game")
"""Results that are told from the start, though they are none: a rate is seen only from a figure that was there."""

OPS = ("move", "start", "undo", "pause", "resume", "continue", "abandon", "settle", "disconnect", "outage")
CLOSES = (
    session.RESTART,
    session.SLOW,
    session.SILENT,
    session.INTERNAL,
    session.BAD_TOKEN,
    session.BROKEN,
    session.OTHER_VERSION,
    session.TOO_MANY_ERRORS,
    session.NO_HELLO,
)


@dataclass(frozen=True, slots=True)
class Sources:
    """Where it is counted. `queues` are by name; `closed` has the sockets that the service has closed, by code.

    `hears_others` is there where Redis tells other processes; `broken` tells whether a part has stopped by itself,
    `unwritten` for how many seconds storage has taken nothing.
    """

    rooms: Rooms
    play: Play
    live: Live
    writing: Writing
    queues: Mapping[str, Queue]
    requests: Requests
    closed: Mapping[int, int]
    outbox_bytes: Callable[[], list[int]]
    loop_lags: Histogram
    live_faults: Callable[[], int]
    hears_others: Callable[[], bool] | None
    broken: Callable[[], bool]
    unwritten: Callable[[], float]


class Metrics:
    """What this process can tell of itself. No label carries an id, a name or an address."""

    content_type = CONTENT_TYPE_LATEST

    def __init__(self, sources: Sources) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        PlatformCollector(registry=self._registry)
        self._registry.register(_Twofold(sources))

    def page(self) -> bytes:
        return generate_latest(self._registry)


class _Twofold(Collector):
    def __init__(self, sources: Sources) -> None:
        self._from = sources

    def collect(self) -> Iterator[Metric]:
        yield _gauge("twofold_info", "this release", ["version"], [((__version__,), 1)])
        yield _gauge("twofold_part_stopped", "1 where a part has stopped by itself", [], [((), self._from.broken())])
        if self._from.hears_others is not None:
            yield _gauge(
                "twofold_bus_heard", "1 while Redis carries what we tell", [], [((), self._from.hears_others())]
            )
        yield from self._games()
        yield from self._sockets()
        yield from self._commands()
        yield from self._requests()
        yield from self._storage()
        yield from self._queues()
        yield _gauge("twofold_tasks", "asyncio's tasks", [], [((), len(asyncio.all_tasks()))])
        yield _histogram("twofold_loop_lag_seconds", "how late the event loop comes round", self._from.loop_lags)

    def _games(self) -> Iterator[Metric]:
        by_status = Counter([room.game.status for room in self._from.rooms])
        yield _gauge(
            "twofold_games_in_memory",
            "games held in memory, by status; all are open but those that are over",
            ["status"],
            [((status.value,), by_status[status]) for status in Status],
        )

    def _sockets(self) -> Iterator[Metric]:
        boxes = self._from.outbox_bytes()
        yield _gauge("twofold_sockets", "open WebSockets", [], [((), len(self._from.live))])
        yield _gauge("twofold_outbox_bytes", "what sockets have still to take, all together", [], [((), sum(boxes))])
        yield _gauge("twofold_outbox_bytes_max", "the same of the fullest", [], [((), max(boxes, default=0))])
        closed = self._from.closed
        yield _counter(
            "twofold_sockets_closed",
            f"WebSockets closed by the service, by code: {session.SLOW} is an outbox that was dropped",
            ["code"],
            [((str(code),), closed.get(code, 0)) for code in CLOSES],
        )

    def _commands(self) -> Iterator[Metric]:
        counts = self._from.play.counts
        others = {(op, result): 0 for op in OPS for result in ALARMING} | counts.others
        yield _gauge("twofold_commands_in_flight", "commands not answered yet", [], [((), self._from.play.in_flight)])
        yield _counter(
            "twofold_commands",
            "commands by kind and by what came of them: an event (done), nothing, a repeat (replayed), or a refusal",
            ["op", "result"],
            [((op, "done"), counts.done.get(op, 0)) for op in OPS] + list(others.items()),
        )

    def _requests(self) -> Iterator[Metric]:
        requests = self._from.requests
        yield _counter(
            "twofold_http_requests",
            "HTTP requests answered",
            ["method", "route", "status"],
            [((method, route, str(status)), n) for (method, route, status), n in requests.answered.items()],
        )
        faults = sum(n for (_, _, status), n in requests.answered.items() if status == 500)
        faults += self._from.live_faults() + self._from.closed.get(session.INTERNAL, 0)
        yield _counter("twofold_faults", "faults of our own: each is in the log", [], [((), faults)])
        yield _histogram("twofold_http_request_seconds", "how long answers to HTTP requests took", requests.seconds)

    def _storage(self) -> Iterator[Metric]:
        writing = self._from.writing
        yield _histogram("twofold_commit_batch", "what was written together", writing.sizes)
        yield _histogram("twofold_commit_seconds", "how long commits took", writing.commits)
        yield _histogram(
            "twofold_journal_wait_seconds", "how long a batch's first has waited to be written", writing.waits
        )
        yield _gauge(
            "twofold_unwritten_seconds", "for how long storage has taken nothing", [], [((), self._from.unwritten())]
        )
        yield _counter("twofold_commit_failures", "batches that storage refused", [], [((), writing.failures)])

    def _queues(self) -> Iterator[Metric]:
        queues = self._from.queues.items()
        waits = HistogramMetricFamily("twofold_queue_wait_seconds", "how long work waited", labels=["queue"])
        for name, queue in queues:
            waits.add_metric([name], _buckets(queue.waits), queue.waits.sum)
        yield waits
        yield _gauge(
            "twofold_queue_inside", "work that waits or is done", ["queue"], [((name,), q.inside) for name, q in queues]
        )
        yield _counter(
            "twofold_queue_refusals", "work turned away", ["queue"], [((name,), q.refused) for name, q in queues]
        )


Samples = Iterable[tuple[tuple[str, ...], float]]


def _gauge(name: str, text: str, labels: list[str], samples: Samples) -> Metric:
    family = GaugeMetricFamily(name, text, labels=labels)
    for values, value in samples:
        family.add_metric(values, value)
    return family


def _counter(name: str, text: str, labels: list[str], samples: Samples) -> Metric:
    family = CounterMetricFamily(name, text, labels=labels)
    for values, value in samples:
        family.add_metric(values, value)
    return family


def _histogram(name: str, text: str, counted: Histogram) -> Metric:
    return HistogramMetricFamily(name, text, _buckets(counted), counted.sum)


def _buckets(counted: Histogram) -> list[tuple[str, float]]:
    bounds = [f"{bound:g}" for bound in counted.bounds]
    return list(zip([*bounds, "+Inf"], accumulate(counted.counts), strict=True))
