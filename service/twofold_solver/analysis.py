"""Where a game went wrong: per move what it lost, in points to expect and as a share of them, and what was better.

    path = path_of(events)                       # a record's or a stored game's, all of them
    found = analyse(Solver.opened(), path, depth=2)
    found.document()                             # plain JSON values

A move's loss is the worth of the best direction minus that of the one played, at the depth asked for; its share is the
loss over the worth of the best. Undone moves do not count: the path is the one the game ended on.

**Noise.** A search sees so far and no further, so its losses are off by some. Between directions within 5 % of each
other, depth 2 and depth 4 differ by 1.5 % of the worth (root mean square) in the solver's own games, by 2.2 to 3.3 %
where somebody errs now and then, and by 3.7 % in games of chance (`python -m tests.bench.noise`). The thresholds begin
above that. Besides, the largest losses from a mistake on, forty at most, are looked at again one move deeper, and what
is then found counts; turning points are taken from these alone. Of a person's mistakes that both looks find, depth 4
thinks fewer than 1 in 100 half as bad; of those of chance, 6.

**Other sizes than 4 × 4** have no trained worths: a `loss` is then in the search's own currency (see `heuristic`), good
for comparing moves of one position; shares, the accuracy and the sum of losses are None, and no move has a kind.
"""

from collections.abc import Callable, Iterable
from enum import StrEnum
from math import exp
from typing import Any, NamedTuple

from twofold.board import Direction, rows_of
from twofold.game import Event, EventType, Position
from twofold_solver.reasons import Reason, reasons
from twofold_solver.solver import MAX_DEPTH, TRAINED_SIZE, Advice, Solver

INACCURACY, MISTAKE, BLUNDER = 0.05, 0.10, 0.20
"""Shares of the worth, from which on a loss has its name."""
LEAST_POINTS = 500
"""A loss of fewer points has none, however little was left to expect."""
SECOND_LOOKS, TURNING_POINTS = 40, 12
"""The most moves that are looked at one move deeper, and that are told."""

_BATCH = {1: 1024, 2: 128, 3: 16, 4: 2}
_FIRST_PASS = 0.8
"""Of the progress told, where some moves are looked at again."""


class Kind(StrEnum):
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


class Turn(NamedTuple):
    """A move of a game: the board it was made on and the version of that, the direction, the score after it."""

    cells: bytes
    version: int
    direction: Direction
    score: int


class Path(NamedTuple):
    """The moves a game ended on, undone ones left out."""

    size: int
    turns: tuple[Turn, ...]


class Judged(NamedTuple):
    """A move as the solver sees it; `share` is None where worths are no points."""

    best: Direction
    """The one played where it is worth as much as any."""
    loss: float
    share: float | None
    free: bool
    """Whether more than one direction was legal."""

    @property
    def kind(self) -> Kind | None:
        if self.share is None or self.loss < LEAST_POINTS or self.share < INACCURACY:
            return None
        return Kind.BLUNDER if self.share >= BLUNDER else Kind.MISTAKE if self.share >= MISTAKE else Kind.INACCURACY


class TurningPoint(NamedTuple):
    """A move that cost much: `move` counts from 1; `version` and `board` are those before it."""

    move: int
    version: int
    board: tuple[tuple[int, ...], ...]
    played: Direction
    best: Direction
    loss: float
    share: float
    kind: Kind
    reasons: tuple[Reason, ...]

    def document(self) -> dict[str, Any]:
        return {
            **self._asdict(),
            "board": [list(row) for row in self.board],
            "played": self.played.value,
            "best": self.best.value,
            "loss": round(self.loss, 1),
            "share": round(self.share, 4),
            "kind": self.kind.value,
            "reasons": [reason.document() for reason in self.reasons],
        }


class Analysis(NamedTuple):
    """What came of it. `depth` is the one searched with, on other sizes than 4 × 4 perhaps less than was asked for."""

    depth: int
    trained: bool
    path: Path
    moves: tuple[Judged, ...]
    turning_points: tuple[TurningPoint, ...]

    @property
    def accuracy(self) -> float | None:
        """0 to 100: the mean, over moves with a choice, of 100 for no loss and 100/e for one as large as a mistake.

        None where there was no choice, or worths are no points."""
        marks = [exp(-move.share / MISTAKE) for move in self.moves if move.free and move.share is not None]
        return 100 * sum(marks) / len(marks) if marks else None

    @property
    def loss(self) -> float | None:
        """Of all moves together, in points."""
        return sum(move.loss for move in self.moves) if self.trained else None

    def count(self, kind: Kind) -> int:
        return sum(move.kind is kind for move in self.moves)

    def document(self) -> dict[str, Any]:
        """Plain JSON values; losses to a tenth of a point, shares to 1/100 %, the arrays under `points` by move."""
        loss, accuracy = self.loss, self.accuracy
        return {
            "depth": self.depth,
            "trained": self.trained,
            "moves": len(self.moves),
            "accuracy": None if accuracy is None else round(accuracy, 1),
            "loss": None if loss is None else round(loss, 1),
            "counts": {
                "blunders": self.count(Kind.BLUNDER),
                "mistakes": self.count(Kind.MISTAKE),
                "inaccuracies": self.count(Kind.INACCURACY),
            },
            "thresholds": {
                "inaccuracy": INACCURACY,
                "mistake": MISTAKE,
                "blunder": BLUNDER,
                "least_points": LEAST_POINTS,
            },
            "turning_points": [point.document() for point in self.turning_points],
            "points": {
                "score": [turn.score for turn in self.path.turns],
                "loss": [round(move.loss, 1) for move in self.moves],
                "share": [None if move.share is None else round(move.share, 4) for move in self.moves],
                "played": [turn.direction.value for turn in self.path.turns],
                "best": [move.best.value for move in self.moves],
            },
        }


def path_of(events: Iterable[Event]) -> Path:
    """The moves that were not undone, from a whole log, its created event first."""
    size, positions, turns = 0, list[Position](), list[Turn]()
    for event in events:
        after = event.game.position
        if event.type is EventType.CREATED:
            size, positions = event.game.rules.size, [after]
        elif event.type is EventType.MOVE and event.direction is not None:
            before = positions[-1]
            turns.append(Turn(before.cells, before.version, event.direction, after.score))
            positions.append(after)
        elif event.type is EventType.UNDO:
            positions.pop()
            turns.pop()
    return Path(size, tuple(turns))


def analyse(solver: Solver, path: Path, depth: int, told: Callable[[float], None] = lambda share: None) -> Analysis:
    """Judge every move of a path; `told` hears from 0 to 1 how much is done, and whatever it raises ends the analysis.

    Raises ValueError unless the depth is 1 to 4.
    """
    deeper = depth < MAX_DEPTH and path.size == TRAINED_SIZE
    turns, part = path.turns, _FIRST_PASS if deeper else 1.0
    advice = _advised(solver, path.size, turns, depth, lambda share: told(part * share))
    moves = [_judged(*one) for one in zip(turns, advice, strict=True)]
    costly = sorted(
        (number for number, move in enumerate(moves) if move.share is not None and move.kind in _COSTLY),
        key=lambda number: -moves[number].loss,
    )[:SECOND_LOOKS]
    if deeper:
        again = [turns[number] for number in costly]
        found = _advised(solver, path.size, again, depth + 1, lambda share: told(part + (1 - part) * share))
        for number, turn, seen in zip(costly, again, found, strict=True):
            moves[number] = _judged(turn, seen)
    worst = sorted((number for number in costly if moves[number].kind in _COSTLY), key=lambda at: -moves[at].loss)
    points = tuple(_turning_point(path, number, moves[number]) for number in sorted(worst[:TURNING_POINTS]))
    reached = advice[0].depth if advice else depth
    return Analysis(reached, path.size == TRAINED_SIZE, path, tuple(moves), points)


_COSTLY = (Kind.MISTAKE, Kind.BLUNDER)


def _advised(
    solver: Solver, size: int, turns: Iterable[Turn], depth: int, told: Callable[[float], None]
) -> list[Advice]:
    boards = [turn.cells for turn in turns]
    advice: list[Advice] = []
    step = _BATCH.get(depth, 1)
    for start in range(0, len(boards), step):
        advice += solver.advise_all(size, boards[start : start + step], depth)
        told(len(advice) / len(boards))
    if not boards:
        solver.advise_all(size, boards, depth)
        told(1.0)
    return advice


def _judged(turn: Turn, advice: Advice) -> Judged:
    worths, best = advice.worths, advice.best
    assert best is not None
    loss = worths[best] - worths[turn.direction]
    share = loss / max(worths[best], loss) if loss else 0.0
    return Judged(best if loss else turn.direction, loss, share if advice.trained else None, len(worths) > 1)


def _turning_point(path: Path, number: int, move: Judged) -> TurningPoint:
    turn, kind = path.turns[number], move.kind
    assert kind is not None and move.share is not None
    return TurningPoint(
        move=number + 1,
        version=turn.version,
        board=rows_of(path.size, turn.cells),
        played=turn.direction,
        best=move.best,
        loss=move.loss,
        share=move.share,
        kind=kind,
        reasons=reasons(path.size, turn.cells, turn.direction, move.best),
    )
