"""How busy this machine is with others: the time that we stood ready and no core was free."""

import os
from contextlib import suppress
from pathlib import Path

PROCESSES = Path("/proc")


def waited() -> float:
    """Milliseconds so far, of all threads of this process and of those it began; 0 where the system does not tell."""
    return sum(_waited(thread) for process in _family() for thread in (PROCESSES / process / "task").glob("*"))


def _waited(thread: Path) -> float:
    with suppress(OSError):
        return int((thread / "schedstat").read_text().split()[1]) / 1e6
    return 0.0


def _family() -> set[str]:
    """This process, its children, theirs, and so on."""
    parents: dict[str, str] = {}
    for stat in PROCESSES.glob("[0-9]*/stat"):
        with suppress(OSError):
            parents[stat.parent.name] = stat.read_text().rpartition(")")[2].split()[1]
    family, grown = set[str](), {str(os.getpid())}
    while grown:
        family |= grown
        grown = {process for process, parent in parents.items() if parent in grown} - family
    return family
