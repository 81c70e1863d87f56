"""Two instances behind a proxy, restarted one after the other under load: players wait a moment, and lose nothing."""

import pytest

from tests.callers import Caller, player
from tests.faults import caddy
from tests.faults.steady import OverRest, OverSocket, at_once, check, done

pytestmark = [pytest.mark.slow, pytest.mark.postgres]
LONGEST_PAUSE = 3.0


@pytest.fixture
def instances(new_serving, postgres_url, redis):
    pair = [new_serving(database=postgres_url, TWOFOLD_REDIS=redis.url) for _ in range(2)]
    for instance in pair:
        instance.start()
    return pair


@pytest.fixture
def proxy(instances, tmp_path):
    if caddy.program() is None:
        pytest.skip("needs caddy: install Debian's caddy")
    proxy = caddy.Caddy(tmp_path, *(instance.port for instance in instances))
    proxy.start()
    yield proxy
    proxy.stop()


def test_a_rolling_restart_loses_and_doubles_nothing_and_nobody_waits_long(instances, proxy):
    players = [OverSocket(proxy.url, seed) for seed in range(8)] + [OverRest(proxy.url, seed) for seed in range(4)]
    threads = at_once(players)
    try:
        exits = []
        for instance in instances:
            players[0].stop.wait(1.0)
            exits.append(instance.terminate())
            players[0].stop.wait(0.5)
            instance.start()
        players[0].stop.wait(1.0)
    finally:
        done(players, threads)

    assert [status for status, _ in exits] == [0, 0]
    assert max(seconds for _, seconds in exits) < 10
    closes = [code for each in players for code in getattr(each, "closes", ())]
    assert len(closes) >= 8
    assert set(closes) == {1012}
    with Caller(proxy.url) as caller:
        acknowledged = check(players, caller)
    longest = max(each.longest for each in players)
    print(
        f"\n{acknowledged} acknowledged by {len(players)} players, none lost or doubled;"
        f" {len(closes)} sockets closed 1012; exits after {', '.join(f'{seconds:.1f} s' for _, seconds in exits)}; longest pause {longest:.2f} s",
        end="",
    )
    assert longest < LONGEST_PAUSE
    for each in players:
        each.caller.close()


def test_the_proxy_passes_the_live_channel_on(proxy):
    with player(proxy.url) as caller:
        assert caller.new()["version"] == 1
