"""A record replayed on the terminal."""

from contextlib import asynccontextmanager

import pytest

from tests.engine import games
from twofold.board import rows_of
from twofold.verify import verify
from twofold_cli.looks import telling
from twofold_cli.recordings import load
from twofold_cli.tui.replay import Replay

LAST = len(games.classic().events) - 1


@pytest.fixture
def replay(write):
    """A replay of a classic game under a pilot."""
    recording = load(write("game.json", games.classic()))
    app = Replay(recording, telling.proof(verify(recording.record)))

    @asynccontextmanager
    async def watching():
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            yield app, pilot

    return watching


def shown(app):
    return app.board.board


def boards():
    return [rows_of(4, event.game.position.cells) for event in games.classic().events]


async def test_it_begins_at_the_start_with_what_the_record_is(replay):
    async with replay() as (app, _):
        panel = str(app.panel.render())
        assert shown(app) == boards()[0]
        assert "Classic 4×4" in panel and "by Zoë – Ω" in panel and "valid, proof seed" in panel


async def test_every_event_can_be_stepped_to_and_back(replay):
    async with replay() as (app, pilot):
        seen = [shown(app)]
        for _ in range(LAST):
            await pilot.press("right")
            await pilot.pause()
            seen.append(shown(app))
        assert seen == boards()
        assert "The record ends here" in str(app.panel.render())
        await pilot.press("left")
        await pilot.pause()
        assert shown(app) == boards()[-2]


@pytest.mark.parametrize(("key", "at"), [("end", LAST), ("5", round(LAST / 2)), ("home", 0), ("pagedown", 1)])
async def test_keys_jump(replay, key, at):
    async with replay() as (app, pilot):
        await pilot.press(key)
        await pilot.pause()
        assert app.track.reel.at == at
        assert shown(app) == boards()[at]


async def test_it_plays_to_the_end_by_itself(replay):
    async with replay() as (app, pilot):
        await pilot.press(*["plus"] * 5, "space")
        for _ in range(1000):
            await pilot.pause(0.02)
            if app.track.reel.at == LAST and not app.track.reel.playing:
                break
        assert (app.track.reel.at, app.track.reel.playing) == (LAST, False)
        assert shown(app) == boards()[-1]


async def test_space_stops_it(replay):
    async with replay() as (app, pilot):
        await pilot.press("space")
        await pilot.pause()
        assert app.track.reel.playing
        await pilot.press("space")
        await pilot.pause()
        assert not app.track.reel.playing


async def test_a_click_on_the_track_goes_there(replay):
    async with replay() as (app, pilot):
        await pilot.click("Track", offset=(30, 0))
        await pilot.pause()
        assert 0 < app.track.reel.at < LAST


async def test_q_ends_it(replay):
    async with replay() as (app, pilot):
        await pilot.press("q")
    assert app.return_code == 0
