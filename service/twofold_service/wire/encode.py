"""JSON as it leaves: bytes from plain values."""

from typing import Any

import orjson


def dumps(value: Any) -> bytes:
    return orjson.dumps(value)
