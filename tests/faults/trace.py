"""System calls of a serving process, and whether each reply left only after the sync of what it acknowledges."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

SYNCS = ("fdatasync", "fsync")
READS = ("read", "recvfrom", "recvmsg")
WRITES = ("write", "writev", "sendto", "sendmsg")
CALLS = (*SYNCS, *READS, *WRITES, "pwrite64")

_BEGUN = re.compile(r"(?P<thread>\d+) +(?P<name>\w+)\((?P<rest>.*)")
_ENDED = re.compile(r"(?P<thread>\d+) +<\.\.\. (?P<name>\w+) resumed>(?P<rest>.*)")
_UNFINISHED = "<unfinished ...>"


@dataclass(slots=True)
class Call:
    """A system call; `begun` and `ended` are places in the trace, which is in the order of what happened."""

    name: str
    text: str
    begun: int
    ended: int = -1

    def of(self, names: Iterable[str], file: str) -> bool:
        return self.name in names and file in self.text.partition(",")[0]


def around(output: Path, *more: str) -> list[str]:
    """The command that runs another under a trace; the tracer is the child, so signals reach the traced."""
    return ["strace", "-D", "-f", "-yy", "-qq", "-s", "160", "-o", str(output), "-e", f"trace={','.join(CALLS)}", *more]


def read(lines: Iterable[str]) -> list[Call]:
    """The calls of a trace, those put together again that were told in two lines."""
    calls: list[Call] = []
    open_: dict[str, Call] = {}
    for place, line in enumerate(lines):
        if found := _ENDED.match(line):
            call = open_.pop(found["thread"], None)
            if call is not None and call.name == found["name"]:
                call.text, call.ended = call.text + found["rest"], place
        elif found := _BEGUN.match(line):
            calls.append(Call(found["name"], found["rest"], place))
            if found["rest"].rstrip().endswith(_UNFINISHED):
                open_[found["thread"]] = calls[-1]
            else:
                calls[-1].ended = place
    return calls


def unsynced_replies(calls: list[Call], client_port: int) -> tuple[int, list[str]]:
    """How many moves were acknowledged to a client that waits for each reply, and the replies that left too early.

    Between the reading of the command and its reply there must be a write to the log of the database, and after that
    write a sync of the log that has ended."""
    peer = f"->127.0.0.1:{client_port}]>"
    replies = [call for call in calls if call.of(WRITES, peer) and r"\"moved\":true" in call.text]
    heard = [call for call in calls if call.of(READS, peer) and call.ended >= 0]
    early = []
    for reply in replies:
        command = max(call.ended for call in heard if call.ended < reply.begun)
        if not any(_commits(calls, command, reply.begun)):
            early.append(reply.text[:80])
    return len(replies), early


def _commits(calls: list[Call], after: int, before: int) -> Iterator[bool]:
    """For each sync of the log that ended within, whether a write to the log since `after` came before it."""
    written = [call.ended for call in calls if call.of(("pwrite64",), "-wal>") and call.begun > after]
    for sync in calls:
        if sync.of(SYNCS, "-wal>") and 0 <= sync.ended < before:
            yield any(0 <= end < sync.begun for end in written)
