"""The engine alone: moves per second of CPU time. Random directions; only those that change the board count."""

import json
import random
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from twofold.board import Direction, legal_moves, shift
from twofold.game import Event, Game, Status, create, start_cells
from twofold.rules import MODES
from twofold.spawn import spawn

GYMNASIUM = Path(__file__).with_name("gymnasium_steps.py")
RULES = MODES["classic"].rules(None, None)
WAYS = tuple(Direction)
STEP = 50_000
AT_ONCE = 500


def warm_up(seconds: float) -> None:
    """Play until the engine has met most of the lines that such games bring."""
    board_rate(seconds)
    game_rate(seconds / 4)


def board_rate(seconds: float) -> float:
    """Shift, spawn and the look whether it is over."""
    chance, seed = random.Random(2048), bytes(32)
    size = RULES.size
    cells, index = start_cells(size, seed), 2

    def some() -> int:
        nonlocal cells, index, seed
        moved = 0
        for _ in range(AT_ONCE):
            shifted = shift(size, cells, WAYS[chance.randrange(4)])
            if shifted is None:
                continue
            tile = spawn(seed, index, shifted.cells)
            after = bytearray(shifted.cells)
            after[tile.cell] = tile.value >> 1
            cells, index, moved = bytes(after), index + 1, moved + 1
            if 0 not in cells and not legal_moves(size, cells):
                seed = chance.randbytes(32)
                cells, index = start_cells(size, seed), 2
        return moved

    return _rate(some, seconds)


def game_rate(seconds: float) -> float:
    """Game.move: the same with clock, history, status and everything else of a game."""
    chance = random.Random(2048)
    game, at = new_game(chance), 0

    def some() -> int:
        nonlocal game, at
        moved = 0
        for _ in range(AT_ONCE):
            at += STEP
            event = game.move(WAYS[chance.randrange(4)], at)
            if event is not None:
                moved += 1
                game = event.game if event.game.status is Status.RUNNING else new_game(chance)
        return moved

    return _rate(some, seconds)


def new_game(chance: random.Random) -> Game:
    return create(RULES, chance.randbytes(32), 0).game


def liked_move(game: Game, number: int) -> Event:
    """The game's move of that number as the generator's players choose it."""
    legal = game.legal_moves
    liked = (Direction.LEFT, Direction.UP)[:: 1 if number % 2 else -1]
    way = next((way for way in liked if way in legal), legal[-1])
    event = game.move(way, game.at + STEP)
    assert event is not None
    return event


def gymnasium_rate(python: str, seconds: float) -> tuple[float, str] | None:
    """gymnasium-2048's moves per second and version; None where that interpreter has it not."""
    found = subprocess.run([python, str(GYMNASIUM), str(seconds)], capture_output=True, text=True, check=False)
    if found.returncode:
        if "No module named" not in found.stderr:
            raise RuntimeError(f"{python} {GYMNASIUM}: {found.stderr[-1000:]}")
        return None
    answer: dict[str, Any] = json.loads(found.stdout)
    return float(answer["rate"]), str(answer["version"])


def _rate(some: Callable[[], int], seconds: float) -> float:
    moved, began = 0, time.process_time()
    while (took := time.process_time() - began) < seconds:
        moved += some()
    return moved / took
