"""Weights survive packing, and a file that is not whole is refused in one line."""

import hashlib
import json

import numpy as np
import pytest

from twofold_solver.errors import WeightsRefused
from twofold_solver.network import ENTRIES, LEVELS, TUPLES, UNIT, WEIGHTS
from twofold_solver.weights import SHIPPED, WeightsFile, pack

PLACES = np.array([0, 5, ENTRIES - 1, ENTRIES, 2 * ENTRIES + 77, 3 * ENTRIES + 1, 3 * ENTRIES + 4096, WEIGHTS - 1])
"""The last but two and the last but one are twins."""
LEARNED = np.array([1.0, -2.5, 1000.0, 0.25, -30000.0, 12.0, 12.0, 7.0], np.float32)
IMPORTANCE = np.array([5, 4, 9, 8, 7, 6, 6, 3], np.float32)


@pytest.fixture(scope="module")
def learned():
    weights, importance = np.zeros(WEIGHTS, np.float32), np.zeros(WEIGHTS, np.float32)
    weights[PLACES], importance[PLACES] = LEARNED, IMPORTANCE
    return weights, importance


@pytest.fixture(scope="module")
def file(learned, tmp_path_factory):
    path = tmp_path_factory.mktemp("weights") / "small.weights"
    pack(path, *learned, moves=123, seed=7, kept=7)
    return path


def unpacked(path):
    table = np.zeros(WEIGHTS, np.uint16)
    opened = WeightsFile.opened(path)
    opened.unpack(table)
    return table, opened.levels()


def test_the_most_important_weights_are_kept_closely_and_the_rest_weighs_nothing(file):
    table, levels = unpacked(file)

    kept = np.flatnonzero(table)
    read = levels[table[kept]] / UNIT

    assert kept.tolist() == PLACES[:-1].tolist()
    assert read == pytest.approx(LEARNED[:-1], rel=0.04, abs=0.01)
    assert not levels.reshape(len(TUPLES), LEVELS)[:, 0].any()


def test_no_more_is_kept_than_was_learned(learned, tmp_path):
    pack(tmp_path / "all.weights", *learned, moves=1, seed=1, kept=1000)

    assert WeightsFile.opened(tmp_path / "all.weights").entries == len(PLACES) - 1


def test_the_header_tells_of_the_training(file):
    opened = WeightsFile.opened(file)

    assert (opened.moves, opened.seed, opened.entries) == (123, 7, 6)


@pytest.mark.parametrize("where", [0.0, 0.01, 0.3, 0.6, 0.9, 0.999])
def test_a_changed_byte_is_found(file, tmp_path, where):
    content = bytearray(file.read_bytes())
    content[int(len(content) * where)] ^= 1
    damaged = tmp_path / "damaged.weights"
    damaged.write_bytes(content)

    with pytest.raises(WeightsRefused, match=r"damaged\.weights: (damaged|no file of weights)"):
        unpacked(damaged)


@pytest.mark.parametrize("length", [0, 5, 12, 100, -1, -40])
def test_a_cut_file_is_refused(file, tmp_path, length):
    cut = tmp_path / "cut.weights"
    cut.write_bytes(file.read_bytes()[:length])

    with pytest.raises(WeightsRefused, match=r"cut\.weights: "):
        unpacked(cut)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": 2}, "weights of format 2; this release reads 1"),
        ({"tuples": [[0, 1]]}, "weights of other tuples than this release's"),
        ({"scales": None}, "damaged: its header lacks something"),
    ],
)
def test_another_header_is_refused(file, tmp_path, change, words):
    content = file.read_bytes()
    length = int.from_bytes(content[8:12], "big")
    header = json.dumps(json.loads(content[12 : 12 + length]) | change).encode()
    other = tmp_path / "other.weights"
    changed = content[:8] + len(header).to_bytes(4, "big") + header + content[12 + length : -32]
    other.write_bytes(changed + hashlib.sha256(changed).digest())

    with pytest.raises(WeightsRefused, match=words):
        unpacked(other)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(WeightsRefused, match="cannot be read: No such file or directory"):
        WeightsFile.opened(tmp_path / "none.weights")


def test_the_shipped_file_is_small_and_whole():
    assert SHIPPED.stat().st_size <= 8_000_000
    assert 4_000_000 < WeightsFile.opened().entries < np.count_nonzero(unpacked(SHIPPED)[0])


def test_the_fourth_tuple_reads_the_same_with_its_rows_exchanged():
    rows = unpacked(SHIPPED)[0][3 * ENTRIES :].reshape(4096, 4096)

    assert np.array_equal(rows, rows.T)
