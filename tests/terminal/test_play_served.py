"""The terminal game on a service: played live, and what is said and done when that is lost."""

import asyncio
import json
import shutil
import time
from dataclasses import replace

import pytest

from tests.faults.serving import Serving
from tests.terminal.pilots import playing
from twofold.game import EventType, Status
from twofold.rules import MODES
from twofold_cli.tables.instants import Now
from twofold_cli.tables.served import Served
from twofold_cli.tables.wishes import Wish
from twofold_client import AsyncClient, Client, LiveGame, Retry, TwofoldError

QUICK = Retry(first=0.01, longest=0.05, deadline=20, patience=None)
FIRST_MOVES = ("left", "down", "right", "up")


@pytest.fixture
def player(url):
    with Client(url) as client:
        client.join("Ada")
        yield client


def seat(client: Client, game: str | None = None, retry: Retry = QUICK) -> Served:
    return Served(AsyncClient(client.url, client.token, retry=retry), Now(), game)


async def move(hands) -> None:
    """One move that changes the board, and its answer."""
    before = hands.view.moves
    for key in FIRST_MOVES:
        if hands.view.moves == before:
            await hands.press(key)
            await hands.until(lambda: hands.app.idle)
    assert hands.view.moves == before + 1


async def test_moves_undo_and_pause_are_the_service_s(player):
    async with playing(seat(player)) as hands:
        await move(hands)
        assert player.url in hands.panel
        await hands.press("u")
        await hands.until(lambda: hands.view.moves == 0)
        await hands.press("p")
        await hands.until(lambda: hands.view.status is Status.PAUSED)
    [kept] = player.games()
    assert (kept.undo.used, kept.status) == (1, "paused")


async def test_an_open_game_goes_on_and_a_new_one_takes_its_place(player):
    waiting = player.new_game("classic", size=5)
    waiting.move(waiting.state.legal_moves[0])
    async with playing(seat(player), Wish(size=5)) as hands:
        assert hands.view.moves == 1
        assert "open game goes on" in hands.panel
        await hands.press("n", "enter")
        await hands.until(lambda: hands.view.moves == 0)
    assert player.game(waiting.id).state.outcome == "abandoned"


async def test_another_mode_leaves_the_game_open(player):
    async with playing(seat(player)) as hands:
        await move(hands)
        await hands.press("n", "down", "enter")
        await hands.until(lambda: hands.view.mode == "sprint")
        await hands.press("enter")
        await hands.until(lambda: hands.view.status is Status.RUNNING)
        assert "Time left" in hands.panel
    states = {game.mode: game.status for game in player.games()}
    assert states["classic"] == "running"


@pytest.mark.parametrize("mode", MODES)
async def test_every_mode_is_played(player, mode):
    async with playing(seat(player), Wish(mode)) as hands:
        await hands.press("enter")
        await hands.until(lambda: hands.view.status is Status.RUNNING)
        await move(hands)
        assert hands.view.mode == mode


async def test_practice_begins_from_a_board_and_a_seed(player):
    board = ((2, 0, 0), (0, 4, 0), (0, 0, 8))
    async with playing(seat(player), Wish("practice", board=board, seed=bytes(32))) as hands:
        assert hands.view.board == board
    assert next(iter(player.games())).seed == "0" * 64


async def test_a_timed_game_is_paused_by_leaving(player):
    async with playing(seat(player), Wish("sprint")) as hands:
        await hands.press("enter")
        await move(hands)
        await hands.press("q")
        game = next(iter(player.games()))
    with player.game(game.id) as left:
        for _ in range(1000):
            if left.refresh().status is Status.PAUSED:
                break
            await asyncio.sleep(0.02)
        assert (left.state.status, left.state.pauses) == (Status.PAUSED, 1)


async def test_the_day_s_puzzle_is_told_by_attempt(player):
    async with playing(seat(player), Wish("daily")) as hands:
        assert "Attempt  1" in hands.panel
        await hands.press("n", "enter")
        await hands.until(lambda: hands.view.attempt == 2)


async def test_a_refusal_is_shown_in_the_service_s_words(player):
    async with playing(seat(player)) as hands:
        await hands.press("u")
        await hands.until(lambda: "no move to undo" in hands.panel)
        assert hands.view.moves == 0


async def test_another_s_game_is_watched(player, url):
    with Client(url) as other:
        other.join("Bea")
        theirs = other.new_game("classic")
        async with playing(seat(player, theirs.id)) as hands:
            assert "watching another" in hands.panel
            theirs.move(theirs.state.legal_moves[0])
            await hands.until(lambda: hands.view.moves == 1)
            await hands.press("left")
            await hands.until(lambda: hands.app.idle)
            assert hands.view.moves == 1


async def test_nothing_a_service_says_steers_the_terminal(player, monkeypatch):
    word = "\x1b]0;owned\x07"
    known = property(lambda game: replace(game.feed.state, mode=word, date=word))
    monkeypatch.setattr(LiveGame, "state", known)
    game = player.new_game("classic")
    async with playing(seat(player, game.id)) as hands:
        await hands.until(lambda: hands.panel.count("owned") == 2)
        assert "\x1b" not in hands.panel


async def test_a_game_that_can_no_longer_be_followed_is_told_without_steering_the_terminal(player, monkeypatch):
    async def gone(game):
        raise TwofoldError("\x1b]0;owned\x07")

    monkeypatch.setattr(LiveGame, "__anext__", gone)
    async with playing(seat(player)) as hands:
        await hands.until(lambda: "owned" in hands.panel)
        assert "\x1b" not in hands.panel


async def test_a_game_that_is_not_there_ends_the_command(player):
    async with playing(seat(player, "nosuchgame")) as hands:
        assert str(hands.app.failed) == "There is no game of this id."
        assert hands.app.failed is not None and not hands.app.failed.unheard


async def test_a_service_that_vanishes_before_the_first_game_is_told_apart_from_a_refusal(player):
    gone = Served(AsyncClient("http://127.0.0.1:9", retry=Retry(first=0.01, longest=0.05, deadline=1)), Now())
    async with playing(gone) as hands:
        assert hands.app.failed is not None and hands.app.failed.unheard


async def test_the_export_is_the_service_s_record(player, home):
    async with playing(seat(player)) as hands:
        await move(hands)
        await hands.press("e")
        await hands.until(lambda: hands.app.exported)
        document = hands.app.exported[0].read_text()
    assert player.verify(json.loads(document)).origin == "stored"


@pytest.fixture
def serving(migrated, tmp_path):
    """A service process that can be killed and started again at its address."""
    shutil.copy(migrated, tmp_path / "twofold.db")
    service = Serving(tmp_path)
    service.start()
    yield service
    service.kill()


@pytest.mark.slow
@pytest.mark.parametrize("end", ["kill", "terminate"])
async def test_a_service_that_goes_is_said_and_the_game_goes_on_once_it_is_back(serving, end):
    with Client(serving.url) as player:
        player.join("Ada")
        async with playing(seat(player)) as hands:
            await move(hands)
            board = hands.view.board
            await asyncio.to_thread(getattr(serving, end))
            await hands.until(lambda: "Connection lost, trying again" in hands.panel)
            await hands.press("left", "right", "up", "down")
            assert "there is no connection" in hands.app.panel.message

            await asyncio.to_thread(serving.start)
            await hands.until(lambda: "Connection lost" not in hands.panel)
            await hands.until(lambda: hands.view.status is Status.PAUSED)
            assert (hands.view.moves, hands.view.board) == (1, board)
            await hands.press("enter")
            await hands.until(lambda: hands.view.status is Status.RUNNING)
            await move(hands)
        assert player.record(next(iter(player.games())).id).verify().valid


@pytest.mark.slow
async def test_a_move_whose_answer_is_not_heard_is_made_once(serving):
    with Client(serving.url) as player:
        player.join("Ada")
        async with playing(seat(player)) as hands:
            serving.freeze()
            await hands.press("left", "down")
            await hands.until(lambda: "Waiting for an answer" in hands.panel)
            serving.thaw()
            await hands.until(lambda: hands.app.idle and not hands.app.panel.trouble)
            moved = hands.view.moves
        [game] = player.games()
        events = [event.type for event in player.events(game.id)]
        assert events.count(EventType.MOVE) == moved


@pytest.mark.slow
async def test_who_quits_does_not_wait_for_a_service_that_hangs(serving):
    with Client(serving.url) as player:
        player.join("Ada")
        async with playing(seat(player)) as hands:
            serving.freeze()
            await hands.press("left", "down", "right")
            begun = time.monotonic()
            await hands.press("q")
        assert time.monotonic() - begun < 10  # and would for 20 s
        serving.thaw()


async def test_a_live_connection_that_cannot_be_had_ends_the_command(player):
    other = Served(AsyncClient(player.url, "wrong token", retry=QUICK), Now())
    async with playing(other) as hands:
        assert "token" in str(hands.app.failed)


async def test_a_player_deleted_elsewhere_is_told_plainly(player):
    async with playing(seat(player)) as hands:
        player.delete_me()
        await hands.until(lambda: hands.app.panel.trouble)
        assert "Traceback" not in hands.panel and len(hands.app.panel.trouble) < 200
