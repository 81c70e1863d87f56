"""The named modes and the options that they leave open."""

import pytest

from twofold.errors import InvalidOption
from twofold.rules import MODES, Rules


@pytest.mark.parametrize(
    ("mode", "rules"),
    [
        ("classic", Rules(size=4, undo_limit=1)),
        ("sprint", Rules(size=4, undo_limit=1, time_limit_ms=120_000)),
        ("break", Rules(size=4, undo_limit=1, time_limit_ms=300_000)),
        ("moves100", Rules(size=4, undo_limit=1, move_limit=100)),
        ("daily", Rules(size=4, undo_limit=1)),
        ("practice", Rules(size=4, undo_limit=None)),
    ],
)
def test_a_mode_has_its_rules_and_the_goal_2048(mode, rules):
    assert MODES[mode].rules() == rules
    assert rules.goal == 2048


def test_there_are_no_other_modes():
    assert list(MODES) == ["classic", "sprint", "break", "moves100", "daily", "practice"]


@pytest.mark.parametrize("mode", MODES)
def test_a_mode_starts_by_command_exactly_where_it_has_a_time_limit(mode):
    assert MODES[mode].starts_by_command is (mode in ("sprint", "break"))


def test_an_option_that_the_mode_has_may_be_chosen():
    assert MODES["classic"].rules(6, 5) == Rules(size=6, undo_limit=5)
    assert MODES["classic"].rules(undo_limit=0) == Rules(undo_limit=0)
    assert MODES["practice"].rules(8) == Rules(size=8, undo_limit=None)
    assert MODES["sprint"].rules(4, 1) == MODES["sprint"].rules()


@pytest.mark.parametrize(
    ("mode", "size", "undo_limit", "field", "reason"),
    [
        ("classic", 3, None, "size", "classic is played on 4 or 5 or 6"),
        ("classic", None, 2, "undo_limit", "classic has 0 or 1 or 5 undos"),
        ("sprint", 5, None, "size", "sprint is played on 4"),
        ("daily", None, 5, "undo_limit", "daily has 1 undos"),
        ("practice", 9, None, "size", "practice is played on 3 or 4 or 5 or 6 or 7 or 8"),
        ("practice", None, 1, "undo_limit", "practice has unlimited undos"),
    ],
)
def test_an_option_that_the_mode_has_not_is_refused_by_name(mode, size, undo_limit, field, reason):
    with pytest.raises(InvalidOption) as refused:
        MODES[mode].rules(size, undo_limit)
    assert (refused.value.field, str(refused.value)) == (field, reason)


def test_bests_are_kept_by_mode_size_and_undo_limit_but_not_in_practice():
    assert MODES["classic"].category(Rules(5, 0)) == "classic-5-0"
    assert MODES["practice"].category(Rules(4, None)) is None
