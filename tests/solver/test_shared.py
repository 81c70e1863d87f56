"""One unpacked table serves every process of a machine."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from twofold_solver import shared
from twofold_solver.errors import WeightsRefused
from twofold_solver.network import WEIGHTS
from twofold_solver.weights import WeightsFile, pack


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return made(tmp_path_factory.mktemp("weights") / "small.weights", 5.0)


@pytest.fixture
def folder(tmp_path):
    """A cache; its tables are large and leave with the test."""
    yield tmp_path
    for path in tmp_path.glob("*.table"):
        path.unlink()


def made(path, weight):
    weights, importance = np.zeros(WEIGHTS, np.float32), np.zeros(WEIGHTS, np.float32)
    weights[77], importance[77] = weight, 1
    pack(path, weights, importance, moves=1, seed=1, kept=1)
    return WeightsFile.opened(path)


def test_the_table_is_made_once_and_mapped_from_then_on(file, folder):
    first = shared.network(file, folder)
    (path,) = folder.glob("*.table")
    made_at = path.stat().st_mtime_ns

    second = shared.network(file, folder)

    assert first.table[77] == second.table[77] != 0
    assert path.stat().st_mtime_ns == made_at
    assert str(path) in Path("/proc/self/maps").read_text()
    assert not second.table.flags.writeable


def test_processes_that_come_at_once_share_one_file(file, folder):
    program = (
        "import sys; from pathlib import Path\n"
        "from twofold_solver import shared; from twofold_solver.weights import WeightsFile\n"
        "table = shared.network(WeightsFile.opened(Path(sys.argv[1])), Path(sys.argv[2])).table\n"
        "maps = [line.split() for line in open('/proc/self/maps') if '.table' in line]\n"
        "print(table[77] > 0, *{(line[1], line[4]) for line in maps})"
    )
    command = [sys.executable, "-c", program, str(file.path), str(folder)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]

    said = {one.communicate(timeout=60)[0] for one in both}

    inode = next(folder.glob("*.table")).stat().st_ino
    assert said == {f"True ('r--s', '{inode}')\n"}


def test_a_table_that_was_cut_is_made_anew(file, folder):
    shared.network(file, folder)
    (path,) = folder.glob("*.table")
    os.truncate(path, 1000)

    assert shared.network(file, folder).table[77] != 0


def test_other_weights_have_a_table_of_their_own_and_the_old_one_goes(file, folder):
    old = shared.network(file, folder)
    new = shared.network(made(folder / "new.weights", -5.0), folder)

    assert len(list(folder.glob("*.table"))) == 1
    assert old.levels[old.table[77]] == -new.levels[new.table[77]] > 0


def test_where_nothing_can_be_written_the_table_is_in_memory(file, folder, caplog):
    (folder / "occupied").write_text("no folder")

    network = shared.network(file, folder / "occupied")

    assert network.table[77] != 0
    assert "own memory" in caplog.text


def test_damaged_weights_are_refused_though_their_table_is_there(file, folder):
    content = bytearray(file.path.read_bytes())
    content[-50] ^= 1
    damaged = folder / "damaged.weights"
    damaged.write_bytes(content)

    shared.network(file, folder)

    with pytest.raises(WeightsRefused):
        shared.network(WeightsFile.opened(damaged), folder)


def test_the_cache_is_where_the_user_wants_it(monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert str(shared.cache_folder()) == "/somewhere/twofold"

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/ada")
    assert str(shared.cache_folder()) == "/home/ada/.cache/twofold"
