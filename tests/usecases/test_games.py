"""Games are made: what a wish may say, what a new game takes the place of, how many may be open."""

import asyncio

import pytest

from tests.usecases.house import kinds
from twofold.board import Direction
from twofold.game import Outcome, Status
from twofold.rules import MODES
from twofold_service.errors import AttemptOpen, Forbidden, Invalid, NotFound, TooMany

STUCK = [[2, 4, 2], [4, 2, 4], [2, 4, 2]]
LAST_GAP = [[0, 2, 4, 8], [8, 2, 4, 8], [2, 4, 8, 16], [16, 8, 4, 2]]


@pytest.mark.parametrize("mode", MODES)
async def test_a_mode_needs_no_options(house, ada, mode):
    view = await house.begin(ada, mode)

    waits = mode in ("sprint", "break")
    assert view.game.status is (Status.READY if waits else Status.RUNNING)
    assert view.game.rules == MODES[mode].rules()
    assert sum(map(bool, view.game.position.cells)) == 2


@pytest.mark.parametrize(("mode", "start"), [("sprint", True), ("classic", False), ("practice", False)])
async def test_a_start_may_be_wished_for_or_put_off(house, ada, mode, start):
    view = await house.begin(ada, mode, start=start)

    assert view.game.status is (Status.RUNNING if start else Status.READY)
    assert (view.game.started_at is not None) is start


@pytest.mark.parametrize(
    ("field", "mode", "wish"),
    [
        ("size", "classic", {"size": 7}),
        ("size", "sprint", {"size": 5}),
        ("size", "practice", {"size": 9}),
        ("size", "practice", {"size": 4, "board": STUCK}),
        ("undo_limit", "classic", {"undo_limit": 2}),
        ("undo_limit", "practice", {"undo_limit": 0}),
        ("undo_limit", "daily", {"undo_limit": 0}),
        ("board", "classic", {"board": STUCK}),
        ("board", "practice", {"board": [[0, 0, 0]] * 3}),
        ("board", "practice", {"board": [[2, 0], [0, 0]]}),
        ("board", "practice", {"board": [[2, 0, 0], [0, 3, 0], [0, 0, 0]]}),
        ("board", "practice", {"board": [[2**41, 0, 0], [0, 0, 0], [0, 0, 0]]}),
        ("board", "practice", {"board": [[2, 0, 0], [0, 0], [0, 0, 0]]}),
        ("seed", "moves100", {"seed": "00" * 32}),
        ("date", "daily", {"date": "2027-01-15"}),
        ("date", "practice", {"date": "2027-01-10", "seed": "00" * 32}),
        ("date", "practice", {"date": "2027-01-15"}),
    ],
)
async def test_what_a_mode_does_not_offer_is_refused_by_its_name(house, ada, field, mode, wish):
    with pytest.raises(Invalid) as refused:
        await house.begin(ada, mode, **wish)

    assert [loc for loc, _ in refused.value.errors] == [("body", field)]


async def test_a_fixed_option_may_be_named(house, ada):
    view = await house.begin(ada, "sprint", size=4, undo_limit=1, start=False)

    assert view.game.rules == MODES["sprint"].rules()


async def test_a_board_without_a_move_is_over_at_once(house, ada):
    view = await house.begin(ada, "practice", board=STUCK)

    assert (view.game.status, view.game.outcome, view.game.version) == (Status.OVER, Outcome.NO_MOVES, 1)


async def test_the_game_that_is_replaced_ends_in_the_same_step(house, ada):
    old = await house.begin(ada)

    new = await house.begin(ada, replaces=old.header.id)

    ended = (await house.see(old)).game
    assert (ended.outcome, ended.final) == (Outcome.ABANDONED, True)
    assert new.game.status is Status.RUNNING


async def test_a_finished_game_that_is_replaced_gives_up_its_undos_and_a_final_one_is_left_as_it_is(house, ada):
    finished = await house.begin(ada, "practice", board=LAST_GAP)
    await house.move(finished, Direction.LEFT)

    for _ in range(2):
        await house.begin(ada, replaces=finished.header.id)

    game = (await house.see(finished)).game
    assert (game.outcome, game.final) == (Outcome.NO_MOVES, True)
    assert kinds(await house.log(finished)) == ["created", "move", "over player"]


@pytest.mark.parametrize("final", [False, True])
async def test_nobody_replaces_the_game_of_another(house, ada, final):
    theirs = await house.begin(ada)
    if final:
        await house.do(theirs, "abandon")
    before = kinds(await house.log(theirs))
    bob = await house.join()

    with pytest.raises(Forbidden):
        await house.begin(bob, replaces=theirs.header.id)

    assert kinds(await house.log(theirs)) == before
    assert await house.reading.page(bob, None, None, 10, None) == ([], None)


@pytest.mark.parametrize("final", [False, True])
async def test_the_private_game_of_another_is_not_there_to_be_replaced(house, ada, final):
    theirs = await house.begin(ada, visibility="private")
    if final:
        await house.do(theirs, "abandon")
    bob = await house.join()

    for game in (theirs.header.id, "nothing"):
        with pytest.raises(NotFound):
            await house.begin(bob, replaces=game)


async def test_a_timed_game_whose_time_is_up_ends_so_though_it_is_replaced(house, ada):
    sprint = await house.begin(ada, "sprint", start=True)
    await house.wait(119)
    house.now.forward(1.5)

    await house.begin(ada, replaces=sprint.header.id)

    assert kinds(await house.log(sprint)) == ["created", "over time_up"]


async def test_a_damaged_game_is_replaced_and_left_as_it_is(house, ada):
    damaged = await house.begin(ada)
    damage = "UPDATE game SET version = 9 WHERE id = ?"
    await house.service.journal.run(lambda connection: connection.exec_driver_sql(damage, (damaged.header.id,)))
    house.rooms.drop(house.rooms.get(damaged.header.id))

    view = await house.begin(ada, replaces=damaged.header.id)

    assert view.game.status is Status.RUNNING
    assert (await house.logs.raw(damaged.header.id)).game["version"] == 9


async def test_only_so_many_games_may_be_open(new_house, house):
    counted = await new_house(rate_limits="on", open_games=3)
    ada = await counted.join()
    games = [await counted.begin(ada) for _ in range(3)]

    with pytest.raises(TooMany):
        await counted.begin(ada)

    await counted.begin(ada, replaces=games[0].header.id)
    with pytest.raises(TooMany):
        await counted.begin(ada)


async def test_a_refused_game_ends_nothing(new_house, house):
    counted = await new_house(rate_limits="on", open_games=1)
    ada = await counted.join()
    over = await counted.begin(ada, "moves100")
    await counted.do(over, "abandon")
    kept = await counted.begin(ada)

    with pytest.raises(TooMany):
        await counted.begin(ada, replaces=over.header.id)

    assert (await counted.see(kept)).game.status is Status.RUNNING


async def test_games_made_at_once_are_all_made_and_the_first_attempt_only_once(house, ada):
    classics = await asyncio.gather(*[house.begin(ada) for _ in range(8)])
    attempts = await asyncio.gather(*[house.begin(ada, "daily") for _ in range(4)], return_exceptions=True)

    assert len({view.header.id for view in classics}) == 8
    assert [type(attempt) for attempt in attempts].count(AttemptOpen) == 3


async def test_a_best_score_belongs_to_a_category_and_no_undo_lowers_it(house, ada):
    game = await house.begin(ada)
    while (await house.see(game)).game.position.score == 0:
        await house.move(game)
    best = (await house.see(game)).game.position.score
    await house.do(game, "undo")

    same, other = await house.begin(ada), await house.begin(ada, size=5)

    assert (await house.see(game)).game.position.score < best
    assert ((await house.see(game)).best, same.best, other.best) == (best, best, 0)
    again = await house.again()
    assert [(await again.see(view)).best for view in (game, same, other)] == [best, best, 0]
