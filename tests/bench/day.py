"""`python -m tests.bench.day`: do results of a day of 10,000 players answer in the time of an empty day's?

A seeded crowd plays yesterday and a page's worth of players the day before (`crowd`); nobody has played tomorrow. One
`twofold serve` answers for all three, asked in turn over one connection, round after round; medians, and their ratios
to the empty day. What a page of results costs by its length alone is seen beside the day of few. `--players`,
`--rounds` and `--seed` change the run.
"""

import argparse
import json
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import quote

from tests.bench import crowd, proc
from tests.bench.servers import Servers
from twofold.clock import SECOND
from twofold.daily import date_of, later
from twofold_service.storage.database import Database
from twofold_service.usecases.boards import ORDERS

PAGE = 20
WALK = 100
Question = tuple[str, str | None]
"""A path below /v1/daily/DATE, and the token of who asks."""


class Caller:
    """One connection, one question at a time."""

    def __init__(self, port: int) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=30)

    def ask(self, date: str, question: Question) -> tuple[float, Any]:
        """Milliseconds until the answer was read, and the answer."""
        path, token = question
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        began = time.perf_counter()
        self._connection.request("GET", f"/v1/daily/{date}{path}", headers=headers)
        response = self._connection.getresponse()
        body = response.read()
        took = (time.perf_counter() - began) * 1e3
        if response.status != 200:
            raise RuntimeError(f"{path}: {response.status} {body[:200]!r}")
        return took, json.loads(body)


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory(prefix="twofold-day-") as folder, ExitStack() as stack:
        today = date_of(round(time.time() * SECOND))
        full, few, empty = later(today, -1), later(today, -2), later(today, 1)
        began = time.perf_counter()
        tokens = _store(Path(folder) / "day.db", {few: min(PAGE, options.players), full: options.players}, options.seed)
        made = time.perf_counter() - began
        servers = Servers(Path(folder), proc.cores()[0])
        stack.callback(servers.end)
        caller = Caller(servers.start(day="serve")["day"].port)
        asked = {name: dict(_questions(caller, date, tokens[date])) for name, date in (("full", full), ("few", few))}
        times: dict[tuple[str, str], list[float]] = defaultdict(list)
        for _ in range(options.rounds):
            for title, question in asked["full"].items():
                for name, date in (("empty", empty), ("few", few), ("full", full)):
                    same = asked.get(name, {}).get(title) or _first_page_of(question)
                    times[title, name].append(caller.ask(date, same)[0])
    print(f"a day of {options.players:,} players, made in {made:.0f} s; medians of {options.rounds} rounds, ms")
    print(
        _table({title: {name: median(times[title, name]) for name in ("empty", "few", "full")} for title, _ in times})
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests.bench.day", description="Measure the results of a well-played day.")
    parser.add_argument("--players", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def _store(path: Path, days: dict[str, int], seed: int) -> dict[str, list[str]]:
    database = Database(f"sqlite:///{path}", 3000)
    database.migrate()
    tokens = {}
    for date, players in days.items():
        print(f"{players:,} players play {date}", file=sys.stderr, flush=True)
        tokens[date] = crowd.make(database, date, players, seed)
    database.close()
    return tokens


def _questions(caller: Caller, date: str, tokens: list[str]) -> Iterator[tuple[str, Question]]:
    """What is asked of a date, each under its name."""
    yield "the day itself", ("", None)
    for order in ORDERS:
        first = f"/results?order={order}&limit={PAGE}"
        yield f"{order}: first page", (first, None)
        middle, last = _cursors(caller, date, order, len(tokens))
        yield f"{order}: page in the middle", (first + middle, None)
        yield f"{order}: last page", (first + last, None)
        ranked = sorted((_rank(caller, date, order, token), token) for token in tokens[:: 1 + len(tokens) // 50])
        for place, (_, token) in (("the middle", ranked[len(ranked) // 2]), ("the end", ranked[-1])):
            yield f"{order}: first page and own rank near {place}", (first, token)


def _rank(caller: Caller, date: str, order: str, token: str) -> int:
    rank: int = caller.ask(date, (f"/results?order={order}&limit=1", token))[1]["me"]["rank"]
    return rank


def _cursors(caller: Caller, date: str, order: str, players: int) -> tuple[str, str]:
    """Cursors of a page in the middle and of the last one; empty where all results are on one page."""
    cursors, seen = [""], 0
    while True:
        _, page = caller.ask(date, (f"/results?order={order}&limit={WALK}{cursors[-1]}", None))
        seen += len(page["items"])
        if page["next_cursor"] is None:
            assert seen == players, f"{seen} of {players} results were on the pages"
            return cursors[len(cursors) // 2], cursors[-1]
        cursors.append(f"&cursor={quote(page['next_cursor'])}")


def _first_page_of(question: Question) -> Question:
    """The same question to a date without results, which has no further pages."""
    path, token = question
    return path.partition("&cursor=")[0], token


def _table(rows: dict[str, dict[str, float]]) -> str:
    width = max(map(len, rows))
    lines = [f"{'':<{width}}  {'empty':>7}  {'few':>7}  {'full':>7}  full÷empty  full÷few"]
    for title, row in rows.items():
        empty, few, full = row["empty"], row["few"], row["full"]
        lines.append(
            f"{title:<{width}}  {empty:7.2f}  {few:7.2f}  {full:7.2f}  {full / empty:10.2f}  {full / few:8.2f}"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
