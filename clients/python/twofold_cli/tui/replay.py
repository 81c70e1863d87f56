"""A record replayed on the terminal."""

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.events import Click
from textual.reactive import reactive
from textual.widget import Widget

from twofold.board import rows_of
from twofold.clock import MS
from twofold.game import Event
from twofold_cli.looks import telling
from twofold_cli.looks.printed import duration
from twofold_cli.looks.reel import Reel
from twofold_cli.recordings import Recording
from twofold_cli.tui.page import Page

TICK = 1 / 30


class Track(Widget):
    """Where the replay stands; a click goes there."""

    DEFAULT_CSS = "Track { height: 1; padding: 0 1; color: $primary; }"

    reel: reactive[Reel] = reactive(Reel(0))

    def render(self) -> Text:
        mark = "▶" if self.reel.playing else "❚❚"
        told = f" {self.reel.at}/{self.reel.last}  {self.reel.speed}/s"
        done = round(self._width * self.reel.at / max(1, self.reel.last))
        return Text.assemble(f"{mark:3}", "━" * done, ("─" * (self._width - done), "dim"), told.rjust(self._told))

    def on_click(self, event: Click) -> None:
        part = (event.x - 4) / max(1, self._width - 1)
        self.reel = self.reel.seek(round(self.reel.last * part))

    @property
    def _told(self) -> int:
        return len(f" {self.reel.last}/{self.reel.last}  128/s")

    @property
    def _width(self) -> int:
        return max(1, self.content_size.width - 3 - self._told)


class Replay(Page):
    BINDINGS = [
        Binding("space", "run", "Play", key_display="Space"),
        Binding("left,h", "step(-1)", "Back", key_display="←"),
        Binding("right,l", "step(1)", "Step", key_display="→"),
        Binding("plus,equals_sign,up", "faster(1)", "Faster", key_display="+"),
        Binding("minus,down", "faster(-1)", "Slower", key_display="-"),
        Binding("home,g", "part(0)", "Start", show=False),
        Binding("end,G", "part(10)", "End", show=False),
        Binding("pageup", "leap(-1)", "Leap back", show=False),
        Binding("pagedown", "leap(1)", "Leap", show=False),
        Binding("q,escape", "quit", "Quit", key_display="q"),
        *[Binding(str(tenth), f"part({tenth})", show=False) for tenth in range(10)],
    ]

    def __init__(self, recording: Recording, proof: str, *, light: bool = False) -> None:
        super().__init__(light=light)
        self._record, self._events = recording
        self._proof, self.track = proof, Track()

    def compose(self) -> ComposeResult:
        *above, footer = super().compose()
        yield from [*above, self.track, footer]

    def on_mount(self) -> None:
        panel = self.panel
        panel.name_shown, panel.place = telling.title(self._record), telling.origin(self._record)
        panel.message = self._proof
        self.watch(self.track, "reel", self._show)
        self.track.reel = Reel(len(self._events) - 1)
        self.set_interval(TICK, lambda: self._wind(self.track.reel.after(TICK)))

    def action_run(self) -> None:
        self._wind(self.track.reel.toggled())

    def action_step(self, events: int) -> None:
        self._wind(self.track.reel.step(events))

    def action_faster(self, steps: int) -> None:
        self._wind(self.track.reel.faster(steps))

    def action_part(self, tenths: int) -> None:
        self._wind(self.track.reel.part(tenths))

    def action_leap(self, way: int) -> None:
        reel = self.track.reel
        self._wind(reel.seek(reel.at + way * max(1, reel.last // 20)))

    def _wind(self, reel: Reel) -> None:
        self.track.reel = reel

    def _show(self, reel: Reel) -> None:
        event = self._events[min(reel.at, len(self._events) - 1)]
        game = event.game
        board, panel = self.board, self.panel
        board.board = rows_of(game.rules.size, game.position.cells)
        board.fresh = None if event.spawn is None else event.spawn.cell
        panel.plates = (("Score", f"{game.position.score:,}"), ("Moves", f"{game.position.moves:,}"))
        panel.facts = facts(event)
        end = reel.at == reel.last
        panel.headline = ("The record ends here", telling.outcome(self._record, event)) if end else ("", "")


def facts(event: Event) -> tuple[tuple[str, str], ...]:
    game = event.game
    undone = (("Undos", str(game.undos)),) if game.undos else ()
    return (
        ("Event", telling.event(event)),
        ("Time", duration(game.active // MS)),
        ("Status", str(game.status)),
        *undone,
    )
