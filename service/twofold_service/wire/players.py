"""JSON of players, their tokens and records."""

from typing import Annotated
from unicodedata import category, normalize

from pydantic import AfterValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError
from typing_extensions import TypedDict

from twofold.clock import MS
from twofold_service.usecases.values import CategoryRecord
from twofold_service.wire.games import Instant, Millis, PlayerOut, Strict

# controls, format characters (bidi marks among them), surrogates, unassigned, line and paragraph separators
_UNPRINTABLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def _name(text: str) -> str:
    name = normalize("NFC", text)
    if not 1 <= len(name) <= 32 or not name.strip():
        raise PydanticCustomError("name", "a name has 1 to 32 characters, not all of them spaces")
    if any(category(character) in _UNPRINTABLE for character in name):
        raise PydanticCustomError("name", "a name has only printable characters")
    return name


Name = Annotated[str, Field(min_length=1, max_length=128, examples=["Ada"]), AfterValidator(_name)]


class PlayerIn(Strict):
    name: Name | None = None
    bot: bool = Field(False, description="true: this player is a program; it is marked as one, and ranked among bots")


class RenameIn(Strict):
    name: Name | None


class TokenIn(Strict):
    others: bool = Field(False, description="true: end all other devices' tokens at once")


class LinkIn(Strict):
    code: str = Field(min_length=1, max_length=64, examples=["7K3M9QXA"])

    model_config = ConfigDict(json_schema_extra={"examples": [{"code": "7K3M9QXA"}]})


class NewPlayerOut(TypedDict):
    """A player and its token, which is told only this once."""

    player: PlayerOut
    token: str


class TokenOut(TypedDict):
    token: str


class LinkOut(TypedDict):
    code: str
    expires_at: Instant


class CategoryRecordOut(TypedDict):
    category: str
    mode: str
    size: int
    undo_limit: int
    best_score: int
    best_max_tile: int
    finished: int
    goals: int
    moves: int
    active_ms: Millis
    assisted: int


class TotalsOut(TypedDict):
    best_score: int
    best_max_tile: int
    finished: int
    goals: int
    moves: int
    active_ms: Millis
    assisted: int


class RecordsOut(TypedDict):
    categories: list[CategoryRecordOut]
    daily_dates: list[str]
    daily_attempts: int
    totals: TotalsOut


def records_out(records: list[CategoryRecord], dates: list[str], attempts: int) -> RecordsOut:
    categories: list[CategoryRecordOut] = [
        {
            "category": record.category,
            "mode": record.mode,
            "size": record.size,
            "undo_limit": record.undo_limit,
            "best_score": record.best_score,
            "best_max_tile": record.best_max_tile,
            "finished": record.finished,
            "goals": record.goals,
            "moves": record.moves,
            "active_ms": record.active // MS,
            "assisted": record.assisted,
        }
        for record in records
    ]
    totals: TotalsOut = {
        "best_score": max((record.best_score for record in records), default=0),
        "best_max_tile": max((record.best_max_tile for record in records), default=0),
        "finished": sum(record.finished for record in records),
        "goals": sum(record.goals for record in records),
        "moves": sum(record.moves for record in records),
        "active_ms": sum(record.active for record in records) // MS,
        "assisted": sum(record.assisted for record in records),
    }
    return {"categories": categories, "daily_dates": dates, "daily_attempts": attempts, "totals": totals}
