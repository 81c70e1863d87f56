"""Games from one start side by side."""

import pytest
from hypothesis import given

from tests.engine.table import DOWN, LEFT, RIGHT, UP, Table, tables
from twofold.board import Direction, rows_of
from twofold.compare import Comparison, compare
from twofold.errors import NotComparable
from twofold.parse import parse
from twofold.record import Record
from twofold.rules import Rules


def told(name: str, table: Table, *, show_seed: bool = True) -> Record:
    document = table.record(show_seed)
    document["game"]["id"] = name
    return parse(document)


def compared(**games: Table) -> Comparison:
    return compare([told(name, table) for name, table in games.items()])


def walked(*directions: Direction) -> Table:
    return Table("practice", given=[[2, 0, 0, 2], *[[0] * 4] * 3]).move(*directions)


def test_games_go_together_until_they_choose_differently():
    comparison = compared(a=walked(LEFT, DOWN, RIGHT), b=walked(LEFT, DOWN, UP, LEFT), c=walked(LEFT, DOWN, RIGHT))
    assert comparison.common_moves == 2
    assert comparison.fork is not None
    assert comparison.fork.move == 3
    assert comparison.fork.board == rows_of(4, walked(LEFT, DOWN).board)
    assert [(choice.game, choice.direction) for choice in comparison.fork.choices] == [
        ("a", RIGHT),
        ("b", UP),
        ("c", RIGHT),
    ]


def test_a_game_that_ends_earlier_on_the_same_path_is_no_fork():
    comparison = compared(a=walked(LEFT, DOWN), b=walked(LEFT, DOWN, RIGHT))
    assert (comparison.common_moves, comparison.fork) == (2, None)


def test_games_still_played_may_part_after_another_has_ended():
    comparison = compared(a=walked(LEFT), b=walked(LEFT, DOWN, RIGHT), c=walked(LEFT, DOWN, UP))
    assert comparison.common_moves == 1
    assert comparison.fork is not None
    assert [choice.game for choice in comparison.fork.choices] == ["b", "c"]
    assert comparison.fork.move == 3


def test_a_fork_at_the_first_move_shows_the_start():
    comparison = compared(a=walked(LEFT), b=walked(DOWN))
    assert comparison.fork is not None
    assert (comparison.common_moves, comparison.fork.move) == (0, 1)
    assert comparison.fork.board == ((2, 0, 0, 2), *((0, 0, 0, 0),) * 3)


def test_undone_moves_are_not_on_the_path():
    comparison = compared(a=walked(LEFT, UP).undo().move(DOWN), b=walked(LEFT, DOWN))
    assert (comparison.common_moves, comparison.fork) == (2, None)
    assert [len(series.score) for series in comparison.series] == [3, 3]


def test_series_hold_the_start_and_one_figure_a_move():
    table = walked().wait(40).move(LEFT).wait(2).move(DOWN)
    series = compared(a=table, b=walked()).series[0]
    assert (series.score, series.empty, series.max_tile) == ((0, 4, 4), (14, 14, 13), (2, 4, 4))
    assert series.active_ms == (0, 40, 42)


@given(tables(given=False))
def test_a_games_series_is_that_of_its_own_path_whatever_it_is_compared_with(table):
    fresh = Table(table.mode, table.game.rules, seed=table.game.seed)
    series = compared(a=table, b=fresh).series[0]
    path = [event.game.position for event in table.path]
    assert series.score == tuple(position.score for position in path)
    assert series.empty == tuple(position.cells.count(0) for position in path)


def test_games_told_without_their_seed_are_compared_by_its_commitment():
    games = [told(name, Table().play(3), show_seed=name == "a") for name in "ab"]
    assert compare(games).common_moves == 3


@pytest.mark.parametrize(
    "others",
    [
        [],
        [walked()] * 4,
        [Table("practice", seed=bytes(32), given=[[2, 0, 0, 2], *[[0] * 4] * 3])],
        [Table("practice", given=[[2, 0, 0, 4], *[[0] * 4] * 3])],
        [Table("practice", Rules(undo_limit=1), given=[[2, 0, 0, 2], *[[0] * 4] * 3])],
    ],
    ids=["alone", "five", "seed", "board", "rules"],
)
def test_games_that_do_not_belong_together_are_not_compared(others):
    with pytest.raises(NotComparable):
        compare([told(str(number), table) for number, table in enumerate([walked(), *others])])


def test_a_game_is_not_compared_with_itself():
    with pytest.raises(NotComparable):
        compare([told("a", walked())] * 2)
