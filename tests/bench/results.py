"""What a run found: windows by round, and the ratios made of them round by round."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.bench import goals
from tests.bench.figures import Spread, Window
from tests.bench.goals import Goal
from tests.bench.rooms import Rooms


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """One thing measured each round: a kind of player on a server."""

    kind: str
    server: str
    players: int

    @property
    def title(self) -> str:
        return TITLES[self.kind, self.server]


TITLES = {
    ("echo", "echo"): "WS echo, bare uvicorn",
    ("ws", "durable"): "WS moves, durable",
    ("ws", "memory"): "WS moves, not written",
    ("ws", "single"): "WS moves, a transaction each",
    ("ws", "session"): "WS moves, an SQLModel session each",
    ("post", "post"): "POST, bare FastAPI",
    ("rest", "durable"): "REST moves, durable",
    ("colyseus", "colyseus"): "Colyseus in memory, a patch each",
    ("boardgame", "boardgame"): "boardgame.io in memory, new matches",
    ("node", "node"): "node ws in memory, JSON",
}


@dataclass(frozen=True, slots=True)
class Engine:
    """Moves per CPU second by round; `peer` is empty where gymnasium-2048 is not there."""

    board: list[float] = field(default_factory=list)
    game: list[float] = field(default_factory=list)
    peer: list[float] = field(default_factory=list)
    peer_version: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Memory:
    """KiB each. `game` is a running game after some moves, `stored` what it takes in the database file."""

    game: float
    stored: float
    idle_game: float
    idle_socket: float


@dataclass(slots=True)
class Results:
    windows: dict[Cell, list[Window]] = field(default_factory=lambda: defaultdict(list))
    told: list[float] = field(default_factory=list)
    engine: Engine = field(default_factory=Engine)
    rooms: list[Rooms] = field(default_factory=list)
    memory: Memory | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A measured ratio or figure beside its goal."""

    title: str
    players: int | None
    value: Spread
    unit: str = ""
    goal: Goal | None = None

    @property
    def verdict(self) -> str:
        return "" if self.goal is None else self.goal.verdict(self.value.middle)


def lines(results: Results) -> list[Line]:
    """Every ratio the run can tell."""
    found = []
    pairs: tuple[tuple[str, str, str, str, str, Goal | None], ...] = (
        ("ws", "durable", "echo", "echo", "durable WS moves ÷ bare WS echo", goals.WS_OVER_ECHO),
        ("rest", "durable", "post", "post", "durable REST moves ÷ bare FastAPI POST", goals.REST_OVER_POST),
        ("ws", "durable", "colyseus", "colyseus", "durable WS moves ÷ Colyseus", goals.WS_OVER_COLYSEUS),
        ("ws", "durable", "boardgame", "boardgame", "durable WS moves ÷ boardgame.io", goals.WS_OVER_BOARDGAME),
        ("ws", "durable", "node", "node", "durable WS moves ÷ node ws", None),
        ("ws", "durable", "ws", "memory", "durable WS ÷ same server, not written", goals.DURABLE_OVER_MEMORY),
        ("ws", "durable", "ws", "single", "group commit ÷ a transaction each", goals.GROUP_OVER_SINGLE),
        ("ws", "durable", "ws", "session", "group commit ÷ an SQLModel session each", goals.GROUP_OVER_SINGLE),
    )
    for kind, server, base_kind, base_server, title, goal in pairs:
        for cell in sorted(results.windows):
            base = Cell(base_kind, base_server, cell.players)
            if (cell.kind, cell.server) != (kind, server) or cell.players == 1 or base not in results.windows:
                continue
            capacity = _by_round(results, cell, base, lambda ours, theirs: theirs.us / ours.us)
            rate = _by_round(results, cell, base, lambda ours, theirs: ours.rate / theirs.rate)
            found.append(Line(f"{title}, by CPU", cell.players, capacity, goal=goal))
            found.append(Line(f"{title}, by rate", cell.players, rate))
    one, unwritten = Cell("ws", "durable", 1), Cell("ws", "memory", 1)
    if one in results.windows:
        added = _by_round(results, one, unwritten, lambda ours, theirs: ours.p50 - theirs.p50)
        found.append(Line("p50 added by durability, WS", 1, added, "ms", goals.ADDED_P50_MS))
    if results.memory is not None:
        idle = results.memory.idle_game + results.memory.idle_socket
        found.append(Line("idle WebSocket with its game", None, Spread(idle, idle, idle), "KiB", goals.IDLE_SOCKET_KIB))
    engine = results.engine
    if engine.peer:
        for title, rates in (("board steps", engine.board), ("Game.move", engine.game)):
            ratio = Spread.of([ours / theirs for ours, theirs in zip(rates, engine.peer, strict=True)])
            goal_of = goals.ENGINE_OVER_GYMNASIUM if rates is engine.board else None
            found.append(Line(f"{title} ÷ gymnasium-2048 env.step", None, ratio, goal=goal_of))
    return found


def _by_round(results: Results, cell: Cell, base: Cell, ratio: Callable[[Window, Window], float]) -> Spread:
    pairs = zip(results.windows[cell], results.windows[base], strict=True)
    return Spread.of([ratio(ours, theirs) for ours, theirs in pairs])
