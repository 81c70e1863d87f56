"""What stands beside the board, or above it where the terminal is narrow."""

from collections.abc import Iterable

from rich.style import Style
from rich.text import Text
from textual.reactive import reactive
from textual.widget import Widget

from twofold_cli.looks.palette import PLATE, face

Facts = tuple[tuple[str, str], ...]
PLATE_WIDTH = 13
LOGO = face(2048)


class Panel(Widget):
    """A title, two plates with figures, facts, and what there is to say."""

    DEFAULT_CSS = "Panel { width: 31; height: 1fr; padding: 1 1 0 2; }"

    name_shown: reactive[str] = reactive("")
    place: reactive[str] = reactive("")
    plates: reactive[Facts] = reactive(())
    facts: reactive[Facts] = reactive(())
    headline: reactive[tuple[str, str]] = reactive(("", ""))
    message: reactive[str] = reactive("")
    trouble: reactive[str] = reactive("")

    def render(self) -> Text:
        narrow = self.screen.has_class("-narrow")
        return Text("\n").join(self._in_short() if narrow else self._in_full())

    def _in_full(self) -> Iterable[Text]:
        logo = Style() if self.app.no_color else Style(color=LOGO.ink, bgcolor=LOGO.ground)
        yield Text.assemble((" 2048 ", logo + Style(bold=True)), "  ", (self.name_shown, "bold"))
        yield Text(self.place, self._tone("secondary"), overflow="ellipsis", no_wrap=True)
        yield Text()
        yield from self._drawn_plates()
        yield Text()
        width = max([len(name) for name, _ in self.facts], default=0)
        for name, value in self.facts:
            yield Text.assemble((f"{name:{width}}  ", self._tone("secondary")), (value, "bold"))
        yield Text()
        yield from self._said()

    def _in_short(self) -> Iterable[Text]:
        figures = "  ".join(f"{name} {value}" for name, value in self.plates)
        yield Text.assemble((self.name_shown, "bold"), "  ", figures, no_wrap=True, overflow="ellipsis")
        facts = "  ".join(f"{name} {value}" for name, value in self.facts)
        yield Text(facts, self._tone("secondary"), no_wrap=True, overflow="ellipsis")
        yield from self._said()

    def _drawn_plates(self) -> Iterable[Text]:
        if self.app.no_color:
            yield from [Text.assemble(f"{name:6}", (value, "bold")) for name, value in self.plates]
            return
        edge, ground = Style(color=PLATE.ground), Style(color=PLATE.ink, bgcolor=PLATE.ground)
        rows = [
            [("▄" * PLATE_WIDTH, edge) for _ in self.plates],
            [(name.upper().center(PLATE_WIDTH), ground) for name, _ in self.plates],
            [(value.center(PLATE_WIDTH), ground + Style(bold=True)) for _, value in self.plates],
            [("▀" * PLATE_WIDTH, edge) for _ in self.plates],
        ]
        yield from [Text(" ").join(Text(*cell) for cell in row) for row in rows]

    def _said(self) -> Iterable[Text]:
        title, hint = self.headline
        if title:
            yield Text(title, self._tone("accent") + Style(bold=True))
            yield Text(hint)
        if self.trouble:
            yield Text(self.trouble, self._tone("error") + Style(bold=True))
        elif self.message:
            yield Text(self.message, self._tone("accent"))

    def _tone(self, name: str) -> Style:
        return Style() if self.app.no_color else Style(color=self.app.theme_variables[name])
