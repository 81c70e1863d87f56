"""What needs neither a terminal nor a service: faces, figures, reels, and games on this machine."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.table import NOON, SEED
from twofold.board import Direction
from twofold.errors import InvalidOption, Refusal
from twofold.game import Outcome, Status
from twofold.parse import parse
from twofold.rules import MODES
from twofold.verify import verify
from twofold_cli.looks.faces import Tile, coloured, digits, fit, lined
from twofold_cli.looks.palette import face
from twofold_cli.looks.printed import as_json, columns, duration, safe
from twofold_cli.looks.reel import SPEEDS, Reel
from twofold_cli.looks.sparks import BARS, spark
from twofold_cli.tables.local import LocalGame
from twofold_cli.tables.table import Command
from twofold_cli.tables.wishes import Wish

MINUTE = 60_000_000


@pytest.mark.parametrize("size", range(3, 9))
def test_every_board_has_room_at_80_by_24(size):
    tile = fit(size, 23, 49)
    assert tile is not None
    assert 1 + size * tile.height <= 23 and 1 + size * (tile.width + 1) <= 49


def test_where_there_is_no_room_there_is_no_tile():
    assert fit(4, 8, 80) is None
    assert fit(4, 80, 20) is None


@given(st.integers(3, 8), st.integers(2, 9), st.integers(4, 17))
def test_both_looks_are_as_large_as_was_said(size, height, width):
    board = tuple(tuple(2 << (x + y) for x in range(size)) for y in range(size))
    for text in (coloured(board, Tile(height, width), 0).plain, lined(board, Tile(height, width), 0).plain):
        lines = text.split("\n")
        assert len(lines) == 1 + size * height
        assert {len(line) for line in lines} == {1 + size * (width + 1)}


@pytest.mark.parametrize(
    ("value", "width", "shown"), [(0, 4, ""), (16384, 5, "16384"), (16384, 4, "2^14"), (2**65, 6, "2^65")]
)
def test_a_face_is_a_power_where_its_digits_do_not_fit(value, width, shown):
    assert digits(value, width) == shown


@pytest.mark.parametrize("exponent", range(1, 66))
def test_digits_stand_out_from_every_tile(exponent):
    ground, ink = face(2**exponent)
    lighter, darker = sorted((_luminance(ground), _luminance(ink)), reverse=True)
    assert (lighter + 0.05) / (darker + 0.05) >= 4.5


def _luminance(colour: str) -> float:
    parts = [part / 255 for part in bytes.fromhex(colour[1:])]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_a_spark_line_has_its_first_and_last_figure_and_no_more_than_there_is_room_for():
    assert spark([0, 7], 60, 0, 7) == "▁█"
    long = spark(range(1000), 60, 0, 999)
    assert (len(long), long[0], long[-1]) == (60, BARS[0], BARS[-1])
    assert spark([5, 5], 60, 5, 5) == "▁▁"


def test_columns_know_how_wide_letters_are():
    assert columns([("李", "1"), ("ab", "22")], right=[1]) == ["李   1", "ab  22"]
    assert columns([("李明", "x"), ("ab", "x")]) == ["李明  x", "ab    x"]


def test_what_would_steer_a_terminal_is_made_visible():
    assert safe("a\x1b[2Jb\u202ec") == "a\ufffd[2Jb\ufffdc"


@pytest.mark.parametrize(
    ("milliseconds", "told"),
    [(None, "–"), (0, "0:00.0"), (62_567, "1:02.5"), (3_600_000, "1:00:00"), (7_265_999, "2:01:05")],
)
def test_durations_are_short(milliseconds, told):
    assert duration(milliseconds) == told


def test_values_are_told_as_the_service_tells_them():
    assert json.loads(as_json({"way": Direction.UP, "none": None})) == {"way": "up", "none": None}


def test_a_reel_runs_at_its_speed_and_stops_at_its_end():
    reel = Reel(10, speed=4).toggled()
    assert reel.after(0.6).at == 2
    assert reel.after(0.6).after(0.2).at == 3
    end = reel.after(99)
    assert (end.at, end.playing) == (10, False)
    assert (end.toggled().at, end.toggled().playing) == (0, True)


def test_a_reel_steps_and_seeks_within_its_bounds():
    reel = Reel(10)
    assert reel.step(-1).at == 0
    assert reel.step(3).step(99).at == 10
    assert (reel.part(5).at, reel.part(10).at, reel.seek(-4).at) == (5, 10, 0)
    assert not reel.toggled().step(1).playing


def test_a_reel_has_a_slowest_and_a_fastest_speed():
    reel = Reel(10)
    assert reel.faster(99).speed == SPEEDS[-1]
    assert reel.faster(-99).speed == SPEEDS[0]
    assert reel.faster(1).speed > reel.speed


def test_a_reel_of_nothing_stands():
    assert not Reel(0).toggled().playing


DOINGS = st.lists(
    st.tuples(
        st.sampled_from([Command.MOVE] * 12 + list(Command)[:-1] + [Command.UNDO] * 3),
        st.sampled_from(Direction),
        st.sampled_from([0, 1_000, 350_000, 5_000_000, 6 * MINUTE]),
    ),
    max_size=150,
)


@given(st.sampled_from(list(MODES)), st.binary(min_size=32, max_size=32), DOINGS, st.booleans())
def test_whatever_is_played_here_the_record_proves_itself(mode, seed, doings, give_up):
    now = NOON
    game = LocalGame(Wish(mode), seed, now, "local-1", 1 if mode == "daily" else None)
    for command, direction, wait in doings:
        now += wait
        try:
            game.do(command, now, direction)
        except Refusal:
            continue
    if give_up and not game.game.final:
        game.do(Command.ABANDON, now)
    verdict = verify(parse(json.dumps(game.record())))
    assert verdict.valid, verdict.findings
    assert verdict.proof == ("seed" if game.game.final or mode == "practice" else "consistent")
    assert verdict.result["board"] == [list(row) for row in game.view(now).board]


def test_undo_in_practice_reaches_back_to_the_start():
    game = LocalGame(Wish("practice"), SEED, NOON, "local-1")
    while game.game.position.moves < 30:
        game.do(Command.MOVE, NOON, game.game.legal_moves[0])
    for _ in range(30):
        game.do(Command.UNDO, NOON)
    assert game.view(NOON).board == LocalGame(Wish("practice"), SEED, NOON, "local-1").view(NOON).board
    assert verify(parse(game.record())).valid


def test_time_is_up_at_the_limit_though_nobody_asks_before():
    game = LocalGame(Wish("break"), SEED, NOON, "local-1")
    game.do(Command.START, NOON)
    game.tick(NOON + 100 * MINUTE)
    view = game.view(NOON + 100 * MINUTE)
    assert (view.outcome, view.active_ms, view.clock) == (Outcome.TIME_UP, 300_000, "0:00.0")


def test_a_game_nobody_plays_falls_idle():
    game = LocalGame(Wish(), SEED, NOON, "local-1")
    game.tick(NOON + 10 * MINUTE)
    assert game.view(NOON + 10 * MINUTE).status is Status.PAUSED
    assert game.view(NOON + 10 * MINUTE).active_ms == 300_000


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        (Wish("chess"), "mode"),
        (Wish("classic", size=7), "size"),
        (Wish("classic", undo_limit=2), "undo_limit"),
        (Wish("daily", date="2027-01-01"), "date"),
        (Wish("practice", size=4, board=((2, 0, 0), (0, 0, 0), (0, 0, 0))), "size"),
        (Wish("practice", board=((3, 0, 0), (0, 0, 0), (0, 0, 0))), "board"),
        (Wish("practice", board=((0, 0, 0), (0, 0, 0), (0, 0, 0))), "board"),
    ],
)
def test_a_game_that_is_not_to_be_had_names_the_option(wish, field):
    with pytest.raises(InvalidOption) as refused:
        LocalGame(wish, SEED, NOON, "local-1")
    assert refused.value.field == field


def test_all_options_of_a_mode_are_reached_in_turn():
    wish = Wish("classic")
    assert [wish.other_size(step).rules.size for step in (1, 2, 3, -1)] == [5, 6, 4, 6]
    limits = {wish.undo_limit for wish in (wish, wish.other_undo_limit(), wish.other_undo_limit().other_undo_limit())}
    assert limits == {None, 0, 5}
