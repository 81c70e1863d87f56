"""One copy of the unpacked weights in a machine's memory: a file in the user's cache folder, mapped by every process.

The first process to need it unpacks it, others wait for that one; where nothing can be written, a process keeps a copy
of its own.
"""

import fcntl
import logging
import os
from pathlib import Path
from typing import Literal

import numpy as np

from twofold_solver.network import WEIGHTS, Network, Table
from twofold_solver.weights import WeightsFile

log = logging.getLogger("twofold")
BYTES = WEIGHTS * np.dtype(np.uint16).itemsize
"""Of the table."""


def network(file: WeightsFile, folder: Path | None = None) -> Network:
    """The network of a file of weights; its table lies in `folder`, by default the user's cache.

    A table that exists is taken as it is.
    """
    return Network(_table(file, folder or cache_folder()), file.levels())


def cache_folder() -> Path:
    """`$XDG_CACHE_HOME/twofold`, or `~/.cache/twofold`."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "twofold"


def table_file(file: WeightsFile, folder: Path | None = None) -> Path:
    """Where the table of a file of weights lies, or will once it is needed; RuntimeError for a user without a home."""
    return (folder or cache_folder()) / f"weights-{file.checksum[:16]}.table"


def _table(file: WeightsFile, folder: Path) -> Table:
    path = table_file(file, folder)
    try:
        if not _whole(path):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with (folder / "weights.lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                if not _whole(path):
                    _make(file, path)
        return _mapped(path, "r")
    except (OSError, RuntimeError) as error:  # RuntimeError: a user without a home
        log.warning("the solver's table is kept in this process's own memory, %s cannot be written: %s", path, error)
    table = np.zeros(WEIGHTS, np.uint16)
    file.unpack(table)
    return table


def _whole(path: Path) -> bool:
    return path.exists() and path.stat().st_size == BYTES


def _make(file: WeightsFile, path: Path) -> None:
    """The table in its place once it is whole; those of other weights, which nobody opens any more, make room."""
    new = path.with_suffix(".new")
    with new.open("wb") as made:
        os.posix_fallocate(made.fileno(), 0, BYTES)  # a full disk is an error here, not a signal while it is filled
        file.unpack(_mapped(new, "r+"))
        os.fsync(made.fileno())  # a file of the right size and without content would be taken for whole
    new.replace(path)
    for other in path.parent.glob("weights-*.table"):
        if other != path:
            other.unlink(missing_ok=True)


def _mapped(path: Path, mode: Literal["r", "r+"]) -> Table:
    return np.memmap(path, np.uint16, mode, shape=(WEIGHTS,)).view(np.ndarray)
