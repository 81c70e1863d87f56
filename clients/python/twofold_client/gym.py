"""2048 as a Gymnasium environment, `twofold/Game-v0`: over the rule book alone, or over a service. Extra `[gym]`.

An observation is the board of exponents (0 empty, 1 a two, 2 a four …), an action one of up, down, left, right, the
reward what the score grows by. `info["action_mask"]` tells which actions change the board; one that does not costs
nothing and brings nothing. An episode ends with the game; the goal does not stop it.

    gymnasium.make("twofold/Game-v0", size=4)
    gymnasium.make("twofold/Game-v0", server="http://127.0.0.1:8000")  # practice games of a new player
    gymnasium.make("twofold/Game-v0", server=…, token=…, mode="classic")  # ranked ones: the luck is the service's
"""

from functools import cache
from typing import Any, Protocol

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray

from twofold.board import Direction, max_tile, rows_of
from twofold.game import Game, Outcome, Status, create
from twofold.rules import Rules
from twofold.spawn import SEED_BYTES
from twofold_client.client import Client
from twofold_client.client import Game as ServedGame
from twofold_client.errors import GamePaused

ID = "twofold/Game-v0"
Board = NDArray[np.uint8]
DIRECTIONS = tuple(Direction)


class Source(Protocol):
    """Where games come from."""

    def begin(self, seed: bytes | None) -> None: ...

    def move(self, direction: Direction) -> None: ...

    def close(self) -> None: ...

    @property
    def exponents(self) -> bytes: ...

    @property
    def score(self) -> int: ...

    @property
    def moves(self) -> int: ...

    @property
    def legal_moves(self) -> tuple[Direction, ...]: ...

    @property
    def outcome(self) -> Outcome | None: ...


class Local:
    """Games of the rule book, in this process."""

    def __init__(self, size: int) -> None:
        self._rules = Rules(size=size, undo_limit=0)
        self._game: Game

    def begin(self, seed: bytes | None) -> None:
        assert seed is not None
        self._game = create(self._rules, seed, 0).game

    def move(self, direction: Direction) -> None:
        event = self._game.move(direction, 0)
        if event is not None:
            self._game = event.game
        if self._game.status is Status.WON:
            self._game = self._game.go_on(0).game

    def close(self) -> None:
        pass

    @property
    def exponents(self) -> bytes:
        return self._game.position.cells

    @property
    def score(self) -> int:
        return self._game.position.score

    @property
    def moves(self) -> int:
        return self._game.position.moves

    @property
    def legal_moves(self) -> tuple[Direction, ...]:
        return self._game.legal_moves

    @property
    def outcome(self) -> Outcome | None:
        return self._game.outcome


class Served:
    """Games on a service; of practice ones the seed is ours."""

    def __init__(self, client: Client, mode: str, size: int) -> None:
        self._client, self._mode, self._size = client, mode, size
        self.game: ServedGame

    def begin(self, seed: bytes | None) -> None:
        if self._client.token is None:
            self._client.join()
        told = None if seed is None else seed.hex()
        self.game = self._client.new_game(self._mode, size=self._size, seed=told, start=True)

    def move(self, direction: Direction) -> None:
        try:
            self.game.move(direction, version=None)
        except GamePaused:  # whoever thinks for five minutes finds the clock stopped
            self.game.resume(version=None)
            self.game.move(direction, version=None)
        if self.game.state.status is Status.WON:
            self.game.continue_(version=None)

    def close(self) -> None:
        self._client.close()

    @property
    def exponents(self) -> bytes:
        return bytes([value.bit_length() - 1 if value else 0 for row in self.game.state.board for value in row])

    @property
    def score(self) -> int:
        return self.game.state.score

    @property
    def moves(self) -> int:
        return self.game.state.moves

    @property
    def legal_moves(self) -> tuple[Direction, ...]:
        return self.game.state.legal_moves

    @property
    def outcome(self) -> Outcome | None:
        return self.game.state.outcome


class GameEnv(gymnasium.Env[Board, np.int64]):
    """One game after another; on a server those of the player whose token it is, else of a new one."""

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012 - Gymnasium's own way

    def __init__(
        self,
        size: int = 4,
        *,
        server: str | None = None,
        token: str | None = None,
        mode: str = "practice",
        render_mode: str | None = None,
    ) -> None:
        if server is None and mode != "practice":
            raise ValueError(f"{mode} is played on a service: name its address as server")
        self.size, self.render_mode = size, render_mode
        self.source: Source = Local(size) if server is None else Served(Client(server, token), mode, size)
        self._seeded = mode == "practice"
        highest = size * size + 1
        self.observation_space = Box(0, highest, (size, size), np.uint8)
        self.action_space = Discrete(len(DIRECTIONS))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Board, dict[str, Any]]:
        """A new game; the same seed gives the same tiles, on a service as here."""
        super().reset(seed=seed)
        if seed is not None and not self._seeded:
            raise ValueError("only practice games take a seed: the luck of the others is the service's")
        self.source.begin(self.np_random.bytes(SEED_BYTES) if self._seeded else None)
        return self._board(), self._info()

    def step(self, action: np.int64) -> tuple[Board, float, bool, bool, dict[str, Any]]:
        before = self.source.score
        self.source.move(DIRECTIONS[action])
        reward = float(self.source.score - before)
        return self._board(), reward, self.source.outcome is not None, False, self._info()

    def render(self) -> str | None:
        """The board in face values, for the render mode `ansi`."""
        if self.render_mode != "ansi":
            return None
        rows = rows_of(self.size, self.source.exponents)
        width = len(str(max(map(max, rows))))
        return "\n".join(" ".join(f"{value or '·':>{width}}" for value in row) for row in rows)

    def close(self) -> None:
        self.source.close()

    def _board(self) -> Board:
        return np.frombuffer(self.source.exponents, np.uint8).reshape(self.size, self.size).copy()

    def _info(self) -> dict[str, Any]:
        source = self.source
        return {
            "action_mask": _mask(source.legal_moves).copy(),
            "score": source.score,
            "moves": source.moves,
            "max_tile": max_tile(source.exponents),
            "outcome": None if source.outcome is None else source.outcome.value,
        }


@cache
def _mask(legal: tuple[Direction, ...]) -> NDArray[np.int8]:
    return np.array([way in legal for way in DIRECTIONS], np.int8)


gymnasium.register(ID, entry_point="twofold_client.gym:GameEnv")
