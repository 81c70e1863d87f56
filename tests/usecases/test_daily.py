"""The daily: one seed for everybody, attempts in order, sealed to those who still play, revealed in the end."""

import pytest

from tests.service import SECRET, Hand
from tests.usecases.house import kinds
from twofold.clock import SECOND
from twofold.daily import DAY, later, opens_at, reveals_at
from twofold.game import Outcome, Status
from twofold.spawn import daily_seed
from twofold_service.errors import AttemptOpen, DailySealed, Invalid, NotFound, RuleRefused

TODAY = "2027-01-15"


async def finish(house, view):
    """The game played to its end, not final."""
    while (now := await house.see(view)).game.status is Status.RUNNING:
        await house.move(now)
    return now


async def at_reveal(house, date=TODAY):
    """The instant of the reveal comes, the chores not done yet."""
    house.now.at = reveals_at(date)
    await house.wake()


async def test_everybody_has_the_seed_of_the_date(house, ada):
    bob = await house.join()

    games = [(await house.begin(player, "daily")).game for player in (ada, bob)]

    assert {game.seed for game in games} == {daily_seed(SECRET, TODAY)}
    assert len({game.position.cells for game in games}) == 1


async def test_a_seed_that_was_published_stays_though_the_secret_changes(house):
    before = {date: (await house.daily.day(date)).seed for date in (TODAY, later(TODAY, 7))}

    again = await house.again()
    again.daily._secret = bytes(32)
    again.now.at += DAY
    await again.daily.publish()

    assert {date: (await again.daily.day(date)).seed for date in before} == before
    assert (await again.daily.day(later(TODAY, 8))).seed == daily_seed(bytes(32), later(TODAY, 8))


@pytest.mark.parametrize("date", ["2027-01-14", "2027-01-23", "1999-12-31", "9999-12-31"])
async def test_a_date_before_the_first_day_or_beyond_a_week_is_not_there(house, date):
    with pytest.raises(NotFound):
        await house.daily.day(date)


@pytest.mark.parametrize(
    "date", ["", "today", "2027-13-01", "2027-02-30", "2027-1-15", "20270115", "2027-01-15 ", "2027-W02-5", "\0"]
)
async def test_what_is_no_date_is_refused(house, date):
    with pytest.raises(Invalid):
        await house.daily.day(date)


async def test_the_date_at_creation_decides_and_the_game_goes_on_past_midnight(house, ada):
    house.now.at = opens_at(later(TODAY, 1)) - SECOND
    await house.wake()
    game = await house.begin(ada, "daily")
    house.now.forward(1)

    played = await house.move(game)
    new = await house.begin(ada, "daily")

    assert (game.header.date, new.header.date) == (TODAY, later(TODAY, 1))
    assert played.event.version == 2
    assert new.header.attempt == 1


async def test_attempts_are_numbered_by_creation_abandoned_ones_included(house, ada):
    numbers = []
    for _ in range(3):
        game = await house.begin(ada, "daily")
        numbers.append(game.header.attempt)
        await house.do(game, "abandon")

    assert numbers == [1, 2, 3]


async def test_a_new_attempt_is_refused_while_one_is_open_with_that_one(house, ada):
    game = await house.begin(ada, "daily")

    with pytest.raises(AttemptOpen) as refused:
        await house.begin(ada, "daily")

    assert refused.value.game and refused.value.game.header.id == game.header.id


async def test_an_open_attempt_is_replaced_by_its_name(house, ada):
    first = await house.begin(ada, "daily")

    second = await house.begin(ada, "daily", replaces=first.header.id)

    assert (second.header.attempt, (await house.see(first)).game.outcome) == (2, Outcome.ABANDONED)


async def test_an_open_attempt_stays_open_where_another_game_is_replaced(house, ada):
    daily, classic = await house.begin(ada, "daily"), await house.begin(ada)

    with pytest.raises(AttemptOpen):
        await house.begin(ada, "daily", replaces=classic.header.id)

    assert [(await house.see(view)).game.status for view in (daily, classic)] == [Status.RUNNING] * 2


async def test_a_finished_attempt_gives_up_its_undos_to_the_next(house, ada):
    first = await finish(house, await house.begin(ada, "daily"))
    before = first.game

    second = await house.begin(ada, "daily")

    after = (await house.see(first)).game
    assert second.header.attempt == 2
    assert (before.final, after.final, after.outcome) == (False, True, before.outcome)
    assert (after.ended_at, after.elapsed_ms) == (before.ended_at, before.elapsed_ms)


async def test_attempts_of_one_player_are_none_of_another(house, ada):
    await house.begin(ada, "daily")

    assert (await house.begin(await house.join(), "daily")).header.attempt == 1


async def test_a_daily_is_seen_by_its_player_and_by_those_whose_first_attempt_is_final(house, ada):
    game = await house.begin(ada, "daily")
    idle, playing, finished, through = [await house.join() for _ in range(4)]
    await house.begin(playing, "daily")
    await finish(house, await house.begin(finished, "daily"))
    await house.do(await house.begin(through, "daily"), "abandon")

    seen = {}
    for name, viewer in {
        "ada": ada,
        "idle": idle,
        "playing": playing,
        "finished": finished,
        "through": through,
    }.items():
        try:
            seen[name] = (await house.reading.view(game.header.id, viewer)).header.id == game.header.id
        except DailySealed:
            seen[name] = False

    assert seen == {"ada": True, "idle": False, "playing": False, "finished": False, "through": True}
    with pytest.raises(DailySealed):
        await house.reading.view(game.header.id, None)


async def test_a_later_attempt_that_is_open_seals_nothing(house, ada):
    game, bob = await house.begin(ada, "daily"), await house.join()
    await house.do(await house.begin(bob, "daily"), "abandon")
    await house.begin(bob, "daily")

    assert (await house.reading.view(game.header.id, bob)).header.id == game.header.id


async def test_a_damaged_first_attempt_of_one_s_own_leaves_the_others_sealed(house, ada):
    game, bob = await house.begin(ada, "daily"), await house.join()
    own = await house.begin(bob, "daily")
    damage = "UPDATE game SET score = 2 WHERE id = ?"
    await house.service.journal.run(lambda connection: connection.exec_driver_sql(damage, (own.header.id,)))
    house.rooms.drop(house.rooms.get(own.header.id))

    with pytest.raises(DailySealed):
        await house.reading.view(game.header.id, bob)


async def test_the_path_is_sealed_with_the_position(house, ada):
    game = await house.begin(ada, "daily")

    for reading in (house.reading.events(game.header.id, None, 0), house.reading.export(game.header.id, None)):
        with pytest.raises(DailySealed):
            await reading


async def test_until_the_reveal_the_seed_is_shown_to_nobody(house, ada):
    game = await house.begin(ada, "daily")
    await house.do(game, "abandon")
    house.now.at = reveals_at(TODAY) - 1

    view = await house.see(game)

    assert not view.header.shows_seed(view.game, house.now())
    assert (await house.reading.export(game.header.id, ada))["seed"] is None


async def test_from_the_reveal_the_seed_is_shown_to_everybody(house, ada):
    game = await house.begin(ada, "daily")
    house.now.at = reveals_at(TODAY)

    view = await house.reading.view(game.header.id, None)

    assert view.header.shows_seed(view.game, house.now())
    assert (await house.reading.export(game.header.id, None))["seed"] == daily_seed(SECRET, TODAY).hex()


@pytest.mark.parametrize("op", ["undo", "abandon", "pause", "start", "move"])
async def test_from_the_reveal_every_command_is_refused_though_nothing_is_written_yet(house, ada, op):
    game = await house.begin(ada, "daily")
    way = (await house.move(game)).event.game.legal_moves[0]
    await at_reveal(house)

    with pytest.raises(RuleRefused) as refused:
        await house.do(game, op, **({"direction": way} if op == "move" else {}))

    assert refused.value.code == "game_over"


async def test_a_command_that_came_before_the_reveal_counts(house, ada):
    game = await house.begin(ada, "daily")
    house.now.at = reveals_at(TODAY) - SECOND
    await house.wake()
    await house.do(game, "resume")
    house.now.forward(1.5)

    played = await house.move(game, at=reveals_at(TODAY) - 1)

    assert played.event.type == "move"


async def test_the_reveal_closes_open_games_and_takes_the_undos_of_finished_ones(house, ada):
    open_game = await house.begin(ada, "daily")
    bob = await house.join()
    finished = await finish(house, await house.begin(bob, "daily"))
    await at_reveal(house)

    await house.daily.reveal()

    (ended, kept) = [(await house.see(view)).game for view in (open_game, finished)]
    assert (ended.outcome, ended.final, ended.ended_at) == (Outcome.ABANDONED, True, reveals_at(TODAY))
    assert (kept.outcome, kept.final, kept.ended_at) == (finished.game.outcome, True, finished.game.ended_at)
    assert kinds(await house.log(open_game))[-1] == kinds(await house.log(finished))[-1] == "over reveal"


async def test_a_date_is_closed_once(house, ada):
    game = await house.begin(ada, "daily")
    await at_reveal(house)
    await house.daily.reveal()
    version = (await house.see(game)).game.version

    await house.daily.reveal()
    again = await house.again()

    assert (await again.see(game)).game.version == version


async def test_a_date_whose_reveal_was_slept_through_is_closed_at_the_next_start(house, ada):
    game = await house.begin(ada, "daily")

    again = await house.again(after=10 * 86_400)

    last = (await again.log(game))[-1]
    assert kinds([last]) == ["over reveal"]
    assert last.game.at == reveals_at(TODAY)


async def test_more_games_than_a_page_are_closed_and_a_damaged_one_stops_nobody(house):
    games = []
    for _ in range(101):
        games.append(await house.begin(await house.join(), "daily"))
    damage = "UPDATE game SET score = 2 WHERE id = ?"
    await house.service.journal.run(lambda connection: connection.exec_driver_sql(damage, (games[0].header.id,)))
    house.rooms.drop(house.rooms.get(games[0].header.id))
    await at_reveal(house)

    await house.daily.reveal()

    assert {(await house.see(view)).game.outcome for view in games[1:]} == {Outcome.ABANDONED}
    assert await house.daily._days.unrevealed(later(TODAY, 1)) == []


async def test_practice_is_played_from_the_seed_of_a_revealed_date(house, ada):
    daily = await house.begin(ada, "daily")
    await at_reveal(house)

    practice = await house.begin(ada, "practice", date=TODAY)

    assert practice.game.position.cells == daily.game.position.cells
    assert (practice.header.date, practice.header.category) == (None, None)


@pytest.mark.parametrize(("date", "refusal"), [("2027-01-16", Invalid), ("2026-01-01", NotFound), ("soon", Invalid)])
async def test_practice_is_not_played_from_another_date(house, ada, date, refusal):
    await at_reveal(house)

    with pytest.raises(refusal):
        await house.begin(ada, "practice", date=date)


async def test_players_and_best_of_a_date_count_first_attempts(house, ada):
    first = await house.begin(ada, "daily")
    await house.moves(first, 3)
    await house.do(first, "abandon")
    second = await house.begin(ada, "daily")
    await house.moves(second, 30)
    await house.do(second, "abandon")
    await house.begin(await house.join(), "daily")

    players, best = await house.daily.players(TODAY), await house.rankings.best(TODAY)

    assert (players, best.game) == (2, first.header.id)


async def test_a_service_that_starts_just_before_midnight_has_the_next_day_too(new_house):
    house = await new_house(now=Hand(opens_at("2027-01-16") - SECOND))
    house.now.forward(2)

    assert (await house.daily.today()).date == "2027-01-16"
