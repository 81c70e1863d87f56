"""What a process needs that shares its database with others, put together: app.py's help where there are any."""

import logging
from collections.abc import Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any

from twofold_service.api.limits import Rates
from twofold_service.bus.redis import LOST, RedisBus, channel_of, living_time
from twofold_service.settings import Settings
from twofold_service.storage.database import Database
from twofold_service.usecases.following import Following
from twofold_service.usecases.live import Live
from twofold_service.usecases.lookout import Lookout
from twofold_service.usecases.players import Players
from twofold_service.usecases.presence import Presence
from twofold_service.usecases.rooms import Rooms

log = logging.getLogger("twofold")


@dataclass(slots=True)
class Others:
    """What a process needs that shares its database with others; a bus and presence where there is a Redis as well."""

    following: Following
    lookout: Lookout
    bus: RedisBus | None
    presence: Presence | None

    def work(self) -> list[Coroutine[Any, Any, None]]:
        """What is to be done as long as the process lives."""
        return [self.following.run(), self.lookout.run(), *([] if self.bus is None else [self.bus.run()])]


def their_time(settings: Settings, secret: bytes, database: Database, process: str) -> int | None:
    """Service time as others have it that run already, so that all processes of a service have the same."""
    if not settings.redis or database.is_sqlite:
        return None
    try:
        return living_time(settings.redis, channel_of(secret), process)
    except LOST as error:
        log.warning("Redis does not answer; the service starts without it: %s", error)
        return None


def listen(
    bus: RedisBus, following: Following, lookout: Lookout, live: Live, rooms: Rooms, players: Players, rates: Rates
) -> Presence:
    """Who hears what other processes tell, and what they are told besides events."""
    presence = Presence(live, partial(bus.send, "left"), partial(bus.send, "attended"), lambda: bus.reaches_others)
    live.left = presence.left
    rates.tell = partial(bus.send, "counted")
    players.tell_wrong_code = partial(bus.send, "wrong code")

    def renamed(player: int) -> None:
        players.forget(player)
        rooms.doubt_name(player)

    def gone(player: int) -> None:
        players.forget(player)
        rooms.drop_player(player)
        live.tell_gone(player)

    def token_ended(token: int) -> None:
        players.forget_token(token)
        live.tell_token_ended(token)

    bus.hear |= {
        "event": lambda event: following.heard(*event),
        "renamed": renamed,
        "gone": gone,
        "token": token_ended,
        "left": presence.asked,
        "attended": presence.answered,
        "counted": rates.heard,
        "wrong code": players.heard_wrong_code,
    }
    bus.reconnected = lookout.look_soon
    return presence
