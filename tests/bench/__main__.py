"""`python -m tests.bench`: one run, from starting the servers to the table."""

import argparse
import json
import os
import platform
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from tests.bench import engine, goals, peers, proc, report, rooms
from tests.bench.figures import Spread
from tests.bench.load import Generator
from tests.bench.plan import FULL, QUICK, Plan
from tests.bench.results import Cell, Memory, Results
from tests.bench.servers import Server, Servers

VARIANTS = {
    "durable": "serve",
    "memory": "memory",
    "single": "single",
    "session": "session",
    "echo": "echo",
    "post": "post",
}
KIB = 1024


def main() -> None:
    options = _options()
    if not sys.platform.startswith("linux"):
        sys.exit("bench: it reads /proc and pins processes to cores, so it runs on Linux only")
    plan = QUICK if options.quick else FULL
    if options.rounds:
        plan = replace(plan, rounds=options.rounds)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    _raise_files()
    try:
        with tempfile.TemporaryDirectory(prefix="twofold-bench-", dir=options.folder) as folder:
            machine = _machine(Path(folder))
            results = _run(plan, Path(folder), options.peer_python)
    except KeyboardInterrupt:
        sys.exit(130)
    if options.json:
        data = json.dumps(report.as_data(results, plan, machine), indent=1)
        if options.json == "-":
            print(data)
            return
        Path(options.json).write_text(data + "\n")
    print(report.as_text(results, plan, machine))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests.bench", description="Measure the service against bare servers.")
    parser.add_argument("--rounds", type=int, help=f"rounds (default {FULL.rounds}, with --quick {QUICK.rounds})")
    parser.add_argument("--quick", action="store_true", help="about a minute")
    parser.add_argument(
        "--json", nargs="?", const="-", metavar="FILE", help="JSON instead of the table, or into a file beside it"
    )
    parser.add_argument("--peer-python", default=sys.executable, help="interpreter that has gymnasium-2048")
    parser.add_argument("--folder", help="where to put the databases (default: the system's temporary folder)")
    return parser.parse_args()


def _run(plan: Plan, folder: Path, peer_python: str) -> Results:
    results = Results()
    server_core, generator_core = proc.cores()
    os.sched_setaffinity(0, {server_core, generator_core})
    compared = peers.NAMES if peers.installed() else ()
    if not compared:
        _say(goals.WITHOUT_PEERS)
    with ExitStack() as stack:
        _say("starting the servers")
        servers = Servers(folder, server_core)
        stack.callback(servers.end)
        up = servers.start(**VARIANTS, **dict(zip(compared, compared, strict=True)))
        generator = Generator(generator_core, folder)
        stack.callback(generator.end)
        with _pinned(server_core):
            _say("warming up the engine")
            engine.warm_up(plan.engine_warm_up)
        with _pinned(generator_core):
            for peer in compared:
                _say(f"warming up {peer}")
                generator.play(peer, up[peer], plan.players[-1], plan.peer_warm_up, 0)
        for number in range(plan.rounds):
            with _pinned(server_core):
                _measure_engine(results, plan, peer_python)
                results.rooms.append(rooms.measure(folder / f"rooms-{number}.db", plan.room_repeats))
            with _pinned(generator_core):
                _measure_round(results, plan, number, generator, up)
        with _pinned(generator_core):
            results.memory = _measure_memory(plan, generator, servers)
        _say("ending the servers")
    return results


def _measure_engine(results: Results, plan: Plan, peer_python: str) -> None:
    found = results.engine
    found.board.append(engine.board_rate(plan.engine_seconds))
    peer = engine.gymnasium_rate(peer_python, plan.engine_seconds)
    if peer is not None:
        found.peer.append(peer[0])
        found.peer_version.append(peer[1])
    found.game.append(engine.game_rate(plan.engine_seconds))


def _measure_round(results: Results, plan: Plan, number: int, generator: Generator, up: dict[str, Server]) -> None:
    cells = _cells(plan, [name for name in peers.NAMES if name in up])
    for cell in cells if number % 2 == 0 else cells[::-1]:
        window = generator.play(cell.kind, up[cell.server], cell.players, plan.seconds, plan.warm_up)
        results.windows[cell].append(window)
        faults = f"  ({window.faults})" if window.faults else ""
        _say(
            f"round {number + 1}/{plan.rounds}  {cell.title:<36}{cell.players:>4} players"
            f"{window.rate:>9,.0f}/s{window.us:>8.1f} us{faults}"
        )
    told = generator.fan_out(up["durable"], plan.watchers, plan.told_moves)
    results.told += told
    _say(f"round {number + 1}/{plan.rounds}  one move to {plan.watchers} watchers: {Spread.of(told).middle:.1f} ms")


def _cells(plan: Plan, compared: Sequence[str]) -> list[Cell]:
    """What is compared stands side by side; the peers, with more than one player only."""
    cells = []
    for players in plan.players:
        cells += [Cell(kind, server, players) for kind, server in (("echo", "echo"), ("ws", "durable"))]
        if players > 1:
            cells += [Cell(peer, peer, players) for peer in compared]
        cells += [Cell("ws", "memory", players), Cell("post", "post", players), Cell("rest", "durable", players)]
    return cells + [Cell("ws", server, plan.compared) for server in ("single", "durable", "session")]


def _measure_memory(plan: Plan, generator: Generator, servers: Servers) -> Memory:
    fresh = servers.start(open="serve", idle="serve")
    _say(f"memory of {plan.open_games:,} open games")
    games = generator.open_games(fresh["open"], plan.open_games, plan.moves_each)
    _say(f"memory of {plan.idle_sockets:,} idle WebSockets")
    idle = generator.idle_sockets(fresh["idle"], plan.idle_sockets)
    if idle["lost"]:
        _say(f"  ({idle['lost']} connections lost)")
    return Memory(games["bytes"] / KIB, games["stored"] / KIB, idle["game"] / KIB, idle["socket"] / KIB)


@contextmanager
def _pinned(core: int) -> Iterator[None]:
    """This process on one core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _raise_files() -> None:
    """As many open files as allowed; the servers and the generator inherit it."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _machine(folder: Path) -> str:
    """What the figures depend on besides the code."""
    waits = []
    with (folder / "disk").open("wb") as file:
        for _ in range(100):
            file.write(bytes(4096))
            file.flush()
            began = time.perf_counter()
            os.fdatasync(file.fileno())
            waits.append((time.perf_counter() - began) * 1e3)
    load = os.getloadavg()[0]
    return (
        f"{os.cpu_count()} CPUs, load {load:.1f} before, Python {platform.python_version()}, "
        f"Linux {platform.release()}, fdatasync {Spread.of(waits).middle:.2f} ms in {folder.parent}"
    )


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
