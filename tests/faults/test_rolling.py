"""Two instances behind a proxy, restarted one after the other under load: players wait a moment, and lose nothing."""

import pytest

from tests.callers import Caller
from tests.deploy.proxies import PROXIES, proxy
from tests.faults.steady import OverRest, OverSocket, all_playing, check
from tests.faults.table import form

pytestmark = [pytest.mark.slow, pytest.mark.postgres, pytest.mark.alone]
LONGEST_PAUSE = 3.0


@pytest.fixture
def instances(new_serving, postgres_url, redis):
    pair = [new_serving(database=postgres_url, TWOFOLD_REDIS=redis.url) for _ in range(2)]
    for instance in pair:
        instance.start()
    return pair


@pytest.fixture(params=PROXIES)
def url(request, instances, tmp_path):
    """The instances behind a proxy, with the configuration that lies in `deploy/`."""
    with proxy(request.param, tmp_path, *(instance.port for instance in instances)) as url:
        yield url


@pytest.fixture
def players(url):
    made = [OverSocket(url, seed) for seed in range(8)] + [OverRest(url, seed) for seed in range(4)]
    yield made
    for each in made:
        each.caller.close()


@pytest.mark.fault("17 rolling restart of two instances behind a proxy")
@pytest.mark.parametrize("number", range(form(1, 3)))
def test_a_rolling_restart_loses_and_doubles_nothing_and_nobody_waits_long(instances, url, players, line, number):
    exits = []
    with all_playing(players) as moment:
        for instance in instances:
            moment(1.0)
            exits.append(instance.terminate())
            moment(0.5)
            instance.start()
        moment(1.0)

    assert [status for status, _ in exits] == [0, 0]
    assert max(seconds for _, seconds in exits) < 10
    closes = [code for each in players for code in each.closes]
    assert len(closes) >= 8
    assert set(closes) == {1012}
    with Caller(instances[0].url) as caller:
        acknowledged = check(players, caller)
    longest = max(each.longest for each in players)
    line.ran(
        len(exits),
        acknowledged=acknowledged,
        longest_pause=f"{longest:.2f} s",
        sockets_closed_1012=len(closes),
        exits_after=f"{exits[0][1]:.1f} and {exits[1][1]:.1f} s",
    )
    assert longest < LONGEST_PAUSE
