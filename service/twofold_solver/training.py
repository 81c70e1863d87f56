"""A run of training: its plan, its state on disk, and what it tells on the way. Needs the extra `train`.

One thread and one seed: the same plan gives the same weights, however often the run was stopped and resumed.
"""

import os
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from twofold_solver import packed
from twofold_solver.compiled import learning
from twofold_solver.errors import CheckpointRefused
from twofold_solver.network import WEIGHTS
from twofold_solver.packed import Boards
from twofold_solver.weights import pack

CHECKPOINT_FORMAT = 1
TURN = 1_000_000
"""Moves between two looks at the clock and at whether to stop."""


class Plan(NamedTuple):
    """How long to train, in moves since the run's very beginning."""

    moves: int
    restarts_until: int
    """From here on games are not played again from their middle."""


class Progress(NamedTuple):
    """What has happened since the last one was told."""

    moves: int
    """Since the beginning, as all else is not."""
    moves_per_second: float
    games: int
    """Played from their start; those from the middle of others are in no figure but the moves."""
    mean_score: float
    shares: dict[int, float]
    """Of these games, by the face value they reached at least."""


@dataclass(slots=True)
class Learner:
    """A network that learns: 4 × 16**6 weights, their errors, and where the run stands."""

    seed: int
    moves: int = 0
    weights: learning.Weights = field(default_factory=lambda: np.zeros(WEIGHTS, np.float32))
    errors: learning.Weights = field(default_factory=lambda: np.zeros((WEIGHTS, 2), np.float32))
    state: Boards = field(default_factory=lambda: np.zeros(2, np.uint64))
    tally: NDArray[np.int64] = field(default_factory=lambda: np.zeros(learning.TALLY, np.int64))

    @classmethod
    def new(cls, seed: int) -> "Learner":
        learner = cls(seed)
        learner.state[learning.RANDOM] = seed
        return learner

    def learn(self, budget: int, restarts: bool) -> None:
        """Play and learn from at least `budget` moves."""
        tables = packed.pushes()
        self.moves += learning.learn(
            budget,
            restarts,
            self.weights,
            self.errors,
            self.state,
            self.tally,
            tables.left,
            tables.right,
            tables.gain,
        )

    def save(self, path: Path) -> None:
        """Write a checkpoint, whole or not at all: of weights only those ever touched."""
        touched = np.flatnonzero(self.errors[:, 1]).astype(np.uint32)
        new = path.with_name(path.name + ".new")
        with new.open("wb") as file:
            np.savez(
                file,
                format=np.int64(CHECKPOINT_FORMAT),
                seed=np.uint64(self.seed),
                moves=np.int64(self.moves),
                state=self.state,
                tally=self.tally,
                touched=touched,
                weights=self.weights[touched],
                errors=self.errors[touched],
            )
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)

    def pack(self, path: Path, kept: int) -> None:
        """Write the file of weights, with the `kept` weights that count most: large ones, often read."""
        importance = self.errors[:, 1] * np.abs(self.weights)
        pack(path, self.weights, importance, moves=self.moves, seed=self.seed, kept=kept)

    @classmethod
    def saved(cls, path: Path) -> "Learner":
        """The learner of a checkpoint; CheckpointRefused where that cannot be read."""
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
                if stored["format"] != CHECKPOINT_FORMAT:
                    raise CheckpointRefused(
                        f"{path}: a checkpoint of format {stored['format']}, not {CHECKPOINT_FORMAT}"
                    )
                learner = cls(int(stored["seed"]), int(stored["moves"]), state=stored["state"], tally=stored["tally"])
                touched = stored["touched"]
                learner.weights[touched] = stored["weights"]
                learner.errors[touched] = stored["errors"]
        except (ValueError, KeyError, IndexError, EOFError, zipfile.BadZipFile) as error:
            raise CheckpointRefused(f"{path}: no whole checkpoint of training: {error}") from error
        return learner


def train(
    learner: Learner,
    plan: Plan,
    checkpoint: Path,
    *,
    tell: Callable[[Progress], None],
    turned: Callable[[int], None],
    stop: Callable[[], bool],
    tell_moves: int = 10_000_000,
    save_seconds: float = 600,
) -> None:
    """Train until the plan is fulfilled or `stop` says so, and leave a checkpoint at the end and all `save_seconds`.

    `tell` hears every `tell_moves` how it goes, `turned` about every second at how many moves the run is.
    """
    saved_at = told_at = time.monotonic()
    begun = told_moves = learner.moves
    while learner.moves < plan.moves and not stop():
        restarts = learner.moves < plan.restarts_until
        border = min(plan.moves, plan.restarts_until) if restarts else plan.moves
        learner.learn(min(TURN, border - learner.moves), restarts)
        turned(learner.moves)
        now = time.monotonic()
        if learner.moves // tell_moves > told_moves // tell_moves:
            tell(_progress(learner, learner.moves - told_moves, now - told_at))
            learner.tally[:] = 0
            told_at, told_moves = now, learner.moves
        if now - saved_at >= save_seconds:
            learner.save(checkpoint)
            saved_at = time.monotonic()
    if learner.moves > begun:
        learner.save(checkpoint)


def _progress(learner: Learner, moves: int, seconds: float) -> Progress:
    games = int(learner.tally[learning.GAMES])
    by_rank = learner.tally[learning.RANKS :]
    reached = np.cumsum(by_rank[::-1])[::-1] / max(games, 1)
    return Progress(
        learner.moves,
        moves / seconds,
        games,
        float(learner.tally[learning.POINTS]) / max(games, 1),
        {1 << rank: float(reached[rank]) for rank in range(11, packed.TOP + 1)},
    )
