"""Players who play on through restarts, as a good client does, and note what was promised and how long they waited."""

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import contextmanager
from itertools import count
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.callers import DIRECTIONS, Caller, Json, Live, player
from tests.faults.bots import BY_STATE, Ledger

OFF = (ConnectionClosed, InvalidHandshake, OSError, EOFError, TimeoutError, httpx.HTTPError)
AGAIN_AFTER = 0.1


class Steady:
    """One player of one game. Each command has a key, so it can be sent again when no answer came."""

    def __init__(self, url: str, seed: int) -> None:
        self.url = url
        self.caller = player(url)
        self.ledger = Ledger(self.caller.new("practice", size=8)["id"])
        self.longest = 0.0
        self.closes: list[int] = []
        self.stop = threading.Event()
        self._chance = random.Random(seed)
        self._keys = count(1)
        self._command: tuple[int, Json] | None = None
        self._answered = time.monotonic()

    def play(self) -> None:
        while not self.stop.is_set():
            try:
                self.play_on()
            except OFF:
                self._wait(AGAIN_AFTER)

    def play_on(self) -> None:
        raise NotImplementedError

    def next(self) -> Json:
        """The command without an answer, else a new one."""
        if self._command is None:
            self._send("move", direction=self._chance.choice(DIRECTIONS))
        assert self._command is not None
        return self._command[1]

    def answered(self, done: Json) -> None:
        now = time.monotonic()
        self.longest = max(self.longest, now - self._answered)
        self._answered = now
        assert self._command is not None
        self.ledger.note(self._command[0], done["event"])
        self._command = None

    def refused(self, problem: Json) -> bool:
        """Whether to go on here: a game that an outage has paused is resumed first, a stopping instance is left."""
        assert self._command is not None
        if problem["code"] in BY_STATE:
            self.ledger.refuse(self._command[0], problem)
            self._command = None
            if problem["code"] == "paused":
                self._send("resume")
            return True
        assert problem["retryable"], problem
        return False

    def _send(self, op: str, **fields: Any) -> None:
        command = {"op": op, **fields, "key": f"key{next(self._keys)}"}
        self._command = self.ledger.send(command), command

    def _wait(self, seconds: float) -> None:
        self.stop.wait(seconds * self._chance.uniform(0.5, 1.0))


class OverSocket(Steady):
    def play_on(self) -> None:
        later = AGAIN_AFTER
        try:
            with Live(self.url, self.caller.token) as live:
                live.ok("watch", game=self.ledger.game)
                while not self.stop.is_set():
                    reply = live.reply(live.send(game=self.ledger.game, **self.next()))
                    for push in live.pushes:
                        later = push.get("retry_after_ms", 1000 * later) / 1000
                    live.pushes.clear()
                    if "ok" in reply:
                        self.answered(reply["ok"])
                    elif not self.refused(reply["error"]):
                        self.closes.append(live.closed())
                        later = next(
                            (push["retry_after_ms"] / 1000 for push in live.pushes if "retry_after_ms" in push), later
                        )
                        break
                    time.sleep(0.005)
        except ConnectionClosed as closed:
            self.closes.append(closed.rcvd.code if closed.rcvd else 1006)
        self._wait(later)


class OverRest(Steady):
    def play_on(self) -> None:
        while not self.stop.is_set():
            response = self.caller.ask(self.ledger.game, **self.next())
            if response.status_code == 200:
                self.answered(response.json())
            elif response.headers["content-type"] != "application/problem+json":
                self._wait(AGAIN_AFTER)  # the proxy has nobody to ask
            elif not self.refused(response.json()):
                self._wait(float(response.headers["retry-after"]))
            time.sleep(0.005)


@contextmanager
def all_playing(players: Sequence[Steady]) -> Iterator[Callable[[float], object]]:
    """All of them play, each in a thread; what it gives lets so many seconds pass, or fails with whoever fails."""
    with ThreadPoolExecutor(len(players)) as threads:
        playing = [threads.submit(each.play) for each in players]

        def moment(seconds: float) -> None:
            for failed in wait(playing, seconds, FIRST_COMPLETED).done:
                failed.result()

        try:
            yield moment
        finally:
            for each in players:
                each.stop.set()
        for ended in playing:
            ended.result(30)


def check(players: Sequence[Steady], caller: Caller) -> int:
    """What was acknowledged is stored once, as told; how many commands that were."""
    for each in players:
        each.ledger.check(caller)
    return sum(len(each.ledger.acknowledged) for each in players)
