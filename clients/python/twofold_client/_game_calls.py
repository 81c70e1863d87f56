"""The operations on games as data: begun, listed, read, proved, drawn and played."""

from typing import Any, Literal

from twofold.board import Direction
from twofold.errors import InvalidRecord
from twofold.record import FORMAT
from twofold_client import values
from twofold_client._call import MOST, Call, Rows, Way, a, following, get, keyed, post, rows_of, said
from twofold_client._reading import field, read
from twofold_client.advice import Analysis, GameHint
from twofold_client.errors import ProtocolError, UnderWay, WrongVersion
from twofold_client.record import Record
from twofold_client.standings import Page
from twofold_client.values import EventSeen, GameState, Played, UnreadableGame


def new_game(
    mode: str = "classic",
    *,
    size: int | None = None,
    undo_limit: int | None = None,
    start: bool | None = None,
    visibility: Literal["public", "private"] | None = None,
    replaces: str | None = None,
    board: Rows | None = None,
    seed: str | None = None,
    date: str | None = None,
    key: str | None = None,
) -> Call[GameState]:
    """Begin a game; `replaces` ends another of yours in the same step. Board, seed and date are for practice."""
    rows = None if board is None else rows_of(board)
    wish = said(mode=mode, size=size, undo_limit=undo_limit, start=start, visibility=visibility, replaces=replaces)
    return keyed("createGame", "/v1/games", a(GameState), wish | said(board=rows, seed=seed, date=date), key)


def games(
    mode: str | None = None, status: str | None = None, *, limit: int = MOST, cursor: str | None = None
) -> Call[Page[GameState | UnreadableGame]]:
    """Your games, newest first; the status "open" is all but "over"."""
    asked = {"mode": mode, "status": status, "limit": limit, "cursor": cursor}

    def take(told: Any) -> Page[GameState | UnreadableGame]:
        items = field(told, "items", tuple[dict[str, Any], ...])
        listed = tuple([_game_or_not(item, place) for place, item in enumerate(items)])
        return Page(listed, following(told, lambda cursor: games(mode, status, limit=limit, cursor=cursor)))

    return get("listGames", "/v1/games", take, asked)


def _game_or_not(item: dict[str, Any], place: int) -> GameState | UnreadableGame:
    if item.get("status") == "corrupt":
        return read(UnreadableGame, item, "items", place)
    return read(GameState, item, "items", place)


def game(id: str) -> Call[GameState]:
    """A game as it stands."""
    return get("getGame", "/v1/games/{game_id}", a(GameState), game_id=id)


def events(id: str, after: int = 0, *, limit: int = MOST) -> Call[Page[EventSeen]]:
    """A game's log after a version."""

    def take(told: Any) -> Page[EventSeen]:
        seen, further = field(told, "items", tuple[EventSeen, ...]), field(told, "next_after", int | None)
        return Page(seen, None if further is None else events(id, further, limit=limit))

    return get("getEvents", "/v1/games/{game_id}/events", take, {"after": after, "limit": limit}, game_id=id)


def record(id: str) -> Call[Record]:
    """A game's record, which proves itself."""
    return get("exportGame", "/v1/games/{game_id}/export", _record, game_id=id)


def raw_rows(id: str) -> Call[values.RawRows]:
    """The stored rows of a game of yours, readable or not."""
    return get("exportGame", "/v1/games/{game_id}/export", a(values.RawRows), {"raw": "1"}, game_id=id)


def _record(told: Any) -> Record:
    if (form := field(told, "format", str)) != FORMAT:
        raise WrongVersion(f"expected a record of the format {FORMAT}, found {form[:60]!r}")
    try:
        return Record.of(told)
    except InvalidRecord as error:
        raise ProtocolError(f"not a record: {error}") from error


def verify(record: Record | dict[str, Any]) -> Call[values.Verified]:
    """Have a record proved by the service, which also says whether the game was played there."""
    document = record.document if isinstance(record, Record) else record
    return post("verifyRecord", "/v1/verify", a(values.Verified), document, idempotent=True)


def picture(
    id: str, kind: Literal["board.png", "board.svg", "replay.gif"] = "board.png", version: int | None = None
) -> Call[bytes]:
    """A picture of the position, or of the whole game, now or as of an earlier version."""
    operation, media = _PICTURES[kind]
    return get(operation, f"/v1/games/{{game_id}}/{kind}", bytes, {"version": version}, media, game_id=id)


_PICTURES = {
    "board.png": ("drawBoardPng", "image/png"),
    "board.svg": ("drawBoardSvg", "image/svg+xml"),
    "replay.gif": ("drawReplay", "image/gif"),
}


def game_hint(id: str, depth: int = 2) -> Call[GameHint]:
    """What each direction is worth in a game of yours as it stands; the game is `assisted` from then on."""
    return get("getGameHint", "/v1/games/{game_id}/hint", a(GameHint), {"depth": depth}, game_id=id)


def analysis(id: str, depth: int = 2) -> Call[Analysis]:
    """A final game looked over, once that is done: what is asked again meanwhile raises UnderWay at the deadline."""
    return get("getAnalysis", "/v1/games/{game_id}/analysis", _analysis, {"depth": depth}, game_id=id)


def _analysis(told: Any) -> Analysis:
    if isinstance(told, dict) and "state" in told:
        raise UnderWay(field(told, "progress", float))
    return read(Analysis, told)


# Commands.


def move(id: str, direction: Way, *, version: int | None = None, key: str | None = None) -> Call[Played]:
    """Push the tiles; at the version you saw, if you tell it."""
    asked = {"direction": Direction(direction).value, **said(version=version)}
    return keyed("move", "/v1/games/{game_id}/moves", a(Played), asked, key, game_id=id)


def start(id: str, *, version: int | None = None, key: str | None = None) -> Call[Played]:
    """Let the clock of a game that is ready run."""
    return _command("start", id, version, key)


def undo(id: str, *, version: int | None = None, key: str | None = None) -> Call[Played]:
    """Take one move back; neither its time nor the undo itself comes back."""
    return _command("undo", id, version, key)


def pause(id: str, *, version: int | None = None, key: str | None = None) -> Call[Played]:
    """Stop the clock of a running game."""
    return _command("pause", id, version, key)


def resume(id: str, *, version: int | None = None, key: str | None = None) -> Call[Played]:
    """Let the clock of a paused game run again."""
    return _command("resume", id, version, key)


def continue_(id: str, *, version: int | None = None, key: str | None = None) -> Call[Played]:
    """Play on after the goal was reached."""
    return _command("continue", id, version, key)


def abandon(id: str, *, version: int | None = None, key: str | None = None) -> Call[Played]:
    """End the game for good; a finished one keeps its outcome and gives up its undos."""
    return _command("abandon", id, version, key)


def _command(operation: str, id: str, version: int | None, key: str | None) -> Call[Played]:
    return keyed(operation, f"/v1/games/{{game_id}}/{operation}", a(Played), said(version=version), key, game_id=id)
