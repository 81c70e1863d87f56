"""The run's outcome, for people and for programs."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from tests.bench import goals, peers
from tests.bench.commits import USUAL_BATCH
from tests.bench.figures import Spread, Window
from tests.bench.plan import Plan
from tests.bench.results import Results, lines
from tests.bench.rooms import middle


def as_data(results: Results, plan: Plan, machine: str) -> dict[str, Any]:
    """Everything measured, as plain values."""
    return {
        "machine": machine,
        "plan": asdict(plan),
        "windows": [
            {"kind": cell.kind, "server": cell.server, "players": cell.players, "rounds": [*map(asdict, windows)]}
            for cell, windows in sorted(results.windows.items())
        ],
        "ratios": [asdict(line) | {"verdict": line.verdict} for line in lines(results)],
        "engine": asdict(results.engine),
        "rooms": [asdict(rooms) for rooms in results.rooms],
        "memory": None if results.memory is None else asdict(results.memory),
        "fan_out_ms": results.told,
    }


def as_text(results: Results, plan: Plan, machine: str) -> str:
    parts = [
        f"Twofold benchmark: rounds: {plan.rounds}, {plan.seconds:g} s each; medians [lowest - highest]",
        machine,
        "",
        *_rates(results),
        "",
        *_ratios(results),
        "",
        *_rooms(results),
        "",
        *_others(results, plan),
    ]
    return "\n".join(parts)


def _rates(results: Results) -> list[str]:
    rows = [["", "players", "replies/s", "CPU us/reply", "p50 ms", "p99 ms", "server", "generator"]]
    for cell in sorted(results.windows, key=lambda cell: (cell.players, cell.kind, cell.server)):
        windows = results.windows[cell]

        def of(figure: Callable[[Window], float], windows: Sequence[Window] = windows) -> Spread:
            return Spread.of([figure(window) for window in windows])

        rows.append(
            [
                cell.title,
                str(cell.players),
                _spread(of(lambda window: window.rate)),
                _spread(of(lambda window: window.us)),
                _number(of(lambda window: window.p50).middle),
                _number(of(lambda window: window.p99).middle),
                f"{of(lambda window: window.cpu / window.seconds).middle:.0%}",
                f"{of(lambda window: window.own / window.seconds).middle:.0%}",
            ]
        )
    return _table(rows)


def _ratios(results: Results) -> list[str]:
    rows = [["", "players", "measured", "floor", "target", "stretch", ""]]
    for line in lines(results):
        goal = line.goal
        bounds = ("", "", "") if goal is None else (goal.floor, goal.target, goal.stretch)
        rows.append(
            [
                line.title,
                "" if line.players is None else str(line.players),
                f"{_spread(line.value)} {line.unit}".strip(),
                *("" if bound in (None, "") else f"{bound:g}" for bound in bounds),
                line.verdict,
            ]
        )
    has_peers = any(cell.server in peers.NAMES for cell in results.windows)
    return [*_table(rows), *([] if has_peers else [goals.WITHOUT_PEERS])]


def _rooms(results: Results) -> list[str]:
    if not results.rooms:
        return []
    rooms = middle(results.rooms)
    whole = {
        (cell.kind, cell.players): Spread.of([window.us for window in windows]).middle
        for cell, windows in results.windows.items()
        if cell.server == "durable"
    }
    rows = [["CPU us per move, by room", "WS", "REST"]]
    inside = rooms.frame_in + rooms.frame_out + rooms.decode + rooms.engine + rooms.encode
    rows += [
        ["frame in", _number(rooms.frame_in), ""],
        ["decode", _number(rooms.decode), ""],
        ["engine (Game.move)", _number(rooms.engine), _number(rooms.engine)],
        ["frame out", _number(rooms.frame_out), ""],
        ["encode", _number(rooms.encode), _number(rooms.encode_rest)],
        [
            "the rest of the path: session, play; door and route",
            _number(rooms.path_ws - inside),
            _number(rooms.path_rest - rooms.engine - rooms.encode_rest),
        ],
        ["= path, bytes in to bytes out, nothing written", _number(rooms.path_ws), _number(rooms.path_rest)],
        *(
            [
                f"journal, batch of {batch} ({_number(commit.clock)} us on the clock)",
                *[_number(commit.cpu)] * 2,
            ]
            for batch, commit in rooms.journal.items()
        ),
        ["send (system call)", _number(rooms.send), _number(rooms.send)],
    ]
    for players in sorted({players for _, players in whole} - {1}):
        rests = []
        for kind, path in (("ws", rooms.path_ws), ("rest", rooms.path_rest)):
            known = path + rooms.journal[USUAL_BATCH].cpu + rooms.send
            found = whole.get((kind, players))
            rests.append("" if found is None else f"{_number(found - known)} of {_number(found)}")
        rows.append(
            [f"loop, sockets, threads, HTTP: what is left at {players} players (batch of {USUAL_BATCH})", *rests]
        )
    return _table(rows)


def _others(results: Results, plan: Plan) -> list[str]:
    engine = results.engine
    rows = [["", "measured"]]
    for title, rates in (
        ("board steps per CPU second (shift, spawn, over?)", engine.board),
        ("Game.move per CPU second", engine.game),
        (f"gymnasium-2048 {''.join(engine.peer_version[:1])} env.step per CPU second", engine.peer),
    ):
        if rates:
            rows.append([title, _spread(Spread.of(rates))])
    if not engine.peer:
        rows.append(["gymnasium-2048: not there (see --peer-python)", ""])
    memory = results.memory
    if memory is not None:
        rows += [
            [f"KiB per open game after {plan.moves_each} moves", _number(memory.game)],
            ["  its share of the database file, at most so much of that is SQLite's cache", _number(memory.stored)],
            ["KiB per idle WebSocket that watches its game", _number(memory.idle_socket)],
            ["KiB per that game, not begun, with a player of its own", _number(memory.idle_game)],
        ]
    if results.told:
        rows.append(
            [f"one move to {plan.watchers} watchers: ms until the last was told", _spread(Spread.of(results.told))]
        )
    return _table(rows)


def _table(rows: list[list[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    made = [
        "  ".join(
            cell.ljust(width) if index == 0 else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return [made[0], "-" * max(map(len, made)), *made[1:]]


def _spread(spread: Spread) -> str:
    if spread.low == spread.high:
        return _number(spread.middle)
    return f"{_number(spread.middle)} [{_number(spread.low)} - {_number(spread.high)}]"


def _number(value: float) -> str:
    if value != value:
        return "none"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"
