"""A request as data, and how such data is made."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Generic, Literal, TypeVar
from urllib.parse import quote

from twofold.board import Direction
from twofold_client import _reading
from twofold_client.standings import Page

Answer = TypeVar("Answer")
Answer_co = TypeVar("Answer_co", covariant=True)
Item = TypeVar("Item")
Rows = Sequence[Sequence[int]]
Way = Direction | Literal["up", "down", "left", "right"]
Pairs = tuple[tuple[str, Any], ...]
JSON = "application/json"
MOST = 100


@dataclass(frozen=True, slots=True)
class Call(Generic[Answer_co]):
    """One request. `take` reads its answer, which is of the type `media`; `keyed`: it takes an idempotency key."""

    operation: str
    method: str
    path: str
    take: Callable[[Any], Answer_co] = field(compare=False, repr=False)
    place: Pairs = ()
    params: Pairs = ()
    json: Any = None
    key: str | None = None
    keyed: bool = False
    idempotent: bool = False
    media: str = JSON

    def __str__(self) -> str:
        return f"{self.method} {self.target}"

    @property
    def target(self) -> str:
        """The path with its parts filled in."""
        return self.path.format(**{name: quote(part, safe="") for name, part in self.place})

    @property
    def repeatable(self) -> bool:
        """Whether doing it twice is doing it once."""
        return self.idempotent or self.key is not None

    def with_key(self, key: str) -> "Call[Answer_co]":
        """The same under a key, if it takes one and has none yet."""
        return replace(self, key=key) if self.keyed and self.key is None else self


def get(
    operation: str,
    path: str,
    take: Callable[[Any], Answer],
    params: Mapping[str, Any] | None = None,
    media: str = JSON,
    **place: str,
) -> Call[Answer]:
    """A request that only reads."""
    return Call(operation, "GET", path, take, _parts(place), _told(params or {}), idempotent=True, media=media)


def post(
    operation: str,
    path: str,
    take: Callable[[Any], Answer],
    json: Any = None,
    *,
    method: str = "POST",
    idempotent: bool = False,
    **place: str,
) -> Call[Answer]:
    """A request that says something."""
    return Call(operation, method, path, take, _parts(place), json=json, idempotent=idempotent)


def keyed(
    operation: str, path: str, take: Callable[[Any], Answer], json: Any, key: str | None, **place: str
) -> Call[Answer]:
    """A request that is done once however often it is sent: it goes under a key."""
    return Call(operation, "POST", path, take, _parts(place), json=json, key=key, keyed=True)


def said(**fields: Any) -> dict[str, Any]:
    """The fields that are not None."""
    return dict(_told(fields))


def a(kind: type[Answer]) -> Callable[[Any], Answer]:
    """What reads an answer that is one value of a kind."""
    return partial(_reading.read, kind)


def rows_of(board: Rows) -> list[list[int]]:
    """A board as JSON."""
    return [list(row) for row in board]


def following(told: Any, further: Callable[[str], Call[Page[Item]]]) -> Call[Page[Item]] | None:
    """The call for the page after one; None after the last."""
    cursor = _reading.field(told, "next_cursor", str | None)
    return None if cursor is None else further(cursor)


def _told(fields: Mapping[str, Any]) -> Pairs:
    return tuple((name, value) for name, value in fields.items() if value is not None)


def _parts(place: Mapping[str, str]) -> Pairs:
    """ValueError for what can be no id: services and proxies take a slash for one however it is escaped."""
    for name, part in place.items():
        if not part.strip(".") or "/" in part or "\\" in part:
            raise ValueError(f"{name} cannot be {part!r}")
    return tuple(place.items())
