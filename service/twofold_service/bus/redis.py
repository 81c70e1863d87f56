"""The bus of many processes: what one has done is told to the others through Redis, a few milliseconds later.

A message is a hint: it says which game has reached which version, whose name or token is no more what it was, who was
counted. It holds ids and numbers, never a position, a seed or a token. What gets lost is found in the journal.
"""

import asyncio
import hashlib
import logging
import random
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn

import orjson
import redis
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from twofold_service.bus.memory import MemoryBus
from twofold_service.usecases.ports import Now
from twofold_service.usecases.values import Player, Told

log = logging.getLogger("twofold.bus")
GATHER = 0.001
APART = 0.01
SHARE = 0.003
"""Messages of a process are so far apart, and for each that takes part: all send no more together the more they are."""
BEAT = 1.0
SILENT_AFTER = 3.0
WITHIN = 2.0
ANSWER_WITHIN = 0.5
FIRST_WAIT, LONGEST_WAIT = 0.1, 2.0
MOST_GATHERED = 10_000
LASTING = frozenset({"event", "renamed", "gone", "token", "wrong code"})
"""What is still worth telling once Redis is back; a question, or a request counted a while ago, is not."""
URGENT = frozenset({"left", "attended"})
"""What somebody waits for a short while only: it does not wait for more to tell."""
_NO_RETRY = Retry(NoBackoff(), 0)  # who waits and tries again is said here
LOST = (RedisError, OSError, TimeoutError)
Hear = Callable[[Any], None]


class RedisBus:
    """Tells at once in this process, as the memory bus does, and all others in one message now and then.

    `hear` has who listens to the others, by the kind of what they tell: `event` ([game, version]), `renamed` and `gone`
    (a player's key), `token` (a token's key), and whatever else is sent. `reconnected` is called once others are heard
    again after they were not, when something may have been missed.
    """

    def __init__(self, here: MemoryBus, url: str, channel: str, process: str, now: Now) -> None:
        self.hear: dict[str, Hear] = {"time?": self._tell_time}
        self.reconnected: Callable[[], None] = lambda: None
        self._here = here
        self._redis: Redis = Redis.from_url(url, socket_connect_timeout=WITHIN, socket_timeout=WITHIN, retry=_NO_RETRY)
        self._channel = channel
        self._sender = process
        self._now = now
        self._gathered: dict[str, list[Any]] = {}
        self._count = 0
        self._is_due = asyncio.Event()
        self._is_urgent = asyncio.Event()
        self._is_heard = False
        self._senders: dict[bytes, float] = {}

    @property
    def is_heard(self) -> bool:
        """Whether this process has heard itself through Redis a moment ago: so do others."""
        return self._is_heard

    @property
    def reaches_others(self) -> bool:
        """Whether other processes hear what this one sends, as far as it can know."""
        return self._is_heard and len(self._senders) > 1

    def tell(self, told: Told) -> None:
        self._here.tell(told)
        self.send("event", (told.header.id, told.event.version))

    def tell_renamed(self, player: Player) -> None:
        self._here.tell_renamed(player)
        self.send("renamed", player.key)

    def tell_gone(self, player: int) -> None:
        self._here.tell_gone(player)
        self.send("gone", player)

    def tell_token_ended(self, token: int) -> None:
        self._here.tell_token_ended(token)
        self.send("token", token)

    def send(self, kind: str, what: Any) -> None:
        """Tell the other processes something of a kind; it leaves with the next message."""
        if self._count >= MOST_GATHERED:  # Redis is away: what is let go here, the lookouts find
            self._gathered.clear()
            self._count = 0
        self._gathered.setdefault(kind, []).append(what)
        self._count += 1
        self._is_due.set()
        if kind in URGENT:
            self._is_urgent.set()

    async def run(self) -> None:
        """Publish and listen until cancelled, whatever becomes of Redis."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._publish())
                group.create_task(self._listen())
        finally:
            with suppress(*LOST):
                await self._redis.aclose()

    async def _publish(self) -> NoReturn:
        """Send what has gathered, or after a while that this process lives; what lasts and cannot be sent is kept."""
        clock = asyncio.get_running_loop().time
        wait, sent = FIRST_WAIT, 0.0
        while True:
            with suppress(TimeoutError):  # not wait_for: there a cancellation that comes with the answer gets lost
                async with asyncio.timeout(BEAT):
                    await self._is_due.wait()
            with suppress(TimeoutError):
                async with asyncio.timeout(max(GATHER, sent + max(APART, SHARE * len(self._senders)) - clock())):
                    await self._is_urgent.wait()
            self._is_due.clear()
            self._is_urgent.clear()
            sent = clock()
            gathered, self._gathered, self._count = self._gathered, {}, 0
            try:
                message = b"%b %b" % (self._sender.encode(), orjson.dumps(gathered))
                async with asyncio.timeout(WITHIN):
                    await self._redis.publish(self._channel, message)
                wait = FIRST_WAIT
            except LOST:
                for kind in LASTING & gathered.keys():
                    for what in gathered[kind]:
                        self.send(kind, what)
                wait = await _pause(wait)

    async def _listen(self) -> NoReturn:
        wait = FIRST_WAIT
        while True:
            try:
                async with self._redis.pubsub() as heard:
                    await heard.subscribe(self._channel)
                    self._is_due.set()  # a message to be heard by itself
                    await self._hear_all(heard)
            except LOST as error:
                if self._is_heard:
                    log.warning("Redis does not answer; play goes on, others hear of it later: %s", error or "silent")
                    wait = FIRST_WAIT
                self._is_heard = False
            wait = await _pause(wait)

    async def _hear_all(self, heard: PubSub) -> None:
        """Hear everything there is, as long as at least this process's own messages come."""
        clock = asyncio.get_running_loop().time
        own = self._sender.encode()
        self._senders[own] = looked = clock()
        while True:
            message = await heard.get_message(ignore_subscribe_messages=True, timeout=BEAT)
            now = clock()
            if message is not None:
                sender, _, body = message["data"].partition(b" ")
                self._senders[sender] = now
                if sender != own:
                    self._hear(body)
                elif not self._is_heard:
                    self._is_heard = True
                    log.info("others are heard through Redis")
                    self.reconnected()
            if now - looked > BEAT:
                looked = now
                self._senders = {who: at for who, at in self._senders.items() if now - at <= SILENT_AFTER}
                if own not in self._senders:
                    raise TimeoutError

    def _hear(self, body: bytes) -> None:
        """Hand another process's message on."""
        try:
            for kind, items in orjson.loads(body).items():
                hear = self.hear.get(kind)
                if hear is not None:
                    for what in items:
                        hear(what)
        except (ValueError, TypeError, AttributeError, LookupError):
            log.warning("a message on the bus could not be read")

    def _tell_time(self, asker: Any) -> None:
        self.send("time", [asker, self._now()])


def check(url: str) -> None:
    """ValueError where this is no Redis URL."""
    redis.Redis.from_url(url).close()  # it connects to nothing yet


def channel_of(secret: bytes) -> str:
    """The channel of all processes of one service; services that share a Redis do not hear each other."""
    return f"twofold:{hashlib.sha256(b'twofold/bus/1' + secret).hexdigest()[:16]}"


def living_time(url: str, channel: str, process: str) -> int | None:
    """What a living process says the time is; None where none answers. It waits, so it is for before the start."""
    question = b"%b %b" % (process.encode(), orjson.dumps({"time?": [process]}))
    options = {"socket_connect_timeout": WITHIN, "socket_timeout": WITHIN}
    with redis.Redis.from_url(url, **options) as connection, connection.pubsub() as heard:
        heard.subscribe(channel)
        heard.get_message(timeout=WITHIN)  # from here on nothing is missed
        connection.publish(channel, question)
        until = time.monotonic() + ANSWER_WITHIN
        while (left := until - time.monotonic()) > 0:
            message = heard.get_message(ignore_subscribe_messages=True, timeout=left)
            told = {} if message is None else orjson.loads(message["data"].partition(b" ")[2])
            for asker, now in told.get("time", ()):
                if asker == process:
                    return int(now)
    return None


async def _pause(wait: float) -> float:
    """Wait about so long, and say how long to wait the next time."""
    await asyncio.sleep(wait * random.uniform(0.5, 1.0))  # noqa: S311
    return min(2 * wait, LONGEST_WAIT)
