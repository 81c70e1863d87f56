"""What a route declares for the API document beside its signature: name, summary and refusals."""

from typing import Any

from twofold.errors import GameOver, Refusal
from twofold_service.errors import (
    CorruptGame,
    Draining,
    Forbidden,
    KeyReused,
    NotFound,
    RuleRefused,
    ServiceError,
    StaleVersion,
)
from twofold_service.wire.problems import MEDIA_TYPE
from twofold_service.wire.schemas import ref

Failure = type[ServiceError] | type[Refusal]

NO_GAME = (NotFound, CorruptGame)
NO_COMMAND = (*NO_GAME, Forbidden, StaleVersion, KeyReused, Draining, GameOver)


def told(operation_id: str, summary: str, *failures: Failure) -> dict[str, Any]:
    """Options of a route: its name, what it does, and how it can fail but for what follows from its signature."""
    return {"operation_id": operation_id, "summary": summary, "responses": refusals(*failures)}


def command(operation_id: str, summary: str, *failures: Failure) -> dict[str, Any]:
    """The same for a command on a game, beside what refuses any of them."""
    return told(operation_id, summary, *NO_COMMAND, *failures)


def refusals(*failures: Failure) -> dict[int | str, dict[str, Any]]:
    """Problem responses by status, with an example for each code."""
    responses: dict[int | str, dict[str, Any]] = {}
    for failure in failures:
        status = failure.status if issubclass(failure, ServiceError) else RuleRefused.status
        told_so = problem_response(failure.code, failure.code)
        known = responses.setdefault(status, told_so)
        known["content"][MEDIA_TYPE]["examples"] |= told_so["content"][MEDIA_TYPE]["examples"]
    return responses


def problem_response(code: str, example: str) -> dict[str, Any]:
    """One problem response with its example; openapi.py describes it once all codes are together."""
    examples = {code: {"$ref": f"#/components/examples/{example}"}}
    return {"description": "", "content": {MEDIA_TYPE: {"schema": ref("Problem"), "examples": examples}}}
