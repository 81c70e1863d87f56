"""Playing: keys, swipes, drags, buttons; a move is never lost, doubled, or shown for what it was not."""

import json
from itertools import chain

import pytest

from tests.browser.table import ARROWS, until

STUCK = [[2, 4, 8, 16], [4, 8, 16, 32], [8, 16, 32, 64], [16, 32, 64, 0]]
NEARLY = [[1024, 1024, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2]]
WAYS = ("left", "down", "right", "up")


def test_it_is_there_to_play_without_account_or_dialog(table):
    assert table.page.title() == "2048"
    assert table.game["status"] == "ready"
    assert table.board == table.game["board"]

    table.move()

    assert [event["type"] for event in table.events] == ["created", "start", "move"]


def test_a_whole_game_by_keyboard(table):
    table.practise([[2, 4, 8, 16], [16, 8, 4, 2], [2, 4, 8, 16], [0, 8, 4, 2]])
    while (game := table.game)["status"] != "over":
        table.move(min(game["legal_moves"], key=WAYS.index))

    assert game["outcome"] == "no_moves"
    until(lambda: table.message)
    assert "Game over!" in table.message
    assert "No moves left" in table.result
    assert f"{table.game['score']:,}" in table.result


@pytest.mark.parametrize(
    ("key", "direction"),
    [
        *((arrow, way) for way, arrow in ARROWS.items()),
        *zip(("KeyW", "KeyA", "KeyS", "KeyD"), ("up", "left", "down", "right"), strict=True),
        *zip(("KeyK", "KeyH", "KeyJ", "KeyL"), ("up", "left", "down", "right"), strict=True),
    ],
)
def test_a_key_moves_its_way(table, key, direction):
    table.practise([[0, 0, 0, 0], [0, 2, 4, 0], [0, 8, 16, 0], [0, 0, 0, 0]])

    table.press(key)

    table.shows(moves=1)
    assert table.events[-1]["direction"] == direction


@pytest.mark.parametrize("held", ["Control", "Alt", "Meta"])
def test_a_key_with_another_held_moves_nothing(table, held):
    before = table.game
    table.page.keyboard.press(f"{held}+ArrowLeft") if held != "Alt" else table.page.evaluate(
        "dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft', which: 37, altKey: true}))"
    )
    table.page.wait_for_timeout(150)

    assert table.game["version"] == before["version"]


def test_letters_steer_by_their_place_on_any_keyboard(table):
    table.practise([[0, 0, 0, 0], [0, 2, 4, 0], [0, 8, 16, 0], [0, 0, 0, 0]])

    table.page.evaluate("dispatchEvent(new KeyboardEvent('keydown', {key: 'z', code: 'KeyW', keyCode: 90, which: 90}))")
    table.shows(moves=1)
    table.page.evaluate("dispatchEvent(new KeyboardEvent('keydown', {key: 'W', code: 'KeyZ', keyCode: 87, which: 87}))")
    table.page.wait_for_timeout(100)

    assert [event.get("direction") for event in table.events[2:]] == ["up"]
    locked = "dispatchEvent(new KeyboardEvent('keydown', {key: 'S', code: 'KeyS', keyCode: 83, which: 83}))"
    table.page.evaluate(locked)
    assert table.shows(moves=2)
    assert table.events[-1]["direction"] == "down"


def test_no_key_moves_while_a_text_field_has_the_focus(table):
    version = table.game["version"]
    table.page.click(".settings-button")
    table.page.locator("#player-name").focus()
    table.press("ArrowLeft", "KeyA", "KeyR")
    table.page.keyboard.press("Escape")

    assert table.game["version"] == version
    table.waits_for("document.activeElement.className === 'icon-button settings-button'")


def test_letters_can_be_switched_off_and_arrows_not(table):
    table.page.click(".settings-button")
    table.page.get_by_label("Letter keys").uncheck()
    table.page.keyboard.press("Escape")
    table.practise([[0, 0, 0, 0], [0, 2, 4, 0], [0, 8, 16, 0], [0, 0, 0, 0]])
    table.press("KeyA", "KeyR", "KeyL")
    table.press("ArrowUp")

    table.shows(moves=1)
    assert table.events[-1]["direction"] == "up"


def test_a_held_key_moves_at_most_once(table):
    table.practise([[2, 4, 2, 4], [4, 2, 4, 2], [0, 0, 0, 0], [0, 0, 0, 0]])
    for _ in range(10):
        table.page.keyboard.down("ArrowDown")
        table.page.wait_for_timeout(20)
    table.page.keyboard.up("ArrowDown")

    assert table.shows(moves=1)["moves"] == 1


def test_twenty_arrows_in_a_tenth_of_a_second_are_twenty_commands(table):
    table.move()
    begun = table.game
    keys = ["ArrowLeft", "ArrowRight"] * 10
    table.page.evaluate(
        """keys => new Promise((done) => {
          const press = (index) => {
            if (index === keys.length) return done();
            dispatchEvent(new KeyboardEvent('keydown', {key: keys[index]}));
            setTimeout(press, 3, index + 1);
          };
          press(0);
        })""",
        keys,
    )
    table.rests()

    game = table.shows()
    made = [event["direction"] for event in table.events if event["type"] == "move"]
    assert game["moves"] == len(made)
    assert 10 <= game["moves"] - begun["moves"] <= 20


@pytest.mark.parametrize(
    ("x", "y", "direction"), [(90, 8, "right"), (-90, 5, "left"), (-8, 90, "down"), (4, -12, "up")]
)
def test_a_drag_moves_along_its_longer_axis(table, x, y, direction):
    table.practise([[0, 0, 0, 0], [0, 2, 4, 0], [0, 8, 16, 0], [0, 0, 0, 0]])
    box = table.page.locator("#board").bounding_box()
    mouse = table.page.mouse
    mouse.move(box["x"] + 200, box["y"] + 200)
    mouse.down()
    mouse.move(box["x"] + 200 + x, box["y"] + 200 + y, steps=3)
    mouse.up()

    table.shows(moves=1)
    assert table.events[-1]["direction"] == direction


def test_a_drag_of_less_than_ten_pixels_is_none(table):
    version = table.game["version"]
    box = table.page.locator("#board").bounding_box()
    table.page.mouse.move(box["x"] + 200, box["y"] + 200)
    table.page.mouse.down()
    table.page.mouse.move(box["x"] + 209, box["y"] + 200)
    table.page.mouse.up()
    table.page.wait_for_timeout(100)

    assert table.game["version"] == version


def touches(table, *steps):
    """Touches as a screen tells them: each step is a list of points, none lifts all fingers."""
    session = table.page.context.new_cdp_session(table.page)
    for index, points in enumerate(steps):
        kind = "touchStart" if index == 0 else "touchMove" if points else "touchEnd"
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})


def test_a_swipe_moves_and_the_page_stands_still(sit):
    table = sit(viewport={"width": 360, "height": 560}, has_touch=True)
    table.practise([[0, 0, 0, 0], [0, 2, 4, 0], [0, 8, 16, 0], [0, 0, 0, 0]])
    box = table.page.locator("#board").bounding_box()
    x, y = box["x"] + 120, box["y"] + 180
    touches(table, [(x, y)], [(x + 4, y - 40)], [(x + 6, y - 120)], [])

    table.shows(moves=1)
    assert table.events[-1]["direction"] == "up"
    assert table.page.evaluate("scrollY") == 0


def test_two_fingers_do_nothing(sit):
    table = sit(viewport={"width": 360, "height": 700}, has_touch=True)
    version = table.game["version"]
    box = table.page.locator("#board").bounding_box()
    x, y = box["x"] + 120, box["y"] + 180
    touches(table, [(x, y), (x + 60, y)], [(x, y - 90), (x + 60, y - 90)], [])
    table.page.wait_for_timeout(150)

    assert table.game["version"] == version


def test_the_four_buttons_move(table):
    table.practise([[0, 0, 0, 0], [0, 2, 4, 0], [0, 8, 16, 0], [0, 0, 0, 0]])
    for number, name in enumerate(("Right", "Up", "Left", "Down"), 1):
        table.button(name).click()
        table.shows(moves=number)

    assert [event["direction"] for event in table.events[2:]] == ["right", "up", "left", "down"]


def test_undo_goes_as_far_as_its_limit(table):
    start = table.board
    table.move()
    table.press("KeyU")
    table.shows(moves=0)

    assert table.board == start
    assert table.button("Undo").get_attribute("aria-disabled") == "true"
    table.move()
    table.press("KeyU")
    table.page.wait_for_timeout(150)
    assert table.game["moves"] == 1


def test_five_undos_are_five_however_fast(table):
    table.button("5 undos").click()
    table.rests()
    for _ in range(7):
        table.move()
    table.page.evaluate("() => { for (const _ of Array(9)) dispatchEvent(new KeyboardEvent('keydown', {key: 'u'})); }")
    table.rests()

    assert table.shows()["undo"]["used"] == 5
    assert table.game["moves"] == 2


def test_pause_stops_the_clock_and_the_next_move_goes_on(table):
    table.move()
    table.press("KeyP")
    table.shows(status="paused")
    until(lambda: "Paused" in table.status)

    table.press("ArrowLeft", "ArrowDown")

    table.shows(status="running")
    assert "resume" in [event["type"] for event in table.events]


def test_a_new_game_keeps_the_last_one_a_press_away(table):
    table.move()
    first = table.game_id
    table.press("KeyR")
    until(lambda: table.game_id != first)
    table.move()
    second = table.game_id

    table.button("Back to the last game").click()
    until(lambda: table.game_id == first)
    assert table.shows()["status"] == "paused"

    table.button("Back to the last game").click()
    until(lambda: table.game_id == second)
    third_before = second
    table.press("KeyR")
    until(lambda: table.game_id != third_before)
    with_first = table.page.evaluate("id => twofold.client.rest.getGame(id)", first)
    assert (with_first["status"], with_first["outcome"]) == ("over", "abandoned")


def test_moves_pressed_while_a_new_game_is_made_are_made_in_it(table):
    table.move()
    first = table.game_id
    table.page.evaluate(
        """() => { for (const key of ['r', 'ArrowLeft', 'ArrowDown', 'ArrowRight'])
          dispatchEvent(new KeyboardEvent('keydown', {key})); }"""
    )
    until(lambda: table.game_id != first)

    until(lambda: table.game["moves"] >= 1)
    table.shows()


def test_reaching_the_goal_stops_until_one_keeps_going(table):
    table.practise(NEARLY)
    table.press("ArrowLeft", "ArrowRight", "ArrowLeft")
    table.shows(status="won", moves=1)

    until(lambda: table.message)
    assert "You win!" in table.message
    assert "Goal reached" in table.result
    table.page.locator(".keep-playing-button").click()
    table.shows(status="running")
    assert table.message == ""
    assert table.result == ""


def test_a_pause_clears_the_moves_that_wait_in_sight(table):
    table.practise([[2, 4, 2, 4], [4, 2, 4, 2], [0, 0, 0, 0], [0, 0, 0, 0]])
    table.move("down")
    table.page.evaluate(
        """() => { for (const key of ['ArrowUp', 'ArrowDown', 'ArrowUp', 'ArrowDown', 'p'])
          dispatchEvent(new KeyboardEvent('keydown', {key})); }"""
    )
    table.rests()

    assert table.shows(status="paused")["moves"] == 2
    assert [event["type"] for event in table.events] == ["created", "start", "move", "move", "pause"]


def test_a_pause_right_after_the_first_move_key_is_one_too(table):
    table.page.evaluate(
        """() => { for (const key of ['ArrowLeft', 'ArrowUp', 'p'])
          dispatchEvent(new KeyboardEvent('keydown', {key})); }"""
    )
    table.rests()

    assert table.shows(status="paused")["moves"] == 0


def test_a_board_that_differs_from_what_was_shown_is_repaired_with_its_event(sit):
    table = sit(opened=False)
    frames: list[str] = []

    def carry(socket):
        service = socket.connect_to_server()
        service.on_message(lambda frame: socket.send(other(frame)))

    def other(frame):
        """The first move's event, with one more tile than the rules would have it."""
        told = json.loads(frame)
        event = (told.get("ok") or {}).get("event") or {}
        if event.get("type") == "move" and not frames:
            frames.append(frame)
            cell = next(cell for cell in range(16) if not event["board"][cell // 4][cell % 4])
            event["board"][cell // 4][cell % 4] = 64
            return json.dumps(told)
        return frame

    table.page.route_web_socket("**/v1/ws", carry)
    table.open()
    table.practise([[0, 0, 0, 0], [0, 2, 2, 0], [0, 0, 0, 0], [0, 0, 0, 8]])
    table.press("ArrowLeft")
    until(lambda: 64 in chain(*table.board))
    assert len(frames) == 1
    table.press("ArrowRight")

    assert 64 not in chain(*table.shows(moves=2)["board"])


def test_a_shared_link_leads_to_the_same_place(sit):
    table = sit(route="#/mode/classic/5/5", permissions=["clipboard-read", "clipboard-write"])
    table.rests()
    table.button("Share").click()
    until(lambda: "Link copied" in table.notices)
    fresh = table.page.evaluate("navigator.clipboard.readText()")
    assert fresh == f"{table.url}/#/mode/classic/5/5"

    table.move()
    table.button("Share").click()
    game = table.game_id
    until(lambda: table.page.evaluate("navigator.clipboard.readText()") == f"{table.url}/#/game/{game}")

    table.page.evaluate("location.hash = '#/mode/sprint'")
    table.rests()
    table.page.evaluate("id => { location.hash = `#/game/${id}` }", game)
    until(lambda: table.game_id == game)


def test_a_refusal_is_told_in_the_reader_s_language(sit):
    table = sit(locale="de-DE")
    problem = {
        "code": "storage_full",
        "detail": "No space left.",
        "retryable": False,
        "status": 507,
        "title": "Full",
        "type": "/docs/problems#storage_full",
        "request_id": "1",
    }
    table.page.route(
        "**/v1/games", lambda route: route.fulfill(status=507, json=problem, content_type="application/problem+json")
    )
    table.button("100 Züge").click()

    until(lambda: "keinen Platz mehr" in table.cover)
    assert "No space" not in table.page.inner_text("body")
    table.quiet("507")


def test_tiles_beyond_all_bounds_are_shown_digit_by_digit(sit):
    table = sit(viewport={"width": 320, "height": 640})
    table.practise([[2**40, 2**17, 2**20, 2**30], [2**39, 0, 0, 2], [0, 0, 0, 0], [0, 0, 0, 4]])

    assert table.page.locator(".tile-1099511627776 .tile-inner").inner_text() == "1099511627776"
    for tile in table.page.locator(".tile-inner").all():
        assert tile.evaluate(
            "(tile) => tile.scrollWidth <= tile.clientWidth + 1 && tile.scrollHeight <= tile.clientHeight + 1"
        )


def test_a_move_can_be_reported_from_the_running_game(sit):
    table = sit(permissions=["clipboard-read", "clipboard-write"])
    link = table.page.get_by_role("link", name="Report this move")
    assert link.count() == 0
    table.move()
    game = table.game

    link.click()
    table.button("Report this move").click()

    until(lambda: "Copied" in table.notices)
    assert f"Game: {game['id']}, version {game['version']}, move 1" in table.page.evaluate(
        "navigator.clipboard.readText()"
    )
