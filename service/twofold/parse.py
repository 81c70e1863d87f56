"""A record read strictly: whatever is not exactly one is refused with its place, never half read."""

import json
import re
from enum import StrEnum
from typing import Any, NoReturn, TypeVar

from twofold.board import MAX_GIVEN_EXPONENT, MAX_SIZE, MIN_SIZE
from twofold.clock import MS, from_rfc3339
from twofold.daily import parse_date
from twofold.errors import InvalidRecord, Place
from twofold.game import Cause, EventType, Outcome, Status
from twofold.board import Direction
from twofold.record import FORMAT, Entry, Header, Record, Result, Start, digest
from twofold.rules import Rules
from twofold.spawn import Spawn

LIMIT_BYTES = 8 * 2**20
LONGEST_TEXT = 128
LARGEST_NUMBER = 2**53 - 1  # beyond it JavaScript reads another number than is written


def parse(source: bytes | str | dict[str, Any]) -> Record:
    """The record in a JSON text or a document read from one; InvalidRecord for anything else, whatever it is.

    Only form is looked at here: a record that can be read may still tell of a game that never was.
    """
    document = source if isinstance(source, dict) else _read(source)
    if isinstance(document, dict) and document.get("format", FORMAT) != FORMAT:
        raise InvalidRecord(("format",), f"expected {FORMAT}, found {_shown(document['format'])}")
    fields = _object(document, (), "format game rules start events result commitment seed digest")
    seed = None if fields["seed"] is None else _hex(fields["seed"], ("seed",))
    rules = _rules(fields["rules"], ("rules",))
    return Record(
        header=_header(fields["game"], ("game",)),
        rules=rules,
        start=_start(fields["start"], ("start",), rules.size, drawn=seed is not None),
        entries=tuple([_entry(row, ("events", number)) for number, row in enumerate(_list(fields["events"], ("events",)))]),
        result=_result(fields["result"], ("result",)),
        commitment=_hex(fields["commitment"], ("commitment",)),
        seed=seed,
        digest=_hex(fields["digest"], ("digest",)).hex(),
        actual_digest=digest(fields),
    )


def _read(source: bytes | str) -> object:
    try:
        raw = source.encode() if isinstance(source, str) else source
        if len(raw) > LIMIT_BYTES:
            raise InvalidRecord((), f"longer than {LIMIT_BYTES} bytes")
        return json.loads(raw.decode(), object_pairs_hook=_without_repeats, parse_constant=_no_constant)
    except UnicodeError as error:
        raise InvalidRecord((), f"not UTF-8: {error.reason if isinstance(error, UnicodeEncodeError|UnicodeDecodeError) else error}") from None
    except ValueError as error:
        raise InvalidRecord((), f"not JSON: {error}") from None
    except RecursionError:
        raise InvalidRecord((), "nested too deeply") from None
