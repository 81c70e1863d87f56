"""Bots that play as fast as they are answered, and note what they were promised."""

import json
import random
from itertools import count
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed

from tests.callers import DIRECTIONS, Caller, Json, Live, answer, player
from tests.faults.history import READ, History
from twofold.parse import parse
from twofold.verify import verify

IN_FLIGHT = 4
GONE = (ConnectionClosed, OSError, EOFError, httpx.HTTPError)
BY_STATE = {"game_over", "undo_exhausted", "nothing_to_undo", "awaiting_continue", "paused", "not_paused"}


class Ledger:
    """One game, and what its player saw of it; `in_flight` are the calls that are not answered yet."""

    def __init__(self, game: str, history: History | None = None) -> None:
        self.game = game
        self.history = history or History()
        self.in_flight: set[int] = set()
        self.over = False

    @property
    def acknowledged(self) -> dict[int, Json]:
        return self.history.acknowledged

    def send(self, command: Json) -> int:
        call = self.history.invoke(**command)
        self.in_flight.add(call)
        return call

    def note(self, call: int, event: Json | None) -> None:
        self.in_flight.discard(call)
        self.history.ok(call, event)
        if event is not None:
            self.over |= event["status"] in ("over", "won")

    def refuse(self, call: int, problem: Json) -> None:
        assert problem["code"] in BY_STATE, problem
        self.in_flight.discard(call)
        self.history.refused(call)
        self.over |= problem["code"] in ("game_over", "awaiting_continue")

    def lose(self) -> None:
        """The connection is gone: nobody will say what became of what is in flight."""
        for call in self.in_flight:
            self.history.unknown(call)
        self.in_flight.clear()

    def read(self, caller: Caller) -> Json:
        """The game as it stands."""
        call = self.history.invoke(READ)
        game = caller.game(self.game)
        self.history.ok(call, game)
        return game

    def check(self, caller: Caller) -> Json:
        """What `check_log` says; and the service finds its own record right."""
        game = self.check_log(caller)
        verdict = answer(caller.post("/verify", json=answer(caller.get(f"/games/{self.game}/export"))))
        assert (verdict["valid"], verdict["origin"], verdict["findings"]) == (True, "stored", [])
        return game

    def check_log(self, caller: Caller) -> Json:
        """The log is all that happened, replays, and is the game; an outage alone wrote what no player asked for."""
        game, events = self.read(caller), log_of(caller, self.game)
        if game["version"] != events[-1]["version"]:  # an outage has paused it in between
            game, events = self.read(caller), log_of(caller, self.game)
        found = self.history.findings(events)
        assert not found, found
        for event in events:
            by_itself = event["type"] in ("pause", "over") and event["cause"] not in ("player", None)
            assert not by_itself or event["cause"] == "outage", event
        for field in ("version", "board", "score", "moves", "max_tile", "status", "outcome", "spawn_index", "undo"):
            assert game[field] == events[-1][field], field
        verdict = verify(parse(answer(caller.get(f"/games/{self.game}/export"))))
        assert verdict.valid, verdict.findings
        return game


def log_of(caller: Caller, game: str) -> list[Json]:
    """All events of a game."""
    events: list[Json] = []
    while page := answer(caller.get(f"/games/{game}/events?after={len(events)}&limit=100"))["items"]:
        events += page
    return events


class Bot:
    """A player of one game after the other, over a live connection with several commands in flight."""

    def __init__(self, url: str, mode: str, seed: int) -> None:
        self.url, self.mode = url, mode
        self.caller = player(url)
        self.ledgers: list[Ledger] = []
        self._chance = random.Random(seed)

    @property
    def acknowledged(self) -> int:
        return sum(len(ledger.acknowledged) for ledger in self.ledgers)

    def play(self) -> None:
        """Play until the service is gone."""
        try:
            self.play_on()
        except GONE:
            self.lose()
            self.caller.close()
            self.caller = Caller(self.url, self.caller.token)

    def lose(self) -> None:
        for ledger in self.ledgers:
            ledger.lose()

    def play_on(self) -> None:
        with Live(self.url, self.caller.token) as live:
            while True:
                ledger, opening = self.seat()
                self._calls: dict[int, int] = {}
                if opening is not None:
                    self._send(live, ledger, opening)
                while not ledger.over:
                    while len(self._calls) < IN_FLIGHT:
                        self._send(live, ledger, self.command())
                    self._hear(live, ledger)
                while self._calls:
                    self._hear(live, ledger)

    def seat(self) -> tuple[Ledger, Json | None]:
        """The open game and the command that sets it going, where it needs one."""
        if not self.ledgers or self.ledgers[-1].over:
            self.ledgers.append(Ledger(self.caller.new(self.mode)["id"]))
        status = self.ledgers[-1].read(self.caller)["status"]
        op = {"ready": "start", "paused": "resume"}.get(status)
        return self.ledgers[-1], None if op is None else {"op": op}

    def command(self) -> Json:
        if self._chance.random() < 0.04:
            return {"op": "undo"}
        return {"op": "move", "direction": self._chance.choice(DIRECTIONS)}

    def _send(self, live: Live, ledger: Ledger, command: Json) -> None:
        call = ledger.send(command)
        self._calls[live.send(game=ledger.game, **command)] = call

    def _hear(self, live: Live, ledger: Ledger) -> None:
        frame: dict[str, Any] = json.loads(live.socket.recv(timeout=10))
        if "ev" in frame:
            return
        call = self._calls.pop(frame["id"])
        if "ok" in frame:
            ledger.note(call, frame["ok"]["event"])
        else:
            ledger.refuse(call, frame["error"])


class CarefulBot(Bot):
    """The same over REST, with a key on each command: one that got no answer is sent again after the crash."""

    def __init__(self, url: str, mode: str, seed: int) -> None:
        super().__init__(url, mode, seed)
        self._keys = count(1)
        self._unanswered: tuple[int, Json] | None = None

    def lose(self) -> None:
        """Nothing is given up: what is in flight will be sent again."""

    def play_on(self) -> None:
        while True:
            if self._unanswered is not None:
                self._ask(self.ledgers[-1], *self._unanswered)
            ledger, opening = self.seat()
            while not ledger.over:
                command = {**(opening or self.command()), "key": f"key{next(self._keys)}"}
                self._ask(ledger, ledger.send(command), command)
                opening = None

    def _ask(self, ledger: Ledger, call: int, command: Json) -> None:
        self._unanswered = call, command
        response = self.caller.ask(ledger.game, **command)
        self._unanswered = None
        if response.status_code == 200:
            ledger.note(call, response.json()["event"])
        else:
            ledger.refuse(call, response.json())
