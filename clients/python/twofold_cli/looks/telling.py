"""A record in words: what it is, and what each of its events did."""

from typing import Any

from twofold.board import rows_of
from twofold.clock import MS
from twofold.game import Event, EventType
from twofold.record import Record
from twofold.verify import Verdict
from twofold_cli.looks.printed import count, duration, safe
from twofold_cli.looks.view import NAMES


def title(record: Record) -> str:
    """Mode and size."""
    mode, size = record.header.mode, record.rules.size
    return f"{safe(NAMES.get(mode, mode))} {size}×{size}"


def origin(record: Record) -> str:
    """Of what date, and by whom."""
    date = "" if record.header.date is None else f"of {record.header.date} "
    return f"{date}by {player(record)}"


def player(record: Record) -> str:
    return safe(record.header.player_name or record.header.player_id)


def outcome(record: Record, last: Event) -> str:
    position = last.game.position
    end = last.game.outcome.replace("_", " ") if last.game.outcome is not None else last.game.status
    figures = f"{count(position.score, 'point')} in {count(position.moves, 'move')}"
    return f"{figures}, {duration(last.game.active // MS)} of play, {end}"


def proof(verdict: Verdict) -> str:
    return f"valid, proof {verdict.proof}" if verdict.valid else f"INVALID: {verdict.findings[0]}"


def event(event: Event) -> str:
    """What one event did, in a few words."""
    if event.type is EventType.MOVE:
        gain = f" +{event.score_delta:,}" if event.score_delta else ""
        return f"{event.direction}{gain}"
    return f"{event.type} ({event.cause})" if event.cause is not None else str(event.type)


def lines(events: list[Event]) -> list[tuple[str, ...]]:
    """One row an event: its number, the move, the active time, what it did, the tile, the score."""
    return [
        (
            str(number),
            str(each.game.position.moves),
            duration(each.game.active // MS),
            event(each),
            "" if each.spawn is None else f"{each.spawn.value} in {each.spawn.cell}",
            f"{each.game.position.score:,}",
        )
        for number, each in enumerate(events)
    ]


def document(record: Record, events: list[Event], verdict: Verdict) -> dict[str, Any]:
    """The same for programs."""
    header = record.header
    return {
        "game": header.id,
        "mode": header.mode,
        "size": record.rules.size,
        "date": header.date,
        "player": header.player_name,
        "valid": verdict.valid,
        "proof": verdict.proof,
        "findings": [{"loc": list(finding.place), "msg": finding.message} for finding in verdict.findings],
        "result": verdict.result,
        "steps": [_step(each) for each in events],
    }


def _step(event: Event) -> dict[str, Any]:
    game = event.game
    return {
        "type": event.type.value,
        "direction": event.direction,
        "cause": event.cause,
        "active_ms": game.active // MS,
        "spawn": None if event.spawn is None else event.spawn._asdict(),
        "score": game.position.score,
        "moves": game.position.moves,
        "board": rows_of(game.rules.size, game.position.cells),
    }
