"""A player's devices on two processes command, read and watch one game: what they saw is one history."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.callers import DIRECTIONS, Caller, Json, Live
from tests.faults.bots import BY_STATE, Ledger
from tests.faults.table import form

pytestmark = [pytest.mark.postgres, pytest.mark.fault("19 history of many clients on two processes")]
COMMANDS = form(40, 2000)


class Device:
    """Commands one after the other, some about the version it last saw, over a process of its own choice each time."""

    def __init__(self, ledger: Ledger, callers: list[Caller], lives: list[Live], seed: int) -> None:
        self.ledger, self.callers, self.lives = ledger, callers, lives
        self._chance = random.Random(seed)
        self._seen = 1

    def play(self) -> None:
        for _ in range(COMMANDS):
            command: Json = {"op": "move", "direction": self._chance.choice(DIRECTIONS)}
            if self._chance.random() < 0.1:
                command = {"op": "undo"}
            elif self._chance.random() < 0.3:
                command["version"] = self._seen
            if self._chance.random() < 0.2:
                self._seen = self.ledger.read(self._chance.choice(self.callers))["version"]
            self._send(self._chance.choice(self.lives), command)

    def _send(self, live: Live, command: Json) -> None:
        call = self.ledger.send(command)
        reply = live.reply(live.send(game=self.ledger.game, **command))
        if "ok" in reply:
            event = reply["ok"]["event"]
            self.ledger.note(call, event)
            self._seen = self._seen if event is None else event["version"]
        else:
            assert reply["error"]["code"] in BY_STATE | {"stale_version"}, reply
            self.ledger.in_flight.discard(call)
            self.ledger.history.refused(call)
            if reply["error"]["code"] == "paused":
                self._send(live, {"op": "resume"})


def test_what_all_of_them_saw_is_one_history(here, there, connect, line):
    ledger = Ledger(here.new("practice", size=8)["id"])
    callers = [here, there]
    watchers = [connect(caller) for caller in callers]
    for live in watchers:
        live.ok("watch", game=ledger.game)
    devices = [Device(ledger, callers, [connect(caller) for caller in callers], seed) for seed in range(4)]
    with ThreadPoolExecutor(len(devices)) as threads:
        playing = [threads.submit(device.play) for device in devices]
        for done in playing:
            done.result(600)
    version = here.game(ledger.game)["version"]
    for number, live in enumerate(watchers):
        for event in live.events(version - 1):
            ledger.history.told(f"watcher {number}", event)
    ledger.check(there)
    line.ran(len(devices) * COMMANDS, acknowledged=len(ledger.acknowledged))
