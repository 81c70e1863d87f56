"""Attendance: a timed game is paused when the last connection of its player that watches it or has played it goes."""

import pytest

from tests.usecases.house import Seat, kinds
from twofold.clock import SECOND
from twofold.game import Status
from twofold_service.errors import DailySealed, NotFound, TooMany


@pytest.fixture
async def sprint(house, ada):
    return await house.begin(ada, "sprint", start=True)


@pytest.fixture
def sit(house):
    """Opens connections: `sit(player)`, `sit()` for a stranger."""

    def open_one(player=None, **details):
        seat = Seat(**details)
        house.live.open(seat)
        if player is not None:
            house.live.greet(seat, player)
        return seat

    return open_one


async def watch(house, seat, view, since=None):
    return await house.live.watch(seat, view.header.id, since)


async def leave(house, seat):
    house.live.close(seat)
    await house.play.settled(5)


async def test_the_last_of_two_connections_pauses_the_game_when_it_goes(house, ada, sprint, sit):
    one, two = sit(ada), sit(ada)
    await watch(house, one, sprint)
    await watch(house, two, sprint)

    await leave(house, one)
    between = (await house.see(sprint)).game.status
    await house.wait(3)
    await leave(house, two)

    last = (await house.log(sprint))[-1]
    assert between is Status.RUNNING
    assert kinds([last]) == ["pause disconnect"]
    assert (last.game.active, last.game.pauses) == (3 * SECOND, 1)


async def test_a_connection_that_has_played_counts_though_it_never_watched(house, ada, sprint, sit):
    one, two = sit(ada), sit(ada)
    await watch(house, one, sprint)
    house.live.attend(two, sprint.header.id)

    await leave(house, one)
    between = (await house.see(sprint)).game.status
    await leave(house, two)

    assert (between, (await house.see(sprint)).game.status) == (Status.RUNNING, Status.PAUSED)


async def test_a_connection_that_no_longer_watches_still_attends(house, ada, sprint, sit):
    seat = sit(ada)
    await watch(house, seat, sprint)
    house.live.unwatch(seat, sprint.header.id)
    between = (await house.see(sprint)).game.status

    await leave(house, seat)

    assert (between, (await house.see(sprint)).game.status) == (Status.RUNNING, Status.PAUSED)


async def test_a_spectator_who_leaves_pauses_nothing(house, sprint, sit):
    bob = await house.join()
    for seat in (sit(), sit(bob)):
        assert (await watch(house, seat, sprint)).role == "spectator"

        await leave(house, seat)

    assert (await house.see(sprint)).game.status is Status.RUNNING


async def test_a_connection_of_the_player_that_has_not_to_do_with_the_game_pauses_nothing(house, ada, sprint, sit):
    another = await house.begin(ada)
    seat = sit(ada)
    await watch(house, seat, another)

    await leave(house, seat)

    assert (await house.see(sprint)).game.status is Status.RUNNING


async def test_an_untimed_game_is_not_paused_by_a_lost_connection(house, ada, sit):
    classic = await house.begin(ada)
    seat = sit(ada)
    await watch(house, seat, classic)

    await leave(house, seat)

    assert kinds(await house.log(classic)) == ["created"]


async def test_a_timed_game_that_stands_is_not_paused_again(house, ada, sprint, sit):
    seat = sit(ada)
    await watch(house, seat, sprint)
    await house.do(sprint, "pause")

    await leave(house, seat)

    assert kinds(await house.log(sprint)) == ["created", "pause player"]


async def test_more_than_three_pauses_and_a_timed_game_is_not_ranked(house, ada, sprint, sit):
    ranked = []
    for _ in range(4):
        seat = sit(ada)
        await watch(house, seat, sprint)
        await leave(house, seat)
        view = await house.see(sprint)
        ranked.append(view.header.ranks(view.game))
        await house.do(sprint, "resume")

    assert ranked == [True, True, True, False]


async def test_a_watcher_is_told_every_event_once_and_not_the_one_it_was_answered(house, ada, sit):
    classic = await house.begin(ada)
    mine, fan = sit(ada), sit()
    for seat in (mine, fan):
        await watch(house, seat, classic)

    await house.move(classic, by=mine)
    await house.move(classic)

    assert [(told.event.version, told.by is mine) for told in mine.heard] == [(2, True), (3, False)]
    assert [told.event.version for told in fan.heard] == [2, 3]


async def test_who_watches_no_more_is_told_no_more(house, ada, sit):
    classic, seat = await house.begin(ada), sit()
    await watch(house, seat, classic)
    house.live.unwatch(seat, classic.header.id)

    await house.move(classic)

    assert seat.heard == []


@pytest.mark.parametrize("since", [None, 0, 3, 6, 7])
async def test_a_watch_brings_what_was_missed_or_the_game(house, ada, sit, since):
    classic = await house.moves(await house.begin(ada), 5)

    watched = await watch(house, sit(), classic, since)

    missed = None if watched.missed is None else [event.version for event in watched.missed]
    assert missed == {None: None, 0: [1, 2, 3, 4, 5, 6], 3: [4, 5, 6], 6: [], 7: None}[since]
    assert watched.view.game.version == 6


async def test_only_so_many_missed_events_are_brought(house, ada, sit):
    practice = await house.begin(ada, "practice", size=8, seed="00" * 32)
    await house.moves(practice, 501)

    far, near = [await watch(house, sit(), practice, since) for since in (1, 2)]

    assert far.missed is None
    assert [event.version for event in near.missed or ()] == list(range(3, 503))


async def test_a_private_or_sealed_game_is_not_to_be_watched(house, ada, sit):
    private, daily = await house.begin(ada, visibility="private"), await house.begin(ada, "daily")

    for view, refusal in ((private, NotFound), (daily, DailySealed)):
        with pytest.raises(refusal):
            await watch(house, sit(), view)

    assert house.live._audiences == {}


async def test_watchers_of_a_deleted_player_are_told_and_the_player_s_sockets_end(house, ada, sit):
    classic = await house.begin(ada)
    mine, fan, nobody = sit(ada), sit(), sit()
    for seat in (mine, fan):
        await watch(house, seat, classic)

    await house.players.delete(ada)

    assert (mine.ended, fan.ended) == (True, False)
    assert (fan.lost, nobody.lost) == ([classic.header.id], [])


async def test_sockets_are_counted_by_address_and_by_player(new_house, house):
    counted = await new_house(rate_limits="on", address_sockets=3, player_sockets=2)
    ada = await counted.join()
    seats = [Seat() for _ in range(4)]
    for seat in seats[:3]:
        counted.live.open(seat)
    for seat in seats[:2]:
        counted.live.greet(seat, ada)

    with pytest.raises(TooMany):
        counted.live.open(seats[3])
    with pytest.raises(TooMany):
        counted.live.greet(seats[2], ada)

    counted.live.close(seats[0])
    counted.live.open(seats[3])
    counted.live.greet(seats[3], ada)
