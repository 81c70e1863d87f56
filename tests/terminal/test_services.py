"""daily, compare, export on a real service, and on what is none."""

import json
import os
import socket
import stat
import threading
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from tests.callers import careful
from twofold.board import cells_of
from twofold_cli import servers, tokens
from twofold_client import Client, errors

ORDERS = ("score", "max_tile", "moves", "time")


@pytest.fixture
def service(timed):
    """All callers speak to the service whose time is `clock`."""
    return timed


@pytest.fixture
def attempts(service):
    """Five players' attempts at the day: the ids, and the token of the last."""
    games, token = [], ""
    for number in range(5):
        with Client(service.url) as client:
            client.join(f"Player {number}")
            game = client.new_game("daily")
            for _ in range(4 + 7 * number):
                game.move(game.state.legal_moves[number % 2 and -1])
            game.abandon()
            games.append(game.id)
            token = client.token or ""
    return games, token


@pytest.fixture
def here(service, monkeypatch):
    monkeypatch.setenv("TWOFOLD_SERVER", service.url)


@pytest.mark.parametrize("order", ORDERS)
def test_daily_lists_results_in_every_order(run, attempts, here, service, order):
    ended = run("daily", "2027-01-15", "--order", order)
    with Client(service.url) as client:
        expected = [result.game for result in client.results("2027-01-15", order)]
    rows = ended.lines[5:10]
    assert (ended.status, ended.err) == (0, "")
    assert [row.split()[-1] for row in rows] == expected
    assert ended.lines[0] == "Daily puzzle of 2027-01-15: 5 players"
    assert ended.lines[-1].startswith("ranked by ")


def test_daily_tells_one_s_own_rank_also_below_the_list(run, attempts, here, monkeypatch):
    games, token = attempts
    monkeypatch.setenv("TWOFOLD_TOKEN", token)
    whole, short = run("daily"), run("daily", "--order", "time", "--limit", "1")
    own = next(line for line in whole.lines if "(you)" in line)
    assert own.split()[-1] == games[-1]
    assert whole.lines[-1] == f"your rank: {own.split()[0]}"
    assert sum("Player" in line for line in short.lines) == 1 + ("(you)" not in short.lines[5])


def test_daily_as_json_is_what_the_service_says(run, attempts, here, service):
    told = json.loads(run("daily", "--json").out)
    with httpx.Client(trust_env=False, base_url=f"{service.url}/v1") as http:
        assert told["daily"] == http.get("/daily").json()
        page = http.get("/daily/2027-01-15/results", params={"limit": 20}).json()
    assert told["results"]["items"] == page["items"]
    assert told["results"]["order"] == page["order"]


def test_a_day_without_results_says_so(run, here):
    ended = run("daily", "2027-01-17")
    assert ended.lines[0] == "Daily puzzle of 2027-01-17: 0 players"
    assert ended.lines[-1] == "No results yet."


@pytest.mark.parametrize(
    ("date", "status", "line"),
    [
        ("2027-02-30", 2, "2027-02-30: a date is written YYYY-MM-DD"),
        ("20270115", 2, "20270115: a date is written YYYY-MM-DD"),
        ("1999-01-01", 1, "not_found: There is no daily puzzle of this date here."),
    ],
)
def test_a_date_that_is_none_or_not_there_is_one_line(run, here, date, status, line):
    ended = run("daily", date)
    assert (ended.status, ended.out) == (status, "")
    assert ended.err.endswith(f"{line}\n") and ended.err.count("\n") == 1


def test_export_writes_a_record_that_verifies(run, attempts, here, monkeypatch):
    games, token = attempts
    monkeypatch.setenv("TWOFOLD_TOKEN", token)
    printed = run("export", games[-1])
    assert run("export", games[-1], "-o", "-") == printed and os.listdir() == []
    assert run("export", games[-1], "-o", "game.json").out == ""
    with open("game.json", encoding="utf-8") as file:
        assert file.read() == printed.out
    assert run("verify", "game.json").status == 0


def test_compare_takes_games_of_a_service(run, attempts, here, monkeypatch):
    games, token = attempts
    monkeypatch.setenv("TWOFOLD_TOKEN", token)
    ended = run("compare", *games[:4])
    assert ended.status == 0
    assert [line.split()[0] for line in ended.lines[1:5]] == list("ABCD")
    for number, game in enumerate(games[:2]):
        run("export", game, "-o", f"{number}.json")
    assert run("compare", "0.json", "1.json").out == run("compare", *games[:2]).out


def test_a_sealed_daily_is_refused_in_one_line(run, attempts, here):
    ended = run("compare", *attempts[0][:2])
    assert ended.status == 1
    assert "daily_sealed: " in ended.err and ended.err.count("\n") == 1


@pytest.mark.parametrize("game", ["nope", "..", "", "a/b?c#d", "x" * 300])
def test_a_game_that_is_not_there_is_one_line(run, here, game):
    ended = run("export", game)
    assert ended.status in (1, 2) and ended.out == ""
    assert ended.err.startswith("twofold: ") and ended.err.count("\n") == 1


def test_a_file_that_cannot_be_written_is_one_line(run, attempts, here, monkeypatch):
    monkeypatch.setenv("TWOFOLD_TOKEN", attempts[1])
    ended = run("export", attempts[0][0], "-o", "no/folder.json")
    assert (ended.status, ended.err) == (1, "twofold: no/folder.json: cannot be written: No such file or directory\n")


def test_an_unknown_token_is_one_line_that_says_where_it_comes_from(run, here, monkeypatch, service, home):
    monkeypatch.setenv("TWOFOLD_TOKEN", "secret")
    given = run("daily")
    monkeypatch.delenv("TWOFOLD_TOKEN")
    tokens.keep(service.url, "secret")
    kept = run("daily")
    assert given.err.endswith("(the token comes from TWOFOLD_TOKEN)\n")
    assert kept.err.endswith(f"(the token comes from {tokens.path()})\n")
    assert "secret" not in given.err + kept.err


def test_settings_are_read_from_the_environment_and_the_folder_s_env_file(run, service, monkeypatch):
    with open(".env", "w", encoding="utf-8") as file:
        file.write(f"TWOFOLD_SERVER='{service.url}/'\n")
    assert run("daily").status == 0
    monkeypatch.setattr(servers, "WITHIN", 0.1)
    monkeypatch.setenv("TWOFOLD_SERVER", "http://127.0.0.1:9")
    assert run("daily").status == 3
    assert run("daily", "--server", service.url).status == 0


def test_tokens_are_kept_for_their_owner_alone(home):
    tokens.keep("http://one", "a")
    tokens.keep("http://two", "b")
    assert (tokens.kept("http://one"), tokens.kept("http://two"), tokens.kept("http://three")) == ("a", "b", None)
    assert stat.S_IMODE(os.stat(tokens.path()).st_mode) == 0o600
    assert [path.name for path in tokens.path().parent.iterdir()] == ["tokens.json"]


@pytest.mark.parametrize("content", ["", "[]", '{"http://one": 1}', "\x00", "[" * 100_000])
def test_a_damaged_file_of_tokens_is_left_alone_and_named(run, here, content):
    tokens.path().parent.mkdir(parents=True)
    tokens.path().write_text(content)
    ended = run("daily")
    assert ended.err == f"twofold: {tokens.path()}: not a file of tokens; mend it, or move it away\n"
    assert tokens.path().read_text() == content


def http(body: bytes, media: str, status: str = "200 OK") -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: {media}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    return head.encode() + body


NONSENSE = {
    "html": (http(b"<h1>Welcome</h1>", "text/html"), "expected application/json, got 200 text/html"),
    "broken json": (http(b"{", "application/json"), "200 with what is no JSON"),
    "other json": (http(b'{"ok": true}', "application/json"), "daily"),
    "a list": (http(b"[]", "application/json"), "GET /v1/daily"),
}
NO_ANSWERS = {
    "no http": b"SSH-2.0-OpenSSH_9.2\r\n",
    "half an answer": b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{",
    "nothing": b"",
}
"""What is asked for again until it is too late."""


@pytest.fixture
def talking():
    """`talking(bytes)`: the address of something that answers so, whatever it is asked; None says nothing at all."""
    listeners = []

    def listen(said: bytes | None) -> str:
        listener = socket.create_server(("127.0.0.1", 0))
        listeners.append(listener)

        def serve() -> None:
            held = []
            while True:
                try:
                    caller, _ = listener.accept()
                except OSError:
                    break
                held.append(caller)
                if said is not None:
                    with closing(caller):
                        caller.recv(1 << 16)
                        caller.sendall(said)
            for caller in held:
                caller.close()

        threading.Thread(target=serve).start()
        return f"http://127.0.0.1:{listener.getsockname()[1]}"

    yield listen
    for listener in listeners:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()


@pytest.mark.parametrize("kind", NONSENSE)
def test_what_is_no_service_of_ours_is_one_line_and_status_3(run, talking, kind):
    said, line = NONSENSE[kind]
    ended = run("daily", "--server", talking(said))
    assert (ended.status, ended.out) == (3, "")
    assert line in ended.err and ended.err.count("\n") == 1


@pytest.mark.parametrize("kind", NO_ANSWERS)
def test_what_answers_with_no_answer_is_one_line_and_status_3_too(run, talking, monkeypatch, kind):
    monkeypatch.setattr(servers, "WITHIN", 0.5)
    ended = run("daily", "--server", talking(NO_ANSWERS[kind]))
    assert (ended.status, ended.out) == (3, "")
    assert "GET /v1/daily: " in ended.err and ended.err.count("\n") == 1


def test_a_service_that_says_nothing_is_given_up_on(run, talking, monkeypatch):
    monkeypatch.setattr(servers, "WITHIN", 0.5)
    ended = run("export", "game", "--server", talking(None))
    assert (ended.status, ended.out) == (3, "")
    assert ended.err.endswith("no answer in time\n")


def test_a_record_of_another_version_is_one_line(run, talking):
    body = json.dumps({"format": "twofold.record/9"}).encode()
    ended = run("export", "game", "--server", talking(http(body, "application/json")))
    assert ended.status == 3
    assert "expected a record of the format twofold.record/1, found 'twofold.record/9'" in ended.err


def test_nothing_a_service_says_of_a_date_steers_the_terminal(run, talking):
    word, instant = "\x1b]0;owned\x07", "2027-01-15T00:00:00.000Z"
    puzzle = {"date": word, "commitment": word, "seed": word, "players": 0, "best": None}
    puzzle |= dict.fromkeys(("opens_at", "closes_at", "reveals_at"), instant)
    page = {"items": [], "next_cursor": None, "order": [word], "as_of": instant, "me": None}
    ended = run("daily", "--server", talking(http(json.dumps(puzzle | page).encode(), "application/json")))
    assert (ended.status, ended.err) == (0, "")
    assert "owned" in ended.out and "\x1b" not in ended.out


@pytest.mark.parametrize("token", ["a\nb", "ä", "a "])
def test_a_token_that_cannot_be_sent_is_usage(run, here, monkeypatch, token):
    monkeypatch.setenv("TWOFOLD_TOKEN", token)
    ended = run("daily")
    line = "twofold: a token is of printable ASCII characters, without spaces at its ends\n"
    assert (ended.status, ended.err) == (2, line)


@pytest.mark.parametrize("name", ["ALL_PROXY", "SSL_CERT_FILE"])
def test_an_environment_that_forbids_every_connection_is_told(run, here, monkeypatch, name):
    monkeypatch.setenv(name, "socks5://127.0.0.1:9")  # httpx has no SOCKS by itself; nor is there such a file
    ended = run("daily")
    assert ended.status == 2
    assert ended.err.startswith("twofold: no connection can be made with this environment's proxy or certificates: ")
    assert ended.err.count("\n") == 1


def test_all_wrong_settings_are_told_at_once(run, home, monkeypatch):
    monkeypatch.setenv("TWOFOLD_PORT", "eighty")
    monkeypatch.setenv("TWOFOLD_WORKERS", "0")
    ended = run("migrate")
    assert (ended.status, ended.err.count("\n")) == (1, 1)
    assert ended.err.startswith("twofold: port: ")
    assert "; workers: " in ended.err


@pytest.mark.parametrize(("command", "status"), [("daily", 2), ("migrate", 1)])
def test_a_file_of_settings_that_is_no_text_is_named(run, home, command, status):
    Path(".env").write_bytes(b"\xff\xfe")
    ended = run(command)
    assert (ended.status, ended.err.count("\n")) == (status, 1)
    assert ended.err.startswith("twofold: .env: cannot be read: ")


def test_an_address_that_is_none_is_usage(run):
    ended = run("daily", "--server", "localhost")
    assert ended.status == 2
    assert ended.err == "twofold: the address of a service is like http://host:8000, not 'localhost'\n"


def test_daily_tells_bots_apart(run, here, service):
    with Client(service.url) as bot:
        bot.join("Level 1", bot=True)
        game = bot.new_game("daily")
        game.move(game.state.legal_moves[0])
        game.abandon()

    people, bots = run("daily"), run("daily", "--bots")

    assert people.lines[-1] == "No results yet."
    assert "Level 1 (bot)" in bots.lines[5] and bots.lines[5].endswith(game.id)


def test_daily_tells_games_with_hints_where_they_are_asked_for(run, here, service):
    with Client(service.url) as client:
        client.join("Ada")
        game = client.new_game("daily")
        game.move(game.hint(1).best)
        game.abandon()

    assert run("daily").lines[-1] == "No results yet."
    assert "Ada (assisted)" in run("daily", "--assisted").lines[5]


BOARD = "[[2,4,8,16],[2,0,0,8],[0,0,0,4],[0,0,0,2]]"


def test_hint_tells_what_each_direction_of_a_board_is_worth(run, here, service):
    told = run("hint", "--board", BOARD, "--depth", "1")
    with Client(service.url) as client:
        hint = client.hint(json.loads(BOARD), 1)

    assert (told.status, told.err) == (0, "")
    assert [line.split()[0] for line in told.lines[:4]] == sorted(hint.values, key=lambda way: -hint.values[way])
    assert told.lines[0].split()[0] == hint.best and told.lines[0].endswith("points to expect")
    assert json.loads(run("hint", "--board", BOARD, "--json").out)["depth"] == 2


def test_hint_helps_in_a_game_of_one_s_own(run, here, service, monkeypatch):
    with Client(service.url) as client:
        client.join("Ada")
        game = client.new_game("classic")
        monkeypatch.setenv("TWOFOLD_TOKEN", client.token or "")

        told = json.loads(run("hint", game.id, "--json").out)

        assert (told["version"], told["best"] in game.state.legal_moves) == (1, True)
        assert game.refresh().assisted


def test_hint_says_so_where_values_are_no_points(run, here):
    told = run("hint", "--board", "[[2,4,0],[0,0,0],[0,0,2]]")

    assert told.lines[0].endswith("a judgement for comparing, no points")


@pytest.mark.parametrize(
    ("options", "status", "line"),
    [
        ((), 2, "a game's id or a --board, one of them"),
        (("g", "--board", BOARD), 2, "a game's id or a --board, one of them"),
        (("--board", "[2]"), 2, "board: rows of face values, like "),
        (("--board", "[[3,0,0],[0,0,0],[0,0,0]]"), 1, "{url}: invalid: "),
        (("g",), 1, "{url}: unauthorized: "),
        (("a/../b",), 2, "game_id cannot be 'a/../b'"),
    ],
)
def test_hint_tells_what_is_wrong_in_one_line(run, here, service, options, status, line):
    told = run("hint", *options)

    assert (told.status, told.out, told.err.count("\n")) == (status, "", 1)
    assert told.err.startswith(f"twofold: {line.format(url=service.url)}")


def test_analyse_has_a_service_look_over_its_final_game(run, here, service):
    with Client(service.url) as client:
        client.join("Ada")
        game = client.new_game("classic", undo_limit=0)
        for _ in range(40):
            game.move(careful(*cells_of(game.state.board)))
        unfinished = run("analyse", game.id)
        game.abandon()

        told, document = run("analyse", game.id), json.loads(run("analyse", game.id, "--json").out)
        analysis = client.analysis(game.id)

    assert unfinished.status == 1 and ": not_final: " in unfinished.err
    assert (told.status, told.err, told.lines[0]) == (0, "", "Classic 4×4 by Ada")
    assert told.lines[1].startswith(f"accuracy {analysis.accuracy:.1f} of 100, ")
    assert (document["game"], document["points"]) == (game.id, analysis.points)
    assert run("analyse", "nowhere.json").err.startswith("twofold: nowhere.json: no such file; ")


def test_analyse_waits_for_what_is_being_made(run, here, service, monkeypatch):
    answers = [errors.UnderWay(0.2), errors.UnderWay(0.7)]
    with Client(service.url) as client:
        client.join("Ada")
        game = client.new_game("moves100")
        game.move(game.state.legal_moves[0])
        game.abandon()
    asked = Client.analysis

    def analysis(client, game, depth):
        if answers:
            raise answers.pop(0)
        return asked(client, game, depth)

    monkeypatch.setattr(Client, "analysis", analysis)

    assert run("analyse", game.id).status == 0
    assert answers == []
