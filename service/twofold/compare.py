"""Games from one start side by side: how far they go together, where they part, and how each went on."""

from collections.abc import Sequence
from dataclasses import dataclass

from twofold.board import Direction, max_tile, rows_of
from twofold.errors import NotComparable
from twofold.record import Record
from twofold.replay import Step, final_path, replay

FEWEST, MOST = 2, 4


@dataclass(frozen=True, slots=True)
class Choice:
    """The move that one game makes where it parts from another."""

    game: str
    direction: Direction


@dataclass(frozen=True, slots=True)
class Fork:
    """The first move, counted from 1, that not all games still played make alike; the board before it."""

    move: int
    board: tuple[tuple[int, ...], ...]
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Series:
    """A game's figures after each move of its final path; the first of each is that of the start."""

    game: str
    score: tuple[int, ...]
    empty: tuple[int, ...]
    max_tile: tuple[int, ...]
    active_ms: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    common_moves: int
    fork: Fork | None
    series: tuple[Series, ...]


def compare(records: Sequence[Record]) -> Comparison:
    """The final paths of two to four records of one start and the same rules; NotComparable for others.

    Records are replayed, not proved: InvalidRecord where one tells what cannot have happened.
    """
    if not FEWEST <= len(records) <= MOST:
        raise NotComparable(f"{FEWEST} to {MOST} games are compared, these are {len(records)}")
    if len({record.header.id for record in records}) < len(records):
        raise NotComparable("a game is compared with others, not with itself")
    if len({(record.commitment, record.rules) for record in records}) > 1:
        raise NotComparable("games are compared that have one seed and the same rules; these have not")
    games = {record.header.id: final_path(replay(record)) for record in records}
    if len({path[0].cells for path in games.values()}) > 1:
        raise NotComparable("games are compared that begin on one board; these do not")
    fork = _fork(records[0].rules.size, games)
    shortest = min(map(len, games.values()))
    together = shortest if fork is None else min(fork.move, shortest)
    return Comparison(together - 1, fork, tuple(_series(*game) for game in games.items()))


def _fork(size: int, games: dict[str, list[Step]]) -> Fork | None:
    """Where games still played part; one that has ended before parts from nobody."""
    longest = max(games.values(), key=len)
    for move in range(1, len(longest)):
        ways = {game: path[move].direction for game, path in games.items() if move < len(path)}
        if len(set(ways.values())) > 1:
            choices = tuple(Choice(game, way) for game, way in ways.items() if way is not None)
            return Fork(move, rows_of(size, longest[move - 1].cells), choices)
    return None


def _series(game: str, path: list[Step]) -> Series:
    return Series(
        game,
        score=tuple(step.score for step in path),
        empty=tuple(step.cells.count(0) for step in path),
        max_tile=tuple(max_tile(step.cells) for step in path),
        active_ms=tuple(step.active_ms for step in path),
    )
