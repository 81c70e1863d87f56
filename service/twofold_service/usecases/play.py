"""Play: commands on games, from their arrival to the answer after the commit."""

import asyncio
import logging
from collections.abc import Callable

from twofold_service.counting import Commands
from twofold_service.errors import Draining, NotFound, ServiceError, StorageFull, StorageUnavailable
from twofold_service.usecases.turns import Answer, Turn, Turns
from twofold_service.usecases.values import Command, Played

log = logging.getLogger("twofold.play")


class Play:
    """Takes commands on the event loop and answers each exactly once, by calling back."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        turns.finished = self._finished
        self.look_at_clock: Callable[[int], None] = lambda now: None
        self.settle_soon: Callable[[str], None] = lambda game: None
        self.follow: Callable[[Command, Answer], Answer] | None = None
        self.in_flight = 0
        self.draining = False
        self._settled: asyncio.Future[None] | None = None
        self.counts = Commands()

    def play(self, command: Command, answer: Answer) -> None:
        """Carry out a command in its turn; `answer` gets what came of it, or the exception that says why not."""
        if self.follow is not None:
            answer = self.follow(command, answer)
        if command.op != "outage":
            self.look_at_clock(command.at)
        if self.draining and command.player is not None:
            refusal = Draining()
            self._count_other(command.op, refusal)
            answer(refusal)
            return
        self.in_flight += 1
        self._turns.seat(Turn(self._turns, command, answer))

    def insist(self, command: Command) -> None:
        """Carry out a pause of the service's own; where storage refuses it, before all else that is written there."""

        def answer(outcome: Played | Exception) -> None:
            if isinstance(outcome, StorageUnavailable | StorageFull):
                self._turns.put_off(command)
                self.settle_soon(command.game)
            elif isinstance(outcome, Exception) and not isinstance(outcome, NotFound):
                log.warning("the game could not be paused: %r", outcome, extra={"game": command.game})

        self.play(command, answer)

    def insists(self, game: str) -> bool:
        """Whether storage has still to take a pause of this game."""
        return self._turns.has_put_off(game)

    async def played(self, command: Command) -> Played:
        """The same for one who can wait."""
        done: asyncio.Future[Played] = asyncio.get_running_loop().create_future()

        def answer(outcome: Played | Exception) -> None:
            if done.cancelled():
                return
            if isinstance(outcome, Exception):
                done.set_exception(outcome)
            else:
                done.set_result(outcome)

        self.play(command, answer)
        return await done

    async def settled(self, within: float) -> None:
        """Return when no command is in flight any more, or after so many seconds."""
        if self.in_flight:
            self._settled = asyncio.get_running_loop().create_future()
            await asyncio.wait({self._settled}, timeout=within)

    def _finished(self, op: str, outcome: Played | Exception) -> None:
        if type(outcome) is Played and outcome.event is not None and not outcome.replayed:
            self.counts.done[op] += 1  # nearly all are such: the cheapest way comes first
        else:
            self._count_other(op, outcome)
        self.in_flight -= 1
        if not self.in_flight and self._settled is not None and not self._settled.done():
            self._settled.set_result(None)

    def _count_other(self, op: str, outcome: Played | Exception) -> None:
        if isinstance(outcome, Exception):
            result = outcome.code if isinstance(outcome, ServiceError) else "internal"
        else:
            result = "replayed" if outcome.replayed else "nothing"
        self.counts.others[op, result] += 1
