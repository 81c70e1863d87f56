"""The tile stream: a pure function of seed, index and empty cells; commitments; the daily seed."""

from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from hmac import digest
from itertools import count
from struct import Struct
from typing import NamedTuple

from twofold.board import MAX_SIZE, empty_cell

SEED_BYTES = 32


class Spawn(NamedTuple):
    """A tile that appears: its cell and its face value, 2 or 4."""

    cell: int
    value: int


def spawn(seed: bytes, index: int, cells: bytes) -> Spawn:
    """Spawn number `index` of a game on the cells it meets; at least one must be empty."""
    choice, value = draw(seed, index, cells.count(0))
    return _new(Spawn, (empty_cell(cells, choice), value))


def start_tiles(seed: bytes, size: int) -> tuple[Spawn, Spawn]:
    """Spawns 0 and 1, the tiles a game begins with."""
    cells = bytearray(size * size)
    first = spawn(seed, 0, bytes(cells))
    cells[first.cell] = first.value >> 1
    return first, spawn(seed, 1, bytes(cells))


def draw(seed: bytes, index: int, empty: int) -> tuple[int, int]:
    """The number of the empty cell among `empty`, and the value: words are rejected where they would favour some."""
    fair = _FAIR[empty]
    value, choice = _FIRST_WORDS.unpack_from(_block(seed, index, 0))
    if value >= _FAIR_TENTHS or choice >= fair:  # rarer than one spawn in ten million
        stream = words(seed, index)
        value = next(word for word in stream if word < _FAIR_TENTHS)
        choice = next(word for word in stream if word < fair)
    return choice % empty, 4 if value % 10 == 0 else 2


def words(seed: bytes, index: int) -> Iterator[int]:
    """The unsigned 32-bit words behind one spawn, in order, without end."""
    for block in count():
        yield from _WORDS.unpack(_block(seed, index, block))


def _block(seed: bytes, index: int, block: int) -> bytes:
    """HMAC-SHA-256 of a block's label under the seed (RFC 2104, section 2), its padded keys remembered.

    A seed is never longer than a block of SHA-256, so it need not be hashed first.
    """
    inner, outer = _padded(seed)
    return sha256(outer + sha256(inner + _COUNTERS.pack(index, block)).digest()).digest()


@lru_cache(maxsize=1 << 14)
def _padded(seed: bytes) -> tuple[bytes, bytes]:
    key = seed.ljust(_HMAC_BLOCK, b"\0")
    return bytes(byte ^ 0x36 for byte in key) + _SPAWN, bytes(byte ^ 0x5C for byte in key)


def commitment(seed: bytes) -> bytes:
    """What is shown of a seed before the seed itself: its SHA-256 under a label of its own."""
    return sha256(_COMMIT + seed).digest()


def daily_seed(secret: bytes, date: str) -> bytes:
    """The seed of a UTC date (YYYY-MM-DD) under the service's secret."""
    return digest(secret, _DAILY + date.encode(), "sha256")


_SPAWN, _COMMIT, _DAILY = b"twofold/spawn/1", b"twofold/commit/1", b"twofold/daily/1"
_HMAC_BLOCK = 64
_new = tuple.__new__  # a named tuple's own maker is Python around it
_COUNTERS, _WORDS, _FIRST_WORDS = Struct(">2I"), Struct(">8I"), Struct(">2I")
_FAIR = [0] + [2**32 - 2**32 % count for count in range(1, MAX_SIZE**2 + 1)]
_FAIR_TENTHS = _FAIR[10]
