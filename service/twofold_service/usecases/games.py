"""Creating games: options, daily attempts, replacing, once for each key."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import asdict, dataclass
from weakref import WeakValueDictionary

from twofold.board import cells_of
from twofold.daily import DAY, reveals_at
from twofold.errors import InvalidBoard, InvalidOption
from twofold.game import Event, create
from twofold.rules import MODES, Mode, Rules
from twofold.spawn import SEED_BYTES, commitment
from twofold_service.errors import (
    AttemptOpen,
    CorruptGame,
    Draining,
    Invalid,
    KeyReused,
    StorageUnavailable,
)
from twofold_service.usecases.daily import Daily
from twofold_service.usecases.play import Play
from twofold_service.usecases.ports import (
    Append,
    GameStore,
    KeyConflict,
    NewGame,
    NewId,
    Now,
    RandomBytes,
    VersionConflict,
)
from twofold_service.usecases.rooms import Room, Rooms, check_owner
from twofold_service.usecases.turns import Turns
from twofold_service.usecases.values import Command, GameView, Header, Player

KEYS_LAST = DAY
MOST_STEPS, STEP = 1000, 500
TRIES = 5
AGAIN_AFTER = 0.01


@dataclass(frozen=True, slots=True)
class Wish:
    """What a caller asks of a new game; None is the mode's default."""

    mode: str
    size: int | None = None
    undo_limit: int | None = None
    start: bool | None = None
    visibility: str = "public"
    replaces: str | None = None
    board: list[list[int]] | None = None
    seed: str | None = None
    date: str | None = None

    @property
    def fingerprint(self) -> str:
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))


class Games:
    """Creates games; `open_limit` of None counts none. `open` gives a room no older than storage."""

    def __init__(
        self,
        rooms: Rooms,
        store: GameStore,
        turns: Turns,
        play: Play,
        daily: Daily,
        *,
        now: Now,
        new_id: NewId,
        random: RandomBytes,
        open_limit: int | None,
    ) -> None:
        self._rooms = rooms
        self._store = store
        self._turns = turns
        self._play = play
        self._daily = daily
        self._now = now
        self._new_id = new_id
        self._random = random
        self._open_limit = open_limit
        self._creating: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self.draining = False
        self.open: Callable[[str], Awaitable[Room]] = rooms.open

    async def create(self, player: Player, wish: Wish, key: str | None) -> tuple[GameView, bool]:
        """A new game, or the one that the key made before (then True)."""
        self._play.look_at_clock(self._now())
        if self.draining:
            raise Draining("No new games are begun here any more.")
        mode, rules, given = _options(wish)
        async with self._creating.setdefault(player.key, asyncio.Lock()):
            for before in range(TRIES):
                if before:
                    await asyncio.sleep(before * AGAIN_AFTER)
                made = None if key is None else await self._made_before(player, wish, key)
                if made is not None:
                    return made, True
                with suppress(KeyConflict, VersionConflict):  # another process was first: look again
                    return await self._create(player, wish, key, mode, rules, given), False
        raise StorageUnavailable("Others were quicker several times; try again.")

    async def forget_keys(self) -> None:
        """Let go of idempotency keys after a day."""
        for _ in range(MOST_STEPS):
            if not await self._store.forget_keys(self._now() - KEYS_LAST, STEP):
                return

    async def _made_before(self, player: Player, wish: Wish, key: str) -> GameView | None:
        used = await self._store.created_by_key(player.key, key)
        if used is None:
            return None
        fingerprint, game = used
        if fingerprint != wish.fingerprint:
            raise KeyReused("This key was used for another game.")
        return (await self.open(game)).view

    async def _create(
        self, player: Player, wish: Wish, key: str | None, mode: Mode, rules: Rules, given: bytes | None
    ) -> GameView:
        seed, date = await self._seed(wish)
        now = self._now()
        async with AsyncExitStack() as stack:
            closing = await self._closing(stack, player, wish, date, now)
            start = not mode.starts_by_command if wish.start is None else wish.start
            event = create(rules, seed, now, start=start, given=given)
            header = self._header(player, wish, mode, rules, event, date)
            appends = [Append(room.header, room.game, over, whole=True, key=None, at=now) for room, over in closing]
            new = NewGame(header, event, key, wish.fingerprint, self._open_limit)
            try:
                stored = await self._store.create(new, appends)
            except VersionConflict:
                for room, _ in closing:
                    self._rooms.drop(room)
                raise
            for room, over in closing:
                self._turns.advance(room, over, None)
        room = self._rooms.add(stored)
        self._turns.watch_clock(room)
        return room.view

    def _header(self, player: Player, wish: Wish, mode: Mode, rules: Rules, event: Event, date: str | None) -> Header:
        return Header(
            key=0,
            id=self._new_id(event.game.at),
            player=player,
            mode=mode.name,
            category=mode.category(rules),
            private=wish.visibility == "private",
            date=date,
            attempt=None,
            reveals_at=None if date is None else reveals_at(date),
            commitment=commitment(event.game.seed).hex(),
            created_at=event.game.at,
        )

    async def _closing(
        self, stack: AsyncExitStack, player: Player, wish: Wish, date: str | None, now: int
    ) -> list[tuple[Room, Event]]:
        """The games that end with the making of this one, held until it is made, and how each ends."""
        games = [] if wish.replaces is None else [wish.replaces]
        latest = None if date is None else await self._store.latest_attempt(player.key, date)
        if latest is not None and latest != wish.replaces:
            games.append(latest)
        closing = []
        for game in games:
            room = await self._settled(stack, game, now)
            if room is None:
                continue
            check_owner(room.header, player)
            if room.game.final:
                continue
            if game == latest and game != wish.replaces and not room.game.over:
                open_attempt = AttemptOpen()
                open_attempt.game = room.view
                raise open_attempt
            closing.append((room, room.game.abandon(now)))
        return closing

    async def _settled(self, stack: AsyncExitStack, game: str, now: int) -> Room | None:
        """The game's room, held, nothing owed to it; None for a damaged row, which stays as it is."""
        try:
            await self._play.played(Command("settle", game, now))
            return await stack.enter_async_context(self._rooms.held(game))
        except CorruptGame:
            return None

    async def _seed(self, wish: Wish) -> tuple[bytes, str | None]:
        """The seed of the game, and the date of a daily."""
        if wish.mode == "daily":
            day = await self._daily.today()
            return day.seed, day.date
        if wish.date is not None:
            return await self._daily.revealed_seed(wish.date), None
        if wish.seed is not None:
            return bytes.fromhex(wish.seed), None
        return self._random(SEED_BYTES), None


def _options(wish: Wish) -> tuple[Mode, Rules, bytes | None]:
    """Mode, rules and given board of a wish; Invalid, naming the field."""
    mode = MODES[wish.mode]
    if mode.name != "practice":
        for field in ("board", "seed", "date"):
            if getattr(wish, field) is not None:
                raise _invalid(field, f"only practice takes a {field}")
    if wish.date is not None and (wish.board is not None or wish.seed is not None):
        raise _invalid("date", "a date stands alone, without board and seed")
    size, given = wish.size, None
    if wish.board is not None:
        try:
            size, given = cells_of(wish.board)
        except InvalidBoard as error:
            raise _invalid("board", str(error)) from error
        if not any(given):
            raise _invalid("board", "a board has at least one tile")
        if wish.size not in (None, size):
            raise _invalid("size", f"the board has size {size}")
    try:
        return mode, mode.rules(size, wish.undo_limit), given
    except InvalidOption as error:
        raise _invalid(error.field, str(error)) from error


def _invalid(field: str, reason: str) -> Invalid:
    return Invalid(errors=[(("body", field), reason)])
