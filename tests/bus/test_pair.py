"""Two processes, one service: whoever is asked, the answer is that of the one log."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.bus.conftest import watching
from tests.callers import Caller, Live, answer, problem
from tests.faults.clockwork import until
from tests.faults.table import form

pytestmark = pytest.mark.postgres
ROUNDS = form(200, 10_000)


@pytest.mark.fault("22 a move sent to two processes at once")
def test_a_move_sent_to_both_at_once_is_applied_once(here, there, connect, line):
    lives = [connect(here), connect(there)]
    game = here.new("practice", size=8)
    state, games = game, 1
    for _ in range(ROUNDS):
        if state["status"] != "running":
            state = game = here.new("practice", size=8)
            games += 1
        version = state["version"]
        move = {"game": game["id"], "direction": state["legal_moves"][0], "version": version}
        sent = [live.send("move", **move) for live in lives]
        replies = [live.reply(number) for live, number in zip(lives, sent, strict=True)]
        done = [reply["ok"]["event"] for reply in replies if "ok" in reply]
        assert [reply["error"]["code"] for reply in replies if "error" in reply] == ["stale_version"]
        assert [event["version"] for event in done] == [version + 1]
        state = done[0]
        if state["status"] != "running":
            assert here.game(game["id"])["version"] == there.game(game["id"])["version"] == version + 1
    assert here.game(game["id"])["version"] == there.game(game["id"])["version"] == state["version"]
    line.ran(ROUNDS, acknowledged=ROUNDS, games=games)


def test_two_sockets_on_two_processes_see_the_same_gapless_events(here, there, connect):
    game = here.new("practice", size=8)
    lives = [watching(connect(here), game), watching(connect(there), game)]

    def play(caller: Caller, first: str, second: str) -> None:
        for number in range(30):
            caller.ask(game["id"], "move", direction=(first, second)[number % 2])

    with ThreadPoolExecutor(2) as threads:
        playing = [threads.submit(play, here, "left", "up"), threads.submit(play, there, "right", "down")]
        for done in playing:
            done.result(30)
    version = here.game(game["id"])["version"]
    assert version > 30
    told = [live.events(version - 1) for live in lives]
    assert [event["version"] for event in told[0]] == list(range(2, version + 1))
    assert told[0] == told[1]
    for live in lives:
        live.hears_nothing_more()


def test_a_socket_that_plays_sees_its_own_moves_as_replies_and_all_others_as_events(here, there, connect):
    game = here.new("practice", size=8)
    mine, watcher = watching(connect(here), game), watching(connect(there), game)

    way = iter(["left", "up", "right", "down"] * 20)
    versions: list[int] = []
    for number in range(20):
        if number % 2:
            event = there.move(game["id"], next(way))["event"]
        else:
            event = mine.ok("move", game=game["id"], direction=next(way))["event"]
            versions += [event["version"]] * (event is not None)

    last = here.game(game["id"])["version"]
    pushed = [event["version"] for event in mine.events(last - 1 - len(versions))]
    assert sorted(pushed + versions) == list(range(2, last + 1))
    assert [event["version"] for event in watcher.events(last - 1)] == list(range(2, last + 1))
    mine.hears_nothing_more()


@pytest.mark.parametrize("read", ["", "/export", "/events"])
def test_a_read_sees_a_write_that_was_acknowledged_elsewhere(here, there, read):
    game = here.new("practice", size=8)
    there.game(game["id"])
    for number in range(20):
        writer, reader = (here, there) if number % 2 else (there, here)
        version = writer.play(writer.game(game["id"]), 1)["version"]
        response = reader.get(f"/games/{game['id']}{read}")
        body = answer(response)
        if read == "/export":
            assert len(body["events"]) == version - 1
        elif read == "/events":
            assert body["items"][-1]["version"] == version
        else:
            assert (body["version"], response.headers["etag"]) == (version, f'"{version}"')


def test_lists_show_what_was_played_elsewhere(here, there):
    game = here.new()
    there.play(there.game(game["id"]), 3)
    assert answer(here.get("/games"))["items"][0]["version"] == 4


def test_a_watch_begins_where_the_game_stands(here, there, connect):
    game = here.new()
    there.game(game["id"])
    here.play(game, 3)
    with Live(there.url, there.token) as live:
        assert live.ok("watch", game=game["id"])["game"]["version"] == 4
        assert live.ok("watch", game=game["id"], since=1) == {"recovered": True, "role": "player"}
        assert [event["version"] for event in live.events(3)] == [2, 3, 4]


def test_what_is_refused_or_does_nothing_is_decided_on_the_game_as_it_stands(here, there):
    board = [[2, 0, 0], [0, 0, 0], [0, 0, 0]]
    game = here.new("practice", board=board)
    there.game(game["id"])
    moved = here.move(game["id"], "right")["game"]
    assert there.move(game["id"], "left", version=moved["version"])["moved"]
    here.do(game["id"], "pause")
    there.do(game["id"], "resume")
    problem(here.ask(game["id"], "resume"), 409, "not_paused")
    assert here.do(game["id"], "abandon")["event"]["version"] == there.game(game["id"])["version"]
    problem(there.ask(game["id"], "move", direction="left"), 409, "game_over")


def test_a_move_that_did_nothing_on_a_board_of_the_past_is_made(here, there):
    game = here.new("practice", board=[[2, 0, 0], [0, 0, 0], [0, 0, 0]])
    assert there.move(game["id"], "left")["moved"] is False
    here.move(game["id"], "right")
    assert there.move(game["id"], "left", key="one")["moved"] is True


def test_a_key_is_used_once_whoever_is_asked(here, there):
    game = here.new()
    way = game["legal_moves"][0]
    there.game(game["id"])
    first = here.move(game["id"], way, key="once")
    here.play(first["game"], 2)
    again = there.move(game["id"], way, key="once")
    assert again["replayed"] is True
    assert again["event"] == first["event"]
    assert again["game"]["version"] == 4


def test_keys_sent_to_both_at_once_do_one_thing(here, there):
    game = here.new("practice", size=8)
    with ThreadPoolExecutor(2) as threads:
        for number in range(20):
            way = here.game(game["id"])["legal_moves"][0]
            asked = [threads.submit(caller.move, game["id"], way, key=f"k{number}") for caller in (here, there)]
            events = [done.result(20) for done in asked]
            assert events[0]["event"] == events[1]["event"]
            assert [done.get("replayed", False) for done in events].count(True) == 1
        made = [
            threads.submit(caller.post, "/games", json={"mode": "classic"}, headers={"Idempotency-Key": "new"})
            for caller in (here, there)
        ]
        assert len({answer(done.result(20), 201)["id"] for done in made}) == 1


@pytest.mark.alone
def test_a_new_name_is_seen_everywhere(here, there):
    game = here.new()
    there.game(game["id"])
    answer(here.patch("/players/me", json={"name": "Zoë"}))
    until(lambda: there.game(game["id"])["player"]["name"] == "Zoë", within=1)
    assert answer(there.get("/players/me"))["name"] == "Zoë"


@pytest.mark.alone
def test_a_revoked_token_loses_its_sockets_on_every_process(here, there, connect):
    old = [connect(here), connect(there)]
    answer(there.get("/players/me"))
    token = answer(here.post("/players/me/token", json={}))["token"]
    with Caller(there.url, token) as new:
        answer(new.get("/players/me"))
    begun = time.monotonic()
    assert [live.closed(2) for live in old] == [4500, 4500]
    assert time.monotonic() - begun < 1
    for caller in (here, there):
        problem(caller.get("/players/me"), 401, "unauthorized")


@pytest.mark.alone
def test_a_deleted_player_is_gone_everywhere(pair, here, there, connect, join):
    game = here.new()
    watcher = join(pair[1].url)
    live, mine = watching(connect(watcher), game), connect(there)
    answer(there.get("/players/me"))
    assert here.delete("/players/me").status_code == 204
    assert live.push("gone", 2)["game"] == game["id"]
    assert mine.closed(2) == 4500
    problem(watcher.get(f"/games/{game['id']}"), 404, "not_found")
    problem(there.get("/players/me"), 401, "unauthorized")


@pytest.mark.alone
def test_a_timed_game_goes_on_while_a_socket_of_its_player_is_open_anywhere(here, there):
    game = here.new("break", start=True)
    with Live(there.url, there.token) as second:
        watching(second, game)
        with Live(here.url, here.token) as first:
            watching(first, game)
        assert there.ask(game["id"], "move", direction=game["legal_moves"][0]).status_code == 200
        time.sleep(0.6)  # nobody may have paused it meanwhile
        assert here.game(game["id"])["status"] == "running"
    left = until(lambda: (now := here.game(game["id"]))["status"] == "paused" and now, within=2)
    assert left["pauses"] == 1
    log = answer(here.get(f"/games/{game['id']}/events"))["items"]
    assert (log[-1]["type"], log[-1]["cause"]) == ("pause", "disconnect")


def test_many_sockets_of_many_players_on_both(pair, join, connect):
    """Everybody plays on one process and watches on the other."""
    callers = [join(pair[number % 2].url) for number in range(6)]
    games = [caller.new("practice", size=8) for caller in callers]
    watchers = [watching(connect(callers[number - 1]), game) for number, game in enumerate(games)]
    threads = [
        threading.Thread(target=caller.play, args=(game, 25)) for caller, game in zip(callers, games, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    for live in watchers:
        assert [event["version"] for event in live.events(25)] == list(range(2, 27))
