"""Pictures over HTTP: what is sent, what is kept, and who is refused."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.callers import Caller, player, problem
from tests.pictures.scenes import frames, read
from tests.service import running
from tests.storage.test_corruption import change
from twofold_service.api.pictures import A_DAY

KINDS = {"board.svg": "image/svg+xml", "board.png": "image/png", "replay.gif": "image/gif"}
each_kind = pytest.mark.parametrize("kind", KINDS)


@pytest.fixture
def game(me):
    """Five moves, one of them taken back: version 7."""
    played = me.play(me.new(), 5)
    return me.do(played["id"], "undo")["game"]


@pytest.fixture
def no_drawing(service, monkeypatch):
    """Whoever draws from now on fails."""
    monkeypatch.setattr(service.service.hub._shared.services.pictures, "draw", None)


def picture(caller: Caller, game: str, kind: str, **more: Any):
    headers = {"If-None-Match": str(more.pop("held"))} if "held" in more else {}
    return caller.get(f"/games/{game}/{kind}", params=more, headers=headers)


@each_kind
def test_anybody_sees_a_public_game(stranger, game, kind):
    answer = picture(stranger, game["id"], kind)

    assert answer.status_code == 200
    assert answer.headers["content-type"] == KINDS[kind]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["etag"] == '"7-1"'
    assert answer.headers.get_list("cache-control") == ["public, no-cache"]


def test_the_picture_is_of_the_game(stranger, game):
    drawn = picture(stranger, game["id"], "board.svg").text

    assert f"score {game['score']}<" in drawn
    assert f"{game['moves']} moves" in drawn
    assert all(f">{value}</text>" in drawn for row in game["board"] for value in row if value)
    assert len(frames(picture(stranger, game["id"], "replay.gif").content)) == 5
    assert read(picture(stranger, game["id"], "board.png").content).format == "PNG"


def test_an_svg_is_held_to_run_and_load_nothing(stranger, game):
    policy = picture(stranger, game["id"], "board.svg").headers["content-security-policy"]

    assert policy == "default-src 'none'; frame-ancestors 'none'; sandbox"


@each_kind
@pytest.mark.parametrize("held", ['"7-1"', 'W/"7-1"', '"6-1", "7-1"', "*"])
def test_who_holds_the_picture_is_told_so_and_nothing_is_drawn(stranger, game, no_drawing, kind, held):
    answer = picture(stranger, game["id"], kind, held=held)

    assert (answer.status_code, answer.content) == (304, b"")
    assert answer.headers["etag"] == '"7-1"'
    assert answer.headers["cache-control"] == "public, no-cache"
    assert "content-type" not in answer.headers


@pytest.mark.parametrize("held", ['"6-1"', "7-1", '"7"', ""])
def test_who_holds_another_gets_the_picture(stranger, game, held):
    assert picture(stranger, game["id"], "board.svg", held=held).status_code == 200


def test_a_move_makes_another_picture(me, stranger, game):
    tag = picture(stranger, game["id"], "board.png").headers["etag"]
    me.play(game, 1)

    answer = picture(stranger, game["id"], "board.png", held=tag)

    assert (answer.status_code, answer.headers["etag"]) == (200, '"8-1"')


@each_kind
def test_an_earlier_version_never_changes(me, stranger, game, kind):
    early = picture(stranger, game["id"], kind, version=3)
    me.play(game, 1)

    assert early.headers["etag"] == '"3-1"'
    assert early.headers["cache-control"] == f"public, max-age={A_DAY}, immutable"
    assert picture(stranger, game["id"], kind, version=3).content == early.content
    assert picture(stranger, game["id"], kind, version=3, held='"3-1"').status_code == 304


@each_kind
def test_a_version_that_is_not_reached_is_not_found_and_not_kept(stranger, game, kind):
    answer = picture(stranger, game["id"], kind, version=8, held="*")

    assert "stands at 7" in problem(answer, 404, "not_found")["detail"]
    assert answer.headers["cache-control"] == "no-store"


@each_kind
@pytest.mark.parametrize("version", [0, -1, "last", 2**53 + 1, ""])
def test_what_can_be_no_version_is_invalid(stranger, game, kind, version):
    refused = problem(picture(stranger, game["id"], kind, version=version), 422, "invalid")

    assert refused["errors"][0]["loc"] == ["query", "version"]


@each_kind
def test_a_private_game_is_its_player_s_alone(me, other, stranger, kind):
    private = me.new(visibility="private")["id"]

    for nobody in (other, stranger):
        problem(picture(nobody, private, kind, held="*"), 404, "not_found")
    assert picture(me, private, kind).headers["cache-control"] == "private, no-cache"
    assert picture(me, private, kind, version=1).headers["cache-control"].startswith("private, max-age")


@each_kind
def test_a_sealed_daily_is_shown_to_those_who_have_played_it(me, other, stranger, kind):
    daily = me.new("daily")["id"]
    for nobody in (other, stranger):
        problem(picture(nobody, daily, kind, held="*"), 403, "daily_sealed")

    other.do(other.new("daily")["id"], "abandon")

    assert picture(me, daily, kind).headers["cache-control"] == "private, no-cache"
    assert picture(other, daily, kind).headers["cache-control"] == "private, no-cache"


@each_kind
def test_there_is_no_picture_of_no_game(stranger, kind):
    problem(picture(stranger, "nosuchgame", kind), 404, "not_found")


def test_a_wrong_token_is_refused_with_pictures_too(url, game):
    with Caller(url, "tf_wrong") as nobody:
        problem(picture(nobody, game["id"], "board.svg"), 401, "unauthorized")


def test_an_address_that_asks_for_too_many_is_told_to_wait_and_the_service_lives(me, stranger):
    games = [me.play(me.new("practice", size=8), 12)["id"] for _ in range(4)]
    wanted = [(game, version) for game in games for version in range(1, 14)]
    with ThreadPoolExecutor(len(wanted)) as crowd:
        answers = list(crowd.map(lambda one: picture(stranger, one[0], "replay.gif", version=one[1]), wanted))

    refused = [answer for answer in answers if answer.status_code != 200]
    assert 0 < len(refused) < len(answers)
    for answer in refused:
        problem(answer, 503, "busy")
    assert picture(stranger, games[0], "replay.gif").status_code == 200


def test_a_game_that_cannot_be_read_has_no_picture(new_database):
    path = new_database()
    with running(path) as service, player(service.url) as me:
        row, log, token = me.play(me.new(), 9)["id"], me.play(me.new(), 9)["id"], me.token
    change(path, "UPDATE game SET score = score + 4 WHERE key = :key", row)
    change(path, "DELETE FROM event WHERE game = :key AND version = 5", log)

    with running(path) as service, Caller(service.url, token) as me:
        for kind in KINDS:
            problem(picture(me, row, kind), 409, "corrupt_game")
        problem(picture(me, log, "replay.gif"), 409, "corrupt_game")
        problem(picture(me, log, "board.png", version=6), 409, "corrupt_game")
        assert picture(me, log, "board.png").status_code == 200
