"""What the journal's commits cost a move, by how many moves are in a batch."""

import time
from collections import deque
from dataclasses import dataclass
from statistics import median

from tests.bench import engine
from twofold.game import Game, Status
from twofold_service.storage.writer import Writer
from twofold_service.usecases.ports import Append
from twofold_service.usecases.values import Header

BATCHES = (1, 8, 32, 128)
COMMITS = {1: 100, 8: 40, 32: 20, 128: 8}
USUAL_BATCH = 8
"""About what forms under load: 4 to 12 moves were seen at 64 and 512 players when the benchmark was written."""


@dataclass(frozen=True, slots=True)
class Commit:
    """What a move costs the journal in a batch: CPU, and time on the clock with the disk's share, both in us."""

    cpu: float
    clock: float


def commits(writer: Writer, games: deque[tuple[Header, Game]], batch: int, repeats: int) -> Commit:
    """Median of many batches, each a move of as many games, which go round until they end."""
    cpu, clock = [], []
    for number in range(COMMITS[batch] * repeats):
        appends: list[Append] = []
        for _ in range(batch):
            header, game = games.popleft()
            event = engine.liked_move(game, number)
            appends.append(Append(header, game, event, False, None, event.game.at))
            if event.game.status is Status.RUNNING:
                games.append((header, event.game))
        began, spent = time.perf_counter(), time.thread_time()
        outcomes = writer.write([*appends], wait=True)
        cpu.append((time.thread_time() - spent) * 1e6 / batch)
        clock.append((time.perf_counter() - began) * 1e6 / batch)
        if any(outcomes):
            raise RuntimeError(f"a batch was not written: {outcomes[0]!r}")
    return Commit(median(cpu), median(clock))
