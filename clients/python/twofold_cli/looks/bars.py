"""How far something is, on standard error, where somebody looks."""

import sys

from rich.console import Console
from rich.progress import Progress, ProgressColumn


def bar(*columns: str | ProgressColumn, hidden: bool = False) -> Progress:
    """Gone once it is done. Lines printed meanwhile stay whole.

    They would be written through the bar, to standard error; that is right only where both are one terminal.
    """
    console = Console(stderr=True)
    return Progress(
        *columns,
        console=console,
        transient=True,
        disable=hidden or not console.is_terminal,
        redirect_stdout=sys.stdout.isatty(),
    )
