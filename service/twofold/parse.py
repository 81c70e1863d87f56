"""A record read strictly: whatever is not exactly one is refused with its place, never half read."""

import json
import re
from collections.abc import Callable
from enum import StrEnum
from typing import Any, NamedTuple, NoReturn, TypeVar

from twofold.board import MAX_GIVEN_EXPONENT, MAX_SIZE, MIN_SIZE, Direction
from twofold.clock import MS, from_rfc3339
from twofold.daily import parse_date
from twofold.errors import InvalidRecord, Place
from twofold.game import Cause, EventType, Outcome, Status
from twofold.record import FORMAT, Entry, Header, Record, Result, Start, digest
from twofold.rules import Rules
from twofold.spawn import Spawn

LIMIT_BYTES = 8 * 2**20
LONGEST_TEXT = 128
LARGEST_NUMBER = 2**53 - 1  # JavaScript would read a larger one as another

Answer = TypeVar("Answer")
Word = TypeVar("Word", bound=StrEnum)


def parse(source: bytes | str | dict[str, Any]) -> Record:
    """The record in a JSON text or in a document read from one; InvalidRecord for whatever else it may be.

    Only form is looked at: a record that can be read may still tell of a game that never was.
    """
    whole = Part(source if isinstance(source, dict) else _read(source), ())
    whole.fields(*_ALL)
    seed = whole.at("seed").maybe(Part.hex)
    rules = _rules(whole.at("rules"))
    return Record(
        header=_header(whole.at("game")),
        rules=rules,
        start=_start(whole.at("start"), rules.size, drawn=seed is not None),
        entries=tuple([_entry(row) for row in whole.at("events").items()]),
        result=_result(whole.at("result")),
        commitment=whole.at("commitment").hex(),
        seed=seed,
        digest=whole.at("digest").hex().hex(),
        actual_digest=digest(whole.value),
    )


_ALL = ("format", "game", "rules", "start", "events", "result", "commitment", "seed", "digest")


class Part(NamedTuple):
    """A value in a document and its place there; reading it answers with what was wanted or refuses it."""

    value: Any
    place: Place

    def at(self, key: str | int) -> "Part":
        return Part(self.value[key], (*self.place, key))

    def fields(self, *names: str) -> "Part":
        """Itself, an object with exactly these fields."""
        if not isinstance(self.value, dict):
            self.refuse("an object")
        if self.value.get("format", FORMAT) != FORMAT and not self.place:
            self.at("format").refuse(FORMAT)
        for name in names:
            if name not in self.value:
                raise InvalidRecord((*self.place, name), "missing")
        for name in self.value:
            if name not in names:
                raise InvalidRecord(self.place, f"unknown field {_shown(name)}")
        return self

    def items(self, count: int | None = None) -> list["Part"]:
        if type(self.value) is not list or count not in (None, len(self.value)):
            self.refuse("a list" if count is None else f"a list of {count}")
        return [Part(item, (*self.place, index)) for index, item in enumerate(self.value)]

    def integer(self, least: int = 0, most: int = LARGEST_NUMBER) -> int:
        if type(self.value) is not int or not least <= self.value <= most:
            self.refuse(f"an integer from {least} to {most}")
        return self.value

    def flag(self) -> bool:
        return self.value if isinstance(self.value, bool) else self.refuse("true or false")

    def text(self) -> str:
        if type(self.value) is not str or not _TEXT.fullmatch(self.value):
            self.refuse(f"a text of 1 to {LONGEST_TEXT} characters")
        return self.value

    def hex(self) -> bytes:
        if type(self.value) is not str or not _HEX.fullmatch(self.value):
            self.refuse("64 lower-case hex digits")
        return bytes.fromhex(self.value)

    def instant(self) -> int:
        try:
            if type(self.value) is str and _INSTANT.fullmatch(self.value):
                return from_rfc3339(self.value)
        except ValueError:
            pass
        self.refuse("an instant like 2027-01-31T23:59:59.999Z")

    def date(self) -> str:
        try:
            return parse_date(self.text()).isoformat()
        except ValueError:
            self.refuse("a date like 2027-01-31")

    def word(self, words: type[Word]) -> Word:
        try:
            return words(self.value) if type(self.value) is str else self.refuse("a word")
        except ValueError:
            self.refuse(f"one of {', '.join(words)}")

    def maybe(self, read: Callable[["Part"], Answer]) -> Answer | None:
        return None if self.value is None else read(self)

    def refuse(self, wanted: str) -> NoReturn:
        raise InvalidRecord(self.place, f"expected {wanted}, found {_shown(self.value)}")


def _header(game: Part) -> Header:
    game.fields("id", "mode", "date", "attempt", "player", "created_at", "started_at", "ended_at")
    player = game.at("player").fields("id", "name")
    return Header(
        id=game.at("id").text(),
        mode=game.at("mode").text(),
        date=game.at("date").maybe(Part.date),
        attempt=game.at("attempt").maybe(lambda attempt: attempt.integer(1)),
        player_id=player.at("id").text(),
        player_name=player.at("name").maybe(Part.text),
        created_at=game.at("created_at").instant(),
        started_at=game.at("started_at").maybe(Part.instant),
        ended_at=game.at("ended_at").maybe(Part.instant),
    )


def _rules(rules: Part) -> Rules:
    rules.fields("size", "goal", "time_limit_ms", "move_limit", "undo_limit")
    return Rules(
        size=rules.at("size").integer(MIN_SIZE, MAX_SIZE),
        goal=rules.at("goal").integer(1),
        time_limit_ms=rules.at("time_limit_ms").maybe(Part.integer),
        move_limit=rules.at("move_limit").maybe(Part.integer),
        undo_limit=rules.at("undo_limit").maybe(Part.integer),
    )


def _start(start: Part, size: int, *, drawn: bool) -> Start:
    """The start tiles; where the seed does not draw them, they must make a board."""
    start.fields("given", "cells", "values")
    given, cells = start.at("given").flag(), [cell.integer() for cell in start.at("cells").items()]
    values = [value.integer() for value in start.at("values").items(len(cells))]
    if given or not drawn:
        _board(start, cells, values, size)
    return Start(given, tuple(map(Spawn, cells, values)))


def _board(start: Part, cells: list[int], values: list[int], size: int) -> None:
    if not cells or len(set(cells)) < len(cells) or max(cells) >= size * size:
        raise InvalidRecord((*start.place, "cells"), f"expected different cells below {size * size}")
    for index, value in enumerate(values):
        if value.bit_count() != 1 or not 2 <= value <= 1 << MAX_GIVEN_EXPONENT:
            start.at("values").at(index).refuse(f"a power of two from 2 to 2^{MAX_GIVEN_EXPONENT}")


def _entry(row: Part) -> Entry:
    kind, direction, active, cause, spawn = row.items(5)
    type_ = kind.word(EventType)
    if type_ is EventType.CREATED:
        kind.refuse("an event after the creation")
    moves = type_ is EventType.MOVE
    for part, wanted in ((direction, moves), (cause, type_ in _CAUSED), (spawn, moves)):
        if (part.value is not None) is not wanted:
            part.refuse(f"{'something' if wanted else 'null'} for {type_}")
    return Entry(
        type_,
        direction.maybe(lambda part: part.word(Direction)),
        active.integer() * MS,
        cause.maybe(lambda part: part.word(Cause)),
        spawn.maybe(lambda part: Spawn(*[number.integer() for number in part.items(2)])),
    )


def _result(result: Part) -> Result:
    result.fields(*Result.__annotations__)
    return {
        "score": result.at("score").integer(),
        "max_tile": result.at("max_tile").integer(),
        "moves": result.at("moves").integer(),
        "active_ms": result.at("active_ms").integer(),
        "elapsed_ms": result.at("elapsed_ms").maybe(Part.integer),
        "pauses": result.at("pauses").integer(),
        "status": result.at("status").word(Status).value,
        "outcome": result.at("outcome").maybe(lambda outcome: outcome.word(Outcome).value),
        "reached_goal": result.at("reached_goal").flag(),
        "undos": result.at("undos").integer(),
        "board": [[cell.integer() for cell in row.items()] for row in result.at("board").items()],
    }


def _read(source: bytes | str) -> object:
    try:
        raw = source.encode() if isinstance(source, str) else source
        if len(raw) > LIMIT_BYTES:
            raise InvalidRecord((), f"longer than {LIMIT_BYTES} bytes")
        return json.loads(raw.decode(), object_pairs_hook=_without_repeats, parse_constant=_no_number)
    except (UnicodeEncodeError, UnicodeDecodeError) as error:
        raise InvalidRecord((), f"not UTF-8 from place {error.start} on") from None
    except ValueError as error:
        raise InvalidRecord((), f"not JSON: {error}") from None
    except RecursionError:
        raise InvalidRecord((), "nested too deeply") from None


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise InvalidRecord((), f"the field {_shown(name)} stands twice in one object")
        fields[name] = value
    return fields


def _no_number(constant: str) -> NoReturn:
    raise InvalidRecord((), f"not JSON: {constant}")


def _shown(value: object) -> str:
    """A wrong value in a few characters that are safe to print and to send on."""
    match value:
        case None | bool():
            return {None: "null", True: "true", False: "false"}[value]
        case str():
            return json.dumps(value[:40])
        case int() if abs(value) <= LARGEST_NUMBER:
            return str(value)
        case list() | tuple():
            return f"a list of {len(value)}"
        case dict():
            return "an object"
        case _:
            return "another number"


_CAUSED = frozenset({EventType.PAUSE, EventType.OVER})
_HEX = re.compile("[0-9a-f]{64}")
_INSTANT = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z")
_TEXT = re.compile(f"[^\ud800-\udfff]{{1,{LONGEST_TEXT}}}")
