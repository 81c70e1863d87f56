"""Existing 2048 bots and userscripts drive the page unmodified: what they read, what they call, and nothing stale."""

import json
import random

import pytest

from tests.browser.load import waited
from tests.browser.table import until
from tests.callers import Json

MOVES = 300
ROUND = 10
KEYS = {"up": 38, "right": 39, "down": 40, "left": 37}
SETTLED = 50  # ms a bot waits after a key
BUSY = 25  # ms a key that all our threads together wait for a core where others have it: alone they wait 9 to 17

DOM_BOT = """async ({moves, wait, codes}) => {
  const size = 4;
  const read = () => {
    const board = Array.from({length: size}, () => Array(size).fill(0));
    for (const tile of document.querySelectorAll('.tile-container .tile')) {
      const at = tile.className.match(/tile-position-(\\d)-(\\d)/);
      const value = +tile.className.match(/tile-(\\d+)/)[1];
      board[at[2] - 1][at[1] - 1] = Math.max(board[at[2] - 1][at[1] - 1], value);
    }
    return board;
  };
  const press = (code) => {
    const event = new Event('keydown', {bubbles: true, cancelable: true});
    event.keyCode = event.which = code;
    document.body.dispatchEvent(event);
  };
  const seen = [];
  for (let turn = 0; turn < moves; turn++) {
    if (document.querySelector('.game-over')) break;
    press(codes[turn % codes.length]);
    await new Promise((done) => setTimeout(done, wait));
    const score = +document.querySelector('.score-container').firstChild.data;
    const truth = twofold.session.live?.state;
    seen.push({board: read(), score, truth: truth && truth.board, points: truth && truth.score,
      waiting: twofold.session.live?.queue.length});
  }
  return seen;
}"""

GLOBALS_BOT = """async ({moves, wait, ways}) => {
  let manager = null;
  const original = GameManager.prototype.isGameTerminated;
  GameManager.prototype.isGameTerminated = function () { manager = this; return true; };
  document.dispatchEvent(Object.assign(new Event('keydown'), {which: 38}));
  GameManager.prototype.isGameTerminated = original;
  const seen = [];
  for (let turn = 0; turn < moves && !manager.over; turn++) {
    manager.move(ways[turn % ways.length]);
    await new Promise((done) => setTimeout(done, wait));
    const {size, cells} = JSON.parse(JSON.stringify(manager.grid));
    const board = Array.from({length: size}, (_, y) => Array.from({length: size}, (_, x) => cells[x][y]?.value ?? 0));
    const truth = twofold.session.live?.state;
    seen.push({board, score: manager.score, truth: truth && truth.board, points: truth && truth.score,
      waiting: twofold.session.live?.queue.length});
  }
  return {seen, same: manager === window.gameManager};
}"""


def plays_in_the_middle(table):
    """A game with much room, in which every direction moves something."""
    table.practise([[0, 0, 0, 0], [0, 2, 4, 0], [0, 8, 16, 0], [0, 0, 0, 0]])


def fresh(seen):
    """No reading was of another board or score than the service's."""
    wrong = [one for one in seen if one["board"] != one["truth"] or one["score"] != one["points"] or one["waiting"]]
    assert wrong == []


def play_until_over(table, run):
    """Readings of so many moves, over as many games as that takes.

    A move without its answer says nothing of us where others held the cores meanwhile: such a round is played again, as
    long as one in two counts. What was answered and not shown is a fault however busy the machine is.
    """
    seen: list[Json] = []
    dropped = 0
    while len(seen) < MOVES:
        wanted = min(ROUND, MOVES - len(seen))
        before = waited()
        more = run(wanted, len(seen))
        busy = waited() - before > BUSY * len(more)
        if busy and any(one["waiting"] for one in more):
            fresh([one for one in more if not one["waiting"]])
            dropped += len(more)
            assert dropped < MOVES, "this machine is too busy to tell"
            table.rests()
        else:
            seen += more
        if len(more) < wanted:
            table.page.locator(".retry-button").click()
            table.rests()
    return seen


def part(keys, count, first):
    """So many of keys that are pressed over and over, from one of them on."""
    return [keys[number % len(keys)] for number in range(first, first + count)]


@pytest.mark.alone
def test_a_bot_that_reads_the_dom_reads_nothing_stale(table):
    order = random.Random(5).choices(list(KEYS.values()), k=97)

    seen = play_until_over(
        table,
        lambda moves, first: table.page.evaluate(
            DOM_BOT, {"moves": moves, "wait": SETTLED, "codes": part(order, moves, first)}
        ),
    )

    assert len(seen) == MOVES
    fresh(seen)
    assert table.board == table.game["board"]


@pytest.mark.alone
def test_a_bot_that_reads_the_globals_reads_nothing_stale(table):
    ways = random.Random(6).choices(range(4), k=97)

    def run(moves, first):
        bot = {"moves": moves, "wait": SETTLED, "ways": part(ways, moves, first)}
        played = table.page.evaluate(GLOBALS_BOT, bot)
        assert played["same"]
        return played["seen"]

    seen = play_until_over(table, run)

    assert len(seen) == MOVES
    fresh(seen)


def test_the_markup_is_the_original_s(table):
    there = [
        ".container > .heading > h1.title",
        ".heading > .scores-container > .score-container",
        ".scores-container > .best-container",
        ".container > .above-game > a.restart-button",
        ".game-container > .game-message > p",
        ".game-message > .lower > a.keep-playing-button",
        ".game-message > .lower > a.retry-button",
        ".game-container > .grid-container > .grid-row:nth-child(4) > .grid-cell:nth-child(4)",
        ".game-container > .tile-container > .tile > .tile-inner",
        ".game-container[tabindex]",
    ]

    assert [path for path in there if table.page.locator(path).count() == 0] == []
    assert table.page.title() == "2048"
    assert table.page.locator(".tile-container").get_attribute("class") == "tile-container"
    assert table.page.locator(".tile-container > :not(.tile)").count() == 0
    assert table.page.locator(".restart-button").inner_text() == "New Game"
    assert table.message == ""


def test_tiles_carry_the_original_s_classes_in_its_order(table):
    table.practise([[2048, 2048, 0, 0], [2, 2, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
    table.press("ArrowLeft")
    table.shows(moves=1)
    classes = [tile.get_attribute("class") for tile in table.page.locator(".tile").all()]

    assert classes[:6] == [
        "tile tile-2048 tile-position-1-1",
        "tile tile-2048 tile-position-1-1",
        "tile tile-4096 tile-position-1-1 tile-super tile-merged",
        "tile tile-2 tile-position-1-2",
        "tile tile-2 tile-position-1-2",
        "tile tile-4 tile-position-1-2 tile-merged",
    ]
    assert len(classes) == 7
    assert classes[6].endswith(" tile-new")
    table.page.wait_for_timeout(400)
    assert [tile.get_attribute("class") for tile in table.page.locator(".tile").all()] == classes


def test_the_first_text_of_score_and_best_is_bare_digits(table):
    table.practise([[65536, 65536, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
    table.press("ArrowLeft")
    table.shows(moves=1)
    score, best = (
        table.page.evaluate("name => document.querySelector(name).firstChild.data", name)
        for name in (".score-container", ".best-container")
    )

    assert score == "131072"
    assert best.isdigit()
    assert table.page.locator(".score-container > .score-addition").inner_text() == "+131072"


def test_the_globals_are_there_and_tell_the_game(table):
    table.move()
    manager = table.page.evaluate(
        """() => { const {score, over, won, keepPlaying, size, grid} = gameManager;
          return JSON.parse(JSON.stringify({score, over, won, keepPlaying, size, grid})); }"""
    )
    game = table.game

    assert (manager["score"], manager["over"], manager["won"], manager["keepPlaying"]) == (
        game["score"],
        False,
        False,
        False,
    )
    assert manager["size"] == manager["grid"]["size"] == 4
    for x, column in enumerate(manager["grid"]["cells"]):
        for y, cell in enumerate(column):
            value = game["board"][y][x]
            assert cell == ({"x": x, "y": y, "value": value} if value else None)
    kinds = ["GameManager", "KeyboardInputManager", "HTMLActuator", "LocalStorageManager", "Grid", "Tile"]
    assert table.page.evaluate("names => names.filter((name) => typeof window[name] !== 'function')", kinds) == []
    assert table.page.evaluate("gameManager instanceof GameManager")
    assert table.page.evaluate("['move', 'restart', 'isGameTerminated'].every((name) => GameManager.prototype[name])")


@pytest.mark.parametrize("target", ["document.body", "document", "window"])
@pytest.mark.parametrize(
    "event",
    [
        "{which: 39}",
        "{keyCode: 39}",
        "{key: 'ArrowRight'}",
        "{code: 'ArrowRight'}",
        "{which: 68}",
        "{key: 'd'}",
        "{code: 'KeyD'}",
    ],
)
def test_a_key_is_heard_wherever_it_is_aimed_and_however_it_is_told(table, target, event):
    plays_in_the_middle(table)

    table.page.evaluate(f"void {target}.dispatchEvent(Object.assign(new Event('keydown', {{bubbles: true}}), {event}))")

    table.shows(moves=1)
    assert table.events[-1]["direction"] == "right"


def test_one_event_object_is_one_key(table):
    plays_in_the_middle(table)
    table.page.evaluate(
        """() => { const event = Object.assign(new Event('keydown', {bubbles: true}), {which: 37});
          document.body.dispatchEvent(event); document.dispatchEvent(event); window.dispatchEvent(event); }"""
    )
    table.rests()

    assert table.shows()["moves"] == 1


def test_a_script_that_says_the_game_has_ended_keeps_keys_from_it(table):
    table.move()
    version = table.game["version"]
    table.page.evaluate("GameManager.prototype.isGameTerminated = () => true")
    table.press("ArrowLeft", "ArrowUp", "ArrowRight")
    table.page.wait_for_timeout(100)

    assert table.game["version"] == version


def test_restart_asks_nothing_and_space_does_nothing(table):
    table.move()
    first = table.game_id
    table.press("Space")
    table.page.wait_for_timeout(100)
    assert table.game_id == first

    table.page.evaluate("gameManager.restart()")

    until(lambda: table.game_id != first)
    assert table.page.locator("dialog").count() == 0


def test_the_running_game_is_kept_in_the_original_s_form_and_never_trusted(table):
    table.move()
    kept = json.loads(table.page.evaluate("localStorage.gameState"))
    game = table.game
    assert kept["score"] == game["score"]
    assert [[(kept["grid"]["cells"][x][y] or {}).get("value", 0) for x in range(4)] for y in range(4)] == game["board"]
    assert kept["grid"]["cells"] and all(
        cell is None or cell["position"] == {"x": x, "y": y}
        for x, column in enumerate(kept["grid"]["cells"])
        for y, cell in enumerate(column)
    )
    assert int(table.page.evaluate("localStorage.bestScore")) == game["best_score"]

    table.page.evaluate("localStorage.gameState = '{\"score\": 1e9, \"grid\": 5}'; localStorage.bestScore = 'x'")
    table.reload()
    table.rests()

    assert table.shows()["score"] == game["score"]


def test_message_and_texts_at_the_end(table):
    table.practise([[2, 4, 2, 4], [4, 2, 4, 2], [2, 4, 2, 4], [4, 2, 0, 4]])
    for key in ("ArrowRight", "ArrowLeft", "ArrowRight", "ArrowLeft"):
        table.press(key)
        table.rests()
        if table.game["status"] == "over":
            break
    table.do("abandon") if table.game["status"] != "over" else None
    table.shows(status="over")

    assert table.page.locator(".game-message").get_attribute("class") == "game-message game-over"
    until(lambda: table.message)
    assert table.page.locator(".game-message p").inner_text() == "Game over!"
    assert table.page.locator(".retry-button").inner_text() == "Try again"
