"""The fault table: what each line tried, how often, what was acknowledged meanwhile, and what came of it.

A test belongs to a line by `@pytest.mark.fault("…")`, and tells it figures through the fixture `line`. The long form
is `make faults`; every run in CI is a short one. A seed that is given is the only one tried.
"""

import os
import re
import secrets
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pytest

T = TypeVar("T")
LONG = os.environ.get("TWOFOLD_FAULTS") == "long"
SEED = os.environ.get("TWOFOLD_FAULTS_SEED")
RESULTS = os.environ.get("TWOFOLD_FAULTS_RESULTS")
TELL_EVERY = 5.0
HEAD = ("line", "runs", "acknowledged commands", "result", "seed", "figures", "seconds", "form")
PREFACE = """# The fault table

The last result of each line, written by `make faults`; a line that was not run keeps its row. *Runs* are kills, frames,
sockets or whatever the line repeats; *form* tells whether the row is of the long form or of CI's short one. A seed
replays its run: `TWOFOLD_FAULTS_SEED=… make faults ARGS="-k …"`. Seconds and figures are of the machine, and of what
else it did: the rows below, as first committed, are of two cores that many others shared, and some repeat less than the
long form does now (*runs* says how often).

"""


def form(short: T, long: T) -> T:
    """How much of it: in CI, and in the long form."""
    return long if LONG else short


def seeds(short: int, long: int) -> list[int]:
    """What to begin chance with: the same in every short run, new in each long one."""
    if SEED is not None:
        return [int(SEED)]
    if not LONG:
        return list(range(1, short + 1))
    first = secrets.randbelow(1 << 32)
    return [first + number for number in range(long)]


@dataclass(slots=True)
class Line:
    """One row of the table, put together from all tests that belong to it."""

    title: str
    runs: int = 0
    acknowledged: int = 0
    seeds: list[int] = field(default_factory=list)
    figures: dict[str, str] = field(default_factory=dict)
    failed: int = 0
    seconds: float = 0.0
    done: int = 0
    """Tests that ended."""
    told_at: float = 0.0

    def ran(self, runs: int = 1, *, acknowledged: int = 0, seed: int | None = None, **figures: object) -> None:
        """So much more was tried; figures are shown as they were told last."""
        self.runs += runs
        self.acknowledged += acknowledged
        if seed is not None:
            self.seeds.append(seed)
        self.figures |= {name.replace("_", " "): str(value) for name, value in figures.items()}
        if time.monotonic() - self.told_at > TELL_EVERY:
            self.told_at = time.monotonic()
            told = ", ".join(f"{name} {value}" for name, value in self.figures.items())
            print(f"\n{self.title}: {self.runs:,} runs, {self.acknowledged:,} acknowledged; {told}", end="", flush=True)

    def row(self) -> tuple[str, ...]:
        return (
            self.title,
            f"{max(self.runs, self.done):,}",
            f"{self.acknowledged:,}" if self.acknowledged else "–",
            f"{self.failed} failed" if self.failed else "held",
            _span(self.seeds),
            "; ".join(f"{name} {value}" for name, value in self.figures.items()),
            f"{self.seconds:.0f}",
            form("short", "long"),
        )


def _span(numbers: list[int]) -> str:
    if not numbers:
        return "–"
    return str(numbers[0]) if min(numbers) == max(numbers) else f"{min(numbers)}…{max(numbers)}"


class Table:
    """All lines of a run, in the order of their titles' numbers."""

    def __init__(self) -> None:
        self.lines: dict[str, Line] = {}

    def line(self, title: str) -> Line:
        return self.lines.setdefault(title, Line(title))

    def rows(self) -> list[tuple[str, ...]]:
        return sorted((line.row() for line in self.lines.values()), key=_place)

    def merged_into(self, earlier: str) -> str:
        """A page with these rows in the place of its own of the same lines."""
        kept = {row[0]: row for row in map(_cells, earlier.splitlines()) if len(row) == len(HEAD) and _place(row)[0]}
        kept |= {row[0]: row for row in self.rows()}
        return PREFACE + _page(sorted(kept.values(), key=_place))


def _place(row: tuple[str, ...]) -> tuple[int, str]:
    number = re.match(r"\d+", row[0])
    return int(number[0]) if number else 0, row[0]


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.strip().strip("|").split("|"))


def _page(rows: Iterable[tuple[str, ...]]) -> str:
    lines = [HEAD, ("---",) * len(HEAD), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


TABLE = Table()


@pytest.fixture
def line(request: pytest.FixtureRequest) -> Line:
    """The line of the table that the test belongs to."""
    marker = request.node.get_closest_marker("fault")
    assert marker is not None, "the test belongs to no line of the fault table"
    return TABLE.line(marker.args[0])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What is of the long form alone is no test of the short one, rather than one that is skipped."""
    left = [item for item in items if not LONG and item.get_closest_marker("long") is not None]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Count each test that belongs to a line, and what came of it."""
    marker = item.get_closest_marker("fault")
    if marker is None:
        return (yield)
    line, begun = TABLE.line(marker.args[0]), time.monotonic()
    try:
        return (yield)
    except BaseException:
        line.failed += 1
        raise
    finally:
        line.done += 1
        line.seconds += time.monotonic() - begun


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not LONG or not TABLE.lines:
        return
    terminalreporter.section("fault table")
    for row in TABLE.rows():
        terminalreporter.write_line(" | ".join(row))
    if RESULTS is not None:
        page = Path(RESULTS)
        page.write_text(TABLE.merged_into(page.read_text() if page.exists() else ""))
