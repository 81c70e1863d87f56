"""Players: made without an account, known by a token, on up to five devices."""

import asyncio
from base64 import urlsafe_b64encode
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256

from twofold.clock import SECOND
from twofold_service.errors import NotFound, RateLimited, Unauthorized
from twofold_service.usecases.ports import Bus, NewId, Now, PlayerStore, RandomBytes
from twofold_service.usecases.values import CategoryRecord, Player, StoredToken

SWEEP_STEPS = 1000
KNOWN_FOR = 5 * SECOND
KNOWN = 10_000
OLD_TOKEN_LASTS = 60 * SECOND
TOUCH_EVERY = 60 * SECOND
LINK_LASTS = 600 * SECOND
WRONG_CODES, WRONG_CODES_FOR = 10, 3600 * SECOND
UNMOVED_FOR = 7 * 86_400 * SECOND
CODE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
CODE_LENGTH = 8


class Players:
    """Knows who calls. Tokens and codes are told once and kept as hashes.

    `tell_wrong_code` is called with the address of whoever sent a wrong one.
    """

    def __init__(self, store: PlayerStore, bus: Bus, now: Now, new_id: NewId, random: RandomBytes) -> None:
        self._store = store
        self._bus = bus
        self._now = now
        self._new_id = new_id
        self._random = random
        self._known: OrderedDict[bytes, tuple[int, StoredToken]] = OrderedDict()
        self._ending: dict[int, int] = {}
        self._wrong_codes: OrderedDict[str, list[int]] = OrderedDict()
        self.tell_wrong_code: Callable[[str], None] = lambda address: None

    async def create(self, name: str | None, *, bot: bool = False) -> tuple[Player, str]:
        """A new player and its token; a bot is one for good."""
        token = self._new_token()
        now = self._now()
        stored = await self._store.create(self._new_id(now), name, _hash(token), now, bot=bot)
        return stored.player, token

    def known(self, token: str) -> Player | None:
        """The player of a token that was looked up a moment ago, without asking storage; None where it was not."""
        known = self._known.get(_hash(token))
        if known is None or self._now() - known[0] > KNOWN_FOR or known[1].expires_at is not None:
            return None
        return known[1].player

    async def by_token(self, token: str) -> Player:
        """The player of a token; Unauthorized. The first use of a new token ends the one it replaces."""
        hashed, now = _hash(token), self._now()
        stored = await self._store.by_token(hashed)
        if stored is None or (stored.expires_at is not None and stored.expires_at <= now):
            self._known.pop(hashed, None)
            raise Unauthorized("This token is not known, or it has ended.")
        if stored.replaces is not None:
            await self._end(await self._store.end_tokens(stored.player.key, only=stored.replaces))
        if now - stored.used_at > TOUCH_EVERY:
            self._store.touch_token(stored.player.token, now)  # not waited for: who only reads needs no writing
        self._known[hashed] = (now, stored)
        self._known.move_to_end(hashed)
        if len(self._known) > KNOWN:
            self._known.popitem(last=False)
        return stored.player

    async def rename(self, player: Player, name: str | None) -> Player:
        await self._store.rename(player.key, name)
        self.forget(player.key)
        renamed = await self._store.player(player.key)
        if renamed is None:
            raise Unauthorized
        self._bus.tell_renamed(renamed)
        return renamed

    async def delete(self, player: Player) -> None:
        """The player, games, names and places in lists are gone at once."""
        await self._store.delete(player.key, self._now())
        self.forget(player.key)
        self._bus.tell_gone(player.key)

    async def new_token(self, player: Player, *, others: bool) -> str:
        """A new token; the caller's goes on until the new one is used, at most a minute, all others if so wished."""
        token, now = self._new_token(), self._now()
        if others:
            await self._end(await self._store.end_tokens(player.key, but=player.token))
        expires_at = now + OLD_TOKEN_LASTS
        await self._end(await self._store.add_token(player.key, _hash(token), now, player.token, expires_at))
        self.forget(player.key)
        self._ending[player.token] = expires_at
        return token

    async def new_link(self, player: Player) -> tuple[str, int]:
        """A one-time code for another device, and until when it serves."""
        code = "".join(CODE_ALPHABET[byte % 32] for byte in self._random(CODE_LENGTH))
        expires_at = self._now() + LINK_LASTS
        await self._store.put_link(player.key, _hash(code), expires_at)
        return code, expires_at

    async def use_link(self, code: str, address: str) -> tuple[Player, str]:
        """The code's player and a new token of theirs; NotFound for a wrong code, RateLimited after ten of them."""
        now = self._now()
        wrong = self._wrong_codes_of(address, now)
        if len(wrong) >= WRONG_CODES:
            raise RateLimited("Too many wrong codes.", retry_after=1 + (wrong[0] + WRONG_CODES_FOR - now) // SECOND)
        token = self._new_token()
        wrong.append(now)  # until it is known to be right, so that many sent at once are counted too
        try:
            taken = await self._store.take_link(_hash(_plain(code)), _hash(token), now)
        finally:
            wrong.remove(now)
        if taken is None:
            wrong.append(now)
            self.tell_wrong_code(address)
            raise NotFound("This code is wrong, used or too old.")
        stored, ended = taken
        await self._end(ended)
        return stored.player, token

    async def records(self, player: Player) -> tuple[list[CategoryRecord], list[str], int]:
        return await self._store.records(player.key, self._now())

    def end_expired(self) -> None:
        """Tell of tokens whose minute beside their successor is over."""
        now = self._now()
        for token, expires_at in list(self._ending.items()):
            if expires_at <= now:
                del self._ending[token]
                self._bus.tell_token_ended(token)

    async def sweep(self) -> None:
        """Remove, a little at a time, what deleted players left and players who never moved for a week."""
        for _ in range(SWEEP_STEPS):
            if not await self._store.sweep(self._now() - UNMOVED_FOR, 100):
                return
            await asyncio.sleep(0.1)

    def heard_wrong_code(self, address: str) -> None:
        """Another process was sent a wrong code from an address."""
        now = self._now()
        self._wrong_codes_of(address, now).append(now)

    def forget(self, player: int) -> None:
        """What is remembered of a player's tokens may no longer be so."""
        self._known = OrderedDict((h, k) for h, k in self._known.items() if k[1].player.key != player)

    def forget_token(self, token: int) -> None:
        """A token has ended."""
        self._ending.pop(token, None)
        self._known = OrderedDict((h, k) for h, k in self._known.items() if k[1].player.token != token)

    def _wrong_codes_of(self, address: str, now: int) -> list[int]:
        """When the address sent wrong codes in the last hour; to be added to."""
        wrong = self._wrong_codes.setdefault(address, [])
        wrong[:] = [at for at in wrong if at > now - WRONG_CODES_FOR]
        self._wrong_codes.move_to_end(address)
        if len(self._wrong_codes) > KNOWN:
            self._wrong_codes.popitem(last=False)
        return wrong

    async def _end(self, tokens: list[int]) -> None:
        for token in tokens:
            self.forget_token(token)
            self._bus.tell_token_ended(token)

    def _new_token(self) -> str:
        return "tf_" + urlsafe_b64encode(self._random(32)).decode().rstrip("=")


def _hash(token: str) -> bytes:
    return sha256(token.encode("utf-8", "surrogatepass")).digest()


def _plain(code: str) -> str:
    """A code as it was told: Crockford's base32 reads these letters as those digits."""
    return code.strip().upper().replace("-", "").translate(str.maketrans("OIL", "011"))
