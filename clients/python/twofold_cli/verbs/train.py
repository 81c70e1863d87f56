"""`twofold train`: the solver's weights, learned by play. It needs the extra `train`."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from twofold_cli.failing import extra, fail

KEPT = 5_300_000
"""Just under 8 MB."""
LOGGED = (2048, 8192, 16384, 32768)


def add(app: typer.Typer) -> None:
    app.command()(train)


def train(
    checkpoint: Annotated[Path, typer.Argument(help="Where the run is kept; written anew every few minutes.")],
    moves: Annotated[int, typer.Option(min=1, help="Train until so many moves are made, from the beginning.")] = 10**10,
    restarts_until: Annotated[
        int | None, typer.Option(min=0, help="Moves after which games are not played again from their middle [60 %].")
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, max=2**64 - 1, help="Of the run's luck; a resumed run keeps its own.")
    ] = 1,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint.")] = False,
    weights: Annotated[Path | None, typer.Option(help="Pack the weights into this file at the end.")] = None,
    kept: Annotated[int, typer.Option(min=1, help="How many weights are packed: those that count most.")] = KEPT,
    save_seconds: Annotated[float, typer.Option(min=1, help="Seconds between two checkpoints.")] = 600,
    tell_moves: Annotated[int, typer.Option(min=1, help="Moves between two lines of the log.")] = 10_000_000,
) -> None:
    """Train the solver's weights on one thread; SIGTERM or Ctrl+C stops it with a checkpoint."""
    training = extra("twofold_solver.training", "train")
    if resume:
        try:
            learner = training.Learner.saved(checkpoint)
        except training.CheckpointRefused as refused:
            fail(str(refused))
    elif checkpoint.is_dir():
        fail(f"{checkpoint}: is a folder; name a file")
    elif checkpoint.exists():
        fail(f"{checkpoint}: there is a checkpoint; go on from it with --resume, or name another file")
    else:
        learner = training.Learner.new(seed)
        learner.save(checkpoint)  # a place that cannot be written is told of now, not after the first minutes
    plan = training.Plan(moves, moves * 6 // 10 if restarts_until is None else restarts_until)
    _log(f"seed={learner.seed} from={learner.moves} moves={plan.moves} restarts_until={plan.restarts_until}")
    stopped = _stopping()
    with _bar(learner.moves, moves) as advance:
        training.train(
            learner,
            plan,
            checkpoint,
            tell=_tell,
            turned=advance,
            stop=stopped,
            tell_moves=tell_moves,
            save_seconds=save_seconds,
        )
    _log(f"{'stopped' if stopped() else 'done'} at moves={learner.moves}")
    if weights is not None:
        learner.pack(weights, kept)
        _log(f"packed kept={kept} bytes={weights.stat().st_size}")


def _stopping() -> Callable[[], bool]:
    """Whether a signal has asked to stop; from here on signals only ask."""
    asked: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda signum, _: asked.append(signum))
    return lambda: bool(asked)


@contextmanager
def _bar(begun: int, moves: int) -> Iterator[Callable[[int], None]]:
    """Takes the moves made so far; shows them where somebody looks."""
    if not sys.stderr.isatty():
        yield lambda moves: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.completed:,} moves"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("", total=moves, completed=begun)
        yield lambda moves: progress.update(task, completed=moves)


def _tell(progress: Any) -> None:
    shares = " ".join(f"{tile}={progress.shares[tile]:.1%}" for tile in LOGGED)
    _log(
        f"moves={progress.moves} moves/s={progress.moves_per_second:.0f} games={progress.games} "
        f"mean_score={progress.mean_score:.0f} {shares}"
    )


def _log(line: str) -> None:
    typer.echo(f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {line}")
