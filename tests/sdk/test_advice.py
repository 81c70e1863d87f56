"""The solver's hints and analyses, and bots, as the clients ask for them."""

import httpx
import pytest

from tests.callers import careful
from tests.sdk.conftest import ONE_BEFORE_THE_GOAL
from tests.sdk.fakes import Passing, faked
from twofold.board import Direction, cells_of
from twofold_client import Client, Player, errors

UNDER_WAY = {"state": "running", "progress": 0.4}
ANALYSIS = {
    **{"game": "g", "size": 4, "depth": 2, "trained": True, "moves": 1, "accuracy": 100, "loss": 0.0},
    **{"counts": {}, "thresholds": {}, "turning_points": [], "points": {}},
}


def test_a_board_has_a_hint(client):
    hint = client.hint(ONE_BEFORE_THE_GOAL, depth=1)

    assert (hint.size, hint.depth, hint.trained) == (4, 1, True)
    assert hint.best is max(Direction, key=lambda way: hint.values.get(way, 0.0))
    assert hint.values[Direction.LEFT] > 2048


def test_a_game_with_a_hint_is_assisted(client):
    game = client.new_game("classic")

    hint = game.hint(depth=1)

    assert hint.version == game.state.version
    assert set(hint.values) == set(game.state.legal_moves)
    assert not game.state.assisted and game.refresh().assisted
    assert client.game_hint(game.id).depth == 2


def test_a_final_game_is_looked_over(client):
    game = client.new_game("classic", undo_limit=0)
    with pytest.raises(errors.NotFinal):
        game.analysis()
    for _ in range(30):
        game.move(careful(*cells_of(game.state.board)))
    game.abandon()

    analysis = game.analysis(depth=1)

    assert (analysis.game, analysis.moves, analysis.depth) == (game.id, 30, 1)
    assert len(analysis.points["loss"]) == 30
    assert [point.best for point in analysis.turning_points] == [
        analysis.points["best"][point.move - 1] for point in analysis.turning_points
    ]


async def test_the_awaiting_client_has_them_too(aclient):
    game = await aclient.new_game("moves100")
    await game.move(game.state.legal_moves[0])
    assert (await game.hint(1)).best in game.state.legal_moves
    await game.abandon()

    assert (await aclient.hint(ONE_BEFORE_THE_GOAL)).depth == 2
    assert (await game.analysis()).moves == 1


def test_an_analysis_that_is_still_being_made_is_asked_for_again():
    answers, time = [UNDER_WAY, UNDER_WAY, ANALYSIS], Passing()

    def handler(request):
        told = answers.pop(0)
        return httpx.Response(202 if "state" in told else 200, json=told)

    with faked(handler, time) as client:
        assert client.analysis("g").accuracy == 100.0

    assert len(time.slept) == 2 and min(time.slept) >= 0.5


def test_one_that_is_not_done_in_time_says_how_far_it_is():
    with faked(lambda _: httpx.Response(202, json=UNDER_WAY)) as client, pytest.raises(errors.UnderWay) as told:
        client.analysis("g")

    assert told.value.progress == 0.4
    assert str(told.value) == "still being made, 40% done"


def test_a_bot_says_so_and_is_ranked_among_bots(url, client):
    with Client(url) as bot:
        joined = bot.join("Level 1", bot=True)
        game = bot.new_game("classic")
        game.move(game.state.legal_moves[0])
        game.abandon()

        assert joined == bot.me() == game.state.player == Player(joined.id, "Level 1", bot=True)
        assert game.id in [result.game for result in bot.leaderboard(bots=True)]
        assert game.id not in [result.game for result in bot.leaderboard()]
    assert not client.me().bot


def test_games_with_hints_are_ranked_where_they_are_asked_for(client):
    game = client.new_game("classic")
    game.move(game.state.legal_moves[0])
    game.hint(1)
    game.abandon()

    assert game.id not in [result.game for result in client.leaderboard()]
    (own,) = [result for result in client.leaderboard(assisted=True) if result.game == game.id]
    assert own.assisted
