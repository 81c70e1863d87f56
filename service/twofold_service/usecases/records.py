"""Records written and checked: pure functions that can run in another process."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from twofold import record
from twofold.errors import InvalidRecord
from twofold.game import Game
from twofold.parse import parse
from twofold.record import Entry
from twofold.verify import Verdict, verify
from twofold_service.usecases.values import Header


class Damaged(NamedTuple):
    """A document that is no record, and where."""

    place: tuple[str | int, ...]
    reason: str


class Checked(NamedTuple):
    """A record's verdict, and what is needed to look for the game it tells of."""

    verdict: Verdict
    header: record.Header
    events: int
    digest: str
    seed: bytes | None


def check(source: bytes) -> Checked | Damaged:
    try:
        read = parse(source)
    except InvalidRecord as error:
        return Damaged(error.place, error.reason)
    return Checked(verify(read), read.header, len(read.entries), read.actual_digest, read.seed)


def write(header: Header, game: Game, entries: Sequence[Entry], *, name: str | None, show_seed: bool) -> dict[str, Any]:
    """The record of a stored game as of its last entry."""
    whose = record.Header(
        id=header.id,
        mode=header.mode,
        date=header.date,
        attempt=header.attempt,
        player_id=header.player.id,
        player_name=name,
        created_at=header.created_at,
        started_at=game.started_at,
        ended_at=game.ended_at,
    )
    return record.write(whose, game, entries, show_seed=show_seed)
