"""Numba's compiler behind a typed name."""

from collections.abc import Callable
from typing import TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., object])


def compiled(function: Function) -> Function:
    """Compiled when it is first called, without the interpreter's lock, and kept on disk for the next process."""
    try:
        return cast(Function, numba.njit(nogil=True, cache=True)(function))
    except RuntimeError:  # no folder in which it could be kept, as in a read-only container
        return cast(Function, numba.njit(nogil=True)(function))
