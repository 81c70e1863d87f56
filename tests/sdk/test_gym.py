"""The environment is one of Gymnasium's, over the rule book and over a service alike."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from tests.sdk.conftest import ONE_BEFORE_THE_GOAL
from twofold.board import Direction, cells_of
from twofold.game import create
from twofold.rules import Rules
from twofold_client.gym import ID, GameEnv, Local


@pytest.mark.parametrize("size", [3, 4, 8])
def test_gymnasium_finds_no_fault_with_local_games(size):
    check_env(gymnasium.make(ID, size=size).unwrapped)


def test_gymnasium_finds_no_fault_with_served_games(url):
    environment = gymnasium.make(ID, server=url)
    check_env(environment.unwrapped)
    environment.close()


def episode(environment: gymnasium.Env, seed: int, steps: int) -> list[tuple[object, ...]]:
    board, info = environment.reset(seed=seed)
    told: list[tuple[object, ...]] = [(board.tolist(), info["action_mask"].tolist(), info["score"])]
    for step in range(steps):
        action = np.flatnonzero(info["action_mask"])[step % int(info["action_mask"].sum())]
        board, reward, over, cut, info = environment.step(action)
        told.append((board.tolist(), reward, over, cut, info["action_mask"].tolist(), info["score"], info["moves"]))
    return told


@pytest.fixture
def served(url, client) -> Iterator[Callable[..., GameEnv]]:
    """Environments on the service, of one player."""
    with ExitStack() as stack:

        def make(**wanted) -> GameEnv:
            environment = GameEnv(server=url, token=client.token, **wanted)
            stack.callback(environment.close)
            return environment

        yield make


def test_a_seed_gives_the_same_tiles_here_and_on_a_service(served):
    local, there = GameEnv(4), served()

    assert episode(local, 7, 20) == episode(there, 7, 20) == episode(GameEnv(4), 7, 20)
    assert episode(local, 8, 20) != episode(local, 7, 20)


def test_the_reward_is_what_the_score_grows_by_to_the_end():
    environment = GameEnv(3)
    _, info = environment.reset(seed=1)
    rewards, over, cut = 0.0, False, False
    while not over:
        assert info["action_mask"].any()
        _, reward, over, cut, info = environment.step(environment.action_space.sample(info["action_mask"]))
        rewards += reward

    assert rewards == info["score"]
    assert (info["outcome"], cut, info["action_mask"].any()) == ("no_moves", False, False)


def test_an_action_that_changes_nothing_costs_nothing():
    environment = GameEnv(4)
    board, info = environment.reset(seed=1)
    while info["action_mask"].all():
        board, *_, info = environment.step(np.int64(0))
    blocked = np.int64(np.flatnonzero(info["action_mask"] == 0)[0])

    same, reward, over, _, after = environment.step(blocked)

    assert (same == board).all()
    assert (reward, over, after["moves"]) == (0.0, False, info["moves"])


def test_the_goal_does_not_stop_an_episode():
    environment = GameEnv(4)
    environment.reset(seed=1)
    size, cells = cells_of(ONE_BEFORE_THE_GOAL)
    assert isinstance(environment.source, Local)
    environment.source._game = create(Rules(size), bytes(32), 0, given=cells).game

    *_, over, _, info = environment.step(np.int64(list(Direction).index(Direction.LEFT)))

    assert (info["max_tile"], over) == (2048, False)
    environment.step(np.int64(1))


def test_ranked_games_are_played_on_a_service_and_take_no_seed(served):
    environment = served(mode="classic")
    environment.reset()
    environment.step(np.int64(0))

    assert environment.source.game.state.mode == "classic"
    with pytest.raises(ValueError, match="seed"):
        environment.reset(seed=1)
    with pytest.raises(ValueError, match="service"):
        GameEnv(mode="classic")


def test_a_game_that_fell_asleep_is_resumed(served, client):
    environment = served()
    _, info = environment.reset(seed=3)
    client.game(environment.source.game.id).pause()

    *_, after = environment.step(np.int64(np.flatnonzero(info["action_mask"])[0]))

    assert after["moves"] == 1


def test_a_board_can_be_shown():
    environment = GameEnv(3, render_mode="ansi")
    environment.reset(seed=1)

    shown = environment.render()

    assert shown is not None and len(shown.splitlines()) == 3
    assert GameEnv(3).render() is None
