"""The use cases on a real store, without a server, and with a clock that only the test moves."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.callers import careful
from tests.service import Hand, put_together
from twofold.board import Direction
from twofold.game import Event
from twofold_service.app import Service
from twofold_service.usecases import logs
from twofold_service.usecases.games import Wish
from twofold_service.usecases.values import Command, GameView, Played, Player, Told

STEP = 1.0


class House:
    """One process's use cases, awake since they were opened."""

    def __init__(self, path: Path, now: Hand | None = None, **wanted: Any) -> None:
        self.path = path
        now = now or Hand()
        self.take_in(put_together(path, now, **wanted), now)

    def take_in(self, service: Service, now: Hand) -> None:
        self.now = now
        self.successor: House | None = None
        self.service = service
        shared = self.service.hub._shared
        services = shared.services
        self.play, self.games, self.reading = services.play, services.games, services.reading
        self.players, self.daily = services.players, services.daily
        self.rankings = services.rankings
        self.clocks, self.live, self.rooms = self.service.clocks, shared.live, services.reading._rooms
        self.logs = services.reading._logs

    async def open(self) -> "House":
        """What a start does before anybody is served."""
        self.service.journal.start()
        await self.daily.publish()
        await self.clocks.recover()
        await self.daily.reveal()
        return self

    async def close(self) -> None:
        """The end of the process, and of the one in its place, without a word."""
        if self.successor is not None:
            await self.successor.close()
        else:
            await self.service.stop()

    async def again(self, after: float = 0.0) -> "House":
        """The process ends as by a crash, and another takes its place so many seconds later."""
        await self.service.stop()
        self.now.forward(after)
        self.successor = House(self.path, self.now)
        return await self.successor.open()

    async def join(self, name: str | None = None) -> Player:
        return (await self.players.create(name))[0]

    async def begin(self, player: Player, mode: str = "classic", key: str | None = None, **wish: Any) -> GameView:
        return (await self.games.create(player, Wish(mode, **wish), key))[0]

    async def do(self, view: GameView, op: str, **details: Any) -> Played:
        """A command of the game's player, which arrives now."""
        details = {"at": self.now(), "player": view.header.player, **details}
        return await self.play.played(Command(op, view.header.id, **details))

    async def move(self, view: GameView, direction: Direction | None = None, **details: Any) -> Played:
        """A move, by default the first that changes the board."""
        game = (await self.see(view)).game
        return await self.do(view, "move", direction=direction or game.legal_moves[0], **details)

    async def moves(self, view: GameView, count: int) -> GameView:
        """The game after so many moves, made so that it lasts."""
        for _ in range(count):
            game = (await self.see(view)).game
            await self.do(view, "move", direction=careful(game.rules.size, game.position.cells))
        return await self.see(view)

    async def see(self, view: GameView) -> GameView:
        """The game as it stands, as its player sees it."""
        return await self.reading.view(view.header.id, view.header.player)

    async def log(self, view: GameView) -> list[Event]:
        """The stored events."""
        until = (await self.see(view)).game.version
        return [event async for event in logs.events(self.logs, view.header.id, 0, until)]

    async def wait(self, seconds: float) -> None:
        """Time passes, a second at a time, with the process awake."""
        while seconds > 0:
            self.now.forward(min(seconds, STEP))
            seconds -= STEP
            await self.wake()

    async def beat(self) -> None:
        """The process stores that it lives."""
        await self.clocks._processes.beat()

    async def sleep(self, seconds: float) -> None:
        """Time passes at once, with the process asleep; then it wakes."""
        self.now.forward(seconds)
        await self.wake()

    async def wake(self) -> None:
        """What the process does by itself at this instant."""
        self.clocks.look(self.now())
        self.clocks._fire_due(self.now())
        await self.play.settled(10)


class Seat:
    """A live connection without a socket: it keeps what it is told."""

    def __init__(self, player: Player | None = None, address: str = "198.51.100.7") -> None:
        self.address = address
        self.player = player
        self.heard: list[Told] = []
        self.lost: list[str] = []
        self.progress: list[tuple[str, int, float]] = []
        self.ended = False

    def told(self, told: Told) -> None:
        self.heard.append(told)

    def gone(self, game: str) -> None:
        self.lost.append(game)

    def analysed(self, game: str, depth: int, progress: float) -> None:
        self.progress.append((game, depth, progress))

    def end_token(self) -> None:
        self.ended = True


def kinds(events: Sequence[Event]) -> list[str]:
    """What the events are, with their causes: `pause idle`."""
    return [f"{event.type} {event.cause or ''}".strip() for event in events]
