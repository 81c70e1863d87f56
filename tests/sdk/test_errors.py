"""Each failure is one line and one class, whatever answers in the service's place."""

import asyncio
import json

import httpx
import pytest

from tests.sdk.conftest import ONE_BEFORE_THE_GOAL
from tests.sdk.fakes import Passing, Scripted, faked, listening, refused
from tests.sdk.test_calls import OPENAPI
from tests.sdk.test_reading import GAME
from twofold_client import AsyncClient, Client, Retry, TwofoldError, errors
from twofold_client._wire import refusal

CODES = OPENAPI["components"]["schemas"]["Problem"]["properties"]["code"]["enum"]
HTML = {"content-type": "text/html"}
JSON = {"content-type": "application/json"}
SOON = Retry(deadline=0.3, first=0.01)


def test_every_code_has_a_class():
    assert set(errors.BY_CODE) == set(CODES)


def test_every_class_stands_in_the_tree():
    classes = [
        kind.__name__ for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)
    ]

    assert errors.__doc__ is not None
    assert [name for name in classes if name not in errors.__doc__] == []


@pytest.mark.parametrize("code", CODES)
def test_a_refusal_is_of_the_class_of_its_code(code):
    with faked(Scripted(refused(code, 409))) as client, pytest.raises(errors.BY_CODE[code]) as told:
        client.me()

    assert (told.value.code, told.value.status, told.value.problem.request_id) == (code, 409, "r1")
    assert str(told.value) == f"{code}: Not now."


def test_a_code_nobody_knows_is_told_as_it_is():
    with faked(Scripted(refused("eclipse", 418))) as client, pytest.raises(errors.ServiceError) as told:
        client.me()

    assert type(told.value) is errors.ServiceError
    assert told.value.code == "eclipse"


def test_the_fields_at_fault_are_told(client):
    with pytest.raises(errors.Invalid) as told:
        client.new_game("classic", size=7)

    assert told.value.problem.errors[0].loc[-1] == "size"


NONSENSE: dict[str, httpx.Response] = {
    "a page": httpx.Response(200, html="<h1>Hello</h1>"),
    "a page for an error": httpx.Response(404, html="<h1>Not here</h1>"),
    "a gateway's page": httpx.Response(502, html="<h1>Bad gateway</h1>"),
    "another JSON": httpx.Response(200, json={"hello": "world"}),
    "a list": httpx.Response(200, json=[1, 2]),
    "half a JSON": httpx.Response(200, headers=JSON, content=json.dumps(GAME)[:100]),
    "no JSON": httpx.Response(200, headers=JSON, content=b"\xff\xfe"),
    "nested JSON": httpx.Response(200, headers=JSON, content=b"[" * 100_000),
    "nothing": httpx.Response(200),
    "an empty JSON": httpx.Response(200, headers=JSON),
    "an error in JSON of another kind": httpx.Response(400, json={"error": "no"}),
    "a problem that is none": httpx.Response(400, headers={"content-type": "application/problem+json"}, content=b"{}"),
    "a redirect": httpx.Response(302, headers={"location": "http://elsewhere/"}),
    "another encoding": httpx.Response(
        200, headers=JSON | {"content-encoding": "gzip"}, stream=httpx.ByteStream(b"no")
    ),
    "a game of tomorrow": httpx.Response(200, json=GAME | {"status": "dreaming"}),
    "a game without its clock": httpx.Response(200, json={name: GAME[name] for name in GAME if name != "clock"}),
}


@pytest.mark.parametrize("answer", NONSENSE.values(), ids=NONSENSE)
def test_nonsense_is_one_error_of_one_line_that_names_the_call(answer):
    with faked(lambda _: answer) as client, pytest.raises(errors.ProtocolError) as told:
        client.game("abc")

    assert str(told.value).startswith("GET /v1/games/abc: ")
    assert "\n" not in str(told.value)
    assert len(str(told.value)) < 200


@pytest.mark.parametrize("document", [{"format": "twofold.record/2"}, {"format": "twofold.record/1"}, {}])
def test_a_record_of_another_form_is_told_of(document):
    with faked(Scripted(httpx.Response(200, json=document))) as client, pytest.raises(errors.ProtocolError) as told:
        client.record("abc")

    assert isinstance(told.value, errors.WrongVersion) is (document.get("format") == "twofold.record/2")


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://x", "http://", "http://x/?q=1", ""])
def test_an_address_that_is_none_is_refused_at_once(url):
    with pytest.raises(ValueError, match="address of a service"):
        Client(url)


def test_a_service_that_is_not_there_has_vanished(url):
    with Client("http://127.0.0.1:9", retry=SOON) as client, pytest.raises(errors.ServerVanished) as told:
        client.today()

    assert told.value.untouched
    assert str(told.value).startswith("GET /v1/daily: no connection")


async def test_a_service_that_does_not_answer_is_slow():
    async def sleep(*_):
        await asyncio.sleep(5)

    async with listening(sleep) as url, AsyncClient(url, timeout=0.05, retry=SOON) as client:
        with pytest.raises(errors.SlowAnswer, match=r"^GET /v1/daily: no answer in time$"):
            await client.today()


async def test_a_service_that_hangs_up_has_vanished():
    async def hang_up(reader, writer):
        await reader.readline()

    async with listening(hang_up) as url, AsyncClient(url, retry=SOON) as client:
        with pytest.raises(errors.ServerVanished, match=r"^GET /v1/daily: the connection was lost"):
            await client.today()


async def test_a_service_that_speaks_no_http_has_vanished():
    async def babble(reader, writer):
        writer.write(b"220 mail.example ESMTP\r\n")
        await reader.read(100)

    async with listening(babble) as url, AsyncClient(url, retry=SOON) as client:
        with pytest.raises(TwofoldError, match=r"^GET /v1/daily: "):
            await client.today()


def test_an_answer_without_end_is_not_read_to_it(monkeypatch):
    monkeypatch.setattr("twofold_client._wire.LARGEST_ANSWER", 1000)

    endless = Scripted(httpx.Response(200, headers=JSON, content=b" " * 2000))

    with faked(endless) as client, pytest.raises(errors.NotOurs, match="longer than 1000 bytes"):
        client.me()


def test_a_stale_version_tells_the_game():
    problem = refused("stale_version", 409).json() | {"game": GAME}

    stale = refusal(problem)

    assert isinstance(stale, errors.StaleVersion)
    assert stale.game is not None and stale.game.version == GAME["version"]


def test_refusals_of_the_rules_are_known_by_code(client):
    game = client.new_game("practice", board=ONE_BEFORE_THE_GOAL)

    with pytest.raises(errors.NothingToUndo):
        game.undo()
    game.move("left")
    with pytest.raises(errors.AwaitingContinue):
        game.move("left")
    with pytest.raises(errors.Refused):
        game.resume()


def test_errors_are_met_in_no_time():
    time = Passing()

    with faked(Scripted(refused("not_found", 404)), time) as client, pytest.raises(errors.NotFound):
        client.game("x")

    assert time.slept == []
