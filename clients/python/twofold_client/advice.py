"""What the service's solver says of boards and games."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from twofold.board import Direction
from twofold_client.values import Board

Reason = Mapping[str, Any]
"""Why a direction is worse than the better one: a `code`, and numbers or lists of them that go with it."""


@dataclass(frozen=True, slots=True)
class Hint:
    """What each direction that changes a board is worth: its points and those expected after it, where `trained`.

    On boards of other sizes than 4 × 4 the values compare directions and are no points. Reasons speak against the
    second best direction.
    """

    size: int
    depth: int
    trained: bool
    best: Direction
    values: Mapping[Direction, float]
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class GameHint(Hint):
    """A hint in a game, which is `assisted` from then on, at the version it is for."""

    version: int


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A move that cost much: `move` counts from 1; `version` and `board` are those before it."""

    move: int
    version: int
    board: Board
    played: Direction
    best: Direction
    loss: float
    share: float
    kind: Literal["inaccuracy", "mistake", "blunder"]
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Analysis:
    """A final game looked over; `points` has the score, loss, share, played and best direction of every move."""

    game: str
    size: int
    depth: int
    trained: bool
    moves: int
    accuracy: float | None
    loss: float | None
    counts: Mapping[str, int]
    thresholds: Mapping[str, float]
    turning_points: tuple[TurningPoint, ...]
    points: Mapping[str, Any]
