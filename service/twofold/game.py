"""The life of a game: a frozen value, and commands that answer with the event they make.

Every command takes the instant at which it arrived (whole microseconds); an instant before the game's last event
counts as that event's. A command that the state does not allow raises a Refusal and changes nothing. Commands do not
look for deadlines by themselves: ask `due` first, and play its event.
"""

from enum import StrEnum
from typing import NamedTuple

from twofold import errors
from twofold.board import Direction, Shift, Slide, legal_moves, max_tile, shift
from twofold.clock import MS, SECOND, Clock
from twofold.rules import Rules
from twofold.spawn import Spawn, spawn, start_tiles

HISTORY = 8
IDLE = 300 * SECOND


class Status(StrEnum):
    READY = "ready"
    RUNNING = "running"
    PAUSED = "paused"
    WON = "won"
    OVER = "over"

    __hash__ = str.__hash__


class Outcome(StrEnum):
    NO_MOVES = "no_moves"
    TIME_UP = "time_up"
    MOVE_LIMIT = "move_limit"
    ABANDONED = "abandoned"

    __hash__ = str.__hash__


class EventType(StrEnum):
    CREATED = "created"
    START = "start"
    MOVE = "move"
    UNDO = "undo"
    PAUSE = "pause"
    RESUME = "resume"
    CONTINUE = "continue"
    OVER = "over"

    __hash__ = str.__hash__


class Cause(StrEnum):
    """Why a pause or an over event was written."""

    PLAYER = "player"
    DISCONNECT = "disconnect"
    IDLE = "idle"
    OUTAGE = "outage"
    TIME_UP = "time_up"
    REVEAL = "reveal"

    __hash__ = str.__hash__


class Position(NamedTuple):
    """What an undo restores. `version` is that of the event that made it; goal_* tell when the goal was reached."""

    cells: bytes
    score: int
    moves: int
    goal_moves: int | None
    goal_active: int | None
    version: int

    @property
    def reached_goal(self) -> bool:
        return self.goal_moves is not None

    @property
    def spawn_index(self) -> int:
        """Index of the next spawn; 0 and 1 are the start tiles."""
        return self.moves + 2


class Event(NamedTuple):
    """One entry of a game's log and the game as it stands after it."""

    type: EventType
    game: "Game"
    direction: Direction | None = None
    slides: tuple[Slide, ...] = ()
    spawn: Spawn | None = None
    cause: Cause | None = None
    score_delta: int = 0

    @property
    def version(self) -> int:
        return self.game.version


class Game(NamedTuple):
    """A game as of its last event. `history` holds the latest positions before this one, oldest first, at most 8."""

    rules: Rules
    seed: bytes
    given: bytes | None
    position: Position
    history: tuple[Position, ...]
    version: int
    status: Status
    outcome: Outcome | None
    given_up: bool
    undos: int
    pauses: int
    clock: Clock
    at: int
    started_at: int | None
    ended_at: int | None
    peak_score: int
    peak_tile: int

    @property
    def over(self) -> bool:
        return self.status is Status.OVER

    @property
    def final(self) -> bool:
        """Over, and no undo can revive it."""
        if self.status is not Status.OVER:
            return False
        return self.closed or self.outcome is Outcome.TIME_UP or self.undo_refusal is not None

    @property
    def closed(self) -> bool:
        """Abandoned, or finished and its undos given up."""
        return self.given_up or self.outcome is Outcome.ABANDONED

    @property
    def undo_refusal(self) -> type[errors.Refusal] | None:
        """Why an undo would be refused now, None where it would be accepted."""
        if self.status is _READY:
            return errors.NotStarted
        if self.status is _OVER and self.closed:
            return errors.GameOver
        if self.rules.undo_limit is not None and self.undos >= self.rules.undo_limit:
            return errors.UndoExhausted
        return errors.NothingToUndo if self.position.moves == 0 else None

    @property
    def legal_moves(self) -> tuple[Direction, ...]:
        """The board's moves while the game is not over."""
        return () if self.over else legal_moves(self.rules.size, self.position.cells)

    @property
    def active(self) -> int:
        """Active time as of the last event."""
        return self.clock.active(self.at)

    @property
    def elapsed_ms(self) -> int | None:
        """From start to end as both are shown, in ms; None while not over or never started."""
        if self.ended_at is None or self.started_at is None:
            return None
        return self.ended_at // MS - self.started_at // MS

    def deadline(self, touched: int = 0) -> int | None:
        """When time is up or, without a time limit, the game falls idle; None while the clock stands.

        `touched` is the arrival of the last command, where that was later than the last event (a no-op)."""
        if not self.clock.running:
            return None
        if self.rules.time_limit_ms is not None:
            return self.clock.reaches(self.rules.time_limit_ms * MS)
        return max(self.at, touched) + IDLE

    def due(self, now: int, touched: int = 0) -> Event | None:
        """What the server owes the game by `now`: time up or the idle pause, as of the very deadline."""
        deadline = self.deadline(touched)
        if deadline is None or deadline > now:
            return None
        return self.pause(deadline, Cause.IDLE) if self.rules.time_limit_ms is None else self.time_up()

    def start(self, at: int) -> Event:
        if self.status is not Status.READY:
            raise errors.GameOver if self.over else errors.AlreadyStarted
        at = max(at, self.at)
        return Event(EventType.START, self._next(at, Status.RUNNING)._replace(started_at=at))

    def move(self, direction: Direction, at: int, tile: Spawn | None = None) -> Event | None:
        """One move and its spawn; None for a no-op, which costs nothing.

        `tile` stands for the spawn where it is known and the seed is not (a record told without its seed)."""
        if self.status is not _RUNNING:
            raise _NO_MOVE[self.status]
        shifted = shift(self.rules.size, self.position.cells, direction)
        if shifted is None:
            return None
        tile = tile or spawn(self.seed, self.position.spawn_index, shifted.cells)
        game = self._moved(shifted, tile, at if at > self.at else self.at)
        return _new(Event, (_MOVE, game, direction, shifted.slides, tile, None, shifted.gain))

    def undo(self, at: int, back: Position | None = None) -> Event:
        """One move back. Where `history` is empty the caller hands in the position before this one as `back`;
        PositionForgotten asks for it."""
        if (refusal := self.undo_refusal) is not None:
            raise refusal
        position = back or (self.history[-1] if self.history else None)
        if position is None:
            raise errors.PositionForgotten
        at = max(at, self.at)
        if self.status is Status.PAUSED or self.outcome is Outcome.TIME_UP:
            game = self._next(at, self.status)
        else:
            game = self._next(at, Status.RUNNING)._replace(outcome=None, ended_at=None)
        game = game._replace(position=position, history=self.history[:-1], undos=self.undos + 1)
        return Event(EventType.UNDO, game, score_delta=position.score - self.position.score)

    def pause(self, at: int, cause: Cause = Cause.PLAYER) -> Event:
        if self.status is not Status.RUNNING:
            raise _NO_PAUSE[self.status]
        game = self._next(max(at, self.at), Status.PAUSED)
        if cause in (Cause.PLAYER, Cause.DISCONNECT):
            game = game._replace(pauses=self.pauses + 1)
        return Event(EventType.PAUSE, game, cause=cause)

    def resume(self, at: int) -> Event:
        if self.status is not Status.PAUSED:
            raise _NO_RESUME[self.status]
        return Event(EventType.RESUME, self._next(max(at, self.at), Status.RUNNING))

    def go_on(self, at: int) -> Event:
        """The command `continue`: play on beyond the goal."""
        if self.status is not Status.WON:
            raise _NO_CONTINUE[self.status]
        return Event(EventType.CONTINUE, self._next(max(at, self.at), Status.RUNNING))

    def abandon(self, at: int, cause: Cause = Cause.PLAYER) -> Event:
        """End the game for good; a finished one keeps its outcome and gives up its undos."""
        if self.final:
            raise errors.GameOver
        at = max(at, self.at)
        game = self._next(at, Status.OVER)
        over = game._replace(given_up=True) if self.over else game._replace(outcome=Outcome.ABANDONED, ended_at=at)
        return Event(EventType.OVER, over, cause=cause)

    def time_up(self) -> Event:
        """The end of a running timed game, as of its deadline."""
        deadline = self.deadline()
        assert deadline is not None and self.rules.time_limit_ms is not None
        at = max(deadline, self.at)
        game = self._next(at, Status.OVER)._replace(
            outcome=Outcome.TIME_UP, ended_at=at, clock=Clock(self.rules.time_limit_ms * MS)
        )
        return Event(EventType.OVER, game, cause=Cause.TIME_UP)

    def _next(self, at: int, status: Status) -> "Game":
        """The game one version on, its clock running exactly where the status says so."""
        clock = self.clock.start(at) if status is Status.RUNNING else self.clock.stop(at)
        return self._replace(version=self.version + 1, at=at, status=status, clock=clock)

    def _moved(self, shifted: Shift, tile: Spawn, at: int) -> "Game":
        rules, before, clock = self.rules, self.position, self.clock
        pushed, gain, slides = shifted
        cells = bytearray(pushed)
        cells[tile.cell] = tile.value >> 1
        board = bytes(cells)
        _, score, moves, goal_moves, goal_active, _ = before
        score += gain
        moves += 1
        status, outcome = _RUNNING, None
        if goal_moves is None and gain >= rules.goal and _makes(rules.goal, slides):
            goal_moves, goal_active, status = moves, clock.active(at), Status.WON
        if rules.move_limit is not None and moves >= rules.move_limit:
            status, outcome = Status.OVER, Outcome.MOVE_LIMIT
        elif 0 not in board and not legal_moves(rules.size, board):
            status, outcome = Status.OVER, Outcome.NO_MOVES
        version, peak_score, peak_tile = self.version + 1, self.peak_score, self.peak_tile
        if score > peak_score:
            peak_score = score
        if gain > peak_tile or tile.value > peak_tile:  # a merge into a new highest tile brings as much at least
            peak_tile = max(peak_tile, max_tile(board))
        return _new(
            Game,
            (
                rules,
                self.seed,
                self.given,
                _new(Position, (board, score, moves, goal_moves, goal_active, version)),
                (*self.history[1 - HISTORY :], before),
                version,
                status,
                outcome,
                False,
                self.undos,
                self.pauses,
                clock if status is _RUNNING else clock.stop(at),
                at,
                self.started_at,
                at if outcome else None,
                peak_score,
                peak_tile,
            ),
        )


def create(rules: Rules, seed: bytes, at: int, *, start: bool = True, given: bytes | None = None) -> Event:
    """A new game's first event. `given` cells are taken as they are; without them spawns 0 and 1 are the start tiles.

    A given board that holds the goal counts as past it; one without a legal move is over at once.
    """
    cells = start_cells(rules.size, seed) if given is None else given
    reached = given is not None and max_tile(given) >= rules.goal
    over = not legal_moves(rules.size, cells)
    status = Status.OVER if over else Status.RUNNING if start else Status.READY
    game = Game(
        rules=rules,
        seed=seed,
        given=given,
        position=Position(cells, 0, 0, 0 if reached else None, 0 if reached else None, 1),
        history=(),
        version=1,
        status=status,
        outcome=Outcome.NO_MOVES if over else None,
        given_up=False,
        undos=0,
        pauses=0,
        clock=Clock(0, at if status is Status.RUNNING else None),
        at=at,
        started_at=at if start else None,
        ended_at=at if over else None,
        peak_score=0,
        peak_tile=0,
    )
    return Event(EventType.CREATED, game)


def start_cells(size: int, seed: bytes) -> bytes:
    """The board with spawns 0 and 1 on it."""
    cells = bytearray(size * size)
    for tile in start_tiles(seed, size):
        cells[tile.cell] = tile.value >> 1
    return bytes(cells)


def _makes(goal: int, slides: tuple[Slide, ...]) -> bool:
    return any(slide.merged and slide.value * 2 == goal for slide in slides)


# For the one path that is walked all the time: a member is looked up slowly in its class, and a named tuple's own maker
# is Python around this.
_READY, _RUNNING, _OVER, _MOVE, _new = Status.READY, Status.RUNNING, Status.OVER, EventType.MOVE, tuple.__new__
_NOT_ON = {Status.OVER: errors.GameOver, Status.READY: errors.NotStarted}
_NO_MOVE = _NOT_ON | {Status.PAUSED: errors.GamePaused, Status.WON: errors.AwaitingContinue}
_NO_PAUSE = _NOT_ON | {Status.PAUSED: errors.NotRunning, Status.WON: errors.NotRunning}
_NO_RESUME = _NOT_ON | {Status.RUNNING: errors.NotPaused, Status.WON: errors.NotPaused}
_NO_CONTINUE = _NOT_ON | {Status.RUNNING: errors.NotWon, Status.PAUSED: errors.NotWon}
