"""The daily puzzle's calendar: a UTC date, when it opens, closes and is revealed."""

from datetime import UTC, date, datetime, timedelta

from twofold.clock import SECOND

DAY = 86_400 * SECOND
PUBLISHED_AHEAD = 7


def date_of(instant: int) -> str:
    """The UTC date an instant falls on, YYYY-MM-DD."""
    return datetime.fromtimestamp(instant // SECOND, UTC).date().isoformat()


def parse_date(text: str) -> date:
    """A date written YYYY-MM-DD and no other way; ValueError otherwise."""
    day = date.fromisoformat(text)
    if day.isoformat() != text:
        raise ValueError("a date is written YYYY-MM-DD")
    return day


def later(day: str, days: int) -> str:
    return (date.fromisoformat(day) + timedelta(days)).isoformat()


def opens_at(day: str) -> int:
    """The first instant of a date."""
    return (date.fromisoformat(day) - date(1970, 1, 1)).days * DAY


def closes_at(day: str) -> int:
    """The first instant after a date."""
    return opens_at(day) + DAY


def reveals_at(day: str) -> int:
    """From when the date's seed is shown and its games are closed: a day after it has ended."""
    return opens_at(day) + 2 * DAY
