"""What every screen of ours has: a board, a panel, keys, and a page by day or by night."""

import asyncio
import signal
import sys
from functools import partial

from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.driver import Driver
from textual.widgets import Footer

from twofold_cli.tui.board import BoardWidget
from twofold_cli.tui.hangup import end_with
from twofold_cli.tui.keyboard import patient
from twofold_cli.tui.panel import Panel
from twofold_cli.tui.theme import DARK, LIGHT

TERMINATED = 143
"""The exit status of what SIGTERM ends."""


class Page(App[None]):
    TITLE = "Twofold"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (74, "-wide")]
    CSS = """
    #table { height: 1fr; }
    .-narrow #table { layout: vertical; }
    .-narrow Panel { dock: top; width: 1fr; height: 5; padding: 0 1; }
    """
    BINDINGS = [Binding("t", "theme", "Light/dark", show=False)]

    def __init__(self, *, light: bool) -> None:
        super().__init__()
        self.board, self.panel = BoardWidget(), Panel()
        for theme in (DARK, LIGHT):
            self.register_theme(theme)
        self.theme = (LIGHT if light else DARK).name

    def get_driver_class(self) -> type[Driver]:
        return patient(super().get_driver_class())

    def on_mount(self) -> None:
        if not self.is_headless:
            end_with(sys.stdin.fileno())
            leave = partial(self.exit, return_code=TERMINATED)  # not without giving the terminal back as it was
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, leave)

    def compose(self) -> ComposeResult:
        yield Horizontal(self.board, self.panel, id="table")
        yield Footer(show_command_palette=False)

    def action_theme(self) -> None:
        self.theme = (LIGHT if self.theme == DARK.name else DARK).name
        self.panel.refresh()
