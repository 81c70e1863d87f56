"""A game on a table: time passes between the commands, and the log is kept the way a service keeps it."""

from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import strategies as st

from twofold.board import MAX_SIZE, MIN_SIZE, Direction, cells_of
from twofold.clock import MS
from twofold.daily import date_of
from twofold.errors import Refusal
from twofold.game import Cause, Event, EventType, Game, Status, create
from twofold.record import Header, entry_of, write
from twofold.rules import GOAL, MODES, Rules

NOON = 1_800_014_400_000_000 + 123_456
SEED = bytes(range(32))
LEFT, RIGHT, UP, DOWN = Direction.LEFT, Direction.RIGHT, Direction.UP, Direction.DOWN

LAST_GAP = [[0, 2, 4, 8], [8, 2, 4, 8], [2, 4, 8, 16], [16, 8, 4, 2]]
"""Pushed left it is full, and over whatever appears in its last gap."""

TWO_HALVES = [[1024, 1024, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
"""Pushed left it is won."""


class Table:
    def __init__(
        self,
        mode: str = "classic",
        rules: Rules | None = None,
        *,
        seed: bytes = SEED,
        start: bool | None = None,
        given: list[list[int]] | None = None,
    ) -> None:
        self.mode, self.now = mode, NOON
        size, cells = cells_of(given) if given else (None, None)
        rules = rules or MODES[mode].rules(size)
        start = not MODES[mode].starts_by_command if start is None else start
        self.events = [create(rules, seed, self.now, start=start, given=cells)]
        self.path = [self.events[0]]

    @property
    def game(self) -> Game:
        return self.events[-1].game

    @property
    def board(self) -> bytes:
        return self.game.position.cells

    def wait(self, milliseconds: float) -> "Table":
        """Let time pass, and whatever falls due in it happen."""
        self.now += int(milliseconds * MS)
        return self._keep(self.game.due(self.now))

    def move(self, *directions: Direction) -> "Table":
        for direction in directions:
            self._keep(self.game.move(direction, self.now))
        return self

    def undo(self, times: int = 1) -> "Table":
        for _ in range(times):
            back = self.path[-2].game.position if len(self.path) > 1 else None
            self._keep(self.game.undo(self.now, back))
        return self

    def start(self) -> "Table":
        return self._keep(self.game.start(self.now))

    def pause(self, cause: Cause = Cause.PLAYER) -> "Table":
        return self._keep(self.game.pause(self.now, cause))

    def resume(self) -> "Table":
        return self._keep(self.game.resume(self.now))

    def go_on(self) -> "Table":
        return self._keep(self.game.go_on(self.now))

    def abandon(self, cause: Cause = Cause.PLAYER) -> "Table":
        return self._keep(self.game.abandon(self.now, cause))

    def play(self, moves: int) -> "Table":
        """So many moves, each the first legal one of left, down, right and up."""
        for _ in range(moves):
            self.move(min(self.game.legal_moves, key=(LEFT, DOWN, RIGHT, UP).index))
        return self

    def play_out(self) -> "Table":
        """To the end, over any goal."""
        while self.game.legal_moves:
            self.play(1)
        return self

    def header(self) -> Header:
        daily = self.mode == "daily"
        return Header(
            id=f"game-{self.mode}",
            mode=self.mode,
            date=date_of(NOON) if daily else None,
            attempt=1 if daily else None,
            player_id="player-1",
            player_name="Zoë – Ω",
            created_at=self.events[0].game.at,
            started_at=self.game.started_at,
            ended_at=self.game.ended_at,
        )

    def record(self, show_seed: bool = True) -> dict[str, Any]:
        return write(self.header(), self.game, map(entry_of, self.events), show_seed=show_seed)

    def _keep(self, event: Event | None) -> "Table":
        if event is not None:
            self.events.append(event)
            if event.type is EventType.MOVE:
                self.path.append(event)
            elif event.type is EventType.UNDO:
                self.path.pop()
        return self


def _rules(mode: str) -> st.SearchStrategy[Rules]:
    named = MODES[mode]
    return st.builds(named.rules, st.sampled_from(named.sizes), st.sampled_from(named.undo_limits))


SEEDS = st.binary(min_size=32, max_size=32)
TILES = st.one_of(st.just(0), st.sampled_from([2, 4, 1024]), st.integers(1, 40).map(lambda exponent: 1 << exponent))


@st.composite
def boards(draw: st.DrawFn) -> list[list[int]]:
    """Boards with a tile at least, most of them of few values, some with the largest there may be."""
    size = draw(st.integers(MIN_SIZE, MAX_SIZE))
    rows = st.lists(st.lists(TILES, min_size=size, max_size=size), min_size=size, max_size=size)
    return draw(rows.filter(lambda board: any(map(any, board))))


@st.composite
def tables(draw: st.DrawFn, modes: tuple[str, ...] = tuple(MODES), *, given: bool = True, goal: int = GOAL) -> Table:
    """A game of any mode after many commands; refused ones, no-ops and falling idle are among them."""
    mode = draw(st.sampled_from(modes))
    board = draw(st.none() | boards()) if given and mode == "practice" else None
    rules = replace(draw(_rules(mode)) if board is None else Rules(len(board), None), goal=goal)
    table = Table(mode, rules, seed=draw(SEEDS), start=draw(st.booleans()), given=board)
    chance = Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.sampled_from([0, 3, 40, 160]))):
        table.wait(chance.choice(WAITS))
        with suppress(Refusal):
            _give(table, chance)
    return table


def _give(table: Table, chance: Random) -> None:
    """A command, most times one that the game's status allows."""
    status = chance.choice(list(Status)) if chance.random() < 0.02 else table.game.status
    command, *details = chance.choice(LIKELY[status])
    if Cause.DISCONNECT in details and table.game.rules.time_limit_ms is None:
        details = [Cause.OUTAGE]
    if Cause.REVEAL in details and table.mode != "daily":
        details = [Cause.PLAYER]
    getattr(table, command)(*details)


WAITS = [*[0, 0.001, 0.999, 1, 33.3, 250, 1_000.5] * 12, 61_000, 290_000, 300_000]
PAUSES = [("pause", cause) for cause in (Cause.PLAYER, Cause.OUTAGE, Cause.DISCONNECT)]
LIKELY: dict[Status, list[tuple[Any, ...]]] = {
    Status.READY: [("start",)],
    Status.RUNNING: [*[("move", way) for way in Direction] * 9, ("undo",), *PAUSES],
    Status.PAUSED: [*[("resume",)] * 3, ("undo",)],
    Status.WON: [*[("go_on",)] * 3, ("undo",)],
    Status.OVER: [*[("undo",)] * 5, ("abandon", Cause.PLAYER), ("abandon", Cause.REVEAL)],
}
