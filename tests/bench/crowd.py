"""A crowd of simulated players who all play one date, stored as the service stores games; a seed makes the same one."""

import asyncio
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from itertools import pairwise
from random import Random

from tests.storage.shelf import Shelf, append_of
from twofold.board import Direction
from twofold.clock import MS, SECOND
from twofold.daily import opens_at
from twofold.game import Event, Status, create
from twofold.rules import Rules
from twofold.spawn import daily_seed
from twofold_service.storage.appends import append_all
from twofold_service.storage.database import Database
from twofold_service.usecases.values import Day

GOAL = 128
"""Low enough that a crowd without skill reaches it now and then."""

RULES = Rules(goal=GOAL)
BATCH = 250
LAST_START = 23 * 3600


def make(database: Database, date: str, players: int, seed: int) -> list[str]:
    """Store a date that so many players have finished, most of them by giving up; the token of each."""
    return asyncio.run(_make(database, date, players, seed))


def token_of(date: str, number: int) -> str:
    return f"tf_{date}-{number}"


async def _make(database: Database, date: str, players: int, seed: int) -> list[str]:
    tokens = [token_of(date, number) for number in range(players)]
    shelf = Shelf(database, f"crowd of {date}")
    shelf.now = opens_at(date)
    async with shelf:
        puzzle = daily_seed(b"%032d" % seed, date)
        await shelf.days.publish([Day(date, puzzle)], shelf.now)
        for first in range(0, players, BATCH):
            some = range(first, min(first + BATCH, players))
            chances = [Random(f"{seed} {date} {number}") for number in some]
            logs = [list(played(puzzle, opens_at(date), chance)) for chance in chances]
            await _store(shelf, tokens[first : first + BATCH], logs)
    return tokens


def played(puzzle: bytes, opens: int, chance: Random) -> Iterator[Event]:
    """One player's game: some habit, some patience, and a time of day."""
    event = create(RULES, puzzle, opens + chance.randrange(LAST_START * SECOND))
    habit = chance.sample(list(Direction), len(Direction))
    steadiness, patience = chance.random(), 1 + round(chance.lognormvariate(4, 0.8))
    while True:
        yield event
        game = event.game
        at = game.at + round(chance.lognormvariate(6, 0.5)) * MS
        if game.over:
            return
        if game.status is Status.WON:
            event = game.go_on(at)
        elif game.position.moves >= patience:
            event = game.abandon(at)
        else:
            liked = chance.random() < steadiness
            way = min(game.legal_moves, key=habit.index) if liked else chance.choice(game.legal_moves)
            moved = game.move(way, at)
            assert moved is not None
            event = moved


async def _store(shelf: Shelf, tokens: list[str], logs: list[list[Event]]) -> None:
    """Players, games and logs, each in as few transactions as the journal makes of it."""
    known = await asyncio.gather(
        *[
            shelf.players.create(token.replace("_", ""), f"Player {token}", sha256(token.encode()).digest(), shelf.now)
            for token in tokens
        ]
    )
    games = await asyncio.gather(
        *[shelf.create(who.player, log[0], "daily") for who, log in zip(known, logs, strict=True)]
    )
    appends = [
        append_of(game.header, before.game, event)
        for game, log in zip(games, logs, strict=True)
        for before, event in pairwise(log)
    ]
    await shelf.journal.run(partial(append_all, appends=appends, process=shelf.process))
