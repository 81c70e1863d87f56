"""`python -m tests.bench.pictures`: what each picture costs, small and as large as it gets.

Each is drawn several times in this process as the desk draws it: the first time, when digits and tiles have to be made
as well, the median of the others, and the bytes. `--quick` draws shorter films fewer times.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median

from tests.engine.table import Table
from tests.pictures.scenes import drawn, filmed, ladder, scene
from twofold_service.pictures.raster import png
from twofold_service.pictures.svg import svg

LONG, LONG_QUICK = 4_000, 700
TIMES, TIMES_QUICK = 7, 2
WIDEST = 65
"""2^65, the largest tile of an 8 × 8 board, on every cell of it or just below."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.bench.pictures", description="Measure what pictures cost.")
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    print(f"{'':<44}  {'first ms':>9}  {'then ms':>9}  {'KiB':>7}")
    for title, draw in pictures(LONG_QUICK if quick else LONG):
        first, *later = [_timed(draw) for _ in range(TIMES_QUICK if quick else TIMES)]
        then = median(milliseconds for milliseconds, _ in later)
        print(f"{title:<44}  {first[0]:9.2f}  {then:9.2f}  {first[1] / 1024:7.1f}", flush=True)


def pictures(long: int) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Every kind of picture with what draws it; a long film has so many moves."""
    small, largest = scene(), ladder(8, WIDEST - 63)
    for name, draw in (("board.svg", svg), ("board.png", png)):
        yield f"{name}, 4 × 4", partial(draw, small)
        yield f"{name}, 8 × 8, tiles up to 2^{WIDEST}", partial(draw, largest)
    past_the_goal = [[2048, 2, *[0] * 6], *[[0] * 8] * 7]
    for title, table in (
        ("4 × 4, 20 moves", Table().play(20)),
        ("4 × 4, to the end of a game", Table(seed=bytes(32)).play_out()),
        (f"8 × 8, 600 frames of {long:,} moves", Table("practice", given=past_the_goal).play(long)),
    ):
        yield f"replay.gif, {title}", partial(drawn, *filmed(table))


def _timed(draw: Callable[[], bytes]) -> tuple[float, int]:
    """Milliseconds of CPU, and the bytes of the picture."""
    began = time.process_time()
    picture = draw()
    return (time.process_time() - began) * 1e3, len(picture)


if __name__ == "__main__":
    main()
