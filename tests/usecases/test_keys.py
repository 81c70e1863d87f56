"""Keys: a command under a key is carried out once, and answered the same as often as it is repeated."""

import asyncio

import pytest

from tests.usecases.house import kinds
from twofold.board import Direction
from twofold_service.errors import KeyReused, RuleRefused, StaleVersion
from twofold_service.usecases.games import Wish

UP, DOWN, LEFT, RIGHT = Direction
CORNER = [[2, 0, 0], [0, 0, 0], [0, 0, 0]]


@pytest.fixture
async def game(house, ada):
    return await house.begin(ada)


@pytest.fixture
async def corner(house, ada):
    """A practice game whose one tile lies in the top left corner."""
    return await house.begin(ada, "practice", board=CORNER, seed="11" * 32)


async def test_a_repeat_is_applied_once_and_brings_the_same_event(house, game):
    first = await house.move(game, key="k")

    again = await house.move(game, first.event.direction, key="k")

    assert (first.replayed, again.replayed) == (False, True)
    assert again.event == first.event
    assert (await house.see(game)).game.version == 2


async def test_a_repeat_brings_the_game_as_it_stands_now(house, game):
    way = game.game.legal_moves[0]
    await house.move(game, way, key="k")
    await house.moves(game, 5)
    await house.do(game, "abandon")

    again = await house.move(game, way, key="k")

    assert (again.event.version, again.event.game.status) == (2, "running")
    assert (again.view.game.version, again.view.game.status) == (8, "over")


async def test_a_repeat_that_comes_while_the_first_is_in_flight_waits_for_it(house, game):
    way = game.game.legal_moves[0]

    all_played = await asyncio.gather(*[house.move(game, way, key="k") for _ in range(8)])

    assert {played.event.version for played in all_played} == {2}
    assert sorted(played.replayed for played in all_played) == [False] + [True] * 7


async def test_a_repeat_after_a_restart_is_one(house, game):
    way = game.game.legal_moves[0]
    first = await house.move(game, way, key="k", version=1)

    again = await house.again(after=60)

    repeated = await again.move(game, way, key="k", version=1)
    assert repeated.replayed
    assert repeated.event._replace(game=None) == first.event._replace(game=None)
    assert kinds(await again.log(game)) == ["created", "move", "pause outage"]


async def test_an_event_far_back_is_brought_by_its_key(house, ada):
    practice = await house.begin(ada, "practice", size=6, seed="22" * 32)
    await house.moves(practice, 254)
    keyed = [await house.move(practice, key=f"k{number}") for number in range(3)]
    await house.moves(practice, 20)

    repeated = [
        await house.move(practice, played.event.direction, key=f"k{number}") for number, played in enumerate(keyed)
    ]

    assert [played.event.version for played in repeated] == [256, 257, 258]
    assert [again.event.slides for again in repeated] == [played.event.slides for played in keyed]
    assert [again.event.game.position for again in repeated] == [played.event.game.position for played in keyed]


async def test_a_no_op_under_a_key_is_remembered(house, corner):
    first = await house.move(corner, LEFT, key="k")
    await house.move(corner, RIGHT)

    again = await house.move(corner, LEFT, key="k")

    assert (first.event, first.replayed) == (None, False)
    assert (again.event, again.replayed) == (None, True)
    assert again.view.game.version == 2


async def test_a_no_op_is_the_repeat_of_a_move_that_was_made(house, corner):
    moved = await house.move(corner, RIGHT, key="k")
    no_op = await house.move(corner, RIGHT, key="other")

    again = await house.move(corner, RIGHT, key="k")

    assert (again.event.version, again.replayed) == (moved.event.version, True)
    assert no_op.view.game.version >= 2


@pytest.mark.parametrize(
    "other",
    [
        {"op": "move", "direction": UP},
        {"op": "move", "direction": RIGHT, "version": 1},
        {"op": "pause"},
        {"op": "undo"},
    ],
)
async def test_a_key_serves_no_other_command(house, corner, other):
    await house.move(corner, RIGHT, key="k")

    with pytest.raises(KeyReused):
        await house.do(corner, key="k", **other)

    assert (await house.see(corner)).game.version == 2


async def test_a_key_used_for_another_command_is_looked_at_before_the_version_and_the_state(house, game):
    await house.do(game, "pause", key="k")

    with pytest.raises(KeyReused):
        await house.do(game, "pause", key="k", version=99)
    with pytest.raises(KeyReused):
        await house.do(game, "start", key="k")


async def test_a_refusal_is_not_remembered(house, game):
    with pytest.raises(RuleRefused):
        await house.do(game, "resume", key="k")
    with pytest.raises(StaleVersion):
        await house.do(game, "pause", key="k", version=7)
    await house.do(game, "pause")

    resumed = await house.do(game, "resume", key="k")

    assert not resumed.replayed
    assert resumed.event.version == 3


async def test_keys_of_one_game_are_not_those_of_another(house, ada, game):
    another = await house.begin(ada)
    await house.do(game, "pause", key="k")

    paused = await house.do(another, "pause", key="k")

    assert not paused.replayed


async def test_a_repeated_undo_takes_back_one_move(house, ada):
    game = await house.moves(await house.begin(ada, undo_limit=5), 4)
    await house.do(game, "undo", key="k")

    await house.do(game, "undo", key="k")

    assert (await house.see(game)).game.position.moves == 3


async def test_a_repeat_of_the_move_that_ended_the_game_is_answered(house, ada):
    board = [[0, 2, 4, 8], [8, 2, 4, 8], [2, 4, 8, 16], [16, 8, 4, 2]]
    game = await house.begin(ada, "practice", board=board)
    await house.move(game, LEFT, key="k")

    again = await house.move(game, LEFT, key="k")

    assert (again.replayed, again.event.game.outcome) == (True, "no_moves")


async def test_a_key_makes_one_game(house, ada):
    wish = Wish("classic", size=5)

    made = await asyncio.gather(*[house.games.create(ada, wish, "k") for _ in range(5)])

    assert len({view.header.id for view, _ in made}) == 1
    assert sorted(replayed for _, replayed in made) == [False, True, True, True, True]


async def test_a_key_brings_the_game_it_made_as_it_stands_even_after_a_restart(house, ada):
    game = await house.begin(ada, key="k")
    await house.moves(game, 3)

    again = await house.again()

    view, replayed = await again.games.create(ada, Wish("classic"), "k")
    assert replayed
    assert (view.header.id, view.game.position.moves) == (game.header.id, 3)


async def test_a_key_makes_no_game_of_another_kind_but_serves_another_player(house, ada):
    game = await house.begin(ada, key="k")
    bob = await house.join()

    with pytest.raises(KeyReused):
        await house.begin(ada, "sprint", key="k")

    assert (await house.begin(bob, "sprint", key="k")).header.id != game.header.id


async def test_a_key_of_creating_is_none_of_commands(house, ada):
    game = await house.begin(ada, key="k")

    assert not (await house.do(game, "pause", key="k")).replayed


async def test_a_creation_that_was_refused_leaves_its_key_free(house, ada):
    first = await house.begin(ada, "daily")
    with pytest.raises(Exception, match="attempt"):
        await house.begin(ada, "daily", key="k")
    await house.do(first, "abandon")

    second = await house.begin(ada, "daily", key="k")

    assert second.header.attempt == 2


async def test_keys_are_let_go_after_a_day(house, ada, game):
    way = game.game.legal_moves[0]
    await house.move(game, way, key="k")
    created = await house.begin(ada, key="c")
    await house.sleep(86_300)
    await house.games.forget_keys()
    kept = (await house.move(game, way, key="k")).replayed
    await house.sleep(200)

    await house.games.forget_keys()

    assert kept
    assert (await house.begin(ada, key="c")).header.id != created.header.id
    with pytest.raises(RuleRefused):
        await house.move(game, way, key="k")
