"""How far the losses of depth 2 are off: `python -m tests.bench.noise`. It needs the extra `train`, and half a minute.

Positions are those of games played by the solver, by somebody who misjudges by 2 and by 5 %, in a fixed order and by
chance; losses are told as shares of the worth, against those of depth 4.
"""

from collections.abc import Callable

import numpy as np

from tests.bench.solver_games import Worths, play
from twofold_solver import search
from twofold_solver.analysis import INACCURACY, MISTAKE
from twofold_solver.compiled.search import worths
from twofold_solver.network import Network, Values
from twofold_solver.packed import Boards
from twofold_solver.solver import Solver

POSITIONS, CLOSE = 600, 0.05


def main() -> None:
    network = Solver.opened().network
    luck = np.random.default_rng(1)
    print(f"shares of the worth lost, {POSITIONS} positions each, every direction; depth 2 against depth 4")
    print(
        "positions of        off by (r.m.s., losses within 5 %)   mistakes at 2 … and at 3   of them half as bad at 4"
    )
    players: dict[str, Worths] = {
        "the solver": worths,
        "misjudging by 2 %": _misjudging(luck, 0.02),
        "misjudging by 5 %": _misjudging(luck, 0.05),
        "down-left-right-up": _wishing(
            lambda boards: np.broadcast_to(np.array([[0], [3], [2], [1]]), (4, len(boards)))
        ),
        "chance": _wishing(lambda boards: luck.integers(0, 1 << 20, (4, len(boards)))),
    }
    for name, choose in players.items():
        boards = luck.permutation(_positions(choose, network))[:POSITIONS]
        two, three, four = (_shares(worths(network, boards, depth)) for depth in (2, 3, 4))
        close = (np.minimum(two, four) < CLOSE) & (np.maximum(two, four) > 0)
        off = np.sqrt(np.mean((two - four)[close] ** 2))
        first = two >= MISTAKE
        second = first & (three >= MISTAKE)
        wrong = np.mean(four[first] < INACCURACY), np.mean(four[second] < INACCURACY)
        print(f"{name:18}  {off:.1%}  {first.sum():5} {second.sum():5}  {wrong[0]:.1%} {wrong[1]:.1%}", flush=True)


def _positions(choose: Worths, network: Network) -> Boards:
    seen = []

    def noting(network: Network, boards: Boards, depth: int) -> Values:
        found = choose(network, boards, depth)
        seen.append(boards[found.max(axis=0) != search.ILLEGAL])
        return found

    play(noting, network, 40, 1, 7)
    return np.concatenate(seen)


def _shares(found: Values) -> np.ndarray:
    """Of each legal direction."""
    best = found.max(axis=0)
    lost = (best - found) / np.maximum(best, 1)
    shares: np.ndarray = lost[found != search.ILLEGAL]
    return shares


def _wishing(wish: Callable[[Boards], Values]) -> Worths:
    def choose(network: Network, boards: Boards, depth: int) -> Values:
        values: Values = np.where(search.moves(boards).afters != boards, wish(boards), search.ILLEGAL)
        return values

    return choose


def _misjudging(luck: np.random.Generator, share: float) -> Worths:
    def choose(network: Network, boards: Boards, depth: int) -> Values:
        found = worths(network, boards, 1)
        off = luck.normal(0, share, found.shape) * np.maximum(found.max(axis=0), 1)
        values: Values = np.where(
            found == search.ILLEGAL, search.ILLEGAL, (np.maximum(found, 0) + off).astype(np.int64)
        )
        return values

    return choose


if __name__ == "__main__":
    main()
