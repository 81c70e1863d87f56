"""Par of the day: made once a date's seed is shown, by one process, from the tiles of the date."""

import pytest

from tests.bus.test_hints import Here
from twofold.board import legal_moves
from twofold.daily import later, reveals_at
from twofold.game import create
from twofold.rules import MODES
from twofold_service.errors import Busy, SolverUnavailable
from twofold_service.storage.pars import StoredPars
from twofold_service.usecases import pars, playing, solving
from twofold_service.usecases.pars import CLAIM_LASTS, LEVELS, RENEW_EVERY, Pars, luck, seed_of
from twofold_service.usecases.playing import begun, played_on
from twofold_solver.errors import WeightsRefused
from twofold_solver.solver import Advice

TODAY = "2027-01-15"


class FirstOf:
    """A quick player for the solver: the first legal direction, another one at each depth."""

    def advise_all(self, size, boards, depth):
        def worths(cells):
            ways = legal_moves(size, cells)
            return {way: float((number + depth) % len(ways)) for number, way in enumerate(ways)}

        return [Advice(worths(cells), depth, True) for cells in boards]


@pytest.fixture(autouse=True)
def player(monkeypatch):
    monkeypatch.setattr(solving, "solver", FirstOf)


@pytest.fixture
def new_pars(house):
    def new(process="here", desk=None, of=house):
        store = StoredPars(of.service.readers, of.service.journal)
        return Pars(store, of.daily, desk or Here(), of.now, process, shuffles=4)

    return new


@pytest.fixture
async def revealed(house):
    """The date's seed is shown, and its games are closed."""

    async def reveal(date=TODAY):
        house.now.at = reveals_at(date)
        await house.wake()
        await house.daily.publish()
        await house.daily.reveal()

    return reveal


def scores(seed, levels=LEVELS):
    """What the quick player comes to, by the rule book's own game."""
    found = []
    for level in levels:
        game = create(MODES["daily"].rules(), seed, 0).game
        while game.legal_moves:
            cells = game.position.cells
            event = game.move(FirstOf().advise_all(4, [cells], level)[0].best, 0)
            assert event is not None
            game = event.game if event.game.legal_moves or event.game.over else event.game.go_on(0).game
        found.append((level, game.position.score, 1 << max(game.position.cells)))
    return found


async def test_there_is_none_before_the_seed_is_shown(house, new_pars):
    making = new_pars()
    house.now.at = reveals_at(TODAY) - 1

    assert await making.make_next() is False
    assert await making.of_date(TODAY) is None


async def test_the_solver_has_played_the_tiles_of_the_date_at_each_level(house, new_pars, revealed):
    seed = (await house.daily.day(TODAY)).seed
    await revealed()

    assert await new_pars().make_next()

    par = await new_pars().of_date(TODAY)
    assert [tuple(level) for level in par.levels] == scores(seed)
    others = [scores(seed_of(seed, number), [2])[0][1] for number in range(4)]
    assert par.luck == luck(par.levels[1].score, others)


async def test_it_is_made_once(house, new_pars, revealed):
    await revealed()
    assert await new_pars().make_next()

    assert await new_pars().make_next() is False
    assert await new_pars("another").make_next() is False


async def test_best_and_median_are_those_of_first_attempts(house, new_pars, revealed):
    made = []
    for moves in (30, 10, 20):
        view = await house.begin(await house.join(), "daily")
        made.append((await house.moves(view, moves)).game.position.score)
        await house.do(view, "abandon")
    await revealed()

    await new_pars().make_next()

    par = await new_pars().of_date(TODAY)
    assert (par.best, par.median) == (max(made), sorted(made)[1])


async def test_a_date_nobody_played_has_a_par_all_the_same(new_pars, revealed):
    await revealed()
    await new_pars().make_next()
    par = await new_pars().of_date(TODAY)
    assert (par.best, par.median) == (None, None)
    assert par.levels[0].score > 0


async def test_the_newest_date_comes_first(house, new_pars, revealed):
    await revealed()
    await revealed(later(TODAY, 1))
    making = new_pars()

    await making.make_next()

    assert await making.of_date(later(TODAY, 1)) is not None
    assert await making.of_date(TODAY) is None
    await making.make_next()
    assert await making.of_date(TODAY) is not None


async def test_while_one_process_is_at_it_no_other_is_and_a_dead_one_is_followed(house, new_pars, revealed):
    await revealed()

    class Dying:
        async def do(self, address, call, *arguments):
            raise Busy

    with pytest.raises(Busy):
        await new_pars("dead", Dying()).make_next()
    assert await new_pars("other").make_next() is False

    house.now.forward(CLAIM_LASTS / 1e6 + 1)
    assert await new_pars("other").make_next()
    assert await new_pars().of_date(TODAY) is not None


class Slow(Here):
    """Each step takes as long as is said, and something else may happen in it."""

    def __init__(self, house, seconds, meanwhile=None):
        self.house, self.seconds, self.meanwhile = house, seconds, meanwhile

    async def do(self, address, call, *arguments):
        self.house.now.forward(self.seconds)
        if self.meanwhile is not None:
            await self.meanwhile()
        return await super().do(address, call, *arguments)


async def test_a_process_that_is_at_it_for_long_keeps_it(house, new_pars, revealed, monkeypatch):
    monkeypatch.setattr(pars, "MOVES_A_STEP", dict.fromkeys(LEVELS, 20))
    await revealed()
    others = []

    async def another_tries():
        others.append(await new_pars("other").make_next())

    assert await new_pars("here", Slow(house, RENEW_EVERY / 1e6, another_tries)).make_next()
    assert len(others) > CLAIM_LASTS / RENEW_EVERY
    assert not any(others)


async def test_a_process_that_was_overtaken_leaves_it_to_the_other(house, new_pars, revealed, monkeypatch, caplog):
    caplog.set_level("INFO")
    await revealed()
    taken: list[bool] = []

    async def other_takes_over():
        if not taken:
            taken.append(True)
            assert await new_pars("other").make_next()

    assert await new_pars("here", Slow(house, CLAIM_LASTS / 1e6 + 1, other_takes_over)).make_next()
    assert "another process's" in caplog.text
    assert await new_pars().of_date(TODAY) is not None


async def test_without_weights_it_is_put_off_and_made_later(house, new_pars, revealed, monkeypatch):
    def refused():
        raise WeightsRefused("4x4.weights: damaged")

    await revealed()
    with monkeypatch.context() as broken:
        broken.setattr(solving, "solver", refused)
        with pytest.raises(SolverUnavailable):
            await new_pars().make_next()

    house.now.forward(CLAIM_LASTS / 1e6 + 1)
    assert await new_pars().make_next()


def test_play_in_steps_is_the_same_as_at_once():
    runs = [begun(seed_of(b"", number)) for number in range(3)]
    at_once, steps = played_on(runs, 1, 10**6), runs
    while not all(run.over for run in steps):
        steps = played_on(steps, 1, 7)
    assert steps == at_once
    assert played_on(at_once, 1, 10) == at_once


def test_a_step_is_about_as_long_as_it_is_to_be():
    runs = [begun(seed_of(b"", number)) for number in range(3)]
    assert sum(run.position.moves for run in played_on(runs, 1, 12)) == 12


def test_luck_is_the_share_of_other_tiles_that_were_worse():
    assert luck(300, [100, 200, 300, 400]) == (2, 4, 250, 0.5)


def test_reshuffled_tiles_are_others_each_time_and_the_same_for_everybody():
    seeds = {seed_of(bytes(32), number) for number in range(100)}
    assert len(seeds) == 100
    assert seed_of(bytes(32), 0).hex().startswith("cea7e447692a7d4e")
    assert playing.begun(bytes(32)).position.cells.count(0) == 14
