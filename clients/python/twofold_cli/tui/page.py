"""What every screen of ours has: a board, a panel, keys, and a page by day or by night."""

from textual.app import App
from textual.binding import Binding

from twofold_cli.tui.board import BoardWidget
from twofold_cli.tui.panel import Panel
from twofold_cli.tui.theme import DARK, LIGHT


class Page(App[None]):
    TITLE = "Twofold"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (74, "-wide")]
    CSS = """
    Screen { background: $background; }
    #table { height: 1fr; }
    .-narrow #table { layout: vertical; }
    """
    BINDINGS = [Binding("t", "theme", "Light/dark", show=False)]

    def __init__(self, *, light: bool) -> None:
        super().__init__()
        for theme in (DARK, LIGHT):
            self.register_theme(theme)
        self.theme = (LIGHT if light else DARK).name

    def action_theme(self) -> None:
        self.theme = (LIGHT if self.theme == DARK.name else DARK).name
        self.panel.refresh()

    @property
    def board(self) -> BoardWidget:
        return self.screen_stack[0].query_one(BoardWidget)

    @property
    def panel(self) -> Panel:
        return self.screen_stack[0].query_one(Panel)
