"""A table on a service: played over the live connection, which mends itself and says when it is lost."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from twofold.board import Direction
from twofold.clock import SECOND
from twofold.errors import InvalidOption
from twofold.game import Status
from twofold_cli.looks.printed import safe
from twofold_cli.looks.view import View
from twofold_cli.servers import told
from twofold_cli.tables.table import Command, Refused
from twofold_cli.tables.wishes import Wish
from twofold_client import AsyncClient, EventSeen, GameState, Live, LiveGame, Retry, TwofoldError, errors

PATIENCE = Retry(deadline=30.0, patience=None)
"""A player waits for the connection as long as it takes; a single command does not."""


@dataclass(slots=True)
class Offset:
    """How far the service's clock is from ours, by the answer that took least."""

    least: int | None = None

    def hear(self, server_now: datetime, now: int) -> None:
        apart = now - _instant(server_now)
        self.least = apart if self.least is None else min(self.least, apart)

    def since(self, server_now: datetime, now: int) -> int:
        """Milliseconds from an instant of the service's until now."""
        return max(0, now - _instant(server_now) - (self.least or 0)) // 1000


class Served:
    keeps = True

    def __init__(self, client: AsyncClient, now: Callable[[], int], game: str | None = None) -> None:
        self._client, self._now, self._wanted = client, now, game
        self.place = client.url
        self._stack, self._offset = AsyncExitStack(), Offset()
        self._live: Live | None = None
        self._game: LiveGame | None = None
        self._last: EventSeen | None = None
        self._following: asyncio.Task[None] | None = None
        self._gone = ""

    @property
    def way_back(self) -> str:
        return "" if self._game is None else safe(f"twofold play --server {self.place} --game {self._game.id}")

    @property
    def trouble(self) -> str:
        if self._gone or self._live is None:
            return self._gone or "Connecting …"
        if self._live.over is not None:
            return safe(str(self._live.over))
        if self._live.connected:
            return ""
        lost = self._live.lost
        reason = "" if lost is None or isinstance(lost, errors.ServerVanished) else f" ({safe(str(lost))})"
        return f"Connection lost, trying again …{reason}"

    def look(self) -> View | None:
        if self._game is None:
            return None
        state, now = self._game.state, self._now()
        clock = state.clock
        self._offset.hear(clock.server_now, now)
        active = clock.active_ms + (self._offset.since(clock.server_now, now) if clock.running else 0)
        last = self._last if self._last is not None and self._last.version == state.version else None
        return View(
            mode=safe(state.mode),
            date=None if state.date is None else safe(state.date),
            attempt=state.attempt,
            board=state.board,
            fresh=None if last is None or last.spawn is None else last.spawn.cell,
            score=state.score,
            best=None if state.best_score is None else max(state.best_score, state.score),
            moves=state.moves,
            move_limit=state.move_limit,
            undo_limit=state.undo.limit,
            undos=state.undo.used,
            undo_available=state.undo.available,
            active_ms=active if clock.limit_ms is None else min(active, clock.limit_ms),
            limit_ms=clock.limit_ms,
            status=state.status,
            outcome=state.outcome,
            reached_goal=state.reached_goal,
            final=state.final,
        )

    async def open(self) -> None:
        with self._refusals():
            await self._stack.enter_async_context(self._client)
            self._live = await self._stack.enter_async_context(self._client.live())

    async def begin(self, wish: Wish) -> str:
        """The game asked for by its id; else an open one like that; else a new one, in place of one like it."""
        with self._refusals():
            if self._wanted is not None:
                wanted, self._wanted = self._wanted, None
                await self._sit_down((await self._client.game(wanted)).state)
                return "" if self._playing().role == "player" else "You are watching another's game."
            return await self._begin(wish)

    async def do(self, command: Command, direction: Direction | None = None) -> None:
        game = self._playing()
        with self._refusals():
            match command:
                case Command.MOVE:
                    assert direction is not None
                    await game.move(direction)
                case Command.CONTINUE:
                    await game.continue_()
                case _:
                    await getattr(game, command.value)()

    async def record(self) -> dict[str, Any]:
        with self._refusals():
            return dict((await self._client.record(self._playing().id)).document)

    async def close(self) -> None:
        await self._look_away()
        await self._stack.aclose()

    async def _begin(self, wish: Wish) -> str:
        mine = None if self._game is None or self._game.role != "player" else self._game.state
        alike = mine if mine is not None and mine.mode == wish.mode else None
        under_way = alike is not None and alike.status is not Status.OVER
        if not under_way and (waiting := await self._waiting(wish)) is not None:
            await self._sit_down(waiting)
            return "Your open game goes on. N again: a new one."
        rules = wish.rules
        state = (
            await self._client.new_game(
                wish.mode,
                size=rules.size,
                undo_limit=rules.undo_limit,
                seed=None if wish.seed is None else wish.seed.hex(),
                board=wish.board,
                date=wish.date,
                replaces=None if alike is None else alike.id,
            )
        ).state
        await self._sit_down(state)
        return ""

    async def _waiting(self, wish: Wish) -> GameState | None:
        """The newest open game of that kind, unless a certain board is wished for."""
        if wish.seed or wish.board or wish.date:
            return None
        rules = wish.rules
        async for state in self._client.games(wish.mode, "open"):
            if isinstance(state, GameState) and (state.size, state.undo.limit) == (rules.size, rules.undo_limit):
                return state
        return None

    async def _sit_down(self, state: GameState) -> None:
        assert self._live is not None
        await self._stand_up()
        self._game = self._live.game(state)
        await self._game.watch()
        self._following = asyncio.create_task(self._follow(self._game), name="twofold play")

    async def _stand_up(self) -> None:
        await self._look_away()
        game, self._game, self._last, self._gone = self._game, None, None, ""
        if game is not None and self._live is not None and self._live.connected:
            with suppress(TwofoldError):
                await game.unwatch()

    async def _look_away(self) -> None:
        if self._following is not None:
            self._following.cancel()
            await asyncio.gather(self._following, return_exceptions=True)

    async def _follow(self, game: LiveGame) -> None:
        """Read the game's events until nothing can follow."""
        try:
            async for event in game:
                self._last = event
        except TwofoldError as error:
            self._gone = safe(str(error))

    def _playing(self) -> LiveGame:
        if self._game is None:
            raise Refused("There is no game yet.")
        return self._game

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        try:
            yield
        except InvalidOption as error:
            raise Refused(f"{error.field}: {error}") from error
        except TwofoldError as error:
            raise Refused(_said(self.place, error), unheard=isinstance(error, errors.NoAnswer)) from error


def _said(place: str, error: TwofoldError) -> str:
    problem = getattr(error, "problem", None)
    return told(place, error) if problem is None else safe(problem.detail)


def _instant(moment: datetime) -> int:
    return round(moment.timestamp() * SECOND)
