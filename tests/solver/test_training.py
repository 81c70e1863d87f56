"""Training learns, can be stopped and resumed at any time, and gives the same bits all the same."""

import signal
import subprocess
import sys

import numpy as np
import pytest

from twofold_solver import training
from twofold_solver.compiled import learning
from twofold_solver.errors import CheckpointRefused
from twofold_solver.training import Learner, Plan, Progress
from twofold_solver.weights import WeightsFile

PLAN = Plan(moves=60_000, restarts_until=25_000)
SEED = 3


@pytest.fixture(autouse=True)
def short_turns(monkeypatch):
    monkeypatch.setattr(training, "TURN", 10_000)


def trained(learner, checkpoint, *, turns=10**6, plan=PLAN, told=None):
    """Train until the plan is fulfilled, but so many turns at most."""
    made: list[int] = []
    training.train(
        learner,
        plan,
        checkpoint,
        tell=(told if told is not None else []).append,
        turned=made.append,
        stop=lambda: len(made) >= turns,
        tell_moves=20_000,
    )
    return learner


@pytest.fixture(scope="module")
def straight(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training, "TURN", 10_000)
        path = tmp_path_factory.mktemp("straight") / "run.npz"
        trained(Learner.new(SEED), path)
    return path


def content(path):
    with np.load(path) as stored:
        return {name: stored[name].tobytes() for name in stored.files if name != "tally"}


def test_a_run_that_was_stopped_and_resumed_has_the_same_weights(straight, tmp_path):
    path = tmp_path / "run.npz"
    trained(Learner.new(SEED), path, turns=1)
    trained(Learner.saved(path), path, turns=2)

    trained(Learner.saved(path), path)

    assert content(path) == content(straight)


def test_another_seed_gives_other_weights(straight, tmp_path):
    trained(Learner.new(4), tmp_path / "run.npz")

    assert content(tmp_path / "run.npz") != content(straight)


def test_some_moves_teach_to_play(tmp_path):
    told: list[Progress] = []

    trained(Learner.new(1), tmp_path / "run.npz", plan=Plan(moves=400_000, restarts_until=0), told=told)

    assert told[0].mean_score < 5_000 < 9_000 < told[-1].mean_score
    assert all(one.moves_per_second > 0 and one.games > 0 for one in told)
    assert told[-1].shares[2048] <= 1


def test_a_move_teaches_the_value_it_led_to():
    weights, errors = np.zeros(4 << 24, np.float32), np.zeros((4 << 24, 2), np.float32)
    at = np.empty(32, np.uint64)
    board = np.uint64(0x1203)

    first = learning.corrected(board, 320.0, weights, errors, at)
    second = learning.corrected(board, 0.0, weights, errors, at)

    assert first >= 320
    assert abs(second) < abs(first)
    assert learning.value(board, weights) == pytest.approx(second)


def test_a_checkpoint_that_is_not_whole_is_refused(straight, tmp_path):
    for name, kept in (("empty", 0), ("cut", straight.stat().st_size // 2)):
        path = tmp_path / name
        path.write_bytes(straight.read_bytes()[:kept])
        with pytest.raises(CheckpointRefused, match="no whole checkpoint of training"):
            Learner.saved(path)


def test_a_checkpoint_of_another_format_is_refused(tmp_path):
    np.savez(tmp_path / "other.npz", format=np.int64(2))

    with pytest.raises(CheckpointRefused, match="a checkpoint of format 2, not 1"):
        Learner.saved(tmp_path / "other.npz")


def command(*arguments):
    return [sys.executable, "-m", "twofold_cli", "train", *map(str, arguments)]


def run(*arguments):
    return subprocess.run(command(*arguments), capture_output=True, text=True, check=False)


def test_the_command_trains_tells_and_packs(tmp_path):
    path, packed = tmp_path / "run.npz", tmp_path / "small.weights"

    done = run(path, "--moves", 30_000, "--tell-moves", 10_000, "--weights", packed, "--kept", 1000)

    assert (done.returncode, done.stderr) == (0, "")
    first, *told, last, sized = done.stdout.splitlines()
    assert first.endswith("seed=1 from=0 moves=30000 restarts_until=18000")
    assert len(told) == 2 and all("mean_score=" in line for line in told)
    assert " done at moves=3" in last and f"bytes={packed.stat().st_size}" in sized
    assert 500 < WeightsFile.opened(packed).entries <= 1000
    assert WeightsFile.opened(packed).moves == Learner.saved(path).moves >= 30_000


def test_a_signal_stops_the_command_with_a_checkpoint(tmp_path):
    path = tmp_path / "run.npz"
    with subprocess.Popen(command(path, "--tell-moves", 1), stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        lines = [running.stdout.readline() for _ in range(2)]
        running.send_signal(signal.SIGTERM)
        rest, _ = running.communicate(timeout=120)

    assert running.returncode == 0 and "moves=" in lines[1]
    assert f"stopped at moves={Learner.saved(path).moves}" in rest


def test_the_command_says_in_one_line_what_it_cannot_go_on_from(straight, tmp_path):
    (tmp_path / "cut.npz").write_bytes(b"PK")

    over, cut, none = run(straight), run(tmp_path / "cut.npz", "--resume"), run(tmp_path / "none.npz", "--resume")
    nowhere = run(tmp_path / "nowhere" / "run.npz")

    assert [one.returncode for one in (over, cut, none, nowhere)] == [1, 1, 1, 1]
    assert nowhere.stderr == f"twofold: {tmp_path / 'nowhere' / 'run.npz.new'}: No such file or directory\n"
    assert over.stderr.startswith(f"twofold: {straight}: there is a checkpoint; go on from it with --resume")
    assert cut.stderr.startswith(f"twofold: {tmp_path / 'cut.npz'}: no whole checkpoint of training: ")
    assert none.stderr == f"twofold: {tmp_path / 'none.npz'}: No such file or directory\n"
    assert all(one.stderr.count("\n") == 1 for one in (over, cut, none))
