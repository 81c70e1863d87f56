"""Frames that are duplicated, reordered, delayed and cut: every command is done once, and everybody sees all of it.

The players do what a good client does: a key on each command, which is sent again on the next connection until it is
answered; events are put in order by their versions, and what is missing is asked for.
"""

import asyncio
import json
import random
import time
from collections.abc import Callable
from itertools import count

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage
from websockets.frames import Frame, Opcode

from tests.callers import DIRECTIONS, Caller, Json, player
from tests.faults.bots import BY_STATE, Ledger
from tests.faults.chaos import Frames, Proxy, Rates, Step, Way, chaos
from tests.faults.serving import Serving
from tests.faults.table import seeds

OFF = (ConnectionClosed, InvalidHandshake, InvalidMessage, OSError, EOFError, TimeoutError)
COMMANDS = 40
IN_FLIGHT = 4
AGAIN_AFTER = 1.0
AT_ONCE = 4
WITHIN = 90.0
HEAL_AFTER = 20.0
UP = Rates(duplicate=0.08, reorder=0.08, delay=0.1, cut=0.02)
DOWN = Rates(duplicate=0.05, reorder=0.05, delay=0.1, cut=0.01)
IN_ORDER = Rates(delay=0.1, cut=0.01)
MANY = Rates(0.2, 0.2, 0.2, 0.05)


def frame(number: int, *, mask: bool = True, opcode: Opcode = Opcode.TEXT) -> bytes:
    return Frame(opcode, b"%d" % number * (number % 200)).serialize(mask=mask)


def steps(seed: int, rates: Rates, frames: list[bytes]) -> list[Step]:
    way = Way(seed, "0 up", rates)
    return [step for one in frames for step in way.take(one)] + way.release()


def test_a_seed_decides_the_same_again_and_another_decides_otherwise():
    frames = [frame(number, mask=False) for number in range(200)]
    assert steps(7, MANY, frames) == steps(7, MANY, frames)
    assert steps(7, MANY, frames) != steps(8, MANY, frames)


def test_without_rates_frames_pass_as_they_are():
    frames = [frame(number) for number in range(50)]
    assert steps(7, Rates(), frames) == [Step(0.0, one) for one in frames]


def test_each_fault_happens_and_loses_nothing_but_by_a_cut():
    frames = [frame(number, mask=False) for number in range(1, 300)]
    doubled = steps(1, Rates(duplicate=0.2), frames)
    assert len(doubled) > len(frames)
    assert list(dict.fromkeys(step.data for step in doubled)) == frames
    swapped = [step.data for step in steps(1, Rates(reorder=0.2), frames)]
    assert swapped != frames
    assert sorted(swapped) == sorted(frames)
    assert max(abs(place - swapped.index(one)) for place, one in enumerate(frames)) == 1
    assert any(step.delay for step in steps(1, Rates(delay=0.2), frames))
    cut = next(step for step in steps(1, Rates(cut=0.2), frames) if step.cut)
    assert any(one.startswith(cut.data) and one != cut.data for one in frames)


def test_the_first_frame_and_control_frames_pass_untouched():
    way, ping, first = Way(1, "0 up", Rates(cut=1.0)), frame(3, opcode=Opcode.PING), frame(1)
    assert way.take(ping) == [Step(0.0, ping)]
    assert way.take(first) == [Step(0.0, first)]
    assert way.take(frame(2))[0].cut
    assert way.take(ping) == [Step(0.0, ping)]


@pytest.mark.parametrize("piece", [1, 3, 1 << 16])
def test_a_stream_is_taken_apart_into_its_head_and_its_frames_however_it_comes(piece):
    head = b"GET /v1/ws HTTP/1.1\r\nHost: here\r\n\r\n"
    sent = [
        head,
        *(Frame(Opcode.TEXT, b"x" * length).serialize(mask=bool(length % 2)) for length in (0, 1, 126, 70000)),
    ]
    frames, stream = Frames(), b"".join(sent)
    got = [one for place in range(0, len(stream), piece) for one in frames.feed(stream[place : place + piece])]
    assert got == sent


class Device:
    """A device of a player, through the proxy: commands under keys, each sent until it is answered."""

    def __init__(
        self, name: str, proxy: Proxy, caller: Caller, ledger: Ledger, seed: int, *, in_order: bool, keyed: bool = True
    ) -> None:
        self.name, self.proxy, self.ledger = name, proxy, ledger
        self._token, self._in_order, self._keyed = caller.token, in_order, keyed
        self._chance = random.Random(f"{seed} {name}")
        self._left = COMMANDS
        self._keys, self._streams = count(), count()
        self._calls: dict[str, int] = {}
        self._waiting: dict[str, Json] = {}
        self._unsent: list[Json] = []
        self._ahead: dict[int, Json] = {}
        self._stream = ""
        self._asked = self._heard_at = 0.0
        self._last: Json = {}
        self.told = 1
        """The newest version of which all before is known here."""

    def __repr__(self) -> str:
        heard = f"{time.monotonic() - self._heard_at:.1f} s ago heard {str(self._last)[:200]}"
        return f"{self.name} knows {self.told}, {heard}, has {self._left} to send, waits for {[*self._waiting]}"

    @property
    def is_answered(self) -> bool:
        return not self._left and not self._waiting

    async def play(self, enough: asyncio.Event) -> None:
        """Come back as often as the connection is lost, until it is said to be enough."""
        address = self.proxy.url.replace("http", "ws") + "/v1/ws"
        while not enough.is_set():
            try:
                async with connect(address, proxy=None, ping_interval=None, open_timeout=5, close_timeout=1) as socket:
                    await self._play_on(socket, enough)
            except OFF:
                await asyncio.sleep(self._chance.uniform(0, 0.05))

    async def _play_on(self, socket: ClientConnection, enough: asyncio.Event) -> None:
        self._stream = ""
        await self._send(socket, {"id": "hello", "op": "hello", "token": self._token})
        await self._watch(socket)
        self._unsent.clear()
        for command in list(self._waiting.values()):
            await self._send(socket, command)
        while not enough.is_set():
            while self._left and len(self._waiting) < IN_FLIGHT:
                self._left -= 1
                await self._command(socket, self._next())
            try:
                self._hear(json.loads(await asyncio.wait_for(socket.recv(), 0.1)))
            except TimeoutError:
                await self._catch_up(socket)

    def _next(self) -> Json:
        if self._chance.random() < 0.1:
            return {"op": "undo"}
        move = {"op": "move", "direction": self._chance.choice(DIRECTIONS)}
        return move | ({"version": self.told} if self._chance.random() < 0.2 else {})

    async def _command(self, socket: ClientConnection, command: Json) -> None:
        key = f"{self.name}{next(self._keys)}"
        self._calls[key] = self.ledger.send({**command, "key": key})
        await self._send(socket, {"id": key, "game": self.ledger.game, "key": key, **command})

    async def _send(self, socket: ClientConnection, frame: Json) -> None:
        if "key" in frame:
            self._waiting[frame["key"]] = frame
        sent = {name: value for name, value in frame.items() if self._keyed or name != "key"}
        await socket.send(json.dumps(sent))

    async def _watch(self, socket: ClientConnection) -> None:
        self._asked = time.monotonic()
        await self._send(socket, {"id": "watch", "op": "watch", "game": self.ledger.game, "since": self.told})

    async def _catch_up(self, socket: ClientConnection) -> None:
        """Nothing came for a while. Commands are not repeated here: a connection loses none but by its end."""
        for command in self._unsent:
            await self._send(socket, command)
        self._unsent.clear()
        if time.monotonic() - self._asked > AGAIN_AFTER:
            await self._watch(socket)

    def _hear(self, frame: Json) -> None:
        self._heard_at, self._last = time.monotonic(), frame
        if frame.get("ev") == "event":
            self._event(frame["event"])
        elif frame.get("id") == "watch" and "ok" in frame:
            assert frame["ok"]["recovered"], frame
            self._stream = f"{self.name}{next(self._streams)}"
        elif (call := self._calls.get(frame.get("id", ""))) is not None:
            self._waiting.pop(frame["id"], None)
            self._answer(call, frame)

    def _answer(self, call: int, frame: Json) -> None:
        if "ok" in frame:
            event, replayed = frame["ok"]["event"], frame["ok"].get("replayed", False)
            self.ledger.note(call, event)
            if event is not None:
                self._event(event, in_its_place=not replayed)
        elif frame["error"]["code"] == "stale_version":
            self.ledger.history.refused(call)
            self.ledger.in_flight.discard(call)
        else:  # a copy that is still under way may find the game as the command wants it
            assert frame["error"]["code"] in BY_STATE, frame
            self.ledger.history.unknown(call)
            self.ledger.in_flight.discard(call)
            if frame["error"]["code"] == "paused":
                self._left += 1
                key = f"{self.name}{next(self._keys)}"
                self._calls[key] = self.ledger.send({"op": "resume", "key": key})
                self._waiting[key] = {"id": key, "op": "resume", "game": self.ledger.game, "key": key}
                self._unsent.append(self._waiting[key])

    def _event(self, event: Json, *, in_its_place: bool = True) -> None:
        if self._in_order and in_its_place and self._stream:
            self.ledger.history.told(self._stream, event)
        if event["version"] > self.told:
            self._ahead[event["version"]] = event
        while (following := self._ahead.pop(self.told + 1, None)) is not None:
            self.told += 1
            self.ledger.history.told(self.name, following)


async def one_seed(
    url: str, port: int, seed: int, checking: asyncio.Lock, *, keyed: bool = True
) -> tuple[int, int, int]:
    """Play a game through chaos; how many commands were acknowledged, and the frames and cuts of that."""
    in_order = seed % 2 == 0
    with player(url) as caller:
        ledger = Ledger(caller.new("practice", size=8)["id"])
        async with chaos(port, seed, UP, IN_ORDER if in_order else DOWN) as proxy:
            devices = [Device(name, proxy, caller, ledger, seed, in_order=in_order, keyed=keyed) for name in ("a", "b")]
            enough = asyncio.Event()
            async with asyncio.TaskGroup() as group:
                for device in devices:
                    group.create_task(device.play(enough))
                await settled(devices, ledger, caller, proxy)
                enough.set()
        async with checking:  # records are verified one at a time for each address
            await asyncio.to_thread(ledger.check, caller)
    assert not ledger.in_flight
    return len(ledger.acknowledged), proxy.frames, proxy.cuts


async def settled(devices: list[Device], ledger: Ledger, caller: Caller, proxy: Proxy) -> None:
    """Read the game all the while, until everything is answered and told; after a while nothing goes wrong any more."""
    begun = time.monotonic()
    while True:
        version = (await asyncio.to_thread(ledger.read, caller))["version"]
        if all(device.is_answered and device.told == version for device in devices):
            return
        if time.monotonic() - begun > HEAL_AFTER:
            proxy.heal()
        assert time.monotonic() - begun < WITHIN, f"version {version}, and {devices}"
        await asyncio.sleep(0.03)


async def all_seeds(url: str, port: int, tried: list[int], ran: Callable[..., None]) -> None:
    places, checking = asyncio.Semaphore(AT_ONCE), asyncio.Lock()

    async def one(seed: int) -> None:
        async with places:
            try:
                acknowledged, frames, cuts = await one_seed(url, port, seed, checking)
            except Exception as error:
                raise AssertionError(f"TWOFOLD_FAULTS_SEED={seed} plays this again") from error
            figures["frames"] += frames
            figures["cuts"] += cuts
            ran(acknowledged=acknowledged, seed=seed, **figures)

    figures = {"frames": 0, "cuts": 0}
    async with asyncio.TaskGroup() as group:
        for seed in tried:
            group.create_task(one(seed))


@pytest.mark.slow
@pytest.mark.fault("9 duplicated, reordered, delayed and cut frames")
def test_every_command_is_done_once_and_told_to_all_whatever_becomes_of_frames(new_serving, line):
    serving: Serving = new_serving()
    serving.start()
    asyncio.run(all_seeds(serving.url, serving.port, seeds(6, 300), line.ran))
    assert "Traceback" not in serving.log


def test_commands_without_keys_are_found_to_be_done_twice(service):
    with pytest.raises(AssertionError, match="or a command was done twice"):
        asyncio.run(one_seed(service.url, service.port, 1, asyncio.Lock(), keyed=False))
