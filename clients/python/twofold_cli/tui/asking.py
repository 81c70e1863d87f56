"""A question with a few answers, one key each."""

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Static


class Asking(ModalScreen[str | None]):
    """Answers with the key that was pressed; None for Escape."""

    DEFAULT_CSS = """
    Asking { align: center middle; background: $background 60%; }
    Asking > Vertical { width: 54; height: auto; border: round $primary; background: $surface; padding: 1 2; }
    Asking Static { height: auto; }
    """
    BINDINGS = [Binding("escape", "dismiss(None)", "Back")]

    def __init__(self, title: str, lines: str, keys: str = "") -> None:
        super().__init__()
        self._title, self._lines, self._keys = title, lines, keys

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(Text(f"{self._title}\n", "bold"))
            yield Static(Text(self._lines))

    def on_key(self, event: Key) -> None:
        if event.key in self._keys or not self._keys:
            event.stop()
            self.dismiss(event.key)
