"""The par of the day: what the solver makes of a date's tiles once they are shown, and how lucky these were."""

import asyncio
import logging
from hashlib import sha256
from statistics import median

from twofold.board import max_tile
from twofold.clock import SECOND
from twofold.daily import reveals_at
from twofold.game import Game
from twofold_service.errors import ServiceError
from twofold_service.usecases import playing
from twofold_service.usecases.asking import ask
from twofold_service.usecases.daily import Daily
from twofold_service.usecases.ports import Desk, Now, ParStore
from twofold_service.usecases.values import Luck, Par, ParLevel

log = logging.getLogger("twofold.par")
LEVELS = (1, 2, 3)
LUCK_LEVEL, SHUFFLES = 2, 48
MOVES_A_STEP = {1: 2000, 2: 2000, 3: 250}
"""Some tenths of a second each: others who ask the same process get their turns in between."""
LOOK_EVERY = 30.0
CLAIM_LASTS = 120 * SECOND
RENEW_EVERY = 30 * SECOND
DESK = "par"


class Lost(Exception):
    """Another process has taken the date over, or its par was made meanwhile."""


class Pars:
    """Lets the solver play each date whose seed is shown, once: whichever process claims it first does so."""

    def __init__(self, store: ParStore, daily: Daily, desk: Desk, now: Now, process: str, shuffles: int) -> None:
        self._store = store
        self._daily = daily
        self._desk = desk
        self._now = now
        self._process = process
        self._shuffles = shuffles
        self._renewed_at = 0

    async def of_date(self, date: str) -> Par | None:
        """A date's par; None before its seed is shown, and until the solver has played it."""
        return await self._store.par(date) if self._now() >= reveals_at(date) else None

    async def run(self) -> None:
        """Make what is to be made, until cancelled; a fault here is no fault of the service."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            try:
                while await self.make_next():
                    pass
            except ServiceError as error:
                log.warning("the par of a day was put off: %s", error.detail)
                await asyncio.sleep(CLAIM_LASTS / SECOND)  # or another date would be claimed, and put off as well
            except Exception:
                log.exception("the par of a day could not be made")

    async def make_next(self) -> bool:
        """Make the par of the newest date that has none; False where there is none to be made here."""
        self._renewed_at = self._now()
        date = await self._store.claim(self._process, self._now(), self._now() - CLAIM_LASTS)
        if date is None:
            return False
        try:
            par = await self._made(date, await self._daily.revealed_seed(date))
        except Lost:
            log.info("the par of %s is another process's", date)
        else:
            await self._store.keep(date, par, self._now())
        return True

    async def _made(self, date: str, seed: bytes) -> Par:
        others = [playing.begun(seed_of(seed, number)) for number in range(self._shuffles)]
        levels = []
        reshuffled: list[int] = []
        for level in LEVELS:
            games = [playing.begun(seed), *(others if level == LUCK_LEVEL else [])]
            own, *shuffled = [game.position for game in await self._played_out(date, games, level)]
            levels.append(ParLevel(level, own.score, max_tile(own.cells)))
            reshuffled += [position.score for position in shuffled]
        scores = await self._store.scores(date)
        return Par(
            tuple(levels),
            max(scores, default=None),
            round(median(scores)) if scores else None,
            luck(levels[LEVELS.index(LUCK_LEVEL)].score, reshuffled),
        )

    async def _played_out(self, date: str, games: list[Game], level: int) -> list[Game]:
        while not all(game.over for game in games):
            games = await ask(self._desk, DESK, playing.played_on, games, level, MOVES_A_STEP[level])
            if self._now() - self._renewed_at >= RENEW_EVERY:
                self._renewed_at = self._now()
                if not await self._store.renew(date, self._process, self._renewed_at):
                    raise Lost
        return games


def luck(score: int, reshuffled: list[int]) -> Luck:
    """How a score on a date's tiles stands among those of the same player on others."""
    below = sum(other < score for other in reshuffled)
    return Luck(LUCK_LEVEL, len(reshuffled), round(sum(reshuffled) / len(reshuffled)), below / len(reshuffled))


def seed_of(seed: bytes, number: int) -> bytes:
    """The seed of the date's tiles reshuffled for the so-manieth time: for everybody who has the date's."""
    return sha256(b"twofold/par/1" + seed + number.to_bytes(4, "big")).digest()
