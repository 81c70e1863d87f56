"""Rates: how often one address and one player may ask."""

import time
from collections.abc import Callable

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter

from twofold_service.errors import RateLimited


class Rates:
    """Counts by address and by player; a rate is written like `60/second`. Off, it counts nothing.

    Where others serve the same callers, `tell` sends them what was counted here.
    """

    def __init__(self, *, on: bool, address: str, player: str, new_player: str) -> None:
        self._limiter = FixedWindowRateLimiter(MemoryStorage()) if on else None
        self._address = parse(address)
        self._player = parse(player)
        self._new_player = parse(new_player)
        self.tell: Callable[[tuple[str, str]], None] | None = None

    def count_address(self, address: str) -> None:
        self._count(self._address, "address", address)

    def count_player(self, player: int) -> None:
        self._count(self._player, "player", player)

    def count_new_player(self, address: str) -> None:
        self._count(self._new_player, "new player", address)

    def heard(self, counted: tuple[str, str]) -> None:
        """Another process has counted somebody."""
        what, who = counted
        rate = {"address": self._address, "player": self._player, "new player": self._new_player}[what]
        if self._limiter is not None:
            self._limiter.hit(rate, what, who)

    def _count(self, rate: RateLimitItem, what: str, who: str | int) -> None:
        if self._limiter is None:
            return
        if self._limiter.hit(rate, what, str(who)):
            if self.tell is not None:
                self.tell((what, str(who)))
            return
        reset = self._limiter.get_window_stats(rate, what, str(who)).reset_time
        raise RateLimited(f"At most {rate} for one {what}.", retry_after=max(1, round(reset - time.time())))
