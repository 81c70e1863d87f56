"""JSON of analyses; what an analysis says is written by the solver (`twofold_solver.analysis`)."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from twofold_service.usecases.values import Underway
from twofold_service.wire.games import Board, DirectionWord
from twofold_service.wire.hints import ReasonOut

Share = Annotated[float, Field(ge=0, le=1)]


class UnderwayOut(TypedDict):
    """An analysis that is being made; ask again within 15 s, or the work ends."""

    state: Literal["queued", "running"]
    progress: Share


class LossCountsOut(TypedDict):
    blunders: int
    mistakes: int
    inaccuracies: int


class ThresholdsOut(TypedDict):
    """From which loss on a move has which name: shares, and the least points it must lose."""

    inaccuracy: float
    mistake: float
    blunder: float
    least_points: float


class TurningPointOut(TypedDict):
    """A move that cost much."""

    move: int
    version: int
    board: Board
    played: DirectionWord
    best: DirectionWord
    loss: float
    share: float
    kind: Literal["inaccuracy", "mistake", "blunder"]
    reasons: list[ReasonOut]


class MovesOut(TypedDict):
    """All moves of the final path, one entry each."""

    score: list[int]
    loss: list[float]
    share: list[float | None]
    played: list[DirectionWord]
    best: list[DirectionWord]


class AnalysisOut(TypedDict):
    """A final game looked over: what each move lost in points to expect, and what would have been better."""

    game: str
    size: int
    depth: int
    trained: bool
    moves: int
    accuracy: float | None
    loss: float | None
    counts: LossCountsOut
    thresholds: ThresholdsOut
    turning_points: list[TurningPointOut]
    points: MovesOut


def underway_out(underway: Underway) -> UnderwayOut:
    return {"state": "running" if underway.running else "queued", "progress": round(underway.progress, 3)}
