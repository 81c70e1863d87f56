"""Who may do what: every operation of the API document, asked by the owner, another player, a stranger and a forger.

An operation without an entry fails the test that counts them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import httpx
import pytest

from tests.callers import Caller, Json, answer, problem
from tests.service import running
from tests.test_openapi import operations, rest

FORGED = "tf_" + "A" * 43
BOARD = [[2, 2, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
BEARER, MAYBE, OPEN = [{"bearer": []}], [{}, {"bearer": []}], []  # type: ignore[var-annotated]


@dataclass
class Scene:
    """What is asked for: a game of the owner's, played so far that the command fits."""

    owner: Caller
    game: Json
    record: Json = field(default_factory=dict)
    code: str = ""
    earlier: str = ""


Body = Callable[[Scene], Any]


@dataclass(frozen=True)
class Entry:
    """Statuses by who asks; of a game that is public and, where another is meant, of one that is private."""

    public: tuple[int, int, int]
    private: tuple[int, int, int] | None = None
    body: Body | None = None
    before: tuple[str, ...] = ()
    mode: str = "classic"
    query: str = ""


def own(*before: str, mode: str = "classic", body: Body | None = None) -> Entry:
    """A command: the owner's alone; others may not even know of a private game."""
    return Entry((200, 403, 401), (200, 404, 401), body, before, mode)


EVERYBODY = Entry((200, 200, 200))
SIGNED_IN = Entry((200, 200, 401))
SHOWN = Entry((200, 200, 200), (200, 404, 404))
ENTRIES: dict[str, Entry] = {
    "createPlayer": Entry((201, 201, 201), body=lambda _: {}),
    "getMe": SIGNED_IN,
    "renameMe": Entry((200, 200, 401), body=lambda _: {"name": "Ada"}),
    "deleteMe": Entry((204, 204, 401)),
    "createToken": SIGNED_IN,
    "createLink": SIGNED_IN,
    "useLink": Entry((200, 200, 200), body=lambda scene: {"code": scene.code}),
    "getRecords": SIGNED_IN,
    "listModes": EVERYBODY,
    "computeSlides": Entry((200, 200, 200), body=lambda _: {"board": BOARD, "direction": "left"}),
    "createGame": Entry((201, 403, 401), body=lambda scene: {"mode": "classic", "replaces": scene.game["id"]}),
    "listGames": SIGNED_IN,
    "getGame": SHOWN,
    "getEvents": SHOWN,
    "exportGame": SHOWN,
    "drawBoardSvg": SHOWN,
    "drawBoardPng": SHOWN,
    "drawReplay": SHOWN,
    "move": own(body=lambda scene: {"direction": scene.game["legal_moves"][0]}),
    "start": own(mode="sprint"),
    "undo": own("move"),
    "pause": own(),
    "resume": own("pause"),
    "continue": own("win", mode="practice"),
    "abandon": own(),
    "getHint": Entry((200, 200, 200), body=lambda _: {"board": BOARD}),
    "getGameHint": own(),
    "getAnalysis": Entry((200, 200, 200), (200, 404, 404), before=("abandon",)),
    "verifyRecord": Entry((200, 200, 200), body=lambda scene: scene.record),
    "getToday": EVERYBODY,
    "getDaily": EVERYBODY,
    "getResults": EVERYBODY,
    "compareGames": Entry((200, 403, 403), mode="daily", before=("again",), query="games={earlier},{game}"),
    "getLeaderboard": Entry((200, 200, 200), query="mode=classic"),
    "getHealth": EVERYBODY,
    "getReadiness": EVERYBODY,
    "getMetrics": EVERYBODY,  # to a process of this machine; test_ops.py has everybody else
}
RAW = Entry((200, 403, 401), (200, 404, 401), query="raw=1")
SEALED = Entry((200, 403, 403), mode="daily")
"""A daily game before the reveal, to those who have not finished their own first attempt."""

WHO = ("owner", "other", "stranger")


@pytest.fixture(scope="module")
def crowded(new_database) -> Iterator[str]:
    """The URL of a service whose visitors from here have asked as often as they may."""
    rates: dict[str, Any] = {"rate_limits": "on", "address_rate": "1/hour"}
    with running(new_database(), None, **rates) as service:
        with Caller(service.url) as early:
            answer(early.get("/modes"))
        yield service.url


each_operation = pytest.mark.parametrize("name", ENTRIES)
each_caller = pytest.mark.parametrize("who", range(3), ids=WHO)


def place_of(name: str) -> tuple[str, str]:
    """Method and path of an operation."""
    return next(
        (method.upper(), path)
        for path, item in rest()["paths"].items()
        for method, operation in item.items()
        if operation["operationId"] == name
    )


def ask(name: str, caller: Caller, scene: Scene, entry: Entry, **headers: str) -> httpx.Response:
    method, path = place_of(name)
    date = scene.game["date"] or answer(scene.owner.get("/daily"))["date"]
    path = path.format(game_id=scene.game["id"], date=date)
    url = f"{caller.url}{path}?{entry.query.format(game=scene.game['id'], earlier=scene.earlier)}"
    body = {} if entry.body is None else {"json": entry.body(scene)}
    return caller.request(method, url, headers=headers, **body)


def set_up(owner: Caller, entry: Entry, visibility: str = "public") -> Scene:
    wish: Json = {} if entry.mode == "daily" else {"visibility": visibility}
    if "win" in entry.before:
        wish["board"] = [[1024, 1024, 0, 0], [0] * 4, [0] * 4, [0] * 4]
    scene = Scene(owner, owner.new(entry.mode, **wish))
    for op in entry.before:
        game = scene.game["id"]
        if op == "again":
            scene.earlier, scene.game = game, owner.new(entry.mode, replaces=game)
        elif op in ("move", "win"):
            scene.game = owner.move(game, "left" if op == "win" else scene.game["legal_moves"][0])["game"]
        else:
            scene.game = owner.do(game, op)["game"]
    scene.record = answer(owner.get(f"/games/{scene.game['id']}/export"))
    scene.code = answer(owner.post("/players/me/link"))["code"]
    return scene


def check(entry: Entry, name: str, callers: tuple[Caller, ...], who: int, scene: Scene, expected: int) -> None:
    before = scene.owner.game(scene.game["id"])["version"]

    response = ask(name, callers[who], scene, entry)
    while response.status_code == 202:  # what is allowed is being made
        response = ask(name, callers[who], scene, entry)

    assert response.status_code == expected, response.text[:300]
    if expected >= 400:
        problem(response, expected, {401: "unauthorized", 404: "not_found"}.get(expected, response.json()["code"]))
        assert scene.owner.game(scene.game["id"])["version"] == before
        assert scene.game["id"] not in response.text, "a refusal tells nothing of the game"


def test_every_operation_has_an_entry():
    assert set(ENTRIES) == set(operations())


@each_operation
def test_the_document_says_who_is_asked_for_a_token(name):
    entry, security = ENTRIES[name], operations()[name]["security"]

    if entry.public[2] == 401:
        assert security == BEARER
    elif name == "getMetrics":
        assert security == [{}, {"metricsToken": []}]
    else:
        assert security in (MAYBE, OPEN)
    assert security != OPEN or entry.public == (entry.public[0],) * 3


@pytest.mark.parametrize("name", [name for name in ENTRIES if name != "deleteMe"])
@each_caller
def test_who_may_ask_about_a_public_game(me, other, stranger, name, who):
    entry = ENTRIES[name]

    check(entry, name, (me, other, stranger), who, set_up(me, entry), entry.public[who])


@each_caller
def test_whoever_deletes_themselves_deletes_nobody_else(me, other, stranger, who):
    callers = (me, other, stranger)
    games = [caller.new()["id"] for caller in callers[:2]]

    assert callers[who].delete("/players/me").status_code == ENTRIES["deleteMe"].public[who]

    assert [stranger.get(f"/games/{game}").status_code for game in games] == [
        404 if at == who else 200 for at in range(2)
    ]


@pytest.mark.parametrize("name", [name for name, entry in ENTRIES.items() if entry.private])
@each_caller
def test_who_may_ask_about_a_private_game(me, other, stranger, name, who):
    entry = ENTRIES[name]
    assert entry.private is not None

    check(entry, name, (me, other, stranger), who, set_up(me, entry, "private"), entry.private[who])


@pytest.mark.parametrize("name", [name for name, entry in ENTRIES.items() if entry.private == SHOWN.private])
@each_caller
def test_who_may_look_at_a_daily_that_is_sealed(me, other, stranger, name, who):
    entry = replace(SEALED, before=ENTRIES[name].before)
    check(entry, name, (me, other, stranger), who, set_up(me, entry), entry.public[who])


@pytest.mark.parametrize("visibility", ["public", "private"])
@each_caller
def test_stored_rows_are_their_owner_s_alone(me, other, stranger, visibility, who):
    expected = RAW.public[who] if visibility == "public" else (RAW.private or ())[who]

    check(RAW, "exportGame", (me, other, stranger), who, set_up(me, RAW, visibility), expected)


@pytest.mark.parametrize("name", [name for name, told in operations().items() if {"bearer": []} in told["security"]])
def test_a_forged_token_opens_nothing_not_even_what_is_open(me, stranger, name):
    entry = ENTRIES[name]

    refused = ask(name, stranger, set_up(me, entry), entry, Authorization=f"Bearer {FORGED}")

    problem(refused, 401, "unauthorized")
    assert FORGED not in refused.text


@each_operation
def test_every_answer_may_be_framed_by_nobody_and_loads_nothing(me, stranger, name):
    entry = ENTRIES[name]
    scene = set_up(me, entry)

    for response in (ask(name, stranger, scene, entry), ask(name, me, scene, entry)):
        policy = dict(
            rule.strip().split(" ", 1)
            for rule in response.headers["content-security-policy"].split("; ")
            if " " in rule
        )
        assert (policy["default-src"], policy["frame-ancestors"]) == ("'none'", "'none'")
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["referrer-policy"] == "no-referrer"
        assert "server" not in response.headers
        assert response.headers["cache-control"] == "no-store" or name.startswith("draw")


@each_operation
def test_whoever_asks_too_often_is_told_when_to_come_back_where_the_document_says_so(crowded, me, stranger, name):
    entry = ENTRIES[name]
    caller = Caller(crowded)

    with caller:
        response = ask(name, caller, set_up(me, entry), entry)

    if "429" in operations()[name]["responses"]:
        problem(response, 429, "rate_limited")
        assert int(response.headers["retry-after"]) >= 1
    else:
        assert (response.status_code, name) in {(200, "getHealth"), (200, "getReadiness"), (200, "getMetrics")}


@pytest.mark.parametrize("op", ["move", "start", "undo", "pause", "resume", "continue", "abandon"])
@pytest.mark.parametrize(("visibility", "code"), [("public", "forbidden"), ("private", "not_found")])
def test_another_s_game_takes_no_command_over_a_socket_either(me, other, live, op, visibility, code):
    game = me.new(visibility=visibility)["id"]
    more = {"direction": "left"} if op == "move" else {}

    assert live(other).refused(op, game=game, **more)["code"] == code
    assert live().refused(op, game=game, **more)["code"] == "unauthorized"

    assert me.game(game)["version"] == 1


def test_an_unknown_game_a_private_and_a_deleted_one_are_told_alike(me, other, stranger):
    private = me.new(visibility="private")["id"]
    refusals = [reader.get(f"/games/{game}").json() for reader in (other, stranger) for game in (private, "0" * 26)]

    for refusal in refusals:
        refusal.pop("request_id")
    assert refusals == [refusals[0]] * 4
