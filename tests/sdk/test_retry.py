"""What may pass is tried again, in time, with jitter, and never done twice."""

import httpx
import pytest

from tests.callers import careful
from tests.sdk.fakes import Losing, Passing, Scripted, faked, faked_async, refused
from tests.sdk.test_reading import GAME
from twofold.board import cells_of
from twofold_client import Client, Retry, _calls, _game_calls
from twofold_client.errors import Draining, NotFound, RateLimited, ServerVanished, SlowAnswer, StorageUnavailable

WELL = httpx.Response(200, json={"status": "ok"})
MADE = httpx.Response(201, json=GAME)
LOST = httpx.ReadError("lost")


def test_a_read_is_repeated_until_it_is_answered():
    script = Scripted(LOST, httpx.ConnectError("refused"), httpx.ReadTimeout("slow"), WELL)

    with faked(script) as client:
        assert client.health() == "ok"

    assert len(script.requests) == 4


async def test_the_async_twin_repeats_alike():
    script, time = Scripted(LOST, LOST, WELL), Passing()

    async with faked_async(script, time) as client:
        assert await client.health() == "ok"

    assert time.slept == [0.1, 0.2]


def test_pauses_double_up_to_the_longest_and_end_before_the_deadline():
    time = Passing()

    with faked(Scripted(LOST), time) as client, pytest.raises(ServerVanished):
        client.health()

    assert time.slept == pytest.approx([0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5, 5, 5, 5])
    assert time.now < 30


@pytest.mark.parametrize("chance", [0.0, 0.25])
def test_jitter_is_full(chance):
    retry = Retry(chance=lambda: chance)

    assert [retry.pause(failures) for failures in (0, 1, 1000)] == pytest.approx(
        [0.1 * chance, 0.2 * chance, 5 * chance]
    )


def test_retry_after_is_waited_for_and_the_jitter_after_it():
    time = Passing()

    with faked(Scripted(refused("rate_limited", 429, True, **{"retry-after": "2"}), WELL), time) as client:
        client.health()

    assert time.slept == [2.1]


def test_a_retry_after_beyond_the_deadline_is_not_waited_for():
    time = Passing()

    draining = Scripted(refused("draining", 503, True, **{"retry-after": "60"}))

    with faked(draining, time) as client, pytest.raises(Draining) as refusal:
        client.health()

    assert time.slept == []
    assert (refusal.value.retry_after, refusal.value.retryable) == (60, True)


def test_what_cannot_be_otherwise_is_not_repeated():
    script = Scripted(refused("not_found", 404))

    with faked(script) as client, pytest.raises(NotFound):
        client.game("x")

    assert len(script.requests) == 1


def test_a_create_is_repeated_under_one_key_and_the_next_one_has_another():
    script = Scripted(LOST, MADE)

    with faked(script) as client:
        client.new_game()
        client.new_game()

    first, again, other = [request.headers["Idempotency-Key"] for request in script.requests]
    assert first == again != other
    assert len(first) <= 64


def test_a_call_that_failed_for_good_can_be_done_again_under_its_key():
    script = Scripted(refused("storage_unavailable", 503, True, **{"retry-after": "99"}), MADE)

    with faked(script) as client:
        with pytest.raises(StorageUnavailable) as failed:
            client.new_game()
        assert failed.value.call is not None
        client.do(failed.value.call)

    first, again = [request.headers["Idempotency-Key"] for request in script.requests]
    assert first == again


def test_a_players_own_key_is_kept():
    script = Scripted(MADE)

    with faked(script) as client:
        client.new_game(key="mine")

    assert script.requests[0].headers["Idempotency-Key"] == "mine"


@pytest.mark.parametrize("failure", [LOST, httpx.ReadTimeout("slow"), refused("storage_unavailable", 503, True)])
@pytest.mark.parametrize("call", [_calls.create_player(), _calls.use_link("7K3M9QXA"), _calls.create_token()])
def test_what_takes_no_key_is_not_sent_twice_where_it_may_have_been_done(call, failure):
    script = Scripted(failure)

    with faked(script) as client, pytest.raises((ServerVanished, SlowAnswer, StorageUnavailable)):
        client.do(call)

    assert len(script.requests) == 1
    assert "Idempotency-Key" not in script.requests[0].headers


@pytest.mark.parametrize("failure", [httpx.ConnectError("refused"), refused("rate_limited", 429, True)])
def test_it_is_where_nothing_can_have_been_done(failure):
    made = httpx.Response(201, json={"player": {"id": "p", "name": None}, "token": "t"})
    script = Scripted(failure, made)

    with faked(script) as client:
        client.join()

    assert len(script.requests) == 2
    assert client.token == "t"


def test_a_gateway_that_fails_is_tried_again():
    script = Scripted(httpx.Response(502, html="<h1>Bad gateway</h1>"), WELL)

    with faked(script) as client:
        assert client.health() == "ok"


def test_no_attempt_may_take_longer_than_what_is_left():
    time, script = Passing(), Scripted(LOST, WELL)

    with faked(script, time, timeout=100) as client:
        client.health()

    assert [request.extensions["timeout"]["read"] for request in script.requests] == pytest.approx([30, 29.9])


def test_an_answer_that_does_not_end_is_left_in_time():
    time = Passing()

    def drip(_: httpx.Request) -> httpx.Response:
        def drops():
            while True:
                time.now += 1
                yield b" "

        return httpx.Response(200, headers={"content-type": "application/json"}, content=drops())

    with (
        faked(drip, time) as client,
        pytest.raises(SlowAnswer, match=r"^GET /healthz: the answer has not ended in time$"),
    ):
        client.health()


def test_a_lost_answer_after_the_commit_is_not_done_twice(url, client):
    losing = Losing(lose=0)
    with (
        httpx.Client(transport=losing) as http,
        Client(url, client.token, http=http, retry=Retry(first=0.001)) as shaky,
    ):
        losing.lose = 2
        game = shaky.new_game("classic")
        losing.lose = 1
        event = game.move(game.state.legal_moves[0])

    assert event is not None
    assert [(known.id, known.version) for known in client.games()] == [(game.id, 2)]
    assert losing.keys[0] == losing.keys[1] == losing.keys[2] != losing.keys[3] == losing.keys[4]
    assert list(client.events(game.id))[1:] == [event]


def test_a_rate_limit_is_met_with_patience(serve):
    url = serve(rate_limits="on", player_rate="20/second").url
    with Client(url) as client:
        client.join()
        game = client.new_game("practice")
        for _ in range(25):
            game.move(careful(*cells_of(game.state.board)))

    assert game.state.moves == 25


def test_without_time_to_try_again_a_rate_limit_is_told(serve):
    url = serve(rate_limits="on", player_rate="2/minute").url
    with Client(url, retry=Retry(deadline=10)) as client, pytest.raises(RateLimited) as limited:
        client.join()
        for _ in range(5):
            client.me()

    assert limited.value.retry_after is not None
    assert limited.value.call == _calls.me()


def test_calls_are_values():
    assert _game_calls.move("a", "left", version=3).with_key("k") == _game_calls.move("a", "left", version=3).with_key(
        "k"
    )
