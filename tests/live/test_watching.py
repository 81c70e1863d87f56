"""Watching: from where one is told, that nothing is missing or told twice, and who may look."""

import gc
import json
import warnings
from threading import Thread

import pytest

from tests.callers import Live, player, still
from tests.live.house import (
    greet,
    heard,
    held,
    long_game,
    masked,
    narrow,
    outboxes,
    pass_time,
    pipeline,
    sockets,
    until,
    versions,
)
from tests.service import Hand
from twofold_service.storage.database import Database
from twofold_service.storage.players import change_player


@pytest.fixture(scope="module")
def ada(service):
    with player(service.url) as caller:
        yield caller


@pytest.fixture(scope="module")
def long(service, ada):
    """A game of 520 events."""
    with Live(service.url, ada.token) as live:
        return long_game(ada, live, 520)


@pytest.mark.parametrize("behind", [0, 1, 300, 500])
def test_up_to_500_missed_events_are_told(live, long, behind):
    one, since = live(), long["version"] - behind

    assert one.ok("watch", game=long["id"], since=since) == {"recovered": True, "role": "spectator"}
    assert [event["version"] for event in one.events(behind)] == list(range(since + 1, long["version"] + 1))
    one.hears_nothing_more()


@pytest.mark.parametrize("since", [None, 0, 19, 521, 2**53])
def test_without_since_too_far_behind_or_ahead_the_game_is_told(live, long, since):
    one = live()
    answered = one.ok("watch", game=long["id"], **({} if since is None else {"since": since}))

    assert (answered["recovered"], answered["game"]["version"]) == (False, 520)
    assert still(answered["game"]) == still(long)
    one.hears_nothing_more()


def test_since_0_tells_the_first_event_too(live, me):
    game, one = me.play(me.new(), 2), live(me)

    assert one.ok("watch", game=game["id"], since=0)["recovered"] is True
    log = me.get(f"/games/{game['id']}/events").json()["items"]
    assert one.events(3) == log


def test_a_game_goes_on_while_its_log_is_read(live, me):
    player, fans = live(me), [live() for _ in range(4)]
    game = long_game(me, player, 400)["id"]
    playing = Thread(target=pipeline, args=(player, game, 150))
    playing.start()
    known = []
    for fan in fans:
        known.append(me.game(game)["version"] - 350)
        assert fan.ok("watch", game=game, since=known[-1])["recovered"] is True
    playing.join()
    version = me.game(game)["version"]

    for fan, since in zip(fans, known, strict=True):
        fan.ok("ping")
        assert versions(fan.pushes) == list(range(since + 1, version + 1))


def test_a_watch_among_moves_of_the_same_socket_misses_and_repeats_nothing(live, me, service):
    game, one = me.new("practice", seed="03" * 32)["id"], live(me)
    with held(service, game):
        moves = [one.send("move", game=game, direction=way) for way in ("left", "down")]
        watch = one.send("watch", game=game, since=1)
        moves += [one.send("move", game=game, direction=way) for way in ("right", "up")]
        again = one.send("watch", game=game, since=1)
    got = heard(one, 6)

    assert {frame["id"] for frame in got if "id" in frame} == {*moves, watch, again}
    told = [event["version"] for frame in got if "id" in frame and (event := frame["ok"].get("event"))]
    assert told == list(range(2, 2 + len(told)))
    version = me.game(game)["version"]
    after = got[[frame.get("id") for frame in got].index(again) + 1 :]
    one.ok("ping")
    rest = [version_of(frame) for frame in [*after, *one.pushes]]
    assert rest == list(range(2, version + 1))


def version_of(frame):
    return (frame.get("event") or frame["ok"]["event"])["version"]


def test_watching_again_goes_on_from_there(live, me):
    game, one = me.play(me.new(), 3), live()
    one.ok("watch", game=game["id"])
    game = me.play(game, 1)
    one.ok("watch", game=game["id"], since=2)
    game = me.play(game, 1)
    one.ok("ping")

    assert versions(one.pushes) == [5, 3, 4, 5, 6]


def test_unwatch_ends_it_at_once_and_may_be_said_twice(live, me):
    game, one = me.new(), live()
    one.ok("watch", game=game["id"])
    sent = [one.send(op, game=game["id"]) for op in ("watch", "unwatch", "unwatch")]
    for number in sent:
        one.reply(number)
    me.play(game, 2)
    one.hears_nothing_more()

    assert one.ok("watch", game=game["id"], since=1)["recovered"] is True
    assert [event["version"] for event in one.events(2)] == [2, 3]


def test_unwatch_of_what_was_never_watched_is_fine(live):
    assert live().ok("unwatch", game="constructor") == {}


def test_spectators_need_no_token_and_see_what_the_player_sees(live, me, other):
    game = me.new()
    mine, fans = live(me), (live(), live(other))
    roles = [one.ok("watch", game=game["id"])["role"] for one in (mine, *fans)]
    event = mine.ok("move", game=game["id"], direction=game["legal_moves"][0])["event"]

    assert roles == ["player", "spectator", "spectator"]
    assert [fan.push()["event"] for fan in fans] == [event, event]
    mine.hears_nothing_more()


def test_what_is_done_over_rest_is_told_too(live, me):
    game, one = me.new(), live(me)
    one.ok("watch", game=game["id"])
    done = me.move(game["id"], game["legal_moves"][0])

    assert still(one.push()["event"]) == still(done["event"])


def test_an_ordinary_game_s_seed_is_told_in_the_event_that_ends_it(live, me):
    game, one = me.new(), live()
    answered = one.ok("watch", game=game["id"])
    me.play(game, 1)
    me.do(game["id"], "abandon")
    told = one.events(2)

    assert answered["game"]["seed"] is None
    assert ["seed" in event for event in told] == [False, True]


def test_a_private_game_is_not_found_by_others(live, me, other):
    game = me.new(visibility="private")

    for one in (live(), live(other)):
        assert one.refused("watch", game=game["id"])["code"] == "not_found"
    assert live(me).ok("watch", game=game["id"])["role"] == "player"


def test_a_daily_is_sealed_until_one_s_own_first_attempt_is_final(live, me, other):
    game, fan = me.new("daily"), live(other)
    stranger = live().refused("watch", game=game["id"])
    before = fan.refused("watch", game=game["id"])
    own = other.new("daily")
    during = fan.refused("watch", game=game["id"])
    other.do(own["id"], "abandon")

    assert {refusal["code"] for refusal in (stranger, before, during)} == {"daily_sealed"}
    assert fan.ok("watch", game=game["id"])["role"] == "spectator"
    assert live(me).ok("watch", game=game["id"])["role"] == "player"


def test_a_daily_s_seed_is_in_no_event(live, me):
    game, one = me.new("daily"), live(me)
    one.ok("watch", game=game["id"])
    me.do(game["id"], "abandon")
    event = one.push()["event"]

    assert event["final"] is True
    assert "seed" not in event


def test_a_deleted_player_s_games_are_gone_for_those_who_watch(live, join, url):
    bob = join(url)
    games, fan, mine = [bob.new()["id"] for _ in range(2)], live(), live(bob)
    for game in games:
        fan.ok("watch", game=game)
        mine.ok("watch", game=game)
    assert bob.delete("/players/me").status_code == 204

    assert {fan.push("gone")["game"] for _ in games} == set(games)
    assert mine.closed() == 4500
    assert fan.refused("watch", game=games[0])["code"] == "not_found"


def test_a_game_that_goes_while_its_watch_is_on_its_way_is_not_watched(live, join, service):
    bob = join(service.url)
    game, fan = bob.play(bob.new(), 3), live()
    live_use = service.service.hub._shared.live
    read = service.turns._logs.log

    async def slow_read(*asked):
        rows = await read(*asked)
        until_gone = [one for one in live_use._audiences.values() if one.header.player.key == owner]
        if until_gone:
            live_use.tell_gone(owner)
        return rows

    owner = service.do(lambda: service.turns._rooms.get(game["id"]).header.player.key)
    logs = service.turns._logs
    try:
        logs.log = slow_read
        frames = []
        number = fan.send("watch", game=game["id"], since=1)
        for frame in fan.frames(10):
            frames.append(frame)
            if frame.get("id") == number:
                break
    finally:
        del logs.log

    assert [frame.get("ev") or frame["error"]["code"] for frame in frames] == ["gone", "not_found"]


def test_a_name_that_was_changed_or_hidden_stays_so_while_the_player_plays(live, join, serve):
    hand = Hand()
    service = serve(now=hand)
    bob = join(service.url, "Bob")
    game, mine, fan = bob.new()["id"], live(bob, to=service), live(to=service)
    bob.patch("/players/me", json={"name": "Rob"}).raise_for_status()
    pipeline(mine, game, 2)
    renamed = fan.ok("watch", game=game)["game"]["player"]["name"]
    elsewhere = Database(f"sqlite:///{service.path}", 3000)
    change_player(elsewhere, bob.id, {"hidden": True})
    elsewhere.close()
    pass_time(service, hand, 5.1)
    names = []
    for one in (fan, mine, fan):
        pipeline(mine, game, 2)
        names.append(one.ok("watch", game=game)["game"]["player"]["name"])

    assert (renamed, names) == ("Rob", ["–"] * 3)


def test_a_far_slower_reader_gets_all_of_a_long_log(live, bare, long, service):
    with bare(receive_buffer=32768) as one:
        greet(one)
        narrow(service)
        one.command(id=1, op="watch", game=long["id"], since=long["version"] - 500)
        until(lambda: max(outboxes(service)) > 0)
        one.command(id=2, op="ping")
        got = [one.text() for _ in range(502)]

    assert [frame.get("id") for frame in (got[0], got[-1])] == [1, 2]
    assert versions(got[1:-1]) == list(range(long["version"] - 499, long["version"] + 1))


def test_nothing_is_left_behind_by_those_who_are_gone(live, serve, join):
    service = serve()
    bob = join(service.url)
    game = bob.new()["id"]
    for one in (live(bob, to=service), live(to=service)):
        one.ok("watch", game=game)
        one.close()
    until(lambda: not sockets(service))

    left = service.service.hub._shared.live
    assert (len(left), left._audiences, left._attending, left._by_address, left._by_player) == (0, {}, {}, {}, {})


def test_a_watch_that_ends_before_it_began_leaves_nothing(serve, join, bare):
    service = serve()
    game = join(service.url).new()["id"]
    greet(bare(to=service))
    (left,) = sockets(service)

    def come_and_go() -> None:
        left.data_received(masked(json.dumps({"id": 1, "op": "watch", "game": game}).encode()))
        left.connection_lost(None)

    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        service.do(come_and_go)
        until(lambda: not left.connection._tasks)
        service.do(gc.collect)

    assert [str(warning.message) for warning in warned] == []
