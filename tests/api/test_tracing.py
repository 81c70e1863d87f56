"""Traces: a span a request and a span a command, sent to a collector where that is wanted, and nothing loaded else."""

import gzip
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from tests.callers import Live
from twofold_service.tracing import Otlp, TracingMissing

pytest.importorskip("opentelemetry.sdk")
pytest.importorskip("opentelemetry.exporter.otlp.proto.http")
TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
Spans = dict[str, dict[str, Any]]


class Collector(HTTPServer):
    """An OpenTelemetry collector that keeps what it is sent."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Taker)
        self.sent: queue.Queue[bytes] = queue.Queue()

    def spans(self, *names: str) -> Spans:
        """The spans by name, once those named have come."""
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

        found: Spans = {}
        while not found.keys() >= set(names):
            request = ExportTraceServiceRequest.FromString(self.sent.get(timeout=30))
            for resource in request.resource_spans:
                service = {entry.key: entry.value.string_value for entry in resource.resource.attributes}[
                    "service.name"
                ]
                for span in (span for scope in resource.scope_spans for span in scope.spans):
                    found[span.name] = {"service": service, "trace": span.trace_id.hex(), "id": span.span_id.hex()}
                    found[span.name] |= {"parent": span.parent_span_id.hex(), "failed": span.status.code == 2}
                    found[span.name] |= {
                        entry.key: entry.value.string_value or entry.value.int_value for entry in span.attributes
                    }
        return found


class Taker(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        packed = self.headers.get("content-encoding") == "gzip"
        assert isinstance(self.server, Collector)
        self.server.sent.put(gzip.decompress(body) if packed else body)
        self.send_response(200)
        self.send_header("content-type", "application/x-protobuf")
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def collector(monkeypatch) -> Iterator[Collector]:
    with Collector() as collector:
        thread = threading.Thread(target=collector.serve_forever, daemon=True)
        thread.start()
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{collector.server_port}")
        monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "50")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        yield collector
        collector.shutdown()
        thread.join()


def test_requests_and_their_commands_are_followed_within_the_callers_trace(serve, join, collector):
    me = join(serve(tracing="otlp").url)
    game = me.new()
    headers = {"traceparent": f"00-{TRACE}-{PARENT}-01"}

    me.post(f"/games/{game['id']}/moves", json={"direction": game["legal_moves"][0]}, headers=headers)

    spans = collector.spans("POST /v1/games/{game_id}/moves", "command move", "POST /v1/games")
    request, command = spans["POST /v1/games/{game_id}/moves"], spans["command move"]
    assert (request["trace"], request["parent"]) == (TRACE, PARENT)
    assert (command["trace"], command["parent"]) == (TRACE, request["id"])
    assert (request["http.route"], request["http.response.status_code"]) == ("/v1/games/{game_id}/moves", 200)
    assert (command["twofold.game"], command["twofold.result"]) == (game["id"], "done")
    assert {span["service"] for span in spans.values()} == {"twofold"}
    assert str(me.token) not in str(spans)


def test_commands_over_a_socket_are_followed_and_refusals_told_by_their_code(serve, join, collector):
    service = serve(tracing="otlp")
    me = join(service.url)
    game = me.new()
    with Live(service.url, me.token) as live:
        live.refused("resume", game=game["id"])
        live.ok("pause", game=game["id"])

    spans = collector.spans("command resume", "command pause")

    assert (spans["command resume"]["twofold.result"], spans["command resume"]["failed"]) == ("not_paused", False)
    assert spans["command pause"]["twofold.result"] == "done"


def test_browsers_may_ask_beforehand_as_ever(serve, join, collector):
    me = join(serve(tracing="otlp").url)
    headers = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST"}

    assert me.options("/games", headers=headers).status_code == 200


def test_a_fault_of_our_own_is_a_span_that_failed(serve, join, collector, monkeypatch):
    service = serve(tracing="otlp")
    me = join(service.url)
    monkeypatch.setattr(service.service.daily, "_now", None)

    assert me.get("/daily").status_code == 500

    assert collector.spans("GET /v1/daily")["GET /v1/daily"]["failed"]


def test_a_service_whose_collector_is_gone_plays_and_ends_all_the_same(serve, join, monkeypatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    service = serve(tracing="otlp")
    me = join(service.url)

    assert me.play(me.new(), 3)["version"] == 4
    begun = time.monotonic()
    service.stop()
    assert time.monotonic() - begun < 8


def test_nothing_of_it_is_loaded_where_it_is_not_wanted(tmp_path):
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from tests.service import put_together\n"
        "put_together(Path(sys.argv[1])).database.close()\n"
        "ours = ('opentelemetry.sdk.trace', 'opentelemetry.exporter')\n"
        "print([name for name in sys.modules if name.startswith(ours)])\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program, tmp_path / "new.db"], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "[]"


def test_without_the_extra_one_is_told_its_name(monkeypatch):
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)

    with pytest.raises(TracingMissing, match=r"twofold\[otel\]"):
        Otlp()
