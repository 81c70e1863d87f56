"""The screen on which one chooses a new game."""

from collections.abc import Sequence

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from twofold.rules import MODES
from twofold_cli.looks.printed import count
from twofold_cli.looks.view import NAMES
from twofold_cli.tables.wishes import Wish

TOLD = {
    "classic": "Join the tiles, get to 2048",
    "sprint": "As many points as you can in 2 minutes",
    "break": "As many points as you can in 5 minutes",
    "moves100": "As many points as you can in 100 moves",
    "daily": "The same tiles for everybody, each UTC date",
    "practice": "Take back as much as you like; in no ranking",
}


class Choosing(ModalScreen[Wish | None]):
    DEFAULT_CSS = """
    Choosing { align: center middle; background: $background 60%; }
    Choosing > Vertical { width: 58; height: auto; border: round $primary; background: $surface; padding: 1 2; }
    Choosing OptionList, Choosing OptionList:focus {
        height: auto; border: none; background: $surface; padding: 0; margin: 1 0;
        background-tint: $surface 0%; scrollbar-size: 0 0;
    }
    Choosing Static { height: auto; }
    Choosing #told { color: $accent; margin-bottom: 1; }
    """
    BINDINGS = [
        Binding("escape,q,n", "dismiss(None)", "Back"),
        Binding("left,a,h", "size(-1)", "Smaller"),
        Binding("right,d,l", "size(1)", "Larger"),
        Binding("u", "undo_limit", "Undos"),
        Binding("j,s", "next", "Next"),
        Binding("k,w", "previous", "Previous"),
    ]

    def __init__(self, current: Wish, warning: str) -> None:
        super().__init__()
        self._wishes = [Wish(mode) for mode in MODES]
        self._first = list(MODES).index(current.mode)
        self._wishes[self._first] = Wish(current.mode, current.size, current.undo_limit)
        self._warning = warning

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(Text("New game", "bold"))
            yield OptionList(*self._options())
            yield Static(id="told")
            yield Static(Text("↑↓ mode  ←→ size  U undos  Enter begin  Esc back", "dim"))

    def on_mount(self) -> None:
        self.query_one(OptionList).highlighted = self._first

    def on_option_list_option_highlighted(self, highlighted: OptionList.OptionHighlighted) -> None:
        told = TOLD[self._wishes[highlighted.option_index].mode]
        self.query_one("#told", Static).update(Text(f"{told}.{self._warning}"))

    def on_option_list_option_selected(self, chosen: OptionList.OptionSelected) -> None:
        self.dismiss(self._wishes[chosen.option_index])

    def action_size(self, step: int) -> None:
        self._change(self._wish.other_size(step))

    def action_undo_limit(self) -> None:
        self._change(self._wish.other_undo_limit())

    def action_next(self) -> None:
        self.query_one(OptionList).action_cursor_down()

    def action_previous(self) -> None:
        self.query_one(OptionList).action_cursor_up()

    @property
    def _wish(self) -> Wish:
        return self._wishes[self._at]

    @property
    def _at(self) -> int:
        return self.query_one(OptionList).highlighted or 0

    def _change(self, wish: Wish) -> None:
        self._wishes[self._at] = wish
        self.query_one(OptionList).replace_option_prompt_at_index(self._at, _prompt(wish))

    def _options(self) -> Sequence[Option]:
        return [Option(_prompt(wish)) for wish in self._wishes]


def _prompt(wish: Wish) -> Text:
    mode, rules = MODES[wish.mode], wish.rules
    size = f"{rules.size}×{rules.size}"
    sizes = f"◂ {size} ▸" if len(mode.sizes) > 1 else f"  {size}  "
    undos = "any number" if rules.undo_limit is None else count(rules.undo_limit, "undo")
    return Text(f" {NAMES[wish.mode]:12}{sizes}   {undos}")
