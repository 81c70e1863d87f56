"""The file of weights: what is kept of a trained network, packed to a few megabytes, and read again.

    8 bytes   b"TWOFOLDW"
    4 bytes   length of the header, big-endian
    header    JSON: format, tuples, scales, bits, entries, moves, seed, sections
    sections  for each tuple three zlib streams: a bitmap of the kept places, the low bytes and the high bytes of
              their levels, in the order of places
    32 bytes  SHA-256 of all before

The fourth tuple's two rows change places on a flipped board, so of its places those with the halves exchanged weigh the
same (in training they get the same errors, bit by bit); only the one with the smaller lower half is in the file.

A level l of 1 … 4095 stands for the weight sign(l − 2048) · scale · ((l − 2048) / 2047)², in values. Places that are
not kept weigh nothing.
"""

import hashlib
import json
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold_solver.errors import WeightsRefused
from twofold_solver.network import ENTRIES, LEVELS, TUPLES, UNIT, Levels, Table

FORMAT = 1
MAGIC = b"TWOFOLDW"
SHIPPED = Path(__file__).parent / "trained" / "4x4.weights"

_LENGTH = struct.Struct(">I")
_START = len(MAGIC) + _LENGTH.size
_ZERO = LEVELS // 2
_STEPS = LEVELS // 2 - 1
_TWINNED = 3
_HALF = 1 << 12
_DIGEST = hashlib.sha256().digest_size


@dataclass(frozen=True, slots=True)
class WeightsFile:
    """A file that is whole, and what its header says."""

    path: Path
    checksum: str
    """SHA-256 of all before it, hex."""
    moves: int
    """Length of the training."""
    seed: int
    entries: int
    """Weights in the file."""
    scales: tuple[int, ...]
    """The largest weight of each tuple, in values."""
    body: int
    """Where the sections begin."""
    sections: tuple[tuple[int, int, int], ...]
    """Their lengths, for each tuple."""

    @classmethod
    def opened(cls, path: Path = SHIPPED) -> "WeightsFile":
        """Raises WeightsRefused where there is none, it is damaged, or it is none that this release can read."""
        try:
            content = path.read_bytes()
        except OSError as error:
            raise WeightsRefused(f"{path}: cannot be read: {error.strerror or error}") from error
        if len(content) < _START + _DIGEST or not content.startswith(MAGIC):
            raise WeightsRefused(f"{path}: no file of weights")
        checksum = content[-_DIGEST:].hex()
        if hashlib.sha256(content[:-_DIGEST]).hexdigest() != checksum:
            raise WeightsRefused(f"{path}: damaged: its checksum is not that of its content")
        body = _START + _LENGTH.unpack(content[len(MAGIC) : _START])[0]
        try:
            header = json.loads(content[_START:body])
        except ValueError as error:
            raise WeightsRefused(f"{path}: damaged: its header is no JSON") from error
        return cls._of(path, header, checksum, body)

    @classmethod
    def _of(cls, path: Path, header: Any, checksum: str, body: int) -> "WeightsFile":
        try:
            if header["format"] != FORMAT:
                raise WeightsRefused(f"{path}: weights of format {header['format']}; this release reads {FORMAT}")
            if header["tuples"] != [list(cells) for cells in TUPLES]:
                raise WeightsRefused(f"{path}: weights of other tuples than this release's")
            return cls(
                path,
                checksum,
                int(header["moves"]),
                int(header["seed"]),
                int(header["entries"]),
                tuple(map(int, header["scales"])),
                body,
                tuple((int(bitmap), int(low), int(high)) for bitmap, low, high in header["sections"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise WeightsRefused(f"{path}: damaged: its header lacks something: {error}") from error

    def levels(self) -> Levels:
        """What each level is worth, in values, shape (tuples * `LEVELS`,): one tuple's after the other's."""
        steps = np.arange(LEVELS, dtype=np.int64) - _ZERO
        squares = steps * np.abs(steps)
        of_tuples = np.stack([squares * scale // _STEPS**2 for scale in self.scales]).astype(np.int32)
        of_tuples[:, 0] = 0
        return of_tuples.reshape(-1)

    def unpack(self, table: Table) -> None:
        """Fill a table of zeros, shape (`WEIGHTS`,)."""
        for number, (bitmap, low, high) in enumerate(self._planes()):
            kept = np.flatnonzero(np.unpackbits(bitmap))
            levels = low | high.astype(np.uint16) << np.uint16(8)
            levels += np.uint16(number * LEVELS)
            table[number * ENTRIES + kept] = levels
            if number == _TWINNED:
                table[number * ENTRIES + _twins(kept)] = levels

    def _planes(self) -> Iterator[tuple[NDArray[np.uint8], ...]]:
        content = self.path.read_bytes()
        ends = list(accumulate((length for lengths in self.sections for length in lengths), initial=self.body))
        for number in range(len(TUPLES)):
            pieces = (content[ends[at] : ends[at + 1]] for at in range(3 * number, 3 * number + 3))
            yield tuple(np.frombuffer(zlib.decompress(piece), np.uint8) for piece in pieces)


def pack(
    path: Path, weights: NDArray[np.float32], importance: NDArray[np.float32], *, moves: int, seed: int, kept: int
) -> None:
    """Write the `kept` most important of `WEIGHTS` weights (points), those of no importance never."""
    known = importance[importance > 0]
    least = np.partition(known, len(known) - kept)[len(known) - kept] if kept < len(known) else 0
    keep = (importance >= max(least, np.finfo(np.float32).tiny)).reshape(len(TUPLES), ENTRIES)
    keep[_TWINNED] = np.tril(keep[_TWINNED].reshape(_HALF, _HALF)).ravel()
    tuples = [_packed(*one) for one in zip(weights.reshape(keep.shape), keep, strict=True)]
    header = json.dumps(
        {
            "format": FORMAT,
            "tuples": TUPLES,
            "scales": [scale for scale, _ in tuples],
            "bits": LEVELS.bit_length() - 1,
            "entries": int(keep.sum()),
            "moves": moves,
            "seed": seed,
            "sections": [[len(stream) for stream in streams] for _, streams in tuples],
        }
    ).encode()
    content = b"".join((MAGIC, _LENGTH.pack(len(header)), header, *(one for _, streams in tuples for one in streams)))
    new = path.with_name(path.name + ".new")
    new.write_bytes(content + hashlib.sha256(content).digest())
    new.replace(path)


def _packed(weights: NDArray[np.float32], keep: NDArray[np.bool_]) -> tuple[int, list[bytes]]:
    """Scale and streams of one tuple."""
    chosen = weights[keep].astype(np.float64) * UNIT
    scale = int(np.ceil(np.abs(chosen).max(initial=1)))
    levels = np.rint(np.sign(chosen) * np.sqrt(np.abs(chosen) / scale) * _STEPS).astype(np.int64) + _ZERO
    planes = np.packbits(keep), (levels & 0xFF).astype(np.uint8), (levels >> 8).astype(np.uint8)
    return scale, [zlib.compress(plane.tobytes(), 9) for plane in planes]


def _twins(kept: NDArray[np.intp]) -> NDArray[np.intp]:
    upper, lower = np.divmod(kept, _HALF)
    return lower * _HALF + upper
