"""Bots that play as fast as they are answered, and note what they were promised."""

import json
import random
from itertools import count
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed

from tests.callers import DIRECTIONS, Caller, Json, Live, answer, player

IN_FLIGHT = 4
GONE = (ConnectionClosed, OSError, EOFError, httpx.HTTPError)
BY_STATE = {"game_over", "undo_exhausted", "nothing_to_undo", "awaiting_continue", "paused", "not_paused"}
BY_PLAYER = {"start", "move", "undo", "resume"}


class Ledger:
    """One game: the events that were acknowledged, and how many commands never got an answer."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.acknowledged: dict[int, Json] = {}
        self.in_flight = 0
        self.lost = 0
        self.over = False

    def note(self, event: Json | None) -> None:
        if event is not None:
            assert event["version"] not in self.acknowledged, f"version {event['version']} was acknowledged twice"
            self.acknowledged[event["version"]] = event
            self.over |= event["status"] in ("over", "won")

    def refuse(self, problem: Json) -> None:
        assert problem["code"] in BY_STATE, problem
        self.over |= problem["code"] in ("game_over", "awaiting_continue")

    def check(self, caller: Caller) -> Json:
        """What was acknowledged is stored, once and as it was told; the log is whole, replays, and is the game."""
        events: list[Json] = []
        while page := answer(caller.get(f"/games/{self.game}/events?after={len(events)}&limit=100"))["items"]:
            events += page
        assert [event["version"] for event in events] == list(range(1, len(events) + 1))
        told = {event["version"]: event for event in events}
        assert {version: told.get(version) for version in self.acknowledged} == self.acknowledged
        others = [event for event in events if event["version"] not in self.acknowledged]
        unknown = [event for event in others if event["type"] in BY_PLAYER]
        assert len(unknown) <= self.lost + self.in_flight, (len(unknown), self.lost)
        for event in others:
            assert event in unknown or event["type"] == "created" or event["cause"] == "outage", event
        game = caller.game(self.game)
        for field in ("version", "board", "score", "moves", "max_tile", "status", "outcome", "spawn_index", "undo"):
            assert game[field] == events[-1][field], field
        verdict = answer(caller.post("/verify", json=answer(caller.get(f"/games/{self.game}/export"))))
        assert (verdict["valid"], verdict["origin"], verdict["findings"]) == (True, "stored", [])
        return game


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
            for ledger in self.ledgers:
                ledger.lost, ledger.in_flight = ledger.lost + ledger.in_flight, 0
            self.caller.close()
            self.caller = Caller(self.url, self.caller.token)

    def play_on(self) -> None:
        with Live(self.url, self.caller.token) as live:
            while True:
                ledger, opening = self.seat()
                if opening is not None:
                    self._send(live, ledger, opening)
                while not ledger.over:
                    while ledger.in_flight < IN_FLIGHT:
                        self._send(live, ledger, self.command())
                    self._hear(live, ledger)
                while ledger.in_flight:
                    self._hear(live, ledger)

    def seat(self) -> tuple[Ledger, Json | None]:
        """The open game and the command that sets it going, where it needs one."""
        if not self.ledgers or self.ledgers[-1].over:
            self.ledgers.append(Ledger(self.caller.new(self.mode)["id"]))
        status = self.caller.game(self.ledgers[-1].game)["status"]
        op = {"ready": "start", "paused": "resume"}.get(status)
        return self.ledgers[-1], None if op is None else {"op": op}

    def command(self) -> Json:
        if self._chance.random() < 0.04:
            return {"op": "undo"}
        return {"op": "move", "direction": self._chance.choice(DIRECTIONS)}

    def _send(self, live: Live, ledger: Ledger, command: Json) -> None:
        ledger.in_flight += 1
        live.send(game=ledger.game, **command)

    def _hear(self, live: Live, ledger: Ledger) -> None:
        frame: dict[str, Any] = json.loads(live.socket.recv(timeout=10))
        if "ev" in frame:
            return
        ledger.in_flight -= 1
        if "ok" in frame:
            ledger.note(frame["ok"]["event"])
        else:
            ledger.refuse(frame["error"])


class CarefulBot(Bot):
    """The same over REST, with a key on each command: one that got no answer is sent again after the crash."""

    def __init__(self, url: str, mode: str, seed: int) -> None:
        super().__init__(url, mode, seed)
        self._keys = count(1)
        self._unanswered: Json | None = None

    def play_on(self) -> None:
        while True:
            if self._unanswered is not None:
                self._ask(self.ledgers[-1], self._unanswered)
            ledger, opening = self.seat()
            while not ledger.over:
                self._ask(ledger, {**(opening or self.command()), "key": f"key{next(self._keys)}"})
                opening = None

    def _ask(self, ledger: Ledger, command: Json) -> None:
        if self._unanswered is not None:
            ledger.lost -= 1  # asked again
        self._unanswered = command
        ledger.in_flight = 1
        response = self.caller.ask(ledger.game, **command)
        ledger.in_flight, self._unanswered = 0, None
        if response.status_code == 200:
            ledger.note(response.json()["event"])
        else:
            ledger.refuse(response.json())
