"""Active time as arithmetic, and instants as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twofold.clock import Clock, from_rfc3339, rfc3339

INSTANTS = st.integers(0, 4_000_000_000_000_000)
SPANS = st.integers(0, 10**12)


@given(INSTANTS, st.lists(st.tuples(SPANS, SPANS)))
def test_active_time_is_the_sum_of_the_running_spans_to_the_microsecond(now, spans):
    clock = Clock()
    for running, standing in spans:
        clock = clock.start(now).stop(now + running)
        now += running + standing
    assert clock.active(now) == sum(running for running, _ in spans)


@given(INSTANTS, SPANS, SPANS)
def test_a_clock_that_runs_is_not_started_again(now, first, second):
    clock = Clock().start(now).start(now + first)
    assert clock.active(now + first + second) == first + second


@given(INSTANTS, SPANS)
def test_an_instant_before_the_start_counts_nothing_back(now, earlier):
    assert Clock(500, now).active(now - earlier) == 500


@given(INSTANTS, SPANS, SPANS)
def test_a_running_clock_knows_when_it_reaches_a_span(now, banked, ahead):
    clock = Clock(banked, now)
    instant = clock.reaches(banked + ahead)
    assert instant is not None
    assert clock.active(instant) == banked + ahead
    assert clock.stop(now).reaches(banked) is None


@given(INSTANTS)
def test_an_instant_is_told_to_the_millisecond_cut_off(instant):
    assert from_rfc3339(rfc3339(instant)) == instant // 1000 * 1000


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("1970-01-01T00:00:00.000Z", 0),
        ("2027-01-15T12:00:00.123Z", 1_800_014_400_123_000),
        ("2027-01-15T13:00:00.123+01:00", 1_800_014_400_123_000),
    ],
)
def test_an_instant_is_read_with_its_zone(text, instant):
    assert from_rfc3339(text) == instant


@pytest.mark.parametrize("text", ["", "noon", "2027-01-15T12:00:00", "2027-02-30T12:00:00Z", "12:00Z"])
def test_a_text_that_is_no_instant_is_refused(text):
    with pytest.raises(ValueError):
        from_rfc3339(text)
