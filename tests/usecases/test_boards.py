"""Boards: what a finished game stands on, and in which order."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from twofold.clock import SECOND
from twofold_service.usecases.boards import PERIODS, Finish, Order, boards, bounds, leaderboard, place


def at(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()) * SECOND


FINISH = Finish("m", "classic-4-1", None, None, 5000, 512, 400, 90_000, None, None, at("2026-11-30T12:00"))
GOAL = replace(FINISH, score=20_000, max_tile=2048, goal_moves=900, goal_active_ms=300_000)


def better(order: Order, one: Finish, other: Finish) -> bool:
    return place(order, one) < place(order, other)


@pytest.mark.parametrize(
    "other",
    [
        replace(FINISH, score=5004),
        replace(FINISH, moves=399),
        replace(FINISH, active_ms=89_999),
        replace(FINISH, ended_at=FINISH.ended_at - 1),
        replace(FINISH, id="a"),
    ],
    ids=["higher score", "fewer moves", "less active time", "earlier end", "smaller id"],
)
def test_the_tie_rule_looks_at_one_figure_after_the_other(other):
    assert better("score", other, FINISH)


def test_a_figure_counts_only_where_all_before_it_are_equal():
    assert better("score", replace(FINISH, score=5004, moves=900, active_ms=900_000), FINISH)


def test_the_highest_tile_comes_before_the_score():
    assert better("max_tile", replace(FINISH, max_tile=1024, score=1), FINISH)


@pytest.mark.parametrize(
    ("order", "sooner"),
    [("moves", replace(GOAL, goal_moves=1, score=1)), ("time", replace(GOAL, goal_active_ms=1, score=1))],
)
def test_the_goal_comes_first_and_the_sooner_the_better(order, sooner):
    assert better(order, sooner, GOAL)
    assert better(order, replace(GOAL, score=1), replace(FINISH, score=10**9))


def test_games_without_the_goal_follow_by_score():
    assert better("time", replace(FINISH, score=5004), FINISH)


def test_a_classic_game_stands_on_one_board_a_period():
    assert set(boards(FINISH)) == {
        "classic-4-1/day/2026-11-30",
        "classic-4-1/week/2026-W49",
        "classic-4-1/month/2026-11",
        "classic-4-1/all",
    }


def test_only_a_first_attempt_stands_among_first_attempts_and_on_leaderboards():
    first = replace(FINISH, category="daily-4-1", date="2026-11-30", attempt=1)

    later = boards(replace(first, attempt=2))

    assert set(later) == {f"daily/2026-11-30/best/{order}" for order in ("score", "max_tile", "moves", "time")}
    assert set(boards(first)) > set(later)


def test_bots_and_games_with_hints_stand_on_boards_of_their_own():
    kinds = [replace(FINISH, bot=bot, assisted=assisted) for bot in (False, True) for assisted in (False, True)]

    alls = [next(board for board in boards(finish) if board.startswith("classic-4-1/all")) for finish in kinds]

    assert alls == [f"classic-4-1/all{rest}" for rest in ("", "/assisted", "/bots", "/bots/assisted")]
    assert len({board for finish in kinds for board in boards(finish)}) == 4 * len(boards(FINISH))


@pytest.mark.parametrize("moment", ["2024-02-29T23:59:59", "2026-01-01T00:00", "2027-01-03T12:00", "2026-12-31T23:59"])
@pytest.mark.parametrize("period", PERIODS)
def test_a_period_lasts_exactly_as_long_as_its_board_is_the_same(period, moment):
    start, end = bounds(period, at(moment))

    board = leaderboard("c", period, at(moment))

    assert start <= at(moment) < end
    if period != "all":
        assert leaderboard("c", period, start) == leaderboard("c", period, end - 1) == board
        assert leaderboard("c", period, start - 1) != board != leaderboard("c", period, end)
