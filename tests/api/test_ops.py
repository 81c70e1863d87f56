"""For those who run the service: alive, ready, measured by whom it may be, documented offline."""

import re
import sqlite3
from contextlib import closing
from typing import Any

import httpx
import pytest

from tests.callers import Caller, answer, problem
from twofold_service.api.hub import Hub
from twofold_service.api.interface import undeployed_api
from twofold_service.documents import documents
from twofold_service.usecases.clocks import Clocks

POLICY = "default-src 'none'"


@pytest.fixture
def root(url):
    with httpx.Client(base_url=url, trust_env=False) as client:
        yield client


def test_it_is_alive_and_ready(root):
    assert answer(root.get("/healthz")) == {"status": "ok"}
    assert answer(root.get("/readyz")) == {"status": "ready"}


def test_it_is_not_ready_while_it_drains_or_its_storage_does_not_answer(serve):
    service = serve()
    readiness = service.service.readiness
    with httpx.Client(base_url=service.url, trust_env=False) as root:
        readiness.draining = True
        problem(root.get("/readyz"), 503, "draining")
        readiness.draining = False

        async def never() -> None:
            raise TimeoutError

        readiness._storage_answers = never
        problem(root.get("/readyz"), 503, "storage_unavailable")
        assert answer(root.get("/healthz")) == {"status": "ok"}


def test_it_is_not_ready_while_nothing_can_be_written_or_its_loop_stands(serve):
    service = serve()
    readiness = service.service.readiness
    with httpx.Client(base_url=service.url, trust_env=False) as root:
        readiness._unwritten = lambda: 4.2
        assert "4 s" in problem(root.get("/readyz"), 503, "storage_unavailable")["detail"]
        readiness._unwritten = lambda: 0.0
        readiness._standing = lambda: 2.1
        problem(root.get("/readyz"), 503, "busy")
        assert answer(root.get("/healthz")) == {"status": "ok"}


def test_it_is_ready_at_once_however_long_its_start_took(serve, monkeypatch):
    recover = Clocks.recover

    async def slow(clocks: Any) -> None:
        clocks._processes._beaten_at -= 100
        await recover(clocks)

    monkeypatch.setattr(Clocks, "recover", slow)

    assert answer(httpx.get(serve().url + "/readyz", trust_env=False)) == {"status": "ready"}


def test_a_beat_that_is_stored_says_that_storage_can_be_written(serve):
    service = serve()
    processes = service.service.clocks._processes
    processes._beaten_at -= 100

    service.wait_for(processes.beat)

    assert processes.silent_for() < 10


@pytest.mark.parametrize(("revision", "status"), [("0001", 503), (None, 503), ("a later release's", 200)])
def test_it_is_ready_where_the_schema_is_its_own_or_a_later_one(serve, revision, status):
    service = serve()
    with closing(sqlite3.connect(service.path)) as beside, beside:
        beside.execute(
            "DELETE FROM alembic_version" if revision is None else "UPDATE alembic_version SET version_num=?",
            () if revision is None else (revision,),
        )

    assert httpx.get(service.url + "/readyz", trust_env=False).status_code == status


def test_metrics_are_there_for_a_process_on_this_machine(root, me, live):
    me.play(me.new(), 2)
    live(me)

    page = root.get("/metrics")

    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/plain; version=")
    values = dict(re.findall(r"^(twofold_\S+) ([\d.e+]+)$", page.text, re.M))
    assert float(values["twofold_sockets"]) == 1
    assert float(values['twofold_games_in_memory{status="running"}']) >= 1
    assert float(values['twofold_commands_total{op="move",result="done"}']) >= 2


@pytest.mark.parametrize(
    "header",
    [
        "Forwarded",
        "X-Forwarded-For",
        "X-Forwarded-Proto",
        "X-Forwarded-Host",
        "X-Forwarded-Port",
        "X-Forwarded-Server",
        "Via",
    ],
)
def test_metrics_are_not_there_through_a_proxy(root, header):
    problem(root.get("/metrics", headers={header: "203.0.113.1"}), 404, "not_found")


def test_metrics_are_there_for_the_holder_of_the_token_even_through_a_proxy(serve):
    service = serve(metrics_token="a-token")
    headers = {"Via": "1.1 proxy"}
    with httpx.Client(base_url=service.url, trust_env=False, headers=headers) as root:
        answers = [
            root.get("/metrics", headers={"Authorization": value}).status_code
            for value in ("Bearer a-token", "Bearer a-tokem", "Bearer a-token2", "a-token", "Bearer")
        ]
        answers.append(root.get("/metrics").status_code)

    assert answers == [200, 404, 404, 404, 404, 404]


def test_metrics_tell_no_seed_token_or_name(root, join, url):
    me = join(url, "Somebody")
    game = me.new("practice")

    page = root.get("/metrics").text

    assert not any(secret in page for secret in (game["seed"], game["id"], me.token or "", me.id, "Somebody"))


def test_the_documentation_needs_nothing_from_elsewhere(root):
    page = root.get("/docs")

    links = re.findall(r'(?:href|src)="([^"]+)"', page.text)
    assert len(links) >= 3
    for link in links:
        assert link.startswith("/docs/")
        assert root.get(link).status_code == 200
    assert "://" not in page.text


def test_the_documentation_may_run_nothing_but_its_own(root):
    policy = root.get("/docs").headers["content-security-policy"]

    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == "'self'"
    assert rules["frame-ancestors"] == "'none'"
    assert "unsafe-inline" not in rules["script-src"]
    assert "<script>" not in root.get("/docs").text


def test_the_document_of_the_api_is_the_one_in_the_repository(root):
    served = root.get("/v1/openapi.json")

    assert served.json()["openapi"].startswith("3.1")
    assert served.json() == undeployed_api().openapi()


def test_documents_are_made_alike_each_time():
    assert documents() == documents()


@pytest.mark.parametrize(
    "path", ["/docs/assets/nothing.js", "/docs/assets/../ops.py", "/docs/assets/%2e%2e/%2e%2e/x", "/docs/assets"]
)
def test_there_is_nothing_else_among_the_assets(root, path):
    problem(root.get(path), 404, "not_found")


@pytest.mark.parametrize("path", ["/v1/modes", "/v1/games", "/v1/nowhere"])
def test_pages_of_any_origin_may_ask_without_credentials(root, path):
    told = root.get(path, headers={"Origin": "https://elsewhere.example"})

    assert told.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in told.headers
    exposed = told.headers["access-control-expose-headers"].lower()
    assert {"etag", "location", "retry-after", "x-request-id"} <= set(re.split(r",\s*", exposed))


@pytest.mark.parametrize("method", ["GET", "POST", "PATCH", "DELETE"])
def test_a_browser_is_told_beforehand_what_it_may_ask(root, method):
    wished = "authorization, content-type, idempotency-key, if-match"
    headers = {
        "Origin": "https://elsewhere.example",
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": wished,
    }

    told = root.options("/v1/players/me", headers=headers)

    assert told.status_code == 200
    assert method in told.headers["access-control-allow-methods"]
    assert set(wished.split(", ")) <= set(re.split(r",\s*", told.headers["access-control-allow-headers"].lower()))


def test_a_fault_of_the_caller_s_is_told_to_pages_of_any_origin_too(root):
    told = root.get("/v1/players/me", headers={"Origin": "https://elsewhere.example"})

    assert told.status_code == 401
    assert told.headers["access-control-allow-origin"] == "*"


def test_where_a_problem_s_type_leads_there_is_a_word_on_it(root, url):
    with Caller(url) as stranger:
        kind = problem(stranger.get("/nowhere"), 404, "not_found")["type"]

    path, _, anchor = kind.partition("#")
    assert f'id="{anchor}"' in root.get(path).text


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/docs", "/", "/v1/modes", "/v1/daily", "/v1/games/none"])
def test_head_answers_what_get_does_without_the_body(root, path):
    got, head = root.get(path), root.head(path)

    assert (head.status_code, head.content) == (got.status_code, b"")
    for name in ("content-type", "content-length", "etag", "cache-control"):
        assert head.headers.get(name) == got.headers.get(name), name
    assert answer(root.get("/healthz")) == {"status": "ok"}  # on the same connection


def test_a_part_of_the_service_that_stops_by_itself_is_told_of(serve, monkeypatch, caplog):
    async def breaks(_: Hub) -> None:
        raise RuntimeError("the hub broke")

    monkeypatch.setattr(Hub, "tick", breaks)
    service = serve()

    (told,) = [record for record in caplog.records if record.levelname == "CRITICAL"]
    assert "the hub broke" in str(told.exc_info)
    for path in ("/healthz", "/readyz"):
        problem(httpx.get(service.url + path, trust_env=False), 500, "internal")
