"""JSON of the live protocol: what each frame holds. asyncapi.yaml is made from these."""

from typing import Annotated, Literal, NotRequired

import orjson
from pydantic import Field, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from twofold_service.errors import BadFrame, Invalid
from twofold_service.wire.games import DirectionWord, EventOut, GameOut, Instant, PlayerOut, Strict

Id = Annotated[int, Field(ge=-(2**53), le=2**53)] | Annotated[str, Field(max_length=64)]
GameId = Annotated[str, Field(min_length=1, max_length=64)]
Key = Annotated[str, Field(min_length=1, max_length=64)]
Version = Annotated[int, Field(ge=1, le=2**53)]


class _Frame(Strict):
    id: Id


class Hello(_Frame):
    """The first frame of a connection, within 10 s; without a token one can only watch."""

    op: Literal["hello"]
    token: str | None = Field(None, max_length=256)
    client: str | None = Field(None, max_length=256, description="name and version of the client")


class Watch(_Frame):
    """Be told of a game from now on, and of what came after version `since`."""

    op: Literal["watch"]
    game: GameId
    since: Annotated[int, Field(ge=0, le=2**53)] | None = None


class Unwatch(_Frame):
    op: Literal["unwatch"]
    game: GameId


class Move(_Frame):
    op: Literal["move"]
    game: GameId
    direction: DirectionWord
    version: Version | None = None
    key: Key | None = None


class GameCommand(_Frame):
    op: Literal["start", "undo", "pause", "resume", "continue", "abandon"]
    game: GameId
    version: Version | None = None
    key: Key | None = None


class Ping(_Frame):
    op: Literal["ping"]


Frame = Hello | Watch | Unwatch | Move | GameCommand | Ping
OPS = ("hello", "watch", "unwatch", "move", "start", "undo", "pause", "resume", "continue", "abandon", "ping")

_FRAMES: TypeAdapter[Frame] = TypeAdapter(Annotated[Frame, Field(discriminator="op")])
_VALIDATOR = _FRAMES.validator  # without the adapter's own call, for every frame comes through here


class HelloOk(TypedDict):
    player: PlayerOut | None
    protocol: str
    server_now: Instant
    ping_ms: int
    limits: dict[str, int]


class WatchOk(TypedDict):
    """`recovered`: every event after `since` follows; otherwise `game` is what to go on from."""

    recovered: bool
    role: Literal["player", "spectator"]
    game: NotRequired[GameOut]


class MoveOk(TypedDict):
    moved: bool
    event: EventOut | None
    replayed: NotRequired[bool]


class CommandOk(TypedDict):
    event: EventOut | None
    replayed: NotRequired[bool]


class PingOk(TypedDict):
    server_now: Instant


class EventPush(TypedDict):
    ev: Literal["event"]
    game: str
    event: EventOut


class PingPush(TypedDict):
    ev: Literal["ping"]
    server_now: Instant


class DrainingPush(TypedDict):
    ev: Literal["draining"]
    retry_after_ms: int


class GonePush(TypedDict):
    ev: Literal["gone"]
    game: str


class AnalysisPush(TypedDict):
    """How far the analysis of a watched game is; at 1 it can be asked for."""

    ev: Literal["analysis"]
    game: str
    depth: int
    progress: float


class Unread(BadFrame):
    """A frame that is no command; `id` is what could be read of its id."""

    def __init__(self, detail: str, id_: int | str | None = None) -> None:
        super().__init__(detail)
        self.id = id_


class Misread(Invalid):
    """A command with a field at fault."""

    def __init__(self, id_: int | str | None, errors: list[tuple[tuple[str | int, ...], str]]) -> None:
        super().__init__("A field of the command is not as it must be.", errors=errors)
        self.id = id_


def read(text: bytes) -> Frame:
    """The command in a frame; Unread where it is none, Misread where a field of it is at fault."""
    try:
        frame: Frame = _VALIDATOR.validate_json(text)
    except ValidationError as error:
        raise _unread(text, error) from error
    return frame


def _unread(text: bytes, refused: ValidationError) -> "Unread | Misread":
    """What is wrong with a frame that was refused, and the id it can be answered under."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        return Unread(f"This is no JSON: {error.msg}.")
    if not isinstance(value, dict):
        return Unread("A command is a JSON object.")
    id_ = value.get("id")
    if isinstance(id_, bool) or not isinstance(id_, int | str) or (isinstance(id_, str) and len(id_) > 64):
        return Unread("A command has an id: a number or a short text.")
    if value.get("op") not in OPS:
        return Unread("A command has an op: " + ", ".join(OPS) + ".", id_)
    return Misread(id_, [(tuple(fault["loc"][1:]), fault["msg"]) for fault in refused.errors(include_url=False)])
