"""What a player prefers: heard, felt and seen as wished, and kept; and the page as an app of its own."""

import pytest

from tests.browser.table import until

SENSES = """window.told = {tones: 0, shakes: 0};
const Tone = window.OscillatorNode;
window.OscillatorNode = class extends Tone { start(at) { told.tones++; super.start(at); } };
Object.defineProperty(navigator, 'vibrate', {value: () => ++told.shakes});"""
PAIR = [[0, 0, 0, 0], [0, 2, 2, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
ALONE = {"in-incognito"}
"""What keeps a test's own window from being installed, whatever the page is."""


def wish(table, name, on=True):
    table.page.click(".settings-button")
    table.page.get_by_label(name).set_checked(on)
    table.press("Escape")


def test_moves_are_heard_and_felt_where_that_is_wished_and_not_else(sit):
    table = sit(script=SENSES)
    table.practise(PAIR)
    table.press("ArrowLeft")
    table.shows(moves=1)
    assert table.page.evaluate("told") == {"tones": 0, "shakes": 0}

    wish(table, "Sound")
    wish(table, "Vibration")
    table.practise(PAIR)
    table.press("ArrowLeft")
    table.shows(moves=1)

    assert table.page.evaluate("told") == {"tones": 1, "shakes": 1}
    table.reload()
    assert table.page.evaluate("twofold.settings.wishes.sound && twofold.settings.wishes.vibration")


def test_moves_are_told_to_screen_readers_unless_that_is_not_wished(table):
    wish(table, "Announce", on=False)
    table.practise(PAIR)
    table.press("ArrowLeft")
    table.shows(moves=1)

    assert "row" not in table.page.locator(".announcer").inner_text()
    table.press("KeyU")
    until(lambda: "Undone" in table.page.locator(".announcer").inner_text())


def test_the_buttons_under_the_board_can_be_taken_away(table):
    pad = table.page.locator(".pad")
    assert pad.is_visible()

    wish(table, "buttons", on=False)

    assert not pad.is_visible()
    table.reload()
    assert not pad.is_visible()


def test_the_whole_screen_is_the_game_s_where_that_is_wished(table):
    wish(table, "Full screen")
    table.waits_for("document.fullscreenElement === document.documentElement")

    wish(table, "Full screen", on=False)

    table.waits_for("document.fullscreenElement === null")


def test_it_can_be_installed(table):
    table.page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
    session = table.page.context.new_cdp_session(table.page)

    manifest = session.send("Page.getAppManifest")
    found = session.send("Page.getInstallabilityErrors")["installabilityErrors"]

    assert manifest["url"].endswith("/manifest.webmanifest")
    assert manifest["errors"] == []
    assert {error["errorId"] for error in found} <= ALONE


@pytest.mark.parametrize("mode", ["Practice", "Daily"])
def test_the_chosen_mode_is_in_sight_on_a_phone(sit, mode):
    table = sit(viewport={"width": 320, "height": 568})
    table.page.evaluate("location.hash = '#/practice'")
    table.button("Play this board").click()
    table.page.wait_for_selector("#play:not([hidden])")
    table.button(mode).click()
    table.rests()

    def seen() -> bool:
        box = table.button(mode).bounding_box()
        return bool(box["x"] >= 0 and box["x"] + box["width"] <= 320)

    until(seen)
    table.page.evaluate("location.hash = '#/rules'")
    table.page.wait_for_selector("#view:not([hidden])")
    table.page.evaluate("location.hash = '#/'")
    table.page.wait_for_selector("#play:not([hidden])")
    until(seen)
