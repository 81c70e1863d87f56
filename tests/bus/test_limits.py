"""Limits hold for all processes together."""

import time

import pytest

from tests.callers import Caller, Live, answer, problem

pytestmark = pytest.mark.postgres
ON_ITS_WAY = 1.0
"""Seconds until the other process has heard what was counted: milliseconds, but where others have the cores."""


@pytest.fixture(scope="module")
def pair(new_process):
    limits = {
        "TWOFOLD_RATE_LIMITS": "on",
        "TWOFOLD_NEW_PLAYER_RATE": "8/minute",
        "TWOFOLD_PLAYER_RATE": "20/minute",
        "TWOFOLD_OPEN_GAMES": "3",
    }
    return new_process(**limits), new_process(**limits)


def test_rates_wrong_codes_and_open_games_are_counted_together(pair):
    """In one test, because all of it comes from one address within a minute."""
    here, there = Caller(pair[0].url), Caller(pair[1].url)
    with here, there:
        tokens = [answer(who.post("/players"), 201)["token"] for who in (here, there) * 4]
        time.sleep(ON_ITS_WAY)
        for who in (here, there):
            assert "retry-after" in who.post("/players").headers
            problem(who.post("/players"), 429, "rate_limited")

        codes = [(here, there)[number % 2].post("/players/link", json={"code": "0" * 8}) for number in range(10)]
        assert {response.status_code for response in codes} == {404}
        time.sleep(ON_ITS_WAY)
        for who in (here, there):
            problem(who.post("/players/link", json={"code": "0" * 8}), 429, "rate_limited")

        for who in (here, there):
            who.headers["Authorization"] = f"Bearer {tokens[0]}"
        made = [(here, there)[number % 2].post("/games", json={"mode": "classic"}) for number in range(4)]
        assert [response.status_code for response in made] == [201, 201, 201, 409]
        for number in range(16):
            answer((here, there)[number % 2].get("/players/me"))
        time.sleep(ON_ITS_WAY)
        for who in (here, there):
            problem(who.get("/players/me"), 429, "rate_limited")
        with Live(there.url, tokens[0]) as live:
            assert live.refused("ping")["code"] == "rate_limited"
