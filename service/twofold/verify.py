"""A record proved: played again and compared with every figure that its seed and moves determine."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from twofold.clock import MS
from twofold.errors import InvalidRecord, Place, dotted
from twofold.game import IDLE, Cause, Event, EventType, Game
from twofold.record import Record, Result, result_of
from twofold.replay import replay
from twofold.rules import GOAL, MODES
from twofold.spawn import commitment, start_tiles

Proof = Literal["seed", "consistent"]


class Finding(NamedTuple):
    """A figure that is not what it must be, and its place in the document."""

    place: Place
    message: str

    def __str__(self) -> str:
        return f"{dotted(self.place)}: {self.message}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of playing a record again: `proof` is what it rests on, `result` what the replay came to."""

    proof: Proof
    findings: tuple[Finding, ...]
    result: Result

    @property
    def valid(self) -> bool:
        return not self.findings


def verify(record: Record) -> Verdict:
    """Play a parsed record again; the first figure of each kind that differs is named.

    Each move's tile is drawn from the seed in the record where there is one, else taken as told where it may
    appear. At the first event that cannot have happened the replay ends, and the verdict's result with it.
    """
    findings = [*_seals(record), *_terms(record), *_start(record)]
    events = replay(record)
    game = next(events).game
    try:
        for number, event in enumerate(events):
            findings += _figures(record, number, game, event)
            game = event.game
    except InvalidRecord as impossible:
        findings.append(Finding(impossible.place, impossible.reason))
    else:
        findings += [*_instants(record, game), *_result(record, game)]
    proof: Proof = "consistent" if record.seed is None else "seed"
    return Verdict(proof, _first_of_each_kind(findings), result_of(game, record.header.elapsed_ms))


def _first_of_each_kind(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Of findings in the order of play; those of all events at one column are of one kind."""
    firsts: dict[Place, Finding] = {}
    for finding in findings:
        place = finding.place
        firsts.setdefault(("events", *place[2:]) if place[0] == "events" else place, finding)
    return tuple(firsts.values())


def _differs(place: Place, expected: object, found: object) -> Iterator[Finding]:
    if expected != found:
        yield Finding(place, f"expected {_shown(expected)}, found {_shown(found)}")


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 200 else f"{text[:200]}…"


def _seals(record: Record) -> Iterator[Finding]:
    yield from _differs(("digest",), record.actual_digest, record.digest)
    if record.seed is not None:
        yield from _differs(("commitment",), commitment(record.seed).hex(), record.commitment.hex())


def _terms(record: Record) -> Iterator[Finding]:
    """The mode's own rules, and what a game of it must have."""
    header, rules = record.header, record.rules
    mode = MODES.get(header.mode)
    if mode is None:
        yield Finding(("game", "mode"), f"expected one of {', '.join(MODES)}, found {_shown(header.mode)}")
        return
    yield from _among(("rules", "size"), mode.sizes, rules.size)
    yield from _among(("rules", "goal"), (GOAL,), rules.goal)
    yield from _among(("rules", "time_limit_ms"), (mode.time_limit_ms,), rules.time_limit_ms)
    yield from _among(("rules", "move_limit"), (mode.move_limit,), rules.move_limit)
    yield from _among(("rules", "undo_limit"), mode.undo_limits, rules.undo_limit)
    if record.start.given and mode is not MODES["practice"]:
        yield Finding(("start", "given"), f"{mode.name} is played from no given board")
    if mode is MODES["daily"]:
        for name, value in (("date", header.date), ("attempt", header.attempt)):
            if value is None:
                yield Finding(("game", name), f"a daily game has its {name}, found null")


def _among(place: Place, allowed: tuple[int | None, ...], found: int | None) -> Iterator[Finding]:
    if found not in allowed:
        yield Finding(place, f"expected {' or '.join(map(_shown, allowed))}, found {_shown(found)}")


def _start(record: Record) -> Iterator[Finding]:
    """The start tiles, in the order of their spawns; a given board is taken as it is, row by row."""
    cells, values = [tile.cell for tile in record.start.tiles], [tile.value for tile in record.start.tiles]
    if record.start.given:
        yield from _differs(("start", "cells"), sorted(cells), cells)
    elif record.seed is not None:
        tiles = start_tiles(record.seed, record.rules.size)
        yield from _differs(("start", "cells"), [tile.cell for tile in tiles], cells)
        yield from _differs(("start", "values"), [tile.value for tile in tiles], values)
    elif len(cells) != 2:
        yield Finding(("start", "cells"), f"expected two start tiles, found {len(cells)}")
    elif not {2, 4}.issuperset(values):
        yield Finding(("start", "values"), f"expected start tiles of 2 or 4, found {_shown(values)}")


def _figures(record: Record, number: int, before: Game, event: Event) -> Iterator[Finding]:
    """What one entry tells, against the event that it makes of the game before it."""
    entry, place = record.entries[number], ("events", number)
    if (expected := _time(record, before, event, entry.active // MS)) is not None:
        yield Finding((*place, 2), f"expected {expected}, found {entry.active // MS}")
    if entry.cause is not None and entry.cause not in _causes(record, entry.type):
        yield Finding((*place, 3), f"no {entry.type} of this game has the cause {entry.cause}")
    yield from _differs((*place, 4), event.spawn, entry.spawn)


def _time(record: Record, before: Game, event: Event, told: int) -> str | None:
    """What the active time after an event ought to be, where the told one is not."""
    limit, least = record.rules.time_limit_ms, before.active // MS
    if event.cause is Cause.TIME_UP:
        return None if told == limit else f"{limit}, the limit"
    if not before.clock.running:
        return None if told == least else f"{least}, as the clock stood"
    if event.cause is Cause.IDLE:
        least += IDLE // MS
    if told < least:
        return f"at least {least}"
    return f"less than {limit}, the limit" if limit is not None and told >= limit else None


def _causes(record: Record, kind: EventType) -> set[Cause]:
    """Why such a game may be paused or over: a limited clock fears a lost connection, another falls idle."""
    timed = record.rules.time_limit_ms is not None
    if kind is EventType.PAUSE:
        return {Cause.PLAYER, Cause.OUTAGE, Cause.DISCONNECT if timed else Cause.IDLE}
    return {Cause.PLAYER, Cause.TIME_UP} | ({Cause.REVEAL} if record.header.mode == "daily" else set())


def _instants(record: Record, game: Game) -> Iterator[Finding]:
    """That such a game has these instants, and in order; more the record alone cannot tell."""
    header = record.header
    start = header.created_at if header.started_at is None else header.started_at
    if game.started_at is not None and header.started_at is None:
        yield Finding(("game", "started_at"), "expected an instant, as the game was started, found null")
    if start < header.created_at:
        yield Finding(("game", "started_at"), "expected an instant after created_at, found an earlier one")
    if header.ended_at is None:
        if game.over:
            yield Finding(("game", "ended_at"), "expected an instant, as the game is over, found null")
    elif not game.over:
        yield Finding(("game", "ended_at"), "expected null, as the game is not over, found an instant")
    elif header.ended_at // MS - start // MS < game.active // MS:
        yield Finding(("game", "ended_at"), f"expected {game.active // MS} ms of active time after the start")


def _result(record: Record, game: Game) -> Iterator[Finding]:
    expected = result_of(game, record.header.elapsed_ms)
    found: Mapping[str, object] = record.result
    for name, value in expected.items():
        if name != "board":
            yield from _differs(("result", name), value, found[name])
    yield from _board(expected["board"], record.result["board"])


def _board(expected: list[list[int]], found: list[list[int]]) -> Iterator[Finding]:
    """The first row that differs."""
    if len(expected) != len(found):
        yield Finding(("result", "board"), f"expected {len(expected)} rows, found {len(found)}")
        return
    for number, (row, told) in enumerate(zip(expected, found, strict=True)):
        if row != told:
            yield Finding(("result", "board", number), f"expected {_shown(row)}, found {_shown(told)}")
            return
