"""JSON read into values: fields unknown to us are passed over, a missing or a wrong one is named."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, NoReturn, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from twofold.board import Slide
from twofold.errors import Place
from twofold.rules import Mode
from twofold.spawn import Spawn
from twofold_client.errors import ProtocolError

Value = TypeVar("Value")
Read = Callable[[Any, Place], Any]

# The rule book's values: what JSON calls their fields where it has another word. All of them must be told.
_RULE_BOOK: dict[type, dict[str, str]] = {Slide: {"origin": "from", "target": "to"}, Spawn: {}, Mode: {"name": "mode"}}


def read(kind: type[Value], value: object, *place: str | int) -> Value:
    """The value of a kind in what was read from JSON; ProtocolError, with the place, where it is none."""
    return cast(Value, reader(cast(Any, kind))(value, place))


def field(document: object, name: str, kind: Any = Any) -> Any:
    """A field that must be there, as a value of a kind."""
    if not isinstance(document, dict):
        _refuse(document, (), "an object")
    if name not in document:
        raise ProtocolError(f"{name} is missing")
    return reader(kind)(document[name], (name,))


@cache
def reader(kind: Any) -> Read:
    """What reads values of a kind: worked out once from its annotations."""
    origin = get_origin(kind)
    if kind in _PLAIN:
        return _plain(kind)
    if kind is list:
        return _list
    if kind is Any:
        return lambda value, _: value
    if kind is float:
        return _number
    if origin in (Union, UnionType):
        return _one_of(get_args(kind))
    if origin is tuple:
        item = get_args(kind)[0]
        return _integers if item is int else _tuple(reader(item))
    if origin is Literal:
        return _word(get_args(kind))
    if origin is not None and issubclass(origin, Mapping):
        return _object
    if issubclass(kind, StrEnum):
        return _enumerated(kind)
    if kind is datetime:
        return _instant
    return _record(kind)


_PLAIN: dict[Any, str] = {int: "an integer", bool: "true or false", str: "a text", NoneType: "null"}


def _plain(kind: type) -> Read:
    def take(value: Any, place: Place) -> Any:
        return value if type(value) is kind else _refuse(value, place, _PLAIN[kind])

    return take


def _number(value: Any, place: Place) -> Any:
    return float(value) if type(value) in (int, float) else _refuse(value, place, "a number")


def _one_of(kinds: tuple[Any, ...]) -> Read:
    """`X | None`, or one of plain kinds."""
    if all(kind in _PLAIN for kind in kinds):
        wanted = " or ".join(_PLAIN[kind] for kind in kinds)
        return lambda value, place: value if type(value) in kinds else _refuse(value, place, wanted)
    (inner,) = [reader(kind) for kind in kinds if kind is not NoneType]
    return lambda value, place: None if value is None else inner(value, place)


def _tuple(item: Read) -> Read:
    def take(value: Any, place: Place) -> Any:
        return tuple([item(part, (*place, index)) for index, part in enumerate(_list(value, place))])

    return take


def _integers(value: Any, place: Place) -> Any:
    """A row of a board: read by the dozen."""
    return tuple(value) if type(value) is list and set(map(type, value)) <= {int} else _slowly(value, place)


_slowly = _tuple(_plain(int))


def _list(value: object, place: Place) -> list[object]:
    return value if isinstance(value, list) else _refuse(value, place, "a list")


def _object(value: Any, place: Place) -> Any:
    return value if isinstance(value, dict) else _refuse(value, place, "an object")


def _word(words: tuple[str, ...]) -> Read:
    return lambda value, place: value if value in words else _refuse(value, place, f"one of {', '.join(words)}")


def _enumerated(kind: type[StrEnum]) -> Read:
    words: dict[Any, StrEnum] = {word.value: word for word in kind}

    def take(value: Any, place: Place) -> Any:
        if type(value) is str and (word := words.get(value)) is not None:
            return word
        _refuse(value, place, f"one of {', '.join(words)}")

    return take


def _instant(value: Any, place: Place) -> datetime:
    try:
        if type(value) is str and (moment := datetime.fromisoformat(value)).tzinfo is not None:
            return moment
    except ValueError:
        pass
    _refuse(value, place, "an instant like 2027-01-31T23:59:59.999Z")


def _record(kind: Any) -> Read:
    """A dataclass or named tuple from an object; a field with a default need not be told, unless the rule book's."""
    hints, names = get_type_hints(kind), _RULE_BOOK.get(kind, {})
    optional = set()
    if is_dataclass(kind) and kind not in _RULE_BOOK:
        optional = {part.name for part in fields(kind) if part.default is not MISSING}
    told = fields(kind) if is_dataclass(kind) else ()
    parts = [(name, names.get(name, name)) for name in ([part.name for part in told] or hints)]
    plan = [(name, json, reader(hints[name]), name in optional) for name, json in parts]

    def take(value: Any, place: Place) -> Any:
        if not isinstance(value, dict):
            _refuse(value, place, "an object")
        found = {}
        for name, json, take_part, may_lack in plan:
            if json in value:
                found[name] = take_part(value[json], (*place, json))
            elif not may_lack:
                raise ProtocolError(f"{_dotted((*place, json))} is missing")
        return kind(**found)

    return take


def _refuse(value: object, place: Place, wanted: str) -> NoReturn:
    shown = repr(value)
    raise ProtocolError(f"{_dotted(place)}: expected {wanted}, found {shown if len(shown) <= 60 else shown[:60] + '…'}")


def _dotted(place: Place) -> str:
    return ".".join(map(str, place)) or "the answer"
