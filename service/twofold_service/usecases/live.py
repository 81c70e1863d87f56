"""Live: who watches what, whose connection plays what, and what they are told."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from twofold.game import Event, Game
from twofold_service.errors import NotFound, TooMany
from twofold_service.usecases import logs
from twofold_service.usecases.play import Play
from twofold_service.usecases.ports import LogStore, Now
from twofold_service.usecases.reading import Reading
from twofold_service.usecases.values import Command, GameView, Header, Player, Told

MOST_RECOVERED = 500
Key = TypeVar("Key")


class Connection(Protocol):
    """One end of a live connection, as the use cases see it."""

    address: str
    player: Player | None

    def told(self, told: Told) -> None: ...
    def gone(self, game: str) -> None: ...
    def analysed(self, game: str, depth: int, progress: float) -> None: ...
    def end_token(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Watched:
    """What a watcher starts from: the events it missed, or the game as it stands."""

    role: str
    view: GameView
    missed: list[Event] | None


@dataclass(slots=True)
class Seat:
    """What one connection watches, and which of its player's games it watches or has played."""

    watching: set[str] = field(default_factory=set)
    attending: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Audience:
    """Those who watch a game, and the game as they have been told it."""

    header: Header
    game: Game
    connections: dict[Connection, None] = field(default_factory=dict)


class Live:
    """Keeps connections by game, and pauses a timed game when its player's last one goes.

    `left` is called when a game's last attending connection has gone, with the instant; by default nobody else attends.
    `stopping`: connections go because this process does, which is an outage.
    """

    def __init__(
        self,
        reading: Reading,
        play: Play,
        log_store: LogStore,
        now: Now,
        *,
        player_sockets: int | None,
        address_sockets: int | None,
    ) -> None:
        self._reading = reading
        self._play = play
        self._logs = log_store
        self._now = now
        self._player_sockets = player_sockets
        self._address_sockets = address_sockets
        self._seats: dict[Connection, Seat] = {}
        self._by_address: Counter[str] = Counter()
        self._by_player: Counter[int] = Counter()
        self._audiences: dict[str, Audience] = {}
        self._attending: dict[str, set[Connection]] = {}
        self.left: Callable[[str, int], None] = self.pause_left
        self.stopping = False

    def __len__(self) -> int:
        return len(self._seats)

    def __iter__(self) -> Iterator[Connection]:
        return iter(list(self._seats))

    @property
    def watched(self) -> list[str]:
        """The games that somebody watches."""
        return list(self._audiences)

    @property
    def tokens(self) -> list[int]:
        """The keys of the tokens by which connections speak for players."""
        return list({connection.player.token for connection in self._seats if connection.player is not None})

    def known(self, game: str) -> Game | None:
        """A watched game as those who watch have been told it."""
        audience = self._audiences.get(game)
        return None if audience is None else audience.game

    def owner(self, game: str) -> int | None:
        """The player (a key) of a watched game."""
        audience = self._audiences.get(game)
        return None if audience is None else audience.header.player.key

    def is_attended(self, game: str) -> bool:
        """Whether a connection of the game's player watches or has played it."""
        return game in self._attending

    def pause_left(self, game: str, at: int) -> None:
        """Pause a timed game that nobody attends any more, as of an instant."""
        self._play.insist(Command("cut off" if self.stopping else "disconnect", game, at))

    def open(self, connection: Connection) -> None:
        """Take a new connection in; TooMany from one address."""
        count = self._by_address[connection.address]
        if self._address_sockets is not None and count >= self._address_sockets:
            raise TooMany(f"There are {count} sockets open from your address.")
        self._by_address[connection.address] += 1
        self._seats[connection] = Seat()

    def greet(self, connection: Connection, player: Player) -> None:
        """The connection is this player's from now on; TooMany of them."""
        count = self._by_player[player.key]
        if self._player_sockets is not None and count >= self._player_sockets:
            raise TooMany(f"You have {count} sockets open.")
        self._by_player[player.key] += 1
        connection.player = player

    def close(self, connection: Connection) -> None:
        """The connection is gone: a timed game that no other of its player's attends any more is paused."""
        seat = self._seats.pop(connection, None)
        if seat is None:
            return
        _count_down(self._by_address, connection.address)
        if connection.player is not None:
            _count_down(self._by_player, connection.player.key)
        for game in seat.watching:
            self._stop_telling(connection, game)
        for game in seat.attending:
            self._leave(connection, game)

    async def watch(self, connection: Connection, game: str, since: int | None) -> Watched:
        """Tell the connection of a game from now on; with what it missed since a version, where that can be told."""
        room = await self._reading.room(game, connection.player)
        seat = self._seats.get(connection)
        if seat is None:
            raise NotFound("The connection is closed.")
        mine = connection.player is not None and connection.player.key == room.header.player.key
        self._audiences.setdefault(game, Audience(room.header, room.game)).connections[connection] = None
        seat.watching.add(game)
        if mine:
            self.attend(connection, game)
        view, version = room.view, room.game.version
        missed = None
        if since is not None and 0 <= version - since <= MOST_RECOVERED:
            missed = [event async for event in logs.events(self._logs, game, since, version)]
            if game not in seat.watching:
                raise NotFound("The game went while its log was read.")
        return Watched("player" if mine else "spectator", view, missed)

    def unwatch(self, connection: Connection, game: str) -> None:
        seat = self._seats.get(connection)
        if seat is not None:
            seat.watching.discard(game)
            self._stop_telling(connection, game)

    def attend(self, connection: Connection, game: str) -> None:
        """The connection is the player's own, and watches or has played the game."""
        seat = self._seats.get(connection)
        if seat is None:  # it went while its command was carried out
            self._pause_unattended(game)
        elif game not in seat.attending:
            seat.attending.add(game)
            self._attending.setdefault(game, set()).add(connection)

    def tell(self, told: Told) -> None:
        audience = self._audiences.get(told.header.id)
        if audience is not None and told.event.version > audience.game.version:
            audience.game = told.event.game
            for connection in list(audience.connections):
                connection.told(told)

    def tell_analysed(self, game: str, depth: int, progress: float) -> None:
        """How far the analysis of a game is, to those who watch it here."""
        audience = self._audiences.get(game)
        if audience is not None:
            for connection in list(audience.connections):
                connection.analysed(game, depth, progress)

    def tell_gone(self, player: int) -> None:
        """A player is deleted: those who watch their games are told, their own connections end."""
        for game, audience in list(self._audiences.items()):
            if audience.header.player.key == player:
                for connection in list(audience.connections):
                    self.unwatch(connection, game)
                    connection.gone(game)
        for connection in self:
            if connection.player is not None and connection.player.key == player:
                connection.end_token()

    def tell_token_ended(self, token: int) -> None:
        for connection in self:
            if connection.player is not None and connection.player.token == token:
                connection.end_token()

    def _stop_telling(self, connection: Connection, game: str) -> None:
        audience = self._audiences.get(game)
        if audience is not None:
            audience.connections.pop(connection, None)
            if not audience.connections:
                del self._audiences[game]

    def _leave(self, connection: Connection, game: str) -> None:
        attending = self._attending[game]
        attending.discard(connection)
        if not attending:
            del self._attending[game]
        self._pause_unattended(game)

    def _pause_unattended(self, game: str) -> None:
        if game not in self._attending:
            self.left(game, self._now())


def _count_down(counter: Counter[Key], key: Key) -> None:
    counter[key] -= 1
    if not counter[key]:
        del counter[key]
