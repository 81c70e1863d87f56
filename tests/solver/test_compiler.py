"""Compiling works where nothing can be kept on disk, too."""

import numba

from twofold_solver.compiled.compiler import compiled


def test_without_a_folder_a_function_is_compiled_each_time(monkeypatch):
    njit = numba.njit

    def njit_in_a_read_only_place(*, cache=False, **options):
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return njit(**options)

    monkeypatch.setattr(numba, "njit", njit_in_a_read_only_place)

    assert compiled(lambda number: number + 1)(1) == 2
