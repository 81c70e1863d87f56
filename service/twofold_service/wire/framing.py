"""WebSocket frames (RFC 6455, section 5.2) of the kind nearly all are: whole, small, text. Others are the library's.

A client's frame begins with 0x81 (the last, and only, frame of a text message); then its length, of which the highest
bit says that it is masked; then the mask of four bytes, and the text with the mask laid over it again and again.
"""

from collections.abc import Callable

apply_mask: Callable[[bytes, bytes], bytes]
try:
    from websockets.speedups import apply_mask
except ImportError:  # the library came without its compiled part
    from websockets.utils import apply_mask

_WHOLE_TEXT, _MASKED, _LONGER, _LONGEST = 0x81, 0x80, 126, 127


def plain_messages(data: bytes) -> list[bytes] | None:
    """The texts in data that is nothing but whole, masked, unfragmented text frames below 64 KiB; None for all else."""
    length = len(data) - 6
    if 0 <= length < _LONGER and data[0] == _WHOLE_TEXT and data[1] == _MASKED + length:  # nearly always
        return [apply_mask(data[6:], data[2:6])]
    messages = []
    place, end = 0, len(data)
    while place < end:
        if end - place < 6 or data[place] != _WHOLE_TEXT or data[place + 1] < _MASKED:
            return None
        length = data[place + 1] - _MASKED
        start = place + 6
        if length >= _LONGER:
            if length == _LONGEST:
                return None
            length = int.from_bytes(data[place + 2 : place + 4], "big")
            start = place + 8
            if length < _LONGER:
                return None
        place = start + length
        if place > end:
            return None
        messages.append(apply_mask(data[start:place], data[start - 4 : start]))
    return messages


class Boundaries:
    """Follows where frames end in data that is read elsewhere."""

    __slots__ = ("_head", "_rest")

    def __init__(self) -> None:
        self._head = b""
        self._rest = 0

    @property
    def between_frames(self) -> bool:
        return not self._head and not self._rest

    def follow(self, data: bytes) -> None:
        """The next data of a client, cut anywhere."""
        data, place = self._head + data, self._rest
        self._head = b""
        while place < len(data):
            length = data[place + 1] & 0x7F if place + 1 < len(data) else 0
            longer = {_LONGER: 2, _LONGEST: 8}.get(length, 0)
            header = 2 + longer + (4 if place + 1 < len(data) and data[place + 1] & _MASKED else 0)
            if place + 2 > len(data) or place + header > len(data):
                self._head = data[place:]
                break
            place += header + (int.from_bytes(data[place + 2 : place + 2 + longer], "big") if longer else length)
        self._rest = 0 if self._head else place - len(data)


def framed(text: bytes) -> bytes:
    """A whole unmasked text message as one frame, as a server sends it."""
    length = len(text)
    if length < _LONGER:
        return b"\x81" + bytes((length,)) + text
    if length < 1 << 16:
        return b"\x81\x7e" + length.to_bytes(2, "big") + text
    return b"\x81\x7f" + length.to_bytes(8, "big") + text
