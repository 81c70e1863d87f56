"""PostgreSQL dies and comes back: refused meanwhile, nothing acknowledged is lost, and nobody starts anything again."""

import threading
import time

import httpx
import psycopg
import pytest

from tests.callers import Caller, Json, Live, player, problem
from tests.faults.clockwork import until
from tests.faults.table import form
from tests.faults.test_disk import log_of, move_any, play_until_refused

pytestmark = [pytest.mark.slow, pytest.mark.postgres]


@pytest.fixture
def serving(new_serving, postgres_url):
    return new_serving(database=postgres_url, TWOFOLD_STORAGE_TIMEOUT_MS="1000")


def status(url: str, path: str) -> int:
    return httpx.get(url + path, trust_env=False, timeout=5).status_code


@pytest.mark.alone
@pytest.mark.fault("15 PostgreSQL killed or stopped, and back")
@pytest.mark.parametrize("how", ["kill", "stop"])
@pytest.mark.parametrize("number", range(form(1, 5)))
def test_a_killed_postgresql_loses_nothing_acknowledged_and_play_goes_on_by_itself(serving, cluster, line, how, number):
    serving.start()
    with player(serving.url) as caller, Live(serving.url, caller.token) as live:
        game = caller.new("practice", size=8)
        killing = threading.Timer(0.5 + 0.1 * number, getattr(cluster, how))
        killing.start()
        acknowledged, refusal = play_until_refused(live, game)
        killing.join()
        assert (refusal["status"], refusal["code"]) == (503, "storage_unavailable")
        assert acknowledged
        begun = time.monotonic()
        problem(caller.ask(game["id"], "pause"), 503, "storage_unavailable")
        problem(caller.post("/games", json={"mode": "classic"}), 503, "storage_unavailable")
        assert time.monotonic() - begun < 3
        assert (status(serving.url, "/healthz"), status(serving.url, "/readyz")) == (200, 503)
        cluster.start()
        back = time.monotonic()
        until(lambda: status(serving.url, "/readyz") == 200)
        event = until(lambda: move_any(live, game))
        took = time.monotonic() - back
        line.ran(acknowledged=len(acknowledged), play_goes_on_after=f"{took:.2f} s")
        assert took < 5
        assert event["version"] > acknowledged[-1]["version"]
        check_log(caller, game, [*acknowledged, event])


def check_log(caller: Caller, game: Json, acknowledged: list[Json]) -> None:
    """All that was acknowledged, and at most the one move that was being committed when the server died."""
    log = log_of(caller, game)
    assert [event["version"] for event in log] == list(range(2, len(log) + 2))
    assert [event for event in log if event in acknowledged] == acknowledged
    assert len(log) <= len(acknowledged) + 1


def test_a_crash_pauses_games_as_of_the_crash_however_soon_the_service_is_back(serving, cluster, postgres_url):
    """Another process on the same database might still live: who was heard of a moment ago is waited for first."""
    serving.start()
    with player(serving.url) as caller:
        game = caller.do(caller.new("sprint")["id"], "start")["game"]
        serving.kill()
        with psycopg.connect(postgres_url, autocommit=True) as beside:
            beside.execute("UPDATE process SET heartbeat = heartbeat + 15000000")
        serving.start()
    with Caller(serving.url, caller.token) as caller:
        assert caller.game(game["id"])["status"] == "paused"
