"""JSON of rankings and comparisons."""

from typing import Literal

from typing_extensions import TypedDict

from twofold.clock import rfc3339
from twofold.compare import Comparison, Fork
from twofold_service.usecases.boards import Order
from twofold_service.usecases.values import Compared, Page, Result
from twofold_service.wire.games import Board, DirectionWord, Instant, PlayerOut, player_out
from twofold_service.wire.paging import cursor_of_mark


class ResultOut(TypedDict):
    """A game as rankings list it; in a comparison it may be open or unranked, and then has no rank."""

    rank: int | None
    player: PlayerOut
    game: str
    score: int
    max_tile: int
    moves: int
    active_ms: int
    goal_moves: int | None
    goal_active_ms: int | None
    pauses: int
    elapsed_ms: int | None
    outcome: Literal["no_moves", "time_up", "move_limit", "abandoned"] | None
    reached_goal: bool
    attempt: int | None
    ended_at: Instant | None
    assisted: bool


class ResultsPage(TypedDict):
    """Results as of one instant, so that pages fit together, in the order told; `me` is your own."""

    items: list[ResultOut]
    next_cursor: str | None
    order: list[str]
    as_of: Instant
    me: ResultOut | None


class ChoiceOut(TypedDict):
    game: str
    direction: DirectionWord


class ForkOut(TypedDict):
    """The first move, counted from 1, that the games do not make alike, and the board before it."""

    move: int
    board: Board
    choices: list[ChoiceOut]


class SeriesOut(TypedDict):
    """A game's figures after each move of its final path; the first of each is that of the start."""

    game: str
    score: list[int]
    empty: list[int]
    max_tile: list[int]
    active_ms: list[int]


class ComparisonOut(TypedDict):
    """Games of one date side by side."""

    date: str
    games: list[ResultOut]
    common_moves: int
    fork: ForkOut | None
    series: list[SeriesOut]


TIE_RULE = ["score, higher first", "moves, fewer first", "active time, less first", "end, earlier first", "id"]
ORDER_RULES: dict[Order, list[str]] = {
    "score": TIE_RULE,
    "max_tile": ["highest tile, higher first", *TIE_RULE],
    "moves": ["goal reached, by fewer moves", "then the others", *TIE_RULE],
    "time": ["goal reached, in less active time", "then the others", *TIE_RULE],
}


def page_out(page: Page, order: Order) -> ResultsPage:
    return {
        "items": [result_out(result) for result in page.results],
        "next_cursor": cursor_of_mark(page.following),
        "order": ORDER_RULES[order],
        "as_of": rfc3339(page.as_of),
        "me": None if page.own is None else result_out(page.own),
    }


def compared_out(compared: Compared) -> ComparisonOut:
    comparison: Comparison = compared.comparison
    return {
        "date": compared.date,
        "games": [result_out(result) for result in compared.games],
        "common_moves": comparison.common_moves,
        "fork": None if comparison.fork is None else _fork_out(comparison.fork),
        "series": [
            {
                "game": series.game,
                "score": list(series.score),
                "empty": list(series.empty),
                "max_tile": list(series.max_tile),
                "active_ms": list(series.active_ms),
            }
            for series in comparison.series
        ],
    }


def _fork_out(fork: Fork) -> ForkOut:
    choices: list[ChoiceOut] = [{"game": choice.game, "direction": choice.direction.value} for choice in fork.choices]
    return {"move": fork.move, "board": [list(row) for row in fork.board], "choices": choices}


def result_out(result: Result) -> ResultOut:
    return {
        "rank": result.rank,
        "player": player_out(result.player),
        "game": result.game,
        "score": result.score,
        "max_tile": result.max_tile,
        "moves": result.moves,
        "active_ms": result.active_ms,
        "goal_moves": result.goal_moves,
        "goal_active_ms": result.goal_active_ms,
        "pauses": result.pauses,
        "elapsed_ms": result.elapsed_ms,
        "outcome": None if result.outcome is None else result.outcome.value,
        "reached_goal": result.reached_goal,
        "attempt": result.attempt,
        "ended_at": None if result.ended_at is None else rfc3339(result.ended_at),
        "assisted": result.assisted,
    }
