"""What one process owes the games of another, and what it finds by itself where no message comes."""

import asyncio
import threading

import pytest
from sqlalchemy import text

from tests.usecases.house import Seat, kinds
from twofold.clock import SECOND
from twofold.game import Cause, Outcome, Status
from twofold_service.errors import NotFound, RuleRefused, TooMany
from twofold_service.usecases.values import Command

pytestmark = pytest.mark.postgres


@pytest.fixture
async def ada(halves):
    return await halves[0].join("Ada")


async def live_on(halves, seconds: float, *, step: float = 1.9) -> None:
    """Time passes with these processes awake, storing that they live and looking after those that do not."""
    while seconds > 0:
        halves[0].now.forward(min(step, seconds))
        seconds -= step
        for half in halves:
            half.clocks.look(half.now())
            await half.beat()
        for half in halves:
            await half.clocks.recover()
            await half.wake()


async def watched(half, view) -> Seat:
    seat = Seat(view.header.player)
    half.live.open(seat)
    await half.live.watch(seat, view.header.id, None)
    return seat


async def test_a_deadline_fires_once_by_the_process_that_wrote_last(halves, ada):
    one, other = halves
    view = await one.begin(ada, "sprint", start=True)
    seats = [await watched(half, view) for half in halves]
    await other.move(view)
    await one.look()
    assert one.rooms.get(view.header.id).keeper == other.rooms.get(view.header.id).keeper == other.clocks._process

    await live_on(halves, 120)

    log = await one.log(view)
    assert kinds(log) == ["created", "move", "over time_up"]
    await one.look()
    for seat in seats:
        assert [told.event.version for told in seat.heard] == [2, 3]


async def test_a_command_that_comes_to_another_process_after_the_deadline_waits_for_the_keeper(halves, ada):
    one, other = halves
    view = await one.begin(ada, "sprint", start=True)
    await live_on(halves, 119)
    one.now.forward(1.5)
    move = Command("move", view.header.id, one.now(), ada, view.game.legal_moves[0])
    asked = asyncio.create_task(other.play.played(move))
    await asyncio.sleep(0.05)
    assert not asked.done()

    await one.wake()

    with pytest.raises(RuleRefused) as refused:
        await asked
    assert refused.value.code == "game_over"
    over = (await one.log(view))[-1]
    assert (over.cause, over.game.active, over.game.outcome) == (Cause.TIME_UP, 120 * SECOND, Outcome.TIME_UP)


async def test_a_game_whose_keeper_died_is_paused_as_of_its_last_beat_whatever_deadline_lay_between(halves, ada):
    one, other = halves
    view = await one.begin(ada, "sprint", start=True)
    await live_on(halves, 119)
    one.now.forward(1.5)  # the deadline passes, and `one` is never heard of again
    asked = asyncio.create_task(other.do(view, "move", direction=view.game.legal_moves[0]))
    await asyncio.sleep(0.05)

    await live_on([other], 4)

    with pytest.raises(RuleRefused) as refused:
        await asked
    assert refused.value.code == "paused"
    log = await other.log(view)
    assert kinds(log) == ["created", "pause outage"]
    assert (log[-1].game.active, log[-1].game.pauses) == (119 * SECOND, 0)


async def test_a_process_that_stops_pauses_its_own_games_and_no_others(halves, ada):
    one, other = halves
    mine, handed_over = await one.begin(ada, "sprint", start=True), await one.begin(ada)
    theirs = await other.begin(ada, "sprint", start=True)
    await watched(one, theirs)
    await other.move(handed_over)
    assert one.rooms.get(handed_over.header.id).game.version == 1  # as it remembers

    await one.service.drain()

    assert kinds(await other.log(mine)) == ["created", "pause outage"]
    assert kinds(await other.log(handed_over)) == ["created", "move"]
    assert kinds(await other.log(theirs))[:1] == ["created"]
    assert "pause outage" not in kinds(await other.log(theirs))


async def test_whose_socket_a_stopping_process_closes_is_paused_by_an_outage(halves, ada):
    """The game is kept by the other process, where its player moves over REST."""
    one, other = halves
    view = await other.begin(ada, "sprint", start=True)
    seat = await watched(one, view)

    await one.service.drain()
    one.live.close(seat)
    await one.play.settled(5)

    last = (await other.log(view))[-1]
    assert (kinds([last]), last.game.pauses) == (["pause outage"], 0)


async def test_a_process_that_slept_takes_no_game_from_those_that_did_not(halves, ada):
    one, other = halves
    view = await one.begin(ada, "sprint", start=True)
    await other.move(view)
    await other.beat()

    one.now.forward(1.5)
    other.clocks.look(other.now())
    one.now.forward(1.5)
    other.clocks.look(other.now())
    one.clocks.look(one.now())
    await one.play.settled(5)

    assert kinds(await other.log(view)) == ["created", "move"]


async def test_watchers_are_told_what_no_message_told_in_order_and_once(halves, ada):
    one, other = halves
    view = await one.begin(ada)
    seat = await watched(other, view)
    await one.moves(view, 10)
    assert seat.heard == []

    await asyncio.gather(other.look(), other.look())
    await one.move(view)
    await other.look()

    assert [told.event.version for told in seat.heard] == list(range(2, 13))
    assert [told.event for told in seat.heard] == (await one.log(view))[1:]


async def test_a_move_on_a_game_that_has_gone_on_elsewhere_is_told_after_what_came_before(halves, ada):
    one, other = halves
    view = await one.begin(ada)
    seat = await watched(other, view)
    await one.moves(view, 5)

    await other.move(view)

    assert [told.event.version for told in seat.heard] == list(range(2, 8))
    assert (await one.see(view)).game.version == 7


async def test_a_game_nobody_watches_is_read_again_only_when_it_is_asked_for(halves, ada):
    one, other = halves
    view = await one.begin(ada)
    await other.see(view)
    await one.moves(view, 3)
    assert other.rooms.get(view.header.id).game.version == 1

    other.others.following.heard(view.header.id, 4)

    assert other.rooms.get(view.header.id) is None
    assert (await other.see(view)).game.version == 4


async def test_a_token_that_ended_unheard_loses_its_sockets(halves, ada):
    one, other = halves
    player, token = await one.players.create(None)
    seat = Seat(await other.players.by_token(token))
    other.live.open(seat)
    await other.look()
    assert not seat.ended

    await one.players._store.end_tokens(player.key)
    await other.look()

    assert seat.ended


async def test_a_player_who_went_unheard_is_gone_for_those_who_watch(halves, ada):
    one, other = halves
    view = await one.begin(ada)
    seat = await watched(other, view)
    await one.players._store.delete(ada.key, one.now())

    await other.look()

    assert seat.lost == [view.header.id]
    with pytest.raises(NotFound):
        await other.see(view)


async def test_a_read_finds_a_deleted_players_game_no_more(halves, ada):
    one, other = halves
    view = await one.begin(ada)
    await other.see(view)
    await one.players.delete(ada)

    with pytest.raises(NotFound):
        await other.see(view)


async def test_open_games_are_counted_over_all_processes(halves, ada):
    made = [half.begin(ada) for half in halves for _ in range(4)]

    outcomes = await asyncio.gather(*made, return_exceptions=True)

    refused = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    assert [type(error) for error in refused] == [TooMany] * 5


async def test_the_best_score_is_that_of_all_processes(halves, ada):
    one, other = halves
    view, better = await one.begin(ada), await one.begin(ada)
    await other.see(view)

    best = (await one.moves(better, 40)).best

    assert best > 0
    assert (await other.see(view)).best == best


async def test_a_question_of_several_statements_is_about_one_moment(halves, ada):
    """A game and the end of its log are two of them: another process's move between them damages nothing."""
    one, other = halves
    view = await one.begin(ada)
    asked, moved = threading.Event(), threading.Event()

    def twice(session):
        versions = [session.exec(text("SELECT version FROM game WHERE id = :id"), params={"id": view.header.id}).one()]
        asked.set()
        assert moved.wait(10)
        return [
            *versions,
            session.exec(
                text("SELECT max(event.version) FROM event JOIN game ON game.key = event.game WHERE id = :id"),
                params={"id": view.header.id},
            ).one(),
        ]

    before = asyncio.create_task(other.service.readers.ask(twice))
    await asyncio.to_thread(asked.wait, 10)
    await one.move(view)
    moved.set()

    assert [tuple(row) for row in await before] == [(1,), (1,)]


async def test_a_game_over_elsewhere_stands_still_here(halves, ada):
    one, other = halves
    view = await one.begin(ada, "sprint", start=True)
    await other.do(view, "abandon")

    await live_on(halves, 130)

    assert kinds(await one.log(view)) == ["created", "over player"]
    assert (await one.see(view)).game.status is Status.OVER
