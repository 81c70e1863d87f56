"""Each failure is one line and one class, whatever answers in the service's place."""

import asyncio
import json

import httpx
import pytest

from tests.sdk.conftest import ONE_BEFORE_THE_GOAL
from tests.sdk.fakes import Passing, Scripted, faked, listening, refused
from tests.sdk.test_calls import OPENAPI
from tests.sdk.test_reading import GAME
from twofold_client import AsyncClient, Client, Retry, TwofoldError, _calls, errors
from twofold_client._wire import refusal

CODES = OPENAPI["components"]["schemas"]["Problem"]["properties"]["code"]["enum"]
HTML = {"content-type": "text/html"}
JSON = {"content-type": "application/json"}
TODAY = ""
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


WRONG = {
    "no date": (lambda client: client.daily("yesterday"), errors.Invalid, "date"),
    "a date written otherwise": (lambda client: client.daily("20270115"), errors.Invalid, "date"),
    "a date that never was": (lambda client: client.results("2027-02-29").first(), errors.Invalid, "date"),
    "a date before the first": (lambda client: client.daily("1999-01-01"), errors.NotFound, None),
    "a date far ahead": (lambda client: client.results("2999-01-01").first(), errors.NotFound, None),
    "an order nobody knows": (lambda client: client.results(TODAY, order="luck").first(), errors.Invalid, "order"),
    "a mode without rankings": (lambda client: client.leaderboard("practice").first(), errors.Invalid, "mode"),
    "another's page": (lambda client: client.do(page_of("WzFd")), errors.Invalid, "cursor"),
    "no page": (lambda client: client.do(page_of("\0")), errors.Invalid, "cursor"),
    "no game": (lambda client: client.game("nothing"), errors.NotFound, None),
    "no game at all": (lambda client: client.game("a?b c\0"), errors.NotFound, None),
    "one game beside none": (lambda client: client.compare(TODAY, played(client)), errors.Invalid, "games"),
    "games that share no seed": (
        lambda client: client.compare(TODAY, played(client), played(client, "classic")),
        errors.Invalid,
        "games",
    ),
    "a game of no date": (lambda client: client.compare(TODAY, played(client), "nothing"), errors.NotFound, None),
    "a record too large": (lambda client: client.verify({"format": "x" * (9 << 20)}), errors.TooLarge, None),
    "a damaged record": (lambda client: client.verify({"format": "twofold.record/1"}), errors.Invalid, None),
}


def page_of(cursor):
    return _calls.leaderboard("classic", cursor=cursor)


def played(client, mode="daily"):
    game = client.new_game(mode)
    game.abandon()
    return game.id


@pytest.fixture
def today(client, monkeypatch):
    monkeypatch.setattr("tests.sdk.test_errors.TODAY", client.today().date)


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.usefixtures("today")
def test_what_is_asked_wrongly_is_one_error_that_names_the_field(wrong, client):
    ask, error, field = WRONG[wrong]

    with pytest.raises(error) as told:
        ask(client)

    assert type(told.value) is error
    assert not told.value.retryable
    assert "\n" not in str(told.value)
    assert field is None or told.value.problem.errors[0].loc[-1] == field


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


NO_ADDRESSES = [
    "localhost:8000",
    "ftp://x",
    "http://",
    "http://x/?q=1",
    "",
    "http://[::1",
    "http://..",
    "http://x:99999",
]
NO_ADDRESSES += ["http://x/\x1b[2J", f"http://{'x' * 64}.example", "http://x:port"]


@pytest.mark.parametrize("url", NO_ADDRESSES)
def test_an_address_that_is_none_is_refused_at_once(url):
    with pytest.raises(ValueError, match="address of a service is like http://host:8000, not"):
        Client(url)


def test_a_password_in_an_address_is_refused_and_not_repeated():
    with pytest.raises(ValueError, match="no user and no password") as told:
        Client("http://ada:lovelace@x")

    assert "lovelace" not in str(told.value)


def test_an_address_in_capitals_is_one(url):
    with Client(url.replace("http", "HTTP")) as client:
        assert client.health()


@pytest.mark.parametrize("secret", ["abc\ndef", "abc\n", " abc", "äbc", "", "a\x00c"])
def test_a_token_or_key_that_no_header_can_carry_is_refused_and_not_repeated(secret):
    with Client("http://127.0.0.1:9", secret) as client, pytest.raises(ValueError, match="printable ASCII") as token:
        client.me()
    with Client("http://127.0.0.1:9") as client, pytest.raises(ValueError, match="printable ASCII") as key:
        client.new_game("classic", key=secret)

    assert "bc" not in f"{token.value}{key.value}"


def test_an_id_too_long_for_an_address_is_refused():
    with (
        Client("http://127.0.0.1:9") as client,
        pytest.raises(ValueError, match="getGame cannot be asked: URL too long"),
    ):
        client.game("x" * 70_000)


def test_a_service_that_is_not_there_has_vanished(url):
    with Client("http://127.0.0.1:9", retry=SOON) as client, pytest.raises(errors.ServerVanished) as told:
        client.today()

    assert told.value.untouched
    assert str(told.value).startswith("GET /v1/daily: no connection")


async def test_a_service_that_does_not_answer_is_slow():
    async def sleep(*_):
        await asyncio.sleep(5)

    async with listening(sleep) as url, AsyncClient(url, timeout=0.5, retry=SOON) as client:
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
