"""The shipped weights, unpacked once a run into a cache of its own."""

import pytest

from twofold_solver.shared import network
from twofold_solver.solver import Solver
from twofold_solver.weights import WeightsFile


@pytest.fixture(scope="session")
def cache(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cache")
    yield folder
    for path in folder.glob("*.table"):
        path.unlink()


@pytest.fixture(scope="session")
def shipped(cache):
    return network(WeightsFile.opened(), cache)


@pytest.fixture(scope="session")
def solver(shipped):
    return Solver(shipped)
