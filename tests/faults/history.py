"""What clients of one game saw, in the order in which they saw it, and whether a log can be all that happened.

Every client notes when it sends a command, and what it hears: `ok`, a refusal, or nothing at all (`unknown`). What
became of a call that is not answered yet is unknown as well. A repeat under the same key is the same call.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import count
from typing import Any, NamedTuple

Json = dict[str, Any]
READ = "read"
_BY_PLAYERS = {"start", "move", "undo", "resume", "continue"}


class Kind(StrEnum):
    INVOKE = "invoke"
    OK = "ok"
    REFUSED = "refused"
    UNKNOWN = "unknown"
    TOLD = "told"


class Entry(NamedTuple):
    """One line: of a call, or of what a `stream` of events was told. `seen` is an event, or a game that was read."""

    kind: Kind
    call: int = 0
    command: Json | None = None
    seen: Json | None = None
    stream: str = ""


class History:
    """The lines of one game; clients in several threads may write them."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.entries = list(entries)
        self._calls = count(1)

    def invoke(self, op: str, **fields: Any) -> int:
        """A command, or a read, is about to be sent; the number of the call."""
        call = next(self._calls)
        self.entries.append(Entry(Kind.INVOKE, call, {"op": op, **fields}))
        return call

    def ok(self, call: int, seen: Json | None) -> None:
        """It was answered: with an event, with a game for a read, or with nothing for a move that moved nothing."""
        self.entries.append(Entry(Kind.OK, call, seen=seen))

    def refused(self, call: int) -> None:
        self.entries.append(Entry(Kind.REFUSED, call))

    def unknown(self, call: int) -> None:
        """Nobody will say any more what became of it."""
        self.entries.append(Entry(Kind.UNKNOWN, call))

    def told(self, stream: str, event: Json) -> None:
        """A stream of the game's events was told the next one; its first says where it begins."""
        self.entries.append(Entry(Kind.TOLD, seen=event, stream=stream))

    @property
    def acknowledged(self) -> dict[int, Json]:
        """The events that were acknowledged, by version."""
        entries = list(self.entries)
        reads = {entry.call for entry in entries if entry.command is not None and entry.command["op"] == READ}
        oks = (entry.seen for entry in entries if entry.kind is Kind.OK and entry.call not in reads)
        return {event["version"]: event for event in oks if event is not None}

    def up_to(self, version: int) -> "History":
        """The same as seen by somebody who never heard of anything later."""
        return History(entry for entry in self.entries if entry.seen is None or entry.seen["version"] <= version)

    def findings(self, log: Sequence[Json]) -> list[str]:
        """What is wrong if this log is what became of the game; nothing, as it should be."""
        return _Check(log).of(self.entries)


@dataclass(slots=True)
class _Call:
    """`floor`: the newest version that anybody had heard of when it was sent."""

    command: Json
    floor: int
    answered: bool = False
    refused: bool = False
    version: int | None = None


class _Check:
    def __init__(self, log: Sequence[Json]) -> None:
        self.found: list[str] = []
        self._log = log
        self._by_version = {event["version"]: event for event in log}
        self._calls: dict[int, _Call] = {}
        self._owners: dict[int, int] = {}
        self._told: dict[str, int] = {}
        self._newest = 0

    def of(self, entries: Iterable[Entry]) -> list[str]:
        versions = [event["version"] for event in self._log]
        if versions != list(range(1, len(versions) + 1)):
            self.found.append(f"the log is not 1…n once each: {_holes(versions)}")
        for entry in entries:
            self._take(entry)
        self._rest()
        return self.found

    def _take(self, entry: Entry) -> None:
        if entry.kind is Kind.TOLD:
            self._tell(entry.stream, entry.seen or {})
        elif entry.kind is Kind.INVOKE:
            self._calls[entry.call] = _Call(entry.command or {}, self._newest)
        elif entry.kind is Kind.REFUSED:
            self._calls[entry.call].refused = True
        elif entry.kind is Kind.OK:
            call = self._calls[entry.call]
            if call.command["op"] == READ:
                self._read(call, entry.seen or {})
            else:
                self._acknowledge(entry.call, call, entry.seen)

    def _acknowledge(self, number: int, call: _Call, event: Json | None) -> None:
        version = None if event is None else event["version"]
        if call.answered and version != call.version:
            self.found.append(f"{call.command} was answered with version {call.version}, then with {version}")
        call.answered, call.version = True, version
        if event is None or version is None:
            return
        if self._owners.setdefault(version, number) != number:
            self.found.append(f"version {version} was acknowledged to two commands")
        if version <= call.floor:
            self.found.append(f"version {version} is of a command that was sent when {call.floor} was known")
        self._is_stored(event, "acknowledged")

    def _read(self, call: _Call, game: Json) -> None:
        version = game["version"]
        if version < call.floor:
            self.found.append(f"a read went back: it found version {version}, begun when {call.floor} was known")
        self._newest = max(self._newest, version)
        stored = self._by_version.get(version)
        if stored is None:
            self.found.append(f"version {version} was read, and is not in the log")
        elif any(game[field] != stored[field] for field in ("board", "score", "moves") if field in game):
            self.found.append(f"version {version} was read otherwise than it is stored")

    def _tell(self, stream: str, event: Json) -> None:
        last, version = self._told.get(stream), event["version"]
        if last is not None and version != last + 1:
            self.found.append(f"stream {stream} was told version {version} after {last}")
        self._told[stream] = version
        self._is_stored(event, "told")

    def _is_stored(self, event: Json, how: str) -> None:
        self._newest = max(self._newest, event["version"])
        stored = self._by_version.get(event["version"])
        if stored is None:
            self.found.append(f"version {event['version']} was {how}, and is not in the log")
        elif stored != event:
            self.found.append(f"version {event['version']} was {how} otherwise than it is stored")

    def _rest(self) -> None:
        """What nobody was told must be what nobody was answered, each once at most; a refused command did nothing."""
        open_ = [call for call in self._calls.values() if not (call.answered or call.refused)]
        spare = Counter(_kind(call.command["op"], call.command) for call in open_)
        for event in self._log:
            if event["version"] in self._owners or not _by_player(event):
                continue
            kind = _kind(event["type"], event)
            if not spare[kind]:
                self.found.append(f"version {event['version']} ({kind[0]}) is nobody's, or a command was done twice")
            spare[kind] -= 1


def _kind(op: str, fields: Json) -> tuple[str, str | None]:
    """What must agree between a command and the event it may have made."""
    return ("over" if op == "abandon" else op), fields.get("direction")


def _by_player(event: Json) -> bool:
    return event["type"] in _BY_PLAYERS or event.get("cause") == "player"


def _holes(versions: Sequence[int]) -> str:
    wrong = next(
        (place for place, version in enumerate(versions, 1) if version != place),
        len(versions),
    )
    return f"{len(versions)} events, and {versions[wrong - 1]} stands at {wrong}"
