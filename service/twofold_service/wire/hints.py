"""JSON of hints."""

from typing import Annotated, Literal, NotRequired

from pydantic import ConfigDict, Field
from typing_extensions import TypedDict

from twofold_service.usecases.values import GameView, Hint
from twofold_service.wire.games import DirectionWord, Strict

MIN_DEPTH, MAX_DEPTH, DEPTH = 1, 4, 2
Depth = Annotated[int, Field(ge=MIN_DEPTH, le=MAX_DEPTH)]
Values = Annotated[
    dict[DirectionWord, float],
    Field(description="of each direction that changes the board: its points and those expected after it"),
]


class ReasonOut(TypedDict):
    """A feature of boards by which one direction is worse than another; what else there is follows from `code`."""

    code: Literal[
        "corner_left",
        "edge_left",
        "corner_missed",
        "corner_at_risk",
        "end_possible",
        "chain_broken",
        "merge_missed",
        "cells_closed",
        "small_between",
        "gap_between",
    ]
    tile: NotRequired[int]
    tiles: NotRequired[list[int]]
    cell: NotRequired[int]
    cells: NotRequired[list[int]]
    to: NotRequired[int]
    between: NotRequired[list[int]]
    chance: NotRequired[float]
    worse: NotRequired[int]
    better: NotRequired[float]


class HintIn(Strict):
    board: list[Annotated[list[int], Field(max_length=8)]] = Field(max_length=8)
    depth: Depth = DEPTH

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"board": [[2, 4, 8, 16], [2, 0, 0, 8], [0, 0, 0, 4], [0, 0, 0, 2]], "depth": 2}]
        }
    )


class HintOut(TypedDict):
    """What the solver makes of a board. Of sizes other than 4 the values compare directions, and are no points."""

    size: int
    depth: int
    trained: bool
    best: DirectionWord
    values: Values
    reasons: list[ReasonOut]


class GameHintOut(HintOut):
    """What the solver makes of a game as it stands."""

    version: int


def hint_out(hint: Hint) -> HintOut:
    return {
        "size": hint.size,
        "depth": hint.depth,
        "trained": hint.trained,
        "best": hint.best.value,
        "values": {way.value: round(worth, 3) for way, worth in hint.values.items()},
        "reasons": hint.reasons,  # type: ignore[typeddict-item]
    }


def game_hint_out(view: GameView, hint: Hint) -> GameHintOut:
    return {**hint_out(hint), "version": view.game.version}
