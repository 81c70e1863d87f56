"""JSON of the modes."""

from typing_extensions import TypedDict

from twofold.rules import GOAL, MODES


class ModeOut(TypedDict):
    """A mode; the first of `sizes` and of `undo_limits` is the default, null an unlimited one."""

    mode: str
    sizes: list[int]
    undo_limits: list[int | None]
    time_limit_ms: int | None
    move_limit: int | None
    goal: int
    starts_by_command: bool
    ranked: bool


class ModesOut(TypedDict):
    items: list[ModeOut]


def modes_out() -> ModesOut:
    return {
        "items": [
            {
                "mode": mode.name,
                "sizes": list(mode.sizes),
                "undo_limits": list(mode.undo_limits),
                "time_limit_ms": mode.time_limit_ms,
                "move_limit": mode.move_limit,
                "goal": GOAL,
                "starts_by_command": mode.starts_by_command,
                "ranked": mode.ranked,
            }
            for mode in MODES.values()
        ]
    }
