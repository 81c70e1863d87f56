"""A player at the page: what is seen, and what the service says of it."""

import json
import time
from collections.abc import Callable
from typing import Any, cast

from playwright.sync_api import Page

from tests.callers import Caller, Json, answer

WAIT = 30.0
ARROWS = {"up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight"}
BOARD = """() => {
  const size = document.querySelectorAll('.grid-row').length;
  const board = Array.from({length: size}, () => Array(size).fill(0));
  for (const tile of document.querySelectorAll('.tile-container .tile')) {
    const [, x, y] = /tile-position-(\\d+)-(\\d+)/.exec(tile.className);
    const value = Number(tile.querySelector('.tile-inner').textContent);
    board[y - 1][x - 1] = Math.max(board[y - 1][x - 1], value);
  }
  return board;
}"""


def until(true: Callable[[], Any], wait: float = WAIT) -> Any:
    """What a question is answered once the answer is anything but false."""
    end = time.monotonic() + wait
    while not (told := true()):
        assert time.monotonic() < end, f"not within {wait} s"
        time.sleep(0.02)
    return told


class Table:
    """The page of one browser window, at a service."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.troubles: list[str] = []
        page.on("console", lambda message: self._trouble(message.type, message.text))
        page.on("pageerror", lambda error: self.troubles.append(f"pageerror: {error}"))

    def _trouble(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.troubles.append(f"{kind}: {text}")

    def open(self, route: str = "") -> "Table":
        """Go there; what follows finds a game, or a view."""
        self.page.goto(f"{self.url}/{route}")
        self.page.wait_for_selector(".tile, .cover-button, #view:not([hidden])")
        return self

    def reload(self) -> None:
        self.page.reload()
        self.page.wait_for_selector(".tile, .cover-button, #view:not([hidden])")

    # What is seen.

    @property
    def board(self) -> list[list[int]]:
        return cast(list[list[int]], self.page.evaluate(BOARD))

    @property
    def score(self) -> int:
        return int(self.page.evaluate("document.querySelector('.score-container').firstChild.data"))

    @property
    def message(self) -> str:
        return self.page.locator(".game-message").inner_text().strip()

    @property
    def cover(self) -> str:
        return " ".join(self.page.locator(".cover").all_inner_texts())

    @property
    def result(self) -> str:
        return " ".join(self.page.locator(".result:not([hidden])").all_inner_texts())

    @property
    def status(self) -> str:
        return self.page.locator(".game-status").inner_text()

    @property
    def notices(self) -> str:
        return " ".join(self.page.locator(".notices").all_inner_texts())

    # What the service says.

    @property
    def token(self) -> str:
        return str(json.loads(self.page.evaluate("localStorage.getItem('twofold.player')"))["token"])

    @property
    def game_id(self) -> str:
        """The open game's id, once there is one."""
        return str(until(lambda: self.page.evaluate("twofold.session.live?.id")))

    @property
    def game(self) -> Json:
        game = self.game_id
        with Caller(self.url, self.token) as me:
            return me.game(game)

    @property
    def events(self) -> list[Json]:
        with Caller(self.url, self.token) as me:
            items: list[Json] = []
            while (page := answer(me.get(f"/games/{self.game_id}/events?limit=100&after={len(items)}")))["items"]:
                items += page["items"]
            return items

    def do(self, op: str, **more: Any) -> Json:
        """A command as from another device."""
        with Caller(self.url, self.token) as me:
            return me.do(self.game_id, op, **more)

    # What is done.

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def move(self, direction: str | None = None) -> None:
        """A move that is legal, by an arrow; back once it is seen."""
        game = self.game
        way = direction or min(game["legal_moves"], key=("left", "down", "right", "up").index)
        self.press(ARROWS[way])
        self.shows(version=game["version"] + 1)

    def shows(self, **figures: Any) -> Json:
        """Once the service's game has these figures and the page shows its board and score: the game."""

        def settled() -> Json | None:
            game = self.game
            met = all(
                game[name] >= value if name == "version" else game[name] == value for name, value in figures.items()
            )
            drawn = self.page.evaluate("twofold.session.state?.version") == game["version"]
            return game if met and drawn and self.board == game["board"] and self.score == game["score"] else None

        return cast(Json, until(settled))

    def practise(self, board: list[list[int]]) -> None:
        """A practice game that begins so."""
        self.page.evaluate("board => twofold.startPractice({board})", board)
        self.shows(board=board)
        self.rests()

    def rests(self) -> None:
        """Return once nothing is on its way."""
        self.waits_for("!twofold.session.opening && !twofold.session.live?.queue.length")

    def waits_for(self, true: str) -> None:
        """Return once this is true in the page."""
        until(lambda: self.page.evaluate(true))

    def button(self, name: str) -> Any:
        return self.page.get_by_role("button", name=name, exact=True).locator("visible=true").first

    def quiet(self, *expected: str) -> None:
        """Nothing has gone wrong but what was expected."""
        rest = [trouble for trouble in self.troubles if not any(part in trouble for part in expected)]
        assert not rest, rest
        self.troubles.clear()
