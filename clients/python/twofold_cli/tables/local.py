"""A game played on this machine: the engine's game with its log. Instants (us) and the seed are arguments."""

from typing import Any

from twofold.board import Direction, cells_of, rows_of
from twofold.clock import MS
from twofold.daily import date_of
from twofold.errors import InvalidBoard, InvalidOption
from twofold.game import Event, Game, Position, create
from twofold.record import Header, entry_of, write
from twofold.rules import MODES
from twofold.spawn import daily_seed
from twofold_cli.looks.faces import Board
from twofold_cli.looks.view import View
from twofold_cli.tables.table import Command
from twofold_cli.tables.wishes import Wish

OFFLINE = b"twofold/offline"
"""Stands for a service's secret where there is none: the tiles of a date are the same for all who play offline."""


class LocalGame:
    """Commands raise the engine's refusals; whatever fell due before one of them has happened first."""

    def __init__(self, wish: Wish, seed: bytes, at: int, id: str, attempt: int | None = None) -> None:
        self.wish, self.id, self.attempt = wish, id, attempt
        self.date = date_of(at) if wish.mode == "daily" else None
        day = self.date or wish.date
        seed = wish.seed or (seed if day is None else daily_seed(OFFLINE, day))
        given = None if wish.board is None else _given(wish.board)
        first = create(wish.rules, seed, at, start=not MODES[wish.mode].starts_by_command, given=given)
        self.events: list[Event] = [first]
        self._path: list[Position] = [first.game.position]
        self._touched = at

    @property
    def game(self) -> Game:
        return self.events[-1].game

    @property
    def shows_seed(self) -> bool:
        return self.game.final or self.wish.mode == "practice"

    def tick(self, now: int) -> None:
        """Let happen what is due: time up, or the pause of a game nobody plays."""
        self._keep(self.game.due(now, self._touched))

    def do(self, command: Command, at: int, direction: Direction | None = None) -> None:
        self.tick(at)
        game, self._touched = self.game, at
        match command:
            case Command.MOVE:
                assert direction is not None
                self._keep(game.move(direction, at))
            case Command.UNDO:
                self._keep(game.undo(at, self._path[-2] if len(self._path) > 1 else None))
            case Command.START:
                self._keep(game.start(at))
            case Command.PAUSE:
                self._keep(game.pause(at))
            case Command.RESUME:
                self._keep(game.resume(at))
            case Command.CONTINUE:
                self._keep(game.go_on(at))
            case Command.ABANDON:
                self._keep(game.abandon(at))

    def view(self, now: int, best: int = 0) -> View:
        """How the game looks at an instant, with the best score of earlier ones."""
        game, last = self.game, self.events[-1]
        limit = game.rules.time_limit_ms
        active = game.clock.active(now) // MS
        return View(
            mode=self.wish.mode,
            date=self.date,
            attempt=self.attempt,
            board=rows_of(game.rules.size, game.position.cells),
            fresh=None if last.spawn is None else last.spawn.cell,
            score=game.position.score,
            best=None if self.wish.mode == "practice" else max(best, game.peak_score),
            moves=game.position.moves,
            move_limit=game.rules.move_limit,
            undo_limit=game.rules.undo_limit,
            undos=game.undos,
            undo_available=game.undo_refusal is None,
            active_ms=active if limit is None else min(active, limit),
            limit_ms=limit,
            status=game.status,
            outcome=game.outcome,
            reached_goal=game.position.reached_goal,
            final=game.final,
        )

    def record(self) -> dict[str, Any]:
        """The game as a document that proves itself; the seed is in it once no undo can use it."""
        header = Header(
            id=self.id,
            mode=self.wish.mode,
            date=self.date,
            attempt=self.attempt,
            player_id="local",
            player_name=None,
            created_at=self.events[0].game.at,
            started_at=self.game.started_at,
            ended_at=self.game.ended_at,
        )
        return write(header, self.game, map(entry_of, self.events), show_seed=self.shows_seed)

    def _keep(self, event: Event | None) -> None:
        if event is None:
            return
        if event.direction is not None:
            self._path.append(event.game.position)
        elif event.game.undos > self.game.undos:
            self._path.pop()
        self.events.append(event)


def _given(board: Board) -> bytes:
    try:
        _, cells = cells_of(board)
    except InvalidBoard as error:
        raise InvalidOption("board", str(error)) from error
    if not any(cells):
        raise InvalidOption("board", "has no tile")
    return cells
