"""The daily puzzle: seeds published a week ahead, days told, days closed at their reveal."""

import logging

from twofold import daily as calendar
from twofold.spawn import daily_seed
from twofold_service.errors import CorruptGame, Invalid, NotFound
from twofold_service.usecases.play import Play
from twofold_service.usecases.ports import DayStore, GameStore, Now
from twofold_service.usecases.values import Command, Day

log = logging.getLogger("twofold.daily")
STEP = 100


class Daily:
    """Knows the seeds of dates; `secret` makes those that are not stored yet."""

    def __init__(self, days: DayStore, games: GameStore, play: Play, now: Now, secret: bytes) -> None:
        self._days = days
        self._games = games
        self._play = play
        self._now = now
        self._secret = secret
        self._published = ""

    async def publish(self) -> None:
        """Store the seeds of today and the week ahead."""
        today = calendar.date_of(self._now())
        if today == self._published:
            return
        dates = [calendar.later(today, days) for days in range(calendar.PUBLISHED_AHEAD + 1)]
        await self._days.publish([Day(date, daily_seed(self._secret, date)) for date in dates], self._now())
        self._published = today

    async def today(self) -> Day:
        return await self.day(calendar.date_of(self._now()))

    async def day(self, text: str) -> Day:
        """The puzzle of a date; Invalid for what is no date, NotFound before our first day and beyond a week."""
        try:
            calendar.parse_date(text)
        except ValueError as error:
            raise Invalid(errors=[(("date",), "a date is written YYYY-MM-DD")]) from error
        last = calendar.later(calendar.date_of(self._now()), calendar.PUBLISHED_AHEAD)
        day = await self._days.day(text) if text <= last else None
        if day is None:
            raise NotFound("There is no daily puzzle of this date here.")
        return day

    async def revealed_seed(self, date: str) -> bytes:
        """The seed of a past daily; Invalid while it is not shown."""
        day = await self.day(date)
        if self._now() < calendar.reveals_at(date):
            raise Invalid(errors=[(("body", "date"), "the seed of this date is not shown yet")])
        return day.seed

    async def players(self, date: str) -> int:
        """How many players have begun a date."""
        return await self._days.players(date)

    async def reveal(self) -> None:
        """Close the games of dates whose reveal has come, each once."""
        now = self._now()
        for date in await self._days.unrevealed(calendar.date_of(now)):
            if calendar.reveals_at(date) > now:
                continue
            await self._close_games(date, now)
            await self._days.mark_revealed(date, now)

    async def _close_games(self, date: str, now: int) -> None:
        after = 0
        while page := await self._games.of_date(date, after, STEP):
            for after, game in page:  # noqa: B007
                try:
                    await self._play.played(Command("settle", game, now))
                except (CorruptGame, NotFound) as error:
                    log.warning("the game of %s could not be closed: %s", date, error.code, extra={"game": game})
