"""Ids: short, opaque, and in the order they were made."""

import secrets
from collections.abc import Callable

from twofold.clock import MS

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_RANDOM_BITS = 80


class Ids:
    """Makes ids of 26 letters and digits (ULID in lower case): 48 bits of time in ms, 80 of chance, always rising."""

    def __init__(self, random: Callable[[int], bytes] = secrets.token_bytes) -> None:
        self._random = random
        self._last = 0

    def __call__(self, now: int) -> str:
        number = (now // MS) << _RANDOM_BITS | int.from_bytes(self._random(10), "big")
        if number >> _RANDOM_BITS <= self._last >> _RANDOM_BITS:  # the same millisecond again
            number = self._last + 1 + int.from_bytes(self._random(4), "big")
        self._last = number
        return "".join(_ALPHABET[number >> shift & 31] for shift in range(125, -5, -5))
