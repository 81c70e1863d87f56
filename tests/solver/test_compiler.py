"""Compiling works where nothing can be kept on disk, too."""

from types import SimpleNamespace

import numba

from twofold_solver.compiled import compiler


def test_without_a_folder_a_function_is_compiled_each_time(monkeypatch):
    def njit_in_a_read_only_place(*, cache=False, **options):
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return numba.njit(**options)

    monkeypatch.setattr(compiler, "numba", SimpleNamespace(njit=njit_in_a_read_only_place))

    assert compiler.compiled(lambda number: number + 1)(1) == 2
