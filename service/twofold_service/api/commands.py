"""Routes of the commands on a game: the hot path, answered by lean routes."""

from typing import Any

from fastapi import APIRouter
from orjson import Fragment

from twofold.board import Direction
from twofold.errors import (
    AlreadyStarted,
    AwaitingContinue,
    GamePaused,
    NothingToUndo,
    NotPaused,
    NotRunning,
    NotStarted,
    NotWon,
    UndoExhausted,
)
from twofold_service.api.documented import command
from twofold_service.api.lean import LeanRoute, Order, OrderOf
from twofold_service.usecases.values import Command, Played
from twofold_service.wire.events import event_json
from twofold_service.wire.games import CommandIn, CommandOut, MoveIn, MoveOut, game_out

router = APIRouter(prefix="/games", tags=["commands"], route_class=LeanRoute)


@router.post(
    "/{game_id}/moves",
    response_model=MoveOut,
    **command("move", "Play a move", NotStarted, GamePaused, AwaitingContinue),
)
async def move(order: OrderOf, body: MoveIn) -> Any:
    """Play one move at the version you saw; a no-op answers `moved: false` and costs nothing."""
    played = await _played(order, "move", Direction(body.direction))
    return {"moved": played.event is not None, **_out(order, played)}


@router.post("/{game_id}/start", response_model=CommandOut, **command("start", "Start the clock", AlreadyStarted))
async def start(order: OrderOf, body: CommandIn) -> Any:
    """Start the clock of a game that is ready."""
    return _out(order, await _played(order, "start"))


@router.post(
    "/{game_id}/undo",
    response_model=CommandOut,
    **command("undo", "Take a move back", NotStarted, UndoExhausted, NothingToUndo),
)
async def undo(order: OrderOf, body: CommandIn) -> Any:
    """Take one move back; neither its time nor the undo itself comes back."""
    return _out(order, await _played(order, "undo"))


@router.post(
    "/{game_id}/pause", response_model=CommandOut, **command("pause", "Stop the clock", NotStarted, NotRunning)
)
async def pause(order: OrderOf, body: CommandIn) -> Any:
    """Stop the clock of a running game."""
    return _out(order, await _played(order, "pause"))


@router.post(
    "/{game_id}/resume", response_model=CommandOut, **command("resume", "Go on after a pause", NotStarted, NotPaused)
)
async def resume(order: OrderOf, body: CommandIn) -> Any:
    """Let the clock of a paused game run again."""
    return _out(order, await _played(order, "resume"))


@router.post(
    "/{game_id}/continue",
    response_model=CommandOut,
    **command("continue", "Play on beyond the goal", NotStarted, NotWon),
)
async def go_on(order: OrderOf, body: CommandIn) -> Any:
    """Play on after the goal was reached."""
    return _out(order, await _played(order, "continue"))


@router.post("/{game_id}/abandon", response_model=CommandOut, **command("abandon", "End the game"))
async def abandon(order: OrderOf, body: CommandIn) -> Any:
    """End the game for good; a finished one keeps its outcome and gives up its undos."""
    return _out(order, await _played(order, "abandon"))


async def _played(order: Order, op: str, direction: Direction | None = None) -> Played:
    command = Command(op, order.game, order.arrived, order.player, direction, order.version, order.key)
    return await order.services.play.played(command)


def _out(order: Order, played: Played) -> dict[str, Any]:
    view, event = played.view, played.event
    out: dict[str, Any] = {
        "event": None if event is None else Fragment(event_json(event, daily=view.header.date is not None)),
        "game": game_out(view, order.services.now()),
    }
    return out | {"replayed": True} if played.replayed else out
