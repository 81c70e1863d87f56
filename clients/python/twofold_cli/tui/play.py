"""The game on the terminal, at whatever table it is played."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import monotonic

from textual.binding import Binding

from twofold.board import Direction
from twofold.game import Status
from twofold_cli.looks.view import View
from twofold_cli.saving import save
from twofold_cli.tables.table import Command, Refused, Table
from twofold_cli.tables.wishes import Wish
from twofold_cli.tui.asking import Asking
from twofold_cli.tui.choosing import Choosing
from twofold_cli.tui.page import Page

TICK = 0.1
TYPED_AHEAD = 8
PATIENCE = 0.7
"""Seconds after which a player is told that an answer is being waited for."""
HELP = """\
←↑↓→  WASD  HJKL   push the tiles
U  Backspace       take the last move back
P  Space           pause, and go on
Enter              start, go on, play on
N                  new game: mode, size, undos
G                  give the game up
E                  export the record to a file
T                  light or dark
Q                  quit

Any key closes this."""


class Play(Page):
    BINDINGS = [
        Binding("u,backspace", "command('undo')", "Undo", key_display="u"),
        Binding("p,space", "pause", "Pause", key_display="p"),
        Binding("n", "new", "New game"),
        Binding("e", "export", "Export"),
        Binding("question_mark", "help", "Keys", key_display="?"),
        Binding("q", "leave", "Quit"),
        Binding("up,w,k", "move('up')", "Up", show=False),
        Binding("down,s,j", "move('down')", "Down", show=False),
        Binding("left,a,h", "move('left')", "Left", show=False),
        Binding("right,d,l", "move('right')", "Right", show=False),
        Binding("enter", "go_on", "Go on", show=False),
        Binding("g", "give_up", "Give up", show=False),
    ]

    def __init__(self, table: Table, wish: Wish, *, light: bool = False, export: Path | None = None) -> None:
        super().__init__(light=light)
        self._table, self._wish, self._export = table, wish, export
        self._wanted: asyncio.Queue[Callable[[], Awaitable[None]]] = asyncio.Queue()
        self._leaving = False
        self._saved: View | None = None
        self._waits_since: float | None = None
        self.exported: list[Path] = []
        self.failed: Refused | None = None

    def on_mount(self) -> None:
        self.panel.place = self._table.place
        self.set_interval(TICK, self._show)
        self.run_worker(self._play(), name="play", exit_on_error=True)

    async def on_unmount(self) -> None:
        await self._table.close()

    def action_move(self, way: str) -> None:
        self._command(Command.MOVE, Direction(way))

    def action_command(self, name: str) -> None:
        self._command(Command(name))

    def action_pause(self) -> None:
        paused = self._status is Status.PAUSED
        self._command(Command.RESUME if paused else Command.PAUSE)

    def action_go_on(self) -> None:
        """What the headline offers."""
        further = {Status.READY: Command.START, Status.PAUSED: Command.RESUME, Status.WON: Command.CONTINUE}
        if self._status in further:
            self._command(further[self._status])
        elif self._status is Status.OVER:
            self.action_new()

    def action_new(self) -> None:
        def chosen(wish: Wish | None) -> None:
            if wish is not None:
                self._want(lambda: self._begin(wish))

        self.push_screen(Choosing(self._wish, self._at_stake), chosen)

    def action_give_up(self) -> None:
        def answered(key: str | None) -> None:
            if key == "g":
                self._command(Command.ABANDON)

        self.push_screen(Asking("Give the game up?", "G    give up for good\nEsc  play on", "g"), answered)

    def action_export(self) -> None:
        self._want(self._save)

    def action_help(self) -> None:
        self.push_screen(Asking("Keys", HELP))

    def action_leave(self) -> None:
        """Quit; a game that would be lost is asked about first, unless it is exported anyway, as far as that works."""
        view = self._view
        unsaved = view is not None and not self._is_saved(view)
        export = self._export is not None and unsaved and self.failed is None
        if export or self._table.keeps or view is None or not view.moves or not unsaved:
            self._leave(export=export)
            return

        def answered(key: str | None) -> None:
            if key is not None:
                self._leave(export=key == "e")

        lines = "E    export its record and quit\nQ    quit without it\nEsc  play on"
        self.push_screen(Asking("This game is kept nowhere else.", lines, "eq"), answered)

    def _leave(self, *, export: bool) -> None:
        """At once, or after an export; who asks again does not want to wait for that."""
        if not export or self._leaving:
            self.exit()
            return
        self._leaving = True
        self._want(self._save_and_end)

    def _command(self, command: Command, direction: Direction | None = None) -> None:
        """Who types far ahead of a slow service is not followed."""
        self._say(self._table.trouble and "Not now: there is no connection")
        if not self._table.trouble and self._wanted.qsize() < TYPED_AHEAD:
            self._want(lambda: self._table.do(command, direction))

    def _want(self, doing: Callable[[], Awaitable[None]]) -> None:
        """Do it after what was wanted before."""
        self._wanted.put_nowait(doing)

    async def _play(self) -> None:
        try:
            await self._table.open()
            await self._begin(self._wish)
        except Refused as refusal:  # without a game there is nothing to show
            self.failed = refusal
            self.exit()
            return
        while True:
            await self._dare(await self._wanted.get())

    async def _dare(self, doing: Callable[[], Awaitable[None]]) -> None:
        self._waits_since = monotonic()
        try:
            await doing()
        except Refused as refusal:
            self._say(str(refusal))
        self._waits_since = None
        self._show()

    async def _begin(self, wish: Wish) -> None:
        said = await self._table.begin(wish)
        self._wish, self._saved = wish, None
        self._say(said)
        self._show()

    async def _save(self) -> None:
        path = save(await self._table.record(), self._export)
        self._saved, self.failed = self._view, None
        self.exported.append(path)
        self._say(f"Exported to {path}")

    async def _save_and_end(self) -> None:
        """The end, unless the record cannot be had or written: then nobody leaves without being asked."""
        try:
            await self._save()
        except Refused as refusal:
            self._leaving, self.failed = False, refusal
            raise
        self.exit()

    def _show(self) -> None:
        view = self._view
        self.panel.trouble = self._table.trouble or ("Waiting for an answer …" if self._waits_long else "")
        if view is None:
            return
        board, panel = self.board, self.panel
        board.board, board.fresh = view.board, view.fresh
        panel.name_shown, panel.headline = view.name, view.headline
        panel.plates = (("Score", f"{view.score:,}"), ("Best", "–" if view.best is None else f"{view.best:,}"))
        panel.facts = facts(view)

    @property
    def idle(self) -> bool:
        """Whether all that was wanted is done."""
        return self._waits_since is None and self._wanted.empty()

    @property
    def _waits_long(self) -> bool:
        return self._waits_since is not None and monotonic() - self._waits_since > PATIENCE

    @property
    def _at_stake(self) -> str:
        view = self._view
        if view is None or view.status is Status.OVER or not view.moves:
            return ""
        return "" if self._table.keeps else "\nThe game under way ends without a record."

    def _is_saved(self, view: View) -> bool:
        saved = self._saved
        return saved is not None and (saved.moves, saved.undos, saved.status) == (view.moves, view.undos, view.status)

    @property
    def _view(self) -> View | None:
        return self._table.look()

    @property
    def _status(self) -> Status | None:
        view = self._view
        return None if view is None else view.status

    def _say(self, message: str) -> None:
        self.panel.message = message


def facts(view: View) -> tuple[tuple[str, str], ...]:
    """What there is to know of a game beside its score."""
    moves = f"{view.moves:,}" if view.move_limit is None else f"{view.moves} of {view.move_limit}"
    told = [("Time left" if view.limit_ms is not None else "Time", view.clock), ("Moves", moves)]
    told.append(("Undos", view.undos_told))
    if view.date is not None:
        told.append(("Date", view.date))
    if view.attempt is not None:
        told.append(("Attempt", str(view.attempt)))
    return tuple(told)
