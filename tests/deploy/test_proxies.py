"""Games through a running Caddy and a running nginx, each with the configuration that lies in `deploy/`."""

import json
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from tests.callers import Caller, Live, answer, player, problem
from tests.deploy.files import env_example
from tests.deploy.proxies import PROXIES, proxy
from tests.faults.serving import Serving
from twofold_service.settings import Settings

TOKEN = "for Prometheus"
SOCKETS = 2
ADA, BEN = "127.0.0.2", "127.0.0.3"
"""Other addresses of this machine: the service trusts 127.0.0.1, where the proxy is."""


@dataclass(frozen=True, slots=True)
class House:
    """A service with the unit's example settings, and the proxy before it."""

    serving: Serving
    url: str


@pytest.fixture(scope="module", params=PROXIES)
def house(request, migrated, tmp_path_factory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("serving")
    shutil.copy(migrated, folder / "twofold.db")
    wanted = {"TWOFOLD_RATE_LIMITS": "on", "TWOFOLD_ADDRESS_SOCKETS": str(SOCKETS), "TWOFOLD_METRICS_TOKEN": TOKEN}
    serving = Serving(folder, **env_example(), **wanted)
    with ExitStack() as stack:
        stack.callback(serving.kill)
        serving.start()
        url = stack.enter_context(proxy(request.param, tmp_path_factory.mktemp(request.param), serving.port))
        yield House(serving, url)


def test_a_game_is_played_and_watched_live(house):
    with (
        player(house.url, "Ada") as ada,
        Live(house.url, ada.token, origin=house.url) as mine,
        Live(house.url) as theirs,
    ):
        game = ada.new()
        theirs.ok("watch", game=game["id"])
        played = [mine.ok("move", game=game["id"], direction=way) for way in ("left", "down", "right", "up") * 5]
        made = [reply["event"] for reply in played if reply["moved"]]

        seen = theirs.events(len(made))

    assert len(made) > 5
    assert seen == made
    assert [event["version"] for event in seen] == [*range(2, len(made) + 2)]


def test_a_page_of_another_origin_opens_no_connection(house):
    with pytest.raises(InvalidStatus) as refused:
        Live(house.url, origin="http://elsewhere.example")

    assert refused.value.response.status_code == 403


def test_addresses_are_those_of_the_players_whatever_they_say_themselves(house):
    lies = {"X-Forwarded-For": "192.0.2.1", "Forwarded": "for=192.0.2.1"}

    def arrive(address: str) -> Live:
        return Live(house.url, source_address=(address, 0), additional_headers=lies)

    with arrive(ADA), arrive(ADA):
        with pytest.raises(InvalidStatus) as refused:
            arrive(ADA)
        with arrive(BEN) as other:
            assert other.ok("ping")["server_now"]
    assert json.loads(refused.value.response.body)["code"] == "too_many"


@pytest.mark.parametrize("path", ["/metrics", "/metrics?x=1", "//metrics", "/%6detrics", "/v1/../metrics", "/metrics/"])
def test_metrics_are_not_public_whoever_asks(house, path):
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with httpx.Client(trust_env=False, headers=headers) as somebody:
        inside = somebody.get(f"{house.serving.url}/metrics")
        # as it is written: a client would tidy the path
        outside = somebody.send(httpx.Request("GET", house.url, headers=headers, extensions={"target": path.encode()}))

    assert "twofold_" in inside.text
    assert outside.status_code == 404
    assert "twofold_" not in outside.text


def test_a_large_record_arrives_and_too_large_a_one_is_refused_by_the_service(house):
    most = Settings.model_fields["record_bytes"].default
    with Caller(house.url) as somebody:
        large = somebody.post("/verify", content=b" " * most, headers={"Content-Type": "application/json"})
        too_large = somebody.post("/verify", content=b" " * (most + 1), headers={"Content-Type": "application/json"})

    assert large.status_code == 422
    problem(too_large, 413, "too_large")


def test_a_drain_reaches_the_player_and_the_game_goes_on_after_the_restart(house):
    with player(house.url) as ada, Live(house.url, ada.token) as live:
        game = ada.new("sprint", start=True)
        live.ok("watch", game=game["id"])
        status, took = house.serving.terminate()
        told, code = live.push("draining"), live.closed()
        house.serving.start()
        kept = answer(ada.get(f"/games/{game['id']}"))

    assert (status, code) == (0, 1012)
    assert took < 10
    assert told["retry_after_ms"] >= 0
    assert kept["status"] == "paused"
