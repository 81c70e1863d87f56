"""Bad luck: reloads, other windows, a service that goes away, a browser that keeps nothing."""

import json
import shutil

import pytest
from playwright.sync_api import Route

from tests.browser.conftest import OUTAGE
from tests.browser.table import ARROWS, Table, until
from tests.callers import Caller, answer
from tests.faults.serving import AS_IT_IS, Serving

ODD = [[2, 4, 2, 4], [4, 2, 4, 2], [2, 4, 2, 4], [0, 0, 2, 2]]


def start_sprint(table: Table) -> None:
    table.button("Sprint").click()
    table.rests()
    table.page.locator(".cover-button").click()
    table.shows(status="running")


# Reloads.


@pytest.mark.parametrize("state", ["ready", "running", "paused", "over", "won"])
def test_after_a_reload_the_game_is_there(table, state):
    if state == "running":
        table.move()
    elif state == "paused":
        table.move()
        table.press("KeyP")
        table.shows(status="paused")
    elif state == "over":
        table.practise(ODD)
        table.do("start")
        table.do("abandon")
    elif state == "won":
        table.practise([[1024, 1024, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2]])
        table.press("ArrowLeft")
        table.shows(status="won")
    before = table.game
    table.reload()
    table.rests()

    assert table.game_id == before["id"]
    assert table.shows()["board"] == before["board"]
    if state == "won":
        assert "You win!" in until(lambda: table.message)


def test_after_a_reload_a_timed_game_is_paused_and_goes_on_by_a_press(table):
    start_sprint(table)
    table.move()
    game = table.game_id
    table.page.goto("about:blank")
    table.open("#/mode/sprint")
    table.rests()

    assert table.game_id == game
    until(lambda: "Resume" in table.cover)
    assert table.game["status"] == "paused"
    table.page.locator(".cover-button").click()
    table.shows(status="running")


def test_where_the_first_move_key_resumes_after_a_reload_it_moves_too(table):
    table.move()
    table.press("KeyP")
    table.shows(status="paused")
    table.reload()
    table.rests()
    table.move()

    assert table.game["status"] == "running"


# Other windows.


def test_two_tabs_on_one_game_show_the_same(sit):
    one = sit()
    one.move()
    other = Table(one.page.context.new_page(), one.url).open()
    other.rests()
    assert other.game_id == one.game_id

    for table in (one, other, other, one):
        table.move()
        one.shows()
        other.shows()
    other.quiet()


def test_a_move_against_another_window_s_is_refused_in_words(sit):
    one = sit()
    one.practise([[2, 2, 0, 0], [0, 0, 0, 0], [4, 4, 0, 0], [8, 0, 8, 0]])
    one.press("ArrowLeft")
    game = one.shows(moves=1)
    one.page.evaluate("twofold.session.live.move('up', {version: 1}).catch(() => {})")
    one.rests()

    assert one.game["version"] == game["version"]
    assert one.shows()["moves"] == 1


PLAYER = "JSON.parse(localStorage.getItem('twofold.player'))?.token === twofold.client.token && !!twofold.session.live"


def test_windows_of_a_player_who_is_gone_become_the_same_new_one(sit):
    one = sit()
    one.move()
    other = Table(one.page.context.new_page(), one.url).open()
    other.rests()
    old = one.token
    with Caller(one.url, old) as me:
        assert me.delete("/players/me").status_code == 204

    for table in (one, other):
        table.waits_for(f"twofold.client.token !== '{old}' && {PLAYER}")
        table.rests()
        table.move()
    assert one.page.evaluate("twofold.client.token") == other.page.evaluate("twofold.client.token")
    one.quiet("401", "404")
    other.quiet("401", "404")


def test_a_window_follows_another_that_becomes_somebody_else(sit):
    one, third = sit(), sit()
    one.move()
    third.move()
    other = Table(one.page.context.new_page(), one.url).open()
    other.rests()
    with Caller(third.url, third.token) as me:
        code = answer(me.post("/players/me/link"))["code"]
    one.page.evaluate("code => twofold.session.link(code)", code)
    until(lambda: "somebody else" in other.notices)

    for table in (one, other):
        table.waits_for(PLAYER)
        table.rests()
        assert table.game_id == third.game_id
    other.move()
    one.shows(moves=2)
    other.quiet()


# A service that goes away.


@pytest.fixture
def freezing(migrated, tmp_path):
    """A service to which a standstill of two seconds is an outage."""
    shutil.copy(migrated, tmp_path / "twofold.db")
    serving = Serving(tmp_path, entry=AS_IT_IS)
    serving.start()
    yield serving
    serving.kill()


@pytest.mark.alone
def test_a_killed_service_is_said_within_two_seconds_and_healed_by_itself(process, sit):
    table = sit(url=process.url)
    table.move()
    before = table.game
    process.kill()
    until(lambda: "Connection lost" in table.notices, 2)
    table.press(ARROWS[before["legal_moves"][0]], "ArrowDown")
    until(lambda: "kept" in table.status)
    process.start()

    until(lambda: not table.notices, 20)
    table.rests()
    game = table.shows(status="running")
    assert game["moves"] - before["moves"] in (1, 2)
    assert [event["cause"] for event in table.events if event["type"] == "pause"] == ["outage"]
    table.quiet(*OUTAGE)


@pytest.mark.parametrize("width", [390, 1280])
def test_what_is_said_of_an_outage_is_in_nobody_s_way(sit, width):
    table = sit(viewport={"width": width, "height": 844})
    table.move()
    drop(table)
    until(lambda: "Connection lost" in table.notices)
    if width < 900:
        table.button("Close").click()
    table.button("Sprint").click()
    table.page.wait_for_timeout(1500)
    assert ("Connection lost" in table.notices) is (width >= 900)
    table.page.context.set_offline(False)
    until(lambda: "Start" in table.cover and "Connection lost" not in table.notices, 20)
    drop(table)

    until(lambda: "Connection lost" in table.notices)
    table.quiet(*OUTAGE)


def test_an_outage_in_a_sprint_is_resumed_by_itself(process, sit):
    table = sit(url=process.url)
    start_sprint(table)
    table.move()
    process.kill()
    until(lambda: "connection lost" in table.cover)
    process.start()

    until(lambda: table.cover == "", 20)
    assert table.shows(status="running")["pauses"] == 0
    table.quiet(*OUTAGE)


@pytest.mark.alone
def test_while_a_sprint_s_board_is_covered_no_time_and_no_move_is_made(freezing, sit):
    table = sit(url=freezing.url)
    start_sprint(table)
    table.move()
    before = table.game
    freezing.freeze()
    try:
        until(lambda: "connection lost" in table.cover, 2.5)
        figures = table.page.inner_text(".figures")
        table.press("ArrowLeft", "ArrowDown", "ArrowRight", "ArrowUp", "KeyU")
        table.page.wait_for_timeout(2500)
        assert table.page.inner_text(".figures") == figures
    finally:
        freezing.thaw()

    until(lambda: table.cover == "", 20)
    table.rests()
    assert table.shows(status="running")["moves"] == before["moves"]
    table.quiet(*OUTAGE)


def test_a_service_that_stops_in_good_order_is_said_to_restart(process, sit):
    table = sit(url=process.url)
    table.move()
    process.terminate()
    until(lambda: "restart" in table.notices or "Connection lost" in table.notices)
    process.start()

    until(lambda: not table.notices, 20)
    table.move()
    table.quiet(*OUTAGE)


@pytest.mark.alone
def test_a_frozen_service_is_said_within_two_seconds(freezing, sit):
    table = sit(url=freezing.url)
    table.move()
    freezing.freeze()
    try:
        until(lambda: "Connection lost" in table.notices, 2.5)
    finally:
        freezing.thaw()
    until(lambda: not table.notices, 20)
    table.rests()
    table.move()
    table.quiet(*OUTAGE)


def test_offline_pauses_a_sprint_and_goes_on_by_a_press(sit):
    table = sit()
    start_sprint(table)
    table.move()
    drop(table)
    until(lambda: "Paused: connection lost" in table.cover)
    table.page.context.set_offline(False)

    until(lambda: "Resume" in table.cover, 20)
    assert table.game["status"] == "paused"
    table.page.locator(".cover-button").click()
    table.shows(status="running")
    table.quiet(*OUTAGE)


def drop(table):
    """No network: open sockets too."""
    table.page.context.set_offline(True)
    table.page.evaluate("dispatchEvent(new Event('offline'))")
    table.page.evaluate("twofold.client.live.probe()")


def test_offline_a_move_is_kept_and_made_later_once(sit):
    table = sit()
    table.move()
    before = table.game
    drop(table)
    until(lambda: "Connection lost" in table.notices)
    legal = before["legal_moves"][0]
    table.page.evaluate("way => twofold.session.move(way)", legal)
    table.page.context.set_offline(False)

    until(lambda: not table.notices, 20)
    table.rests()
    game = table.shows()
    assert game["moves"] == before["moves"] + 1
    table.quiet(*OUTAGE)


@pytest.mark.parametrize("leave", ["KeyR", "100 moves", "#/rules"])
def test_moves_that_are_kept_are_made_though_their_game_is_left(sit, leave):
    table = sit()
    table.practise([[2, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2]])
    table.press("ArrowLeft")
    table.shows(moves=1)
    game = table.game_id
    drop(table)
    until(lambda: "Connection lost" in table.notices)
    for way in ("right", "left", "right", "left"):
        table.page.evaluate("way => twofold.session.move(way)", way)
    until(lambda: "4 moves are kept" in table.status)
    if leave == "KeyR":
        table.press(leave)
    elif leave.startswith("#"):
        table.page.evaluate("route => { location.hash = route }", leave)
    else:
        table.button(leave).click()
    table.page.context.set_offline(False)

    with Caller(table.url, table.token) as me:
        until(lambda: me.game(game)["status"] == "paused", 20)
        assert me.game(game)["moves"] == 5
    until(lambda: not table.notices, 20)
    table.quiet(*OUTAGE)


def test_without_a_network_the_page_says_so_honestly(sit):
    table = sit()
    table.page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
    until(lambda: table.page.evaluate("navigator.serviceWorker.controller !== null"))
    table.page.context.set_offline(True)
    table.page.reload()

    assert "No connection" in table.page.inner_text("main")
    table.page.context.set_offline(False)
    table.page.wait_for_selector(".tile")
    table.quiet(*OUTAGE)


def test_where_a_language_does_not_come_the_game_is_played_in_english(sit):
    table = sit(opened=False, locale="de-DE")
    table.page.route("**/i18n/de.js", lambda route: route.abort())
    table.open()

    table.move()
    assert table.button("Undo").is_visible()
    table.page.unroute("**/i18n/de.js")
    table.reload()
    until(lambda: table.page.get_by_role("button", name="Zurücknehmen").is_visible())
    table.quiet("net::ERR_FAILED")


# A browser that keeps nothing.

BLOCKED = "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no', 'SecurityError'); }})"
FULL = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }"


@pytest.mark.parametrize(("fault", "words"), [(BLOCKED, "keeps nothing"), (FULL, "storage is full")])
def test_the_game_plays_on_where_the_browser_keeps_nothing(sit, fault, words):
    table = sit(script=fault)
    until(lambda: words in table.notices)
    for key in ("ArrowLeft", "ArrowDown", "ArrowRight", "ArrowUp"):
        table.press(key)
        table.rests()

    assert table.page.evaluate("twofold.session.state.moves") >= 2
    assert table.page.locator(".notice").count() == 1


@pytest.mark.parametrize(
    "damage", ["{", '"text"', '{"token": 5}', "[]", '{"id": "me", "token": "ü☃"}', '{"id": "me", "token": ""}']
)
def test_what_is_damaged_is_put_aside_and_said(sit, damage):
    table = sit()
    table.move()
    token = table.token
    table.page.evaluate("text => localStorage.setItem('twofold.player', text)", damage)
    table.reload()

    until(lambda: "damaged" in table.notices)
    assert table.page.evaluate("localStorage.getItem('twofold.player.damaged')") == damage
    assert table.token != token
    table.move()


def test_damaged_places_lose_no_game(table):
    table.move()
    game = table.game_id
    table.page.evaluate("localStorage.setItem('twofold.places', 'nonsense')")
    table.reload()
    table.rests()

    assert table.game_id == game
    assert "damaged" in table.notices


@pytest.mark.parametrize("game", ["x" * 5000, "../..", "", "ü"])
def test_what_can_be_no_game_is_not_asked_for(table, game):
    table.move()
    before = table.game_id
    places = json.dumps({"classic/4/1": {"current": game, "last": game}})
    table.page.evaluate("places => localStorage.setItem('twofold.places', places)", places)
    table.reload()
    table.rests()

    assert table.game_id == before
    table.move()


def test_a_player_the_service_forgot_is_told_and_plays_on(sit):
    table = sit()
    table.move()
    old = json.loads(table.page.evaluate("localStorage.getItem('twofold.player')"))
    with Caller(table.url, table.token) as me:
        assert me.delete("/players/me").status_code == 204
    until(lambda: "does not know" in table.notices)
    table.rests()

    table.move()
    assert json.loads(table.page.evaluate("localStorage.getItem('twofold.player.before')")) == old
    table.quiet("401", "404")


def test_a_token_the_service_does_not_know_is_told_and_put_aside(sit):
    table = sit()
    strange = json.dumps({"id": "nobody", "token": "nonsense"})
    table.page.evaluate("kept => localStorage.setItem('twofold.player', kept)", strange)
    table.reload()
    until(lambda: "does not know" in table.notices)
    table.rests()

    table.move()
    assert json.loads(table.page.evaluate("localStorage.getItem('twofold.player.before')")) == json.loads(strange)
    table.quiet("401", "404")


def test_what_is_pressed_while_an_unknown_player_is_replaced_is_played(sit):
    table = sit()
    table.page.evaluate("localStorage.setItem('twofold.player', JSON.stringify({id: 'nobody', token: 'nonsense'}))")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    table.page.route("**/v1/players/me", hold)
    table.page.reload()
    until(lambda: "does not know" in table.notices)
    table.press("ArrowLeft", "ArrowDown", "ArrowRight", "ArrowUp")
    until(lambda: table.page.evaluate("twofold.session.opening") and held)
    for route in held:
        route.continue_()

    until(lambda: table.game["version"] > 1)
    table.quiet("401", "404")


def test_a_game_that_is_opened_again_before_it_is_watched_is_open(table):
    table.page.evaluate("""() => {
        const { send } = WebSocket.prototype, kept = [];
        WebSocket.prototype.send = function (frame) {
            if (frame.includes('"watch"')) kept.push(() => send.call(this, frame));
            else send.call(this, frame);
        };
        window.speak = () => { WebSocket.prototype.send = send; kept.forEach((say) => say()); };
    }""")
    table.page.evaluate("twofold.session.renew()")
    table.page.evaluate("() => { twofold.session.reopen(); }")
    table.page.evaluate("speak()")
    table.rests()

    table.move()


def test_a_game_that_is_gone_makes_place_for_another(table):
    table.page.evaluate(
        "localStorage.setItem('twofold.places', JSON.stringify({'classic/4/1': {current: 'no-such-game'}}))"
    )
    with Caller(table.url, table.token) as me:
        for game in answer(me.get("/games"))["items"]:
            me.do(game["id"], "abandon")
    table.reload()
    table.rests()

    table.move()


KEEPS_WHAT_IS_SAID = """new MutationObserver(() => {
  const said = document.querySelector('.notices')?.textContent;
  if (said) sessionStorage.setItem('said', `${sessionStorage.getItem('said')} ${said}`);
}).observe(document, {subtree: true, childList: true, characterData: true});"""


def test_an_old_page_on_a_newer_service_says_so_and_reloads_once(sit):
    table = sit(script=KEEPS_WHAT_IS_SAID)
    table.move()
    loads = []
    table.page.on("load", lambda _: loads.append(1))
    table.page.route("**/", reply)
    drop(table)
    until(lambda: "Connection lost" in table.notices)
    table.page.context.set_offline(False)

    until(lambda: table.page.wait_for_timeout(50) or loads, 20)
    table.page.wait_for_selector(".tile")
    assert "new edition" in table.page.evaluate("sessionStorage.getItem('said')")
    drop(table)
    until(lambda: "Connection lost" in table.notices)
    table.page.context.set_offline(False)
    until(lambda: "Connection lost" not in table.notices, 20)
    table.page.wait_for_timeout(2500)
    assert len(loads) == 1
    table.quiet(*OUTAGE)


def reply(route):
    """What the service answers, as if the page were of another edition."""
    if route.request.method == "HEAD":
        route.fulfill(status=200, headers={"ETag": '"0123456789abcdef"'})
    else:
        route.continue_()
