"""How strong and how quick the solver is: `make bench-solver`, or `python -m tests.bench.solver --help`."""

import argparse
import random
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from tests.bench.solver_games import Played, Worths, play
from tests.solver.oracle import Oracle
from tests.solver.positions import random_position
from twofold.board import Direction
from twofold_solver import search, shared
from twofold_solver.boards import packed
from twofold_solver.network import UNIT, WEIGHTS, Network, Values, places
from twofold_solver.packed import Boards
from twofold_solver.solver import Solver
from twofold_solver.weights import SHIPPED, WeightsFile

TILES = (2048, 4096, 8192, 16384, 32768)
GAMES = {1: 1000, 2: 200, 3: 100}
ORACLE = {1: 10_000, 2: 500}
PLAYED_BY_OTHERS = 40
POSITIONS = 5000
HINTS = 400
ANALYSED = 1000


class Unpacked(Network):
    """The weights as they were learned."""

    def __init__(self, weights: np.ndarray) -> None:
        self.weights = weights

    def _values(self, boards: Boards) -> Values:
        points = self.weights.take(places(boards)).sum(axis=(0, 1), dtype=np.float64)
        values: Values = np.rint(points * UNIT).astype(np.int64)
        return values


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, default=SHIPPED, help="a file of weights")
    parser.add_argument("--checkpoint", type=Path, help="the checkpoint they were packed from: tells the loss")
    parser.add_argument("--games", type=int, nargs="*", help="for depth 1, 2 …; by default 1000 200 100")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--numpy", action="store_true", help="play with NumPy where Numba is installed, too")
    given = parser.parse_args()
    file = WeightsFile.opened(given.weights)
    begun = time.process_time()
    network = shared.network(file)
    print(f"{file.entries:,} weights in {file.path.stat().st_size:,} bytes, {file.moves:,} moves of training")
    print(f"opened in {time.process_time() - begun:.2f} s of CPU\n")
    compiled = None if given.numpy else _compiled(network)
    games = GAMES if given.games is None else dict(enumerate(given.games, 1))
    played = _strength(compiled or search.worths, network, games, given.seed)
    if given.checkpoint and 1 in played:
        _packing(given.checkpoint, network, played[1], given.seed)
    _oracle(network)
    _hints(network, compiled, played)


def _compiled(network: Network) -> Worths | None:
    if find_spec("numba") is None:
        return None
    from twofold_solver.compiled.search import worths

    worths(network, np.ones(1, np.uint64), 1)
    return worths


def _strength(worths: Worths, network: Network, games: dict[int, int], seed: int) -> dict[int, Played]:
    print(
        f"games played with {'NumPy' if worths is search.worths else 'Numba'}, seed {seed}; times are CPU of one core"
    )
    print(f"depth  games     mean score  {''.join(f'{tile:>8}' for tile in TILES)}   ms/move")
    played = {}
    for depth, count in games.items():
        if count:
            played[depth] = play(worths, network, count, depth, seed)
            print(f"{depth:5}  {_row(played[depth])}", flush=True)
    print()
    return played


def _row(played: Played) -> str:
    shares = "".join(f"{played.share(tile):>8.1%}" for tile in TILES)
    return f"{len(played.scores):5}  {played.mean:7,.0f} ± {played.error:5,.0f}  {shares}  {played.milliseconds:8.4f}"


def _packing(checkpoint: Path, network: Network, packed_games: Played, seed: int) -> None:
    """What packing costs: in games, and in single choices at depth 1 on what others than the solver play."""
    with np.load(checkpoint, allow_pickle=False) as stored:
        weights = np.zeros(WEIGHTS, np.float32)
        weights[stored["touched"]] = stored["weights"]
        print(f"unpacked, of {stored['moves']:,} moves of training")
    whole = Unpacked(weights)
    games = play(search.worths, whole, len(packed_games.scores), 1, seed)
    print(f"    1  {_row(games)}")
    loss, error = 1 - packed_games.mean / games.mean, np.hypot(packed_games.error, games.error) / games.mean
    print(f"packing costs {loss:.1%} ± {error:.1%} of the mean score")
    for name, choose in (("the solver", search.worths), ("chance", _at_random), ("down-left-right-up", _in_order)):
        boards = _positions(choose, whole)
        before, after = search.worths(whole, boards, 1), search.worths(network, boards, 1)
        lost = before.max(axis=0) - np.take_along_axis(before, after.argmax(axis=0)[None], axis=0)[0]
        print(f"of positions by {name}, {(lost > 0).mean():.1%} get another choice; mean loss {lost.mean() / UNIT:.1f}")
    print()


def _positions(choose: Worths, network: Network) -> Boards:
    """Of a few games played so, those with a legal move."""
    seen = []

    def noting(network: Network, boards: Boards, depth: int) -> Values:
        found = choose(network, boards, depth)
        seen.append(boards[found.max(axis=0) != search.ILLEGAL])
        return found

    play(noting, network, PLAYED_BY_OTHERS, 1, 1)
    boards = np.concatenate(seen)
    return np.random.default_rng(1).permutation(boards)[:POSITIONS]


def _at_random(network: Network, boards: Boards, depth: int) -> Values:
    """Worths that differ from board to board and mean nothing."""
    directions = np.arange(1, 5, dtype=np.uint64)[:, None]
    return _among_legal(boards, (boards * directions * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(40)).astype(np.int64))


def _in_order(network: Network, boards: Boards, depth: int) -> Values:
    return _among_legal(boards, np.broadcast_to(np.array([[0], [3], [2], [1]]), (4, len(boards))))


def _among_legal(boards: Boards, wishes: Values) -> Values:
    values: Values = np.where(search.moves(boards).afters != boards, wishes, search.ILLEGAL)
    return values


def _oracle(network: Network) -> None:
    oracle = Oracle(network)
    for depth, count in ORACLE.items():
        luck = random.Random(depth)
        positions = [random_position(luck) for _ in range(count)]
        found = search.worths(network, packed(positions), depth)
        different = 0
        for number, cells in enumerate(positions):
            pairs = zip(Direction, found[:, number].tolist(), strict=True)
            different += oracle.worths(cells, depth) != {way: worth for way, worth in pairs if worth != search.ILLEGAL}
        print(f"oracle, depth {depth}: {count} random positions, {different} different")
    print()


def _hints(network: Network, compiled: Worths | None, played: dict[int, Played]) -> None:
    game = max(played.values(), key=lambda one: len(one.positions)).positions
    cells = [bytes(board >> place & 15 for place in range(0, 64, 4)) for board in game]
    spread = [cells[number * len(cells) // HINTS] for number in range(HINTS)]
    for name, worths in (("NumPy", search.worths), ("Numba", compiled)):
        if worths is None:
            continue
        solver = Solver(network, worths)
        for depth in (1, 2, 3):
            times = sorted(_milliseconds(partial(solver.advise, 4, one, depth)) for one in spread)
            median, late = times[HINTS // 2], times[HINTS * 95 // 100]
            mean = sum(times) / HINTS
            print(f"hint, {name}, depth {depth}: median {median:.2f} ms, p95 {late:.2f} ms, mean {mean:.2f} ms")
    many = (cells * (1 + ANALYSED // len(cells)))[:ANALYSED]
    solver = Solver(network)
    print(f"{ANALYSED} moves analysed, NumPy, depth 2: {_milliseconds(partial(solver.advise_all, 4, many, 2)):.0f} ms")


def _milliseconds(act: Callable[[], object]) -> float:
    begun = time.process_time()
    act()
    return 1000 * (time.process_time() - begun)


if __name__ == "__main__":
    main()
