"""Hints where two processes serve one game: each shows what the other has given, and no end is missed."""

import pytest

from twofold_service.errors import RuleRefused
from twofold_service.usecases.hints import Hints

pytestmark = pytest.mark.postgres


class Here:
    """A desk without a process of its own."""

    async def do(self, address, call, *arguments):
        return call(*arguments)


def hints_of(half, desk=None) -> Hints:
    return Hints(half.rooms, half.reading._games, half.play, desk or Here(), half.now)


async def test_a_hint_given_elsewhere_shows_at_once_and_the_end_here_is_assisted(halves):
    one, other = halves
    ada = await one.join()
    view = await one.moves(await one.begin(ada), 3)
    assert not (await other.see(view)).header.assisted

    await hints_of(one).of_game(view.header.id, ada, 1, "")

    assert (await other.see(view)).header.assisted
    await other.do(view, "abandon")
    assert not (await one.rankings.leaderboard("classic", None, None, "all", 9, None, ada)).own
    own = (await one.rankings.leaderboard("classic", None, None, "all", 9, None, ada, assisted=True)).own
    assert (own.game, own.assisted) == (view.header.id, True)


async def test_an_end_elsewhere_that_nobody_here_has_heard_of_makes_no_late_hint(halves):
    one, other = halves
    ada = await one.join()
    view = await one.moves(await one.begin(ada), 3)
    await other.do(view, "abandon")

    with pytest.raises(RuleRefused) as refused:
        await hints_of(one).of_game(view.header.id, ada, 1, "")

    assert refused.value.code == "game_over"
    assert not (await one.see(view)).header.assisted


async def test_an_end_while_the_solver_thinks_elsewhere_makes_none_either(halves):
    one, other = halves
    ada = await one.join()
    view = await one.moves(await one.begin(ada), 3)

    class Ending:
        async def do(self, address, call, *arguments):
            await other.do(view, "abandon")
            return call(*arguments)

    with pytest.raises(RuleRefused) as refused:
        await hints_of(one, Ending()).of_game(view.header.id, ada, 1, "")

    assert refused.value.code == "game_over"
    assert (await one.rankings.leaderboard("classic", None, None, "all", 9, None, ada)).own
