"""What the kernel says of a process: CPU time and memory, from /proc."""

import os
from collections.abc import Iterable
from pathlib import Path

TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def family(pid: int) -> list[int]:
    """A process and its living descendants."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                children.setdefault(int(_stat(int(entry.name))[1]), []).append(int(entry.name))
            except OSError:
                continue
    found = [pid]
    for member in found:
        found += children.get(member, [])
    return found


def cpu_seconds(pids: Iterable[int]) -> float:
    """User and system time of the processes so far."""
    ticks = 0
    for pid in pids:
        fields = _stat(pid)
        ticks += int(fields[11]) + int(fields[12])
    return ticks / TICK


def rss_bytes(pid: int) -> int:
    """Resident memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE


def pin(pid: int, core: int) -> None:
    """Every thread of a process on one core; threads to come inherit it."""
    for task in Path(f"/proc/{pid}/task").iterdir():
        os.sched_setaffinity(int(task.name), {core})


def cores() -> tuple[int, int]:
    """The server's core and the generator's; the same one where there is no second."""
    allowed = sorted(os.sched_getaffinity(0))
    return allowed[0], allowed[1 % len(allowed)]


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat from the third on: state, parent, …"""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
