"""What goes wrong on a terminal: one readable line and an exit status."""

from importlib import import_module
from typing import Any, NoReturn

WRONG, USAGE, UNHEARD = 1, 2, 3
"""Exit status: refused or not valid; wrong usage; no usable answer from a service."""


class Failed(Exception):
    """The end of a command; `main` prints it."""

    def __init__(self, line: str, status: int = WRONG) -> None:
        super().__init__(line)
        self.exit_code = status


def fail(line: str, status: int = WRONG) -> NoReturn:
    raise Failed(line, status)


def extra(module: str, name: str) -> Any:
    """A module that needs an extra of the distribution; where that is not installed, the line says so."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing.startswith("twofold"):  # a fault of our own
            raise
        fail(f"this command needs the extra `{name}` ({missing} is missing): pip install 'twofold[{name}]'")
