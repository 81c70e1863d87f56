"""Modes side by side: each keeps its game, its clock stands still while another is played, and ends in its own way."""

import pytest

from tests.browser.table import until
from tests.callers import Caller, answer
from tests.live.house import pass_time

MODES = ("Classic", "Sprint", "Break", "100 moves", "Daily", "Practice")


def choose(table, name):
    table.button(name).click()
    table.rests()


@pytest.mark.parametrize(("size", "undos"), [(4, 1), (5, 1), (6, 5), (4, 5)])
def test_classic_has_sizes_and_undos(table, size, undos):
    table.button(f"{size}×{size}").click()
    table.button("1 undo" if undos == 1 else "5 undos").click()
    table.rests()

    assert table.game["size"] == size == len(table.board)
    assert table.game["undo"]["limit"] == undos
    table.move()
    assert table.game["status"] == "running"


@pytest.mark.parametrize("name", MODES)
def test_every_mode_can_be_played(table, name):
    choose(table, name)
    if table.cover:
        table.page.locator(".cover-button").click()
        table.rests()
    table.shows()
    table.move()
    table.move()

    assert table.game["moves"] == 2
    assert table.cover == ""


def test_each_mode_keeps_its_game_and_its_clock_stands_still_meanwhile(table):
    table.move()
    classic = table.game_id
    choose(table, "100 moves")
    table.move()
    hundred = table.game_id
    choose(table, "Classic")

    assert table.game_id == classic
    assert table.shows()["status"] == "paused"
    table.move()
    choose(table, "100 moves")
    assert table.game_id == hundred


def test_a_timed_mode_waits_for_start(table):
    choose(table, "Sprint")
    table.press("ArrowLeft", "ArrowDown")
    table.page.wait_for_timeout(100)

    assert table.game["status"] == "ready"
    assert "Ready when you are" in table.cover
    table.page.locator(".cover-button").click()
    table.shows(status="running")
    table.move()


def test_a_hidden_tab_pauses_a_sprint_which_ends_when_its_time_is_up(timed, sit, clock):
    table = sit(url=timed.url)
    choose(table, "Sprint")
    table.page.locator(".cover-button").click()
    table.move()
    table.page.evaluate(
        """() => { Object.defineProperty(document, 'hidden', {value: true, configurable: true});
          document.dispatchEvent(new Event('visibilitychange')); }"""
    )
    assert table.shows(status="paused")["pauses"] == 1
    until(lambda: "the page was hidden" in table.cover)
    pass_time(timed, clock, 300)
    table.page.evaluate("""() => { delete document.hidden; document.dispatchEvent(new Event('visibilitychange')); }""")
    assert table.game["status"] == "paused"

    table.page.locator(".cover-button").click()
    table.shows(status="running")
    table.move()
    pass_time(timed, clock, 121)

    assert table.shows(status="over")["outcome"] == "time_up"
    until(lambda: "Time is up" in table.result)
    assert "Game over!" in table.message


def plays_a_hundred(table):
    """Whether the open game lasts a hundred moves."""
    game = table.do("start")["game"]
    while game["status"] == "running":
        way = min(game["legal_moves"], key=("left", "down", "right", "up").index)
        game = table.do("move", direction=way)["game"]
    return game["outcome"] == "move_limit"


def test_a_hundred_moves_end_at_the_hundredth_and_undo_takes_one_back(table):
    choose(table, "100 moves")
    while not plays_a_hundred(table):
        table.shows(status="over")
        table.press("KeyR")
        table.shows(status="ready")
    table.shows(status="over", moves=100)
    until(lambda: "All moves made" in table.result)

    table.press("KeyU")

    table.shows(moves=99, status="running")
    assert table.result == ""


def test_a_daily_attempt_is_given_up_only_after_it_was_said(table):
    choose(table, "Daily")
    assert "first attempt" in table.cover
    table.page.locator(".cover-button").click()
    table.rests()
    table.move()
    first = table.game_id
    table.press("KeyR")
    assert "for good" in table.page.get_by_role("dialog").inner_text()
    table.button("Cancel").click()
    assert table.game_id == first

    table.press("KeyR")
    table.button("Give it up").click()
    until(lambda: table.game_id != first)

    assert table.game["attempt"] == 2
    with Caller(table.url, table.token) as me:
        assert me.game(first)["outcome"] == "abandoned"


def test_where_no_attempt_is_open_the_best_of_the_daily_is_shown_and_its_link_shared(sit):
    table = sit(permissions=["clipboard-read", "clipboard-write"])
    choose(table, "Daily")
    table.page.locator(".cover-button").click()
    table.rests()
    for _ in range(12):
        table.move()
    best = table.game["score"]
    table.do("abandon")
    table.shows(status="over")
    choose(table, "Classic")
    table.page.evaluate("localStorage.removeItem('twofold.places')")
    choose(table, "Daily")

    until(lambda: "first attempt" in table.cover)
    until(lambda: table.page.locator(".best-container").inner_text() == str(best))
    table.button("Share").click()
    until(lambda: "Link copied" in table.notices)
    assert table.page.evaluate("navigator.clipboard.readText()").endswith("/#/mode/daily")


@pytest.mark.parametrize(("link", "mode", "size"), [("sprint", "sprint", 4), ("classic/5/5", "classic", 5)])
def test_a_link_opens_a_mode(sit, link, mode, size):
    table = sit(route=f"#/mode/{link}")
    table.rests()

    assert (table.game["mode"], table.game["size"]) == (mode, size)


def test_a_link_opens_ones_own_game(sit):
    table = sit()
    table.move()
    first = table.game_id
    table.press("KeyR")
    until(lambda: table.game_id != first)

    table.page.evaluate("id => { location.hash = `#/game/${id}` }", first)

    until(lambda: table.game_id == first)
    table.shows()


def test_a_link_to_somebody_else_s_game_watches_it(sit):
    one, other = sit(), sit()
    one.move()
    other.page.evaluate("id => { location.hash = `#/game/${id}` }", one.game_id)

    other.waits_for("location.hash.startsWith('#/watch/')")
    other.page.wait_for_selector("#view .diagram")


def test_the_clock_stands_still_while_a_view_is_looked_at(table):
    table.move()
    table.page.evaluate("location.hash = '#/rules'")
    table.page.wait_for_selector("#view h1")

    until(lambda: table.game["status"] == "paused")
    table.page.evaluate("location.hash = '#/'")
    table.page.wait_for_selector(".tile")
    table.move()
    assert table.game["status"] == "running"


def test_another_device_becomes_the_same_player_by_a_code(sit):
    one, other = sit(), sit()
    one.move()
    one.button("Use on another device").click()
    one.button("Show a code").click()
    code = until(lambda: one.page.locator(".code").inner_text())
    other.button("Use on another device").click()
    other.page.locator("#device-code").fill("0000-0000")
    other.button("Use it").click()
    until(lambda: "not known" in other.page.get_by_role("dialog").inner_text())
    other.page.locator("#device-code").fill(code.lower())
    other.button("Use it").click()
    until(lambda: "same player" in other.page.get_by_role("dialog").inner_text())
    other.page.keyboard.press("Escape")
    other.rests()

    assert other.game_id == one.game_id
    other.move()
    one.shows(moves=2)
    other.quiet("404", "422")


def test_nothing_is_made_for_a_page_nobody_sees(sit, url):
    hidden = "Object.defineProperty(document, 'hidden', {get: () => !window.seen, configurable: true})"
    table = sit(script=hidden, opened=False)
    table.page.goto(table.url)
    table.page.wait_for_timeout(300)
    assert table.page.evaluate("localStorage.getItem('twofold.player')") is None

    table.page.evaluate("() => { window.seen = true; document.dispatchEvent(new Event('visibilitychange')); }")
    table.page.wait_for_selector(".tile")

    with Caller(url, table.token) as me:
        assert [game["status"] for game in answer(me.get("/games"))["items"]] == ["ready"]
