"""JSON as it leaves: bytes from plain values."""

from orjson import dumps

__all__ = ["dumps"]
