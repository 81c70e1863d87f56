"""The terminal game on this machine: keys, clocks, modes, sizes of the terminal, records."""

import json
import os
from pathlib import Path

import pytest

from tests.engine.table import NOON, TWO_HALVES
from tests.service import Hand
from tests.terminal.pilots import at_home, playing
from twofold.board import Direction
from twofold.game import Outcome, Status
from twofold.parse import parse
from twofold.rules import MODES
from twofold.verify import verify
from twofold_cli.tables.wishes import Wish

KEYS = {
    Direction.UP: ("up", "w", "k"),
    Direction.DOWN: ("down", "s", "j"),
    Direction.LEFT: ("left", "a", "h"),
    Direction.RIGHT: ("right", "d", "l"),
}


def practice(board) -> Wish:
    return Wish("practice", board=tuple(map(tuple, board)))


async def play_on(hands, done):
    """Keep the large tiles low and to the left, for as long as it takes."""
    while not done():
        before = hands.view.moves
        for key in ("left", "down", "right", "up"):
            if hands.view.moves == before:
                await hands.press(key)


def proved(path: str | Path):
    return verify(parse(Path(path).read_bytes()))


@pytest.mark.parametrize(("way", "key"), [(way, key) for way, keys in KEYS.items() for key in keys])
async def test_arrows_wasd_and_hjkl_push_the_tiles(way, key):
    table = at_home()
    async with playing(table, practice([(0, 0, 0), (0, 8, 0), (0, 0, 0)])) as hands:
        await hands.press(key)
        row, column = {"up": (0, 1), "down": (2, 1), "left": (1, 0), "right": (1, 2)}[way]
        assert hands.view.board[row][column] == 8
        assert hands.view.moves == 1


async def test_a_key_that_moves_nothing_costs_nothing():
    async with playing(at_home(), practice([(8, 0, 0), (0, 0, 0), (0, 0, 0)])) as hands:
        await hands.press("left", "up")
        assert hands.view.moves == 0


async def test_undo_takes_back_and_is_refused_in_words_once_used_up():
    async with playing(at_home()) as hands:
        before = hands.view.board
        await hands.press("left", "u")
        assert hands.view.board == before
        assert "0 of 1 left" in hands.panel
        await hands.press("left", "u")
        assert "All undos of this game are used." in hands.panel


async def test_pause_stops_the_clock_and_goes_on():
    hand = Hand(NOON)
    async with playing(at_home(hand)) as hands:
        hand.forward(61)
        await hands.press("p")
        hand.forward(3_000)
        await hands.until(lambda: "Paused" in hands.panel and "1:01" in hands.panel)
        assert (hands.view.status, hands.view.active_ms) == (Status.PAUSED, 61_000)
        await hands.press("space")
        assert "Paused" not in hands.panel


async def test_the_goal_stops_the_game_until_it_is_continued():
    async with playing(at_home(), practice(TWO_HALVES)) as hands:
        await hands.press("left")
        assert hands.view.status is Status.WON
        await hands.press("right")
        assert "You made 2048!" in hands.panel and "continue the game first" in hands.panel
        await hands.press("enter", "right")
        assert (hands.view.status, hands.view.moves) == (Status.RUNNING, 2)


async def test_a_sprint_waits_for_its_start_and_ends_by_the_engine_s_clock():
    hand = Hand(NOON)
    async with playing(at_home(hand), Wish("sprint")) as hands:
        hand.forward(600)
        assert "2 minutes. Ready?" in hands.panel and "2:00" in hands.panel
        await hands.press("enter", "left")
        hand.forward(119.5)
        await hands.until(lambda: "0:00.5" in hands.panel)
        hand.forward(0.5)
        await hands.until(lambda: "Time is up" in hands.panel)
        assert (hands.view.outcome, hands.view.active_ms) == (Outcome.TIME_UP, 120_000)


async def test_a_hundred_moves_are_the_end_and_an_undo_revives_it():
    async with playing(at_home(), Wish("moves100")) as hands:
        await play_on(hands, lambda: hands.view.status is Status.OVER)
        assert hands.view.outcome is Outcome.MOVE_LIMIT
        assert "100 of 100" in hands.panel and "U: undo" in hands.panel
        await hands.press("u")
        assert (hands.view.status, hands.view.moves) == (Status.RUNNING, 99)


@pytest.mark.parametrize("mode", MODES)
async def test_every_mode_is_chosen_by_keys(mode):
    async with playing(at_home()) as hands:
        await hands.press("n", *["down"] * list(MODES).index(mode), "enter")
        await hands.until(lambda: hands.view.mode == mode)
        assert hands.view.size == 4


async def test_size_and_undos_are_chosen_by_keys():
    async with playing(at_home()) as hands:
        await hands.press("n", "right", "right", "u", "enter")
        await hands.until(lambda: hands.view.size == 6)
        assert hands.view.undo_limit == 0
        await hands.press("n", "escape")
        assert hands.view.size == 6


async def test_the_offline_daily_is_the_same_for_all_and_says_that_it_is_no_service_s():
    boards = []
    for _ in range(2):
        async with playing(at_home(Hand(NOON)), Wish("daily")) as hands:
            boards.append(hands.view.board)
            assert "offline puzzle" in hands.panel and hands.view.date == "2027-01-15"
            await hands.press("n", "enter")
            await hands.until(lambda: hands.view.attempt == 2)
            boards.append(hands.view.board)
    assert boards == [boards[0]] * 4


@pytest.mark.parametrize("size", range(3, 9))
@pytest.mark.parametrize("terminal", [(80, 24), (120, 40), (60, 30)])
async def test_a_board_is_whole_at_80_by_24_and_wherever_it_fits(size, terminal):
    board = [[2 ** (1 + (x + y) % 17) for x in range(size)] for y in range(size)]
    board[0][0] = 0
    async with playing(at_home(), practice(board), terminal) as hands:
        await hands.until(lambda: hands.app.board.size.width > 31 and "larger" not in hands.shown)
        lines, room = hands.shown.splitlines(), hands.app.board.size
        told = {text.removeprefix("2^") for text in hands.shown.split()}
        assert len(lines) <= room.height and max(map(len, lines)) <= room.width
        assert all({str(value), str(value.bit_length() - 1)} & told for row in board for value in row if value)


async def test_the_terminal_may_be_resized_while_playing():
    async with playing(at_home()) as hands:
        large = len(hands.shown.splitlines())
        await hands.pilot.resize_terminal(50, 20)
        await hands.until(lambda: 5 < len(hands.shown.splitlines()) < large)
        assert hands.panel.splitlines()[0].startswith("Classic 4×4  Score 0")
        await hands.pilot.resize_terminal(20, 8)
        await hands.until(lambda: "larger terminal" in hands.shown)
        await hands.press("left")
        assert hands.view.moves == 1


async def test_without_colours_the_board_is_drawn_in_lines(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    async with playing(at_home(), practice([(8, 0, 16), (0, 0, 0), (0, 0, 0)])) as hands:
        assert "┌" in hands.shown and "│" in hands.shown and "16" in hands.shown
        assert not hands.app.board.render().spans


async def test_the_page_turns_light_and_dark():
    async with playing(at_home(), light=True) as hands:
        assert not hands.app.current_theme.dark
        await hands.press("t")
        assert hands.app.current_theme.dark


async def test_a_key_exports_the_game_and_verify_proves_it():
    async with playing(at_home(), Wish("moves100")) as hands:
        await hands.press("left", "down", "p", "p", "u", "up", "e")
        await hands.until(lambda: hands.app.exported)
        unfinished = proved(hands.app.exported[0])
        await hands.press("g", "g", "e")
        await hands.until(lambda: len(hands.app.exported) == 2)
        finished = proved(hands.app.exported[1])
    assert (unfinished.valid, unfinished.proof) == (True, "consistent")
    assert (finished.valid, finished.proof, finished.result["outcome"]) == (True, "seed", "abandoned")


async def test_an_unfinished_record_does_not_tell_the_tiles_to_come():
    async with playing(at_home()) as hands:
        await hands.press("left", "e")
        await hands.until(lambda: hands.app.exported)
        assert json.loads(hands.app.exported[0].read_text())["seed"] is None


async def test_a_game_that_would_be_lost_is_asked_about():
    async with playing(at_home()) as hands:
        await hands.press("left", "q", "escape", "down")
        assert hands.view.moves == 2
        await hands.press("q", "e")
    assert [proved(path).valid for path in hands.app.exported] == [True]


async def test_a_game_without_a_move_is_left_without_a_question():
    async with playing(at_home()) as hands:
        await hands.press("q")
    assert hands.app.exported == []


async def test_the_export_on_leaving_goes_to_the_file_that_was_named():
    async with playing(at_home(), export=Path("mine.json")) as hands:
        await hands.press("left", "q")
    assert proved("mine.json").valid


async def test_an_export_that_cannot_be_written_is_one_line():
    async with playing(at_home(), export=Path("no/such/folder.json")) as hands:
        await hands.press("e")
        await hands.until(lambda: "cannot be written" in hands.panel)
        assert "No such file or directory" in hands.panel


@pytest.mark.parametrize("answer", ["e", "q"])
async def test_nobody_leaves_unasked_with_an_export_that_cannot_be_written(answer):
    async with playing(at_home(), export=Path("folder/mine.json")) as hands:
        await hands.press("left", "q")
        await hands.until(lambda: "cannot be written" in hands.panel)
        await hands.press("q")
        os.mkdir("folder")
        await hands.press(answer)
    assert not hands.app.is_running
    assert (hands.app.failed is None) == (answer == "e")
    assert os.listdir("folder") == (["mine.json"] if answer == "e" else [])


async def test_the_best_score_outlives_a_game():
    async with playing(at_home(), practice(TWO_HALVES)) as hands:
        await hands.press("n", *["up"] * 5, "enter")
        await hands.until(lambda: hands.view.mode == "classic")
        await play_on(hands, lambda: hands.view.score > 20)
        best = hands.view.score
        await hands.press("n", "enter")
        await hands.until(lambda: hands.view.moves == 0)
        assert hands.view.best == best


async def test_help_shows_the_keys_and_any_key_closes_it():
    async with playing(at_home()) as hands:
        await hands.press("question_mark")
        assert len(hands.app.screen_stack) == 2
        await hands.press("left")
        assert (len(hands.app.screen_stack), hands.view.moves) == (1, 0)
