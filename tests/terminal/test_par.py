"""The par of a day as `twofold daily` tells it."""

from datetime import UTC, datetime

from twofold_cli.verbs.daily import _info
from twofold_client.standings import Daily, Luck, Par, ParLevel

THEN = datetime(2026, 11, 30, tzinfo=UTC)
PAR = Par((ParLevel(1, 131_448, 8192), ParLevel(2, 236_012, 16_384)), 20_344, 4_212, Luck(2, 48, 207_704, 0.646))


def told(par):
    return _info(Daily("2026-11-30", THEN, THEN, THEN, "c0ffee", "5eed", 3, None, par))


def test_it_says_what_the_tiles_were_good_for():
    assert told(PAR)[-2:] == [
        "par        131,448 looking 1 move ahead, 236,012 looking 2 moves ahead; best of players 20,344, median 4,212",
        "luck       better than 65% of 48 other days for the solver, mean 207,704",
    ]


def test_where_nobody_played_nobody_is_named():
    alone = Par(PAR.levels, None, None, PAR.luck)
    assert "best of players" not in told(alone)[-2]


def test_before_it_is_there_nothing_is_said_of_it():
    assert not any(line.startswith(("par", "luck")) for line in told(None))
