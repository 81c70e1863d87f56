"""Traces, where they are wanted: a span a request and a span a command, sent to an OpenTelemetry collector.

Nothing of OpenTelemetry's SDK is imported before `Otlp` is made. Where spans go, and how many of them, is said by
the standard OTEL_* variables.
"""

import asyncio
import threading
from collections.abc import Callable, MutableMapping
from typing import Any, Protocol

from twofold_service.counting import METHODS
from twofold_service.errors import ServiceError
from twofold_service.usecases.turns import Answer
from twofold_service.usecases.values import Command, Played

SERVER_FAULT = 500
FLUSH_WITHIN = 1.5
Asgi = Callable[[MutableMapping[str, Any], Any, Any], Any]


class TracingMissing(RuntimeError):
    """Traces are wanted, but what makes them is not installed."""


class Tracing(Protocol):
    """Who follows requests and commands."""

    def follow_requests(self, door: Asgi) -> Asgi: ...
    def follow_command(self, command: Command, answer: Answer) -> Answer: ...
    async def close(self) -> None: ...


class Otlp:
    """Sends spans in batches, from a thread of its own, by OTLP over HTTP."""

    def __init__(self) -> None:
        try:
            from opentelemetry import propagate, trace
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
            from opentelemetry.sdk.resources import Resource
            from opentelemetry.sdk.trace import TracerProvider
            from opentelemetry.sdk.trace.export import BatchSpanProcessor
        except ModuleNotFoundError as error:
            raise TracingMissing("tracing: it needs the extra `otel`: pip install 'twofold[otel]'") from error
        resource = Resource.create()
        if str(resource.attributes["service.name"]).startswith("unknown_service"):
            resource = resource.merge(Resource({"service.name": "twofold"}))
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self._tracer = self._provider.get_tracer("twofold")
        self._trace, self._extract = trace, propagate.extract

    def follow_requests(self, door: Asgi) -> Asgi:
        """The door with a span around each request, within the caller's trace where it names one."""
        kind = self._trace.SpanKind.SERVER

        async def followed(scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
            if scope["type"] != "http":
                await door(scope, receive, send)
                return
            carrier = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
            status = 0

            async def sending(message: MutableMapping[str, Any]) -> None:
                nonlocal status
                status = message.get("status", status)
                await send(message)

            with self._tracer.start_as_current_span("request", self._extract(carrier), kind=kind) as span:
                await door(scope, receive, sending)
                call = scope["state"]["call"]
                method = scope["method"] if scope["method"] in METHODS else "_OTHER"
                span.update_name(f"{method} {call.route}")
                span.set_attributes(
                    {
                        "http.request.method": method,
                        "http.route": call.route,
                        "http.response.status_code": status,
                        "twofold.request": call.id,
                    }
                )
                if status >= SERVER_FAULT:
                    span.set_status(self._trace.StatusCode.ERROR)

        return followed

    def follow_command(self, command: Command, answer: Answer) -> Answer:
        """What answers a command, and ends its span."""
        span = self._tracer.start_span(f"command {command.op}", attributes={"twofold.game": command.game})

        def followed(outcome: Played | Exception) -> None:
            if isinstance(outcome, Exception):
                span.set_attribute("twofold.result", outcome.code if isinstance(outcome, ServiceError) else "internal")
                if not isinstance(outcome, ServiceError):
                    span.set_status(self._trace.StatusCode.ERROR)
            else:
                span.set_attribute("twofold.result", "done" if outcome.event else "nothing")
            span.end()
            answer(outcome)

        return followed

    async def close(self) -> None:
        """Send what is left, where that is quick."""
        sending = threading.Thread(target=self._provider.shutdown, name="traces", daemon=True)
        sending.start()
        await asyncio.to_thread(sending.join, FLUSH_WITHIN)
