"""A sample world for the API documents: players, and games played by the engine on fixed seeds at fixed instants."""

from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from itertools import cycle
from typing import Any

import orjson

from twofold import record
from twofold.board import Direction, cells_of
from twofold.clock import MS, SECOND, from_rfc3339
from twofold.compare import Choice, Comparison, Fork, Series
from twofold.daily import reveals_at
from twofold.game import Event, Game, Outcome, create
from twofold.rules import MODES
from twofold.spawn import commitment, daily_seed
from twofold_service.usecases.values import (
    CategoryRecord,
    Compared,
    GameView,
    Header,
    Hint,
    Luck,
    Page,
    Par,
    ParLevel,
    Player,
    Result,
)
from twofold_service.wire.encode import dumps
from twofold_service.wire.games import event_out, game_out

NOON = from_rfc3339("2026-11-30T12:00:00Z")
DATE = "2026-11-30"
ADA = Player(1, "01kb9zq3g0xvt4m8r2wnc6yhd5", "Ada")
BOB = Player(2, "01kb9zr7p2a3f9k5s1e8jtbq0g", "Bob")
TOKEN = "tf_this-is-an-example-and-no-token-of-anybody"  # noqa: S105
CODE = "7K3M9QXA"
REQUEST = "5d0f6ab3c9711c"
AT_THE_GOAL = [[1024, 1024, 8, 2], [16, 4, 2, 0], [2, 0, 0, 0], [0, 0, 0, 0]]
PACE = 640 * MS


@dataclass(frozen=True, slots=True)
class Told:
    """One game and its whole log."""

    header: Header
    events: tuple[Event, ...]

    @property
    def game(self) -> Game:
        return self.events[-1].game

    def view(self, version: int | None = None, best: int = 6240) -> GameView:
        """The game as of a version, by default its last."""
        game = self.events[-1 if version is None else version - 1].game
        return GameView(self.header, game, max(best, game.peak_score))

    def record(self) -> dict[str, Any]:
        """The game's record."""
        header, game = self.header, self.game
        whose = record.Header(
            id=header.id,
            mode=header.mode,
            date=header.date,
            attempt=header.attempt,
            player_id=header.player.id,
            player_name=header.player.name,
            created_at=header.created_at,
            started_at=game.started_at,
            ended_at=game.ended_at,
        )
        entries = [record.entry_of(event) for event in self.events]
        return record.write(whose, game, entries, show_seed=header.shows_seed(game, game.at))


@cache
def classic() -> Told:
    """A classic game: created, a move, one taken back, three more, paused, resumed, abandoned."""
    seed = _seed("classic")
    events = [create(MODES["classic"].rules(), seed, NOON)]
    _play(events, 1)
    events.append(_now(events).undo(_next_at(events)))
    _play(events, 3)
    events.append(_now(events).pause(_next_at(events)))
    events.append(_now(events).resume(_now(events).at + 9 * SECOND))
    events.append(_now(events).abandon(_next_at(events)))
    return Told(_header("01kb9zs4t8m2x7c0v5q9nhe3wd", "classic", seed), tuple(events))


@cache
def sprint() -> Told:
    """A sprint: created, ready to start, and started."""
    seed = _seed("sprint")
    ready = create(MODES["sprint"].rules(), seed, NOON, start=False)
    header = _header("01kb9zt1y6p4g8d2b7r0kfa5mv", "sprint", seed)
    return Told(header, (ready, ready.game.start(NOON + 2 * SECOND)))


@cache
def daily() -> Told:
    """A first attempt at a daily, just begun."""
    seed = daily_seed(b"the secret of no service", DATE)
    header = replace(_header("01kb9zv8c3q7j1w5t9x2nmr6he", "daily", seed), date=DATE, attempt=1)
    header = replace(header, reveals_at=reveals_at(DATE))
    return Told(header, (create(MODES["daily"].rules(), seed, NOON),))


@cache
def practice() -> Told:
    """A practice game from a given board: created, won by its first move, continued."""
    size, given = cells_of(AT_THE_GOAL)
    seed = _seed("practice")
    created = create(MODES["practice"].rules(size), seed, NOON, given=given)
    won = created.game.move(Direction.LEFT, NOON + PACE)
    assert won is not None
    header = _header("01kb9zw5f0s8k4y6h3g1pbt7qc", "practice", seed)
    return Told(header, (created, won, won.game.go_on(NOON + 5 * SECOND)))


RESULT = Result(
    rank=1,
    player=BOB,
    game="01kb9y0m2n4c6x8v1b3h5j7k9q",
    score=20_344,
    max_tile=2048,
    moves=1014,
    active_ms=734_512,
    goal_moves=951,
    goal_active_ms=688_020,
    pauses=1,
    elapsed_ms=912_733,
    outcome=Outcome.NO_MOVES,
    reached_goal=True,
    attempt=1,
    ended_at=NOON - 3600 * SECOND,
    assisted=False,
)
HINT = Hint(
    size=4,
    depth=2,
    trained=True,
    best=Direction.DOWN,
    values={
        Direction.UP: 119_940.38,
        Direction.DOWN: 121_692.376,
        Direction.LEFT: 121_466.169,
        Direction.RIGHT: 121_108.458,
    },
    reasons=[{"code": "cells_closed", "worse": 8, "better": 9}],
)
PAR = Par(
    levels=(ParLevel(1, 131_448, 8192), ParLevel(2, 236_012, 16_384), ParLevel(3, 268_320, 16_384)),
    best=20_344,
    median=4_212,
    luck=Luck(level=2, games=48, mean=207_704, share=0.646),
)
ANALYSIS = {
    "game": "01kb9zs4t8m2x7c0v5q9nhe3wd",
    "size": 4,
    "depth": 2,
    "trained": True,
    "moves": 3,
    "accuracy": 78.8,
    "loss": 38_204.6,
    "counts": {"blunders": 1, "mistakes": 0, "inaccuracies": 0},
    "thresholds": {"inaccuracy": 0.05, "mistake": 0.1, "blunder": 0.2, "least_points": 500},
    "turning_points": [
        {
            "move": 2,
            "version": 2,
            "board": [[512, 128, 64, 2], [8, 32, 16, 4], [2, 4, 2, 0], [0, 2, 0, 0]],
            "played": "down",
            "best": "left",
            "loss": 38_204.6,
            "share": 0.2871,
            "kind": "blunder",
            "reasons": [{"code": "corner_left", "tile": 512, "cell": 0, "to": 4}],
        }
    ],
    "points": {
        "score": [4_812, 4_812, 4_820],
        "loss": [0.0, 38_204.6, 0.0],
        "share": [0.0, 0.2871, 0.0],
        "played": ["left", "down", "left"],
        "best": ["left", "left", "left"],
    },
}
CATEGORIES = [
    CategoryRecord("classic-4-1", "classic", 4, 1, 6240, 512, 7, 0, 2180, 1_690_400_000),
    CategoryRecord("daily-4-1", "daily", 4, 1, 20_344, 2048, 3, 1, 2630, 2_011_960_000),
]


def game_of(told: Told, version: int | None = None) -> dict[str, Any]:
    """A told game's JSON as of a version."""
    view = told.view(version)
    game: dict[str, Any] = plain(game_out(view, view.game.at + 250 * MS))
    return game


def event_of(told: Told, version: int) -> dict[str, Any]:
    """The JSON of one of its events."""
    event: dict[str, Any] = plain(event_out(told.events[version - 1], daily=told.header.date is not None))
    return event


def plain(value: Any) -> Any:
    """What a caller reads of a value: lists and texts, no tuples and enumerations."""
    return orjson.loads(dumps(value))


def _seed(name: str) -> bytes:
    return sha256(f"twofold/sample/{name}".encode()).digest()


def _header(game: str, mode: str, seed: bytes) -> Header:
    rules = MODES[mode]
    return Header(
        key=0,
        id=game,
        player=ADA,
        mode=mode,
        category=rules.category(rules.rules()),
        private=False,
        date=None,
        attempt=None,
        reveals_at=None,
        commitment=commitment(seed).hex(),
        created_at=NOON,
    )


def _now(events: list[Event]) -> Game:
    return events[-1].game


def _next_at(events: list[Event]) -> int:
    return _now(events).at + PACE


def _play(events: list[Event], moves: int) -> None:
    """Append so many moves, turning the board's way round."""
    until = len(events) + moves
    for direction in cycle((Direction.LEFT, Direction.DOWN, Direction.RIGHT, Direction.UP)):
        if len(events) == until:
            return
        event = _now(events).move(direction, _next_at(events))
        if event is not None:
            events.append(event)


def page() -> Page:
    """The first page of a ranking."""
    return Page(as_of=NOON, results=[RESULT], following=None, own=replace(RESULT, rank=17, score=4_212))


def compared() -> Compared:
    """Two games of one date that part at their second move."""
    ours = Series("01kb9zv8c3q7j1w5t9x2nmr6he", (0, 0, 4), (14, 13, 13), (2, 2, 4), (0, 812, 1400))
    theirs = Series("01kb9zw1d4r8k2x6v0y3pns7jf", (0, 0, 0), (14, 13, 12), (2, 2, 2), (0, 640, 1133))
    board = ((0, 0, 0, 2), (0, 0, 0, 2), (0, 0, 0, 0), (2, 0, 0, 0))
    fork = Fork(2, board, (Choice(ours.game, Direction.UP), Choice(theirs.game, Direction.LEFT)))
    results = [
        replace(RESULT, game=ours.game),
        replace(RESULT, game=theirs.game, rank=None, outcome=None, ended_at=None),
    ]
    return Compared(DATE, results, Comparison(1, fork, (ours, theirs)))
