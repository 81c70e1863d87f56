"""Redis dies for five seconds: play goes on, and whoever watches elsewhere hears of everything, a little later."""

import threading
import time

import pytest

from tests.callers import Caller, Live, player
from tests.faults.clockwork import until
from tests.faults.table import form

pytestmark = [pytest.mark.slow, pytest.mark.postgres, pytest.mark.alone]
AWAY = 5.0
HEALED_WITHIN = 2.0


@pytest.mark.fault("16 Redis killed, away for 5 s")
@pytest.mark.parametrize("number", range(form(1, 5)))
def test_redis_away_for_five_seconds_costs_no_move_and_no_event(new_serving, postgres_url, redis, line, number):
    here, there = [new_serving(database=postgres_url, TWOFOLD_REDIS=redis.url) for _ in range(2)]
    here.start()
    there.start()
    with player(here.url) as caller, Live(here.url, caller.token) as mine, Caller(there.url, caller.token) as other:
        game = caller.new("practice", size=8)
        with Live(there.url, caller.token) as watcher:
            watcher.ok("watch", game=game["id"])
            sent: dict[int, float] = {}
            slowest_answer = 0.0
            heard: dict[int, float] = {}

            def listen() -> None:
                while len(heard) < len(sent) or not played.is_set():
                    heard[watcher.push(wait=10)["event"]["version"]] = time.monotonic()

            played = threading.Event()
            listener = threading.Thread(target=listen)
            listener.start()
            begun, away, way = time.monotonic(), False, game["legal_moves"][0]
            while (passed := time.monotonic() - begun) < AWAY + 2:
                if passed > 0.5 and not away:
                    redis.kill()
                    away = True
                asked = time.monotonic()
                event = mine.ok("move", game=game["id"], direction=way)["event"]
                slowest_answer = max(slowest_answer, time.monotonic() - asked)
                sent[event["version"]] = asked
                way = event["legal_moves"][0]
                if away and passed > AWAY + 0.5 and not redis.is_running:
                    redis.start()
                time.sleep(0.05)
            last = event["version"]
            other.game(game["id"])
            played.set()
            final = mine.ok("move", game=game["id"], direction=way)["event"]
            sent[final["version"]] = time.monotonic()
            listener.join(15)
            assert not listener.is_alive()
        assert sorted(heard) == sorted(sent) == list(range(2, last + 2))
        delays = [heard[version] - sent[version] for version in sent]
        line.ran(
            acknowledged=len(sent),
            slowest_answer=f"{slowest_answer:.2f} s",
            each_event_heard_elsewhere_within=f"{max(delays):.2f} s",
        )
        assert max(delays) < HEALED_WITHIN
        assert slowest_answer < 1
        until(lambda: here.log.count("others are heard through Redis") == 2)
