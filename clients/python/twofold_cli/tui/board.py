"""The board on the screen, as large as there is room for."""

from rich.text import Text
from textual.reactive import reactive
from textual.widget import Widget

from twofold_cli.looks.faces import Board, coloured, fit, lined


class BoardWidget(Widget):
    DEFAULT_CSS = "BoardWidget { width: 1fr; height: 1fr; content-align: center middle; text-wrap: nowrap; }"

    board: reactive[Board] = reactive(())
    fresh: reactive[int | None] = reactive(None)

    def render(self) -> Text:
        if not self.board:
            return Text()
        tile = fit(len(self.board), self.size.height, self.size.width)
        if tile is None:
            return Text(f"This board needs\na larger terminal\nthan {self.app.size.width}×{self.app.size.height}")
        return (lined if self.app.no_color else coloured)(self.board, tile, self.fresh)
