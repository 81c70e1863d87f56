"""JSON of records and of what came of checking one."""

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from twofold_service.usecases.values import RawGame, Verified
from twofold_service.wire.games import Board, Instant
from twofold_service.wire.problems import FieldError


class RecordPlayer(TypedDict):
    id: str
    name: str | None


class RecordGame(TypedDict):
    id: str
    mode: str
    date: str | None
    attempt: int | None
    player: RecordPlayer
    created_at: Instant
    started_at: Instant | None
    ended_at: Instant | None


class RecordRules(TypedDict):
    size: int
    goal: int
    time_limit_ms: int | None
    move_limit: int | None
    undo_limit: int | None


class RecordStart(TypedDict):
    given: bool
    cells: list[int]
    values: list[int]


class RecordResult(TypedDict):
    score: int
    max_tile: int
    moves: int
    active_ms: int
    elapsed_ms: int | None
    pauses: int
    status: str
    outcome: str | None
    reached_goal: bool
    undos: int
    board: Board


class RecordOut(TypedDict):
    """A game as a document that proves itself."""

    format: Literal["twofold.record/1"]
    game: RecordGame
    rules: RecordRules
    start: RecordStart
    events: Annotated[
        list[list[Any]],
        Field(description="[type, direction, active_ms, cause, [cell, value]], null where there is none"),
    ]
    result: RecordResult
    commitment: str
    seed: str | None
    digest: str


class RawOut(TypedDict):
    """The stored rows of a game as they are."""

    game: dict[str, Any]
    events: list[dict[str, Any]]


class VerifiedOut(TypedDict):
    """`proof`: whether the spawns follow from the seed in the record; only `origin` stored says it was played here."""

    valid: bool
    proof: Literal["seed", "consistent"]
    origin: Literal["stored", "differs", "unknown"]
    findings: list[FieldError]
    result: RecordResult


def raw_out(rows: RawGame) -> RawOut:
    return {"game": rows.game, "events": rows.events}


def verified_out(verified: Verified) -> VerifiedOut:
    verdict = verified.verdict
    return {
        "valid": verdict.valid,
        "proof": verdict.proof,
        "origin": verified.origin,
        "findings": [{"loc": list(finding.place), "msg": finding.message} for finding in verdict.findings],
        "result": verdict.result,
    }
