"""Doctor on the solver: whether hints can be given, and what to do where they cannot."""

import sys

import pytest

from tests.service import settings
from twofold_service import doctor
from twofold_solver import shared
from twofold_solver.weights import SHIPPED, WeightsFile


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    """A user's cache folder of the test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def shipped(monkeypatch, tmp_path):
    """The weights that are shipped, as a file that may be spoilt."""
    file, opened = tmp_path / "4x4.weights", WeightsFile.opened
    file.write_bytes(SHIPPED.read_bytes())
    monkeypatch.setattr(WeightsFile, "opened", lambda: opened(file))
    return file


def found():
    return [(finding.state, finding.says, finding.do) for finding in doctor.check_solver(settings())]


def test_all_is_well_before_the_first_hint_and_after_it(shipped, cache):
    assert [state for state, _, _ in found()] == ["ok", "ok"]
    assert not cache.exists()

    table = shared.table_file(WeightsFile.opened())
    table.parent.mkdir(parents=True)
    with table.open("wb") as made:
        made.truncate(shared.BYTES)

    assert found()[1] == ("ok", f"its table is in {table.parent}", "")


def test_missing_weights_are_found_and_said_how_to_mend(shipped):
    shipped.unlink()
    ((state, says, do),) = found()
    assert (state, "4x4.weights" in says, "install this release again" in do) == ("fail", True, True)


@pytest.mark.parametrize("spoil", [lambda whole: whole[:-1], lambda whole: b"x" + whole[1:], lambda whole: b""])
def test_so_are_damaged_ones(shipped, spoil):
    shipped.write_bytes(spoil(shipped.read_bytes()))
    assert found()[0][0] == "fail"


def test_so_is_a_missing_numpy(monkeypatch):
    for module in ("twofold_solver.shared", "twofold_solver.weights"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.delattr("twofold_solver.shared", raising=False)
    monkeypatch.setitem(sys.modules, "numpy", None)
    ((state, says, do),) = found()
    assert (state, "numpy" in says, "twofold[service]" in do) == ("fail", True, True)


def test_a_folder_that_may_not_be_written_costs_memory(shipped, cache, monkeypatch):
    monkeypatch.setattr("os.access", lambda *_: False)
    state, says, do = found()[1]
    assert (state, "128 MB" in says, "XDG_CACHE_HOME" in do) == ("warn", True, True)


def test_a_full_disk_is_found(shipped, monkeypatch):
    class Usage:
        free = 10 << 20

    monkeypatch.setattr("shutil.disk_usage", lambda _: Usage)
    state, says, _ = found()[1]
    assert (state, says.startswith("10 MB")) == ("warn", True)


def test_a_user_without_a_home_is_found(shipped, monkeypatch):
    def homeless():
        raise RuntimeError

    monkeypatch.setattr(shared, "cache_folder", homeless)
    assert found()[1][0] == "warn"
