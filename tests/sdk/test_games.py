"""A game's handle knows how the game stood, and the twins play it alike."""

import inspect
from typing import Any

import httpx
import pytest

from tests.sdk.conftest import ONE_BEFORE_THE_GOAL, SEED
from tests.sdk.fakes import Scripted, faked
from tests.sdk.test_reading import GAME
from twofold.board import Direction
from twofold.game import Cause, EventType, Outcome, Status
from twofold_client import Client, _game_calls, errors
from twofold_client.values import UnreadableGame


async def soon(value: Any) -> Any:
    """What either twin answers."""
    return await value if inspect.isawaitable(value) else value


async def all_of(pages: Any) -> list[Any]:
    return [item async for item in pages] if hasattr(pages, "__aiter__") else list(pages)


async def play(client: Any) -> list[Any]:
    """A game with everything in it, by either twin, and what the client saw."""
    game = await soon(client.new_game("practice", board=ONE_BEFORE_THE_GOAL, seed=SEED, start=False))
    seen = [await soon(game.start()), await soon(game.move("left")), await soon(game.continue_())]
    seen += [await soon(game.pause()), await soon(game.resume()), await soon(game.move(Direction.DOWN))]
    seen += [await soon(game.undo()), await soon(game.abandon())]
    told = [(event.type, event.version, event.board, event.score, event.status, event.spawn) for event in seen]
    record = await soon(game.record())
    verified = await soon(client.verify(record))
    log = [(event.type, event.board) for event in await all_of(game.events())]
    refreshed = await soon(game.refresh())
    daily, today = await soon(client.daily((await soon(client.today())).date)), await soon(client.today())
    return [
        *told,
        log,
        (refreshed.status, refreshed.outcome, refreshed.seed, game.state is refreshed),
        (record.verify().valid, record.verify().proof, verified.valid, verified.origin, verified.findings),
        await soon(client.modes()),
        (await soon(client.slides(ONE_BEFORE_THE_GOAL, "left"))),
        await soon(client.many_slides([(ONE_BEFORE_THE_GOAL, "left"), (ONE_BEFORE_THE_GOAL, Direction.UP)])),
        (await soon(client.rename("Grace"))).name,
        (await soon(client.me())).name,
        (await soon(client.records())).totals.finished,
        (daily.commitment, daily.seed) == (today.commitment, None),
        len(await all_of(client.games())),
        await soon(client.health()),
        await soon(client.readiness()),
        "twofold" in await soon(client.metrics()),
        len((await soon(client.raw_rows(game.id))).events),
    ]


async def test_the_twins_play_alike(client, aclient):
    assert await play(client) == await play(aclient)


def test_what_a_command_answers_is_how_the_game_stands(client):
    game = client.new_game("practice", board=ONE_BEFORE_THE_GOAL, seed=SEED)

    event = game.move("left")

    assert event is not None and event.type is EventType.MOVE
    assert (game.state.version, game.state.status, game.state.board) == (2, Status.WON, event.board)
    assert game.state.max_tile == 2048


def test_a_move_that_changes_nothing_answers_none(client):
    game = client.new_game("practice", board=[[2, 0, 0], [0, 0, 0], [0, 0, 0]])

    assert game.move("left") is None
    assert game.state.version == 1


def test_no_direction_is_refused_before_it_is_sent(client):
    with pytest.raises(ValueError, match="sideways"):
        client.new_game("classic").move("sideways")


def test_a_command_is_for_the_version_seen_and_a_stale_one_shows_the_game(client):
    mine, elsewhere = (game := client.new_game("classic")), client.game(game.id)
    elsewhere.move(elsewhere.state.legal_moves[0])

    with pytest.raises(errors.StaleVersion):
        mine.move("left")

    assert mine.state.board == elsewhere.state.board
    assert mine.move(mine.state.legal_moves[0]) is not None


def test_a_command_for_any_version_says_so(client):
    mine = client.new_game("classic")
    client.game(mine.id).pause()

    mine.resume(version=None)

    assert (mine.state.version, mine.state.status) == (3, Status.RUNNING)


def test_an_own_key_makes_a_repeat_the_same(client):
    game = client.new_game("classic")
    way = game.state.legal_moves[0]

    event = game.move(way, key="mine", version=None)
    again = client.do(_game_calls.move(game.id, way, key="mine"))

    assert (again.event, again.replayed, again.game.version) == (event, True, 2)


@pytest.mark.parametrize("mode, status", [("sprint", Status.PAUSED), ("classic", Status.RUNNING)])
def test_leaving_a_game_pauses_it_only_where_time_runs_out(client, mode, status):
    with client.new_game(mode, start=True) as game:
        pass

    assert client.game(game.id).state.status is status


def test_leaving_by_an_error_tells_that_error(client):
    with pytest.raises(ZeroDivisionError), client.new_game("sprint", start=True) as game:
        raise ZeroDivisionError

    (pause,) = game.events(after=1)
    assert (pause.type, pause.cause) == (EventType.PAUSE, Cause.PLAYER)


async def test_an_async_game_is_awaited_or_entered(aclient):
    awaited = await aclient.new_game("classic")

    async with aclient.game(awaited.id) as entered:
        assert entered.state.board == awaited.state.board


def test_another_device_becomes_the_same_player(client, url):
    with Client(url) as phone:
        assert phone.use_link(client.create_link().code) == client.me()
        assert phone.token != client.token


def test_a_changed_token_is_the_one_used_from_then_on(client, url):
    old = client.token

    new = client.change_token(others=True)

    assert client.token == new != old
    assert client.me().name == "Ada"
    with Client(url, old) as other, pytest.raises(errors.Unauthorized):
        other.me()


def test_deleted_is_gone(client):
    client.delete_me()

    with pytest.raises(errors.Unauthorized):
        client.me()


def test_rankings_and_comparisons_are_values(client, other):
    date = client.today().date
    games = [client.new_game("daily")]
    while len(games[0].state.legal_moves) and games[0].state.moves < 3:
        games[0].move(games[0].state.legal_moves[0])
    games[0].abandon()
    games.append(client.new_game("daily"))
    games[1].move(games[1].state.legal_moves[-1])
    games[1].abandon()

    page = client.results(date).first()
    compared = client.compare(date, games[0].id, games[1].id)

    assert page.me is not None and page.me.game == games[0].id
    assert page.me in page.items and page.order and page.as_of is not None
    assert [result.game for result in compared.games] == [game.id for game in games]
    assert [len(series.score) for series in compared.series] == [4, 2]
    assert compared.fork is None or compared.fork.choices[0].direction in Direction
    assert client.daily(date).players == 1
    assert client.leaderboard("daily").first().items[0].outcome is Outcome.ABANDONED


def test_lists_fetch_their_pages_as_they_are_read(client):
    made = [client.new_game("classic").id for _ in range(5)]
    asked: list[Any] = []
    do = client.do

    def counted(call):
        asked.append(call)
        return do(call)

    client.do = counted
    listed = iter(client.games(limit=2))

    assert next(listed).id == made[-1]
    assert len(asked) == 1
    assert [game.id for game in listed] == made[-2::-1]
    assert len(asked) == 3
    assert [len(page.items) for page in client.games(limit=2).pages()] == [2, 2, 1]


async def test_async_lists_do_alike(aclient):
    made = [(await aclient.new_game("classic")).id for _ in range(3)]

    assert [game.id async for game in aclient.games(limit=2)] == made[::-1]
    assert [len(page.items) async for page in aclient.games(limit=2).pages()] == [2, 1]
    assert (await aclient.games(limit=2).first()).next is not None


def test_a_log_is_a_list_too(client):
    game = client.new_game("practice", seed=SEED)
    for _ in range(5):
        game.move(game.state.legal_moves[0])

    versions = [event.version for event in client.events(game.id, limit=2)]

    assert versions == [1, 2, 3, 4, 5, 6]


def test_a_game_that_cannot_be_read_stands_in_the_list_as_such():
    corrupt = {"id": "b", "mode": "classic", "status": "corrupt"}
    page = httpx.Response(200, json={"items": [GAME, corrupt], "next_cursor": None})

    with faked(Scripted(page)) as client:
        well, broken = client.games()

    assert well.status is Status.RUNNING
    assert broken == UnreadableGame("b", "classic", "corrupt")
