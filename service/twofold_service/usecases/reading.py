"""Reading games: who may see what, the log, the record and where one comes from."""

from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Any

from twofold.clock import SECOND
from twofold.game import Event
from twofold.record import Entry
from twofold_service.errors import CorruptGame, DailySealed, Forbidden, Invalid, NotFound
from twofold_service.usecases import logs, records
from twofold_service.usecases.ports import Desk, GameStore, LogStore, Now, PlayerStore
from twofold_service.usecases.records import Checked, Damaged
from twofold_service.usecases.rooms import Room, Rooms, check_owner
from twofold_service.usecases.values import CorruptRow, GameView, Header, Origin, Player, RawGame, StoredGame, Verified

NAMES_LAST = 5 * SECOND
STEP = 1000
SHORT = 300


class Reading:
    """Answers what one caller may see of games; a caller without a token is None. Nothing here writes.

    `open` gives a game's room, no older than what storage had when it was called.
    """

    def __init__(
        self, rooms: Rooms, games: GameStore, log_store: LogStore, players: PlayerStore, desk: Desk, now: Now
    ) -> None:
        self._rooms = rooms
        self._games = games
        self._logs = log_store
        self._players = players
        self._desk = desk
        self._now = now
        self.open: Callable[[str], Awaitable[Room]] = rooms.open

    async def room(self, game: str, viewer: Player | None) -> Room:
        """The room of a game whose position and path this caller may see; NotFound, DailySealed, CorruptGame."""
        room = await self.open(game)
        header = room.header
        if viewer is None or viewer.key != header.player.key:
            if header.private:
                raise NotFound("There is no game of this id.")
            if await self._is_sealed(header, viewer):
                raise DailySealed
        if self._now() - room.named_at > NAMES_LAST:
            await self._look_up_name(room)
        return await self.room(game, viewer) if room.gone else room

    async def own(self, game: str, player: Player) -> Header:
        """A game of this player's; NotFound, Forbidden, CorruptGame."""
        room = await self._rooms.open(game)
        check_owner(room.header, player)
        return room.header

    async def view(self, game: str, viewer: Player | None) -> GameView:
        return (await self.room(game, viewer)).view

    async def page(
        self, player: Player, mode: str | None, status: str | None, limit: int, before: int | None
    ) -> tuple[list[GameView | CorruptRow], int | None]:
        """The player's games, newest first."""
        stored, more = await self._games.page(player, mode, status, limit, before)
        return [self._newest(entry) for entry in stored], more

    async def events(
        self, game: str, viewer: Player | None, after: int, limit: int | None = None
    ) -> tuple[Header, int, AsyncIterator[Event]]:
        """The game, its version, and the events after a version, at most `limit` of those there are now."""
        room = await self.room(game, viewer)
        version = room.game.version
        until = version if limit is None else min(version, after + limit)
        return room.header, version, logs.events(self._logs, game, after, until)

    async def export(self, game: str, viewer: Player | None) -> dict[str, Any]:
        """The record of the game as of its last event."""
        room = await self.room(game, viewer)
        header, state = room.header, room.game
        entries = await self._entries(game, state.version)
        show_seed = header.shows_seed(state, self._now())
        write = partial(records.write, name=header.player.name, show_seed=show_seed)
        if len(entries) <= SHORT:
            return write(header, state, entries)
        document: dict[str, Any] = await self._desk.do(header.id, write, header, state._replace(history=()), entries)
        return document

    async def raw(self, game: str, player: Player) -> RawGame:
        """The stored rows of a player's own game, readable or not."""
        rows = await self._logs.raw(game)
        if rows is None or (rows.private and rows.player != player.key):
            raise NotFound("There is no game of this id.")
        if rows.player != player.key:
            raise Forbidden
        return rows

    async def verify(self, source: bytes, viewer: Player | None, address: str) -> Verified:
        """Check a record from its own seed alone, then look whether the game it tells of was played here."""
        checked: Checked | Damaged = await self._desk.do(address, records.check, source)
        if isinstance(checked, Damaged):
            raise Invalid("This is no whole record.", errors=[(("body", *checked.place), checked.reason)])
        return Verified(checked.verdict, await self._origin(checked, viewer))

    async def _origin(self, checked: Checked, viewer: Player | None) -> Origin:
        try:
            room = await self.room(checked.header.id, viewer)
            version = checked.events + 1
            if version > room.game.version:
                return "differs"
            state = await logs.as_of(self._logs, room.header.id, version)
            entries = await self._entries(room.header.id, version)
        except (NotFound, DailySealed, CorruptGame):
            return "unknown"
        if checked.seed not in (None, state.seed):
            return "differs"
        write = partial(records.write, name=checked.header.player_name, show_seed=checked.seed is not None)
        stored = await self._desk.do(room.header.id, write, room.header, state._replace(history=()), entries)
        return "stored" if stored["digest"] == checked.digest else "differs"

    async def _entries(self, game: str, version: int) -> list[Entry]:
        """The entries of the log up to a version, but for the first, `created`."""
        entries: list[Entry] = []
        while (reached := len(entries) + 1) < version:
            rows = await self._logs.log(game, reached, min(STEP, version - reached))
            if not rows:
                raise CorruptGame
            entries += [row.entry for row in rows]
        return entries

    async def _is_sealed(self, header: Header, viewer: Player | None) -> bool:
        """Until its reveal a daily shows its path only to those whose own first attempt at the date is final."""
        if header.date is None or header.reveals_at is None or self._now() >= header.reveals_at:
            return False
        if viewer is None:
            return True
        first = await self._games.first_attempt(viewer.key, header.date)
        try:
            return first is None or not (await self.open(first)).game.final
        except CorruptGame:
            return True

    async def _look_up_name(self, room: Room) -> None:
        player = await self._players.player(room.header.player.key)
        if player is None:
            self._rooms.drop(room)
            raise NotFound("There is no game of this id.")
        room.name_player(player, self._now())

    def _newest(self, stored: StoredGame | CorruptRow) -> GameView | CorruptRow:
        """What memory has of a game where it is newer than what storage said a moment ago."""
        if isinstance(stored, CorruptRow):
            return stored
        room = self._rooms.get(stored.header.id)
        if room is None or room.game.version < stored.game.version:
            return GameView(stored.header, stored.game, stored.best)
        if stored.header.assisted:
            room.assist()
        return room.view
