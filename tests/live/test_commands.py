"""Commands over the live channel: one reply each, from two tabs at once, and who may give them."""

import json

from tests.callers import still
from tests.live.house import greet, heard, held, in_flight, masked, pipeline, versions


def test_hello_tells_who_speaks_and_what_holds(live, me):
    welcome = live(me).welcome

    assert welcome["player"] == {"id": me.id, "name": None}
    assert (welcome["protocol"], welcome["ping_ms"]) == ("twofold.v1", 5000)
    assert welcome["limits"] == {"frame_bytes": 4096, "unanswered": 64, "watches": 100}


def test_hello_comes_first_and_once(live, me):
    one = live(hello=False)

    assert one.refused("ping")["code"] == "bad_frame"
    assert one.ok("hello", token=me.token)["player"]["id"] == me.id
    assert one.refused("hello")["code"] == "bad_frame"


def test_an_unknown_token_is_answered_and_closed_4500(live):
    for token in ("nope", "tf_" + "A" * 43, "", "a\0b"):
        one = live(hello=False)

        assert one.refused("hello", token=token)["code"] == "unauthorized"
        assert one.closed() == 4500


def test_every_op_is_answered_with_its_event(live, me):
    one, sprint, classic = live(me), me.new("sprint")["id"], me.new()
    done = [one.ok(op, game=sprint)["event"] for op in ("start", "pause", "resume")]
    done.append(one.ok("move", game=classic["id"], direction=classic["legal_moves"][0])["event"])
    done += [one.ok(op, game=classic["id"])["event"] for op in ("undo", "pause", "resume", "abandon")]

    assert [event["type"] for event in done[:3]] == ["start", "pause", "resume"]
    assert [event["type"] for event in done[3:]] == ["move", "undo", "pause", "resume", "over"]
    log = me.get(f"/games/{classic['id']}/events").json()["items"]
    assert still(log[1:]) == still(done[3:])


def test_a_move_that_changes_nothing_is_answered_without_an_event(live, me):
    board = [[2, 0, 0, 0]] + [[0] * 4] * 3
    game = me.new("practice", board=board, seed="00" * 32)

    assert live(me).ok("move", game=game["id"], direction="left") == {"moved": False, "event": None}
    assert me.game(game["id"])["version"] == 1


def test_refusals_come_with_their_code_and_field(live, me):
    one, game = live(me), me.new()["id"]

    assert one.refused("resume", game=game)["code"] == "not_paused"
    assert one.refused("move", game=game, direction="north")["errors"][0]["loc"] == ["direction"]
    assert one.refused("move", game=game, direction="up", key="ü")["errors"][0]["loc"] == ["key"]
    assert one.refused("undo", game="constructor")["code"] == "not_found"
    assert one.refused("undo", game="../games")["code"] == "not_found"


def test_without_a_token_one_can_only_watch(live, me):
    one, game = live(), me.new()

    assert one.refused("move", game=game["id"], direction="up")["code"] == "unauthorized"
    assert one.ok("watch", game=game["id"])["role"] == "spectator"


def test_another_s_game_is_not_played(live, me, other):
    one, game, private = live(other), me.new(), me.new(visibility="private")

    for op in ("undo", "pause", "abandon"):
        assert one.refused(op, game=game["id"])["code"] == "forbidden"
        assert one.refused(op, game=private["id"])["code"] == "not_found"
    assert me.game(game["id"])["version"] == 1


# two tabs


def test_two_tabs_see_the_same_events_as_replies_and_pushes(live, me):
    game = me.new("practice", seed="02" * 32)["id"]
    one, two = live(me), live(me)
    for tab in (one, two):
        tab.ok("watch", game=game)

    mine = [reply["event"] for reply in pipeline(one, game, 10) if reply["moved"]]
    theirs = [reply["event"] for reply in pipeline(two, game, 10) if reply["moved"]]

    assert [event["version"] for event in mine + theirs] == list(range(2, 2 + len(mine + theirs)))
    assert still(two.events(len(mine))) == still(mine)
    assert still(one.events(len(theirs))) == still(theirs)
    for tab in (one, two):
        tab.hears_nothing_more()


def test_a_stale_tab_is_shown_the_game_as_it_stands(live, me):
    game = me.new()
    one, two, way = live(me), live(me), game["legal_moves"][0]
    event = one.ok("move", game=game["id"], direction=way, version=1)["event"]
    stale = two.refused("move", game=game["id"], direction=way, version=1)

    assert (stale["code"], stale["status"]) == ("stale_version", 409)
    assert (stale["game"]["version"], stale["game"]["board"]) == (event["version"], event["board"])


def test_a_key_is_applied_once_whichever_tab_repeats_it(live, me):
    game = me.new()
    one, two, way = live(me), live(me), game["legal_moves"][0]
    command = {"game": game["id"], "direction": way, "version": 1, "key": "k1"}
    first, again = one.ok("move", **command), two.ok("move", **command)

    assert (again["event"], again["replayed"]) == (first["event"], True)
    assert two.refused("move", **{**command, "version": 2})["code"] == "key_reused"
    assert two.refused("undo", game=game["id"], key="k1")["code"] == "key_reused"
    assert me.game(game["id"])["version"] == 2


def test_a_repeat_in_flight_waits_and_is_applied_once(live, me, service):
    game = me.new()
    one, two = live(me), live(me)
    two.ok("watch", game=game["id"])
    command = {"game": game["id"], "direction": game["legal_moves"][0], "key": "k1"}
    with held(service, game["id"]):
        sent = [one.send("move", **command), one.send("move", **command)]
        in_flight(service, 2)
        twin = two.send("move", **command)
        in_flight(service, 3)
    replies = [one.reply(sent[0])["ok"], one.reply(sent[1])["ok"], two.reply(twin)["ok"]]

    assert [reply.get("replayed", False) for reply in replies] == [False, True, True]
    assert still([reply["event"] for reply in replies]) == still([replies[0]["event"]] * 3)
    assert (versions(two.pushes), me.game(game["id"])["moves"]) == ([2], 1)


def test_a_refusal_is_not_remembered_a_keyed_move_without_effect_is(live, me):
    game = me.new("practice", board=[[2, 0, 0, 0]] + [[0] * 4] * 3, seed="00" * 32)["id"]
    one = live(me)

    assert one.refused("resume", game=game, key="a")["code"] == "not_paused"
    assert one.ok("pause", game=game, key="b")["event"]["version"] == 2
    assert one.ok("resume", game=game, key="a")["event"]["version"] == 3
    assert one.ok("move", game=game, direction="left", key="c") == {"moved": False, "event": None}
    assert one.ok("move", game=game, direction="left", key="c") == {"moved": False, "event": None, "replayed": True}


def test_500_moves_without_reading_are_each_answered_once_and_in_order(live, me):
    game = me.new("practice", size=8, seed="05" * 32)["id"]
    one = live(me)
    one.ok("watch", game=game)

    told = [reply["event"]["version"] for reply in pipeline(one, game, 500) if reply["moved"]]

    assert told == list(range(2, 2 + len(told)))
    assert len(told) > 300
    one.hears_nothing_more()
    assert me.game(game)["version"] == told[-1]


def test_500_commands_that_need_no_waiting_are_answered_in_order_too(bare, me):
    game = me.new("sprint")["id"]
    one = bare()
    greet(one, me.token)
    frames = [{"id": number, "op": "move", "game": game, "direction": "up"} for number in range(500)]
    one.socket.sendall(b"".join(masked(json.dumps(frame).encode()) for frame in frames))
    replies = [one.text() for _ in frames]

    assert [reply["id"] for reply in replies] == list(range(500))
    assert {reply["error"]["code"] for reply in replies} == {"not_started"}


def test_100_games_on_one_socket_at_once(live, me):
    games = [me.new("practice", seed=f"{number:064x}")["id"] for number in range(100)]
    one, fan = live(me), live()
    roles = [[socket.reply(number)["ok"]["role"] for number in sent] for socket, sent in watched((one, fan), games)]
    sent = [one.send("move", game=game, direction=way) for way in ("left", "down", "right") for game in games]
    replies = {frame["id"]: frame["ok"] for frame in heard(one, 300)}

    assert roles == [["player"] * 100, ["spectator"] * 100]
    assert sorted(replies) == sent
    moved = sum(reply["moved"] for reply in replies.values())
    pushes = [fan.push() for _ in range(moved)]
    for game in games:
        told = [push["event"]["version"] for push in pushes if push["game"] == game]
        assert told == list(range(2, 2 + len(told)))
    for socket in (one, fan):
        socket.hears_nothing_more()


def watched(sockets, games):
    return [(socket, [socket.send("watch", game=game) for game in games]) for socket in sockets]
