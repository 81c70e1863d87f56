"""The client's side of the live protocol, without a socket."""

import json
from typing import Any

import pytest

from tests.sdk.fakes import refused
from tests.sdk.test_reading import EVENT, GAME
from twofold_client._conversation import Conversation
from twofold_client._feed import MOST_UNREAD, Feed
from twofold_client._reading import read
from twofold_client.errors import (
    GameGone,
    NotFound,
    ProtocolError,
    RateLimited,
    TwofoldError,
    Unauthorized,
    WrongVersion,
)
from twofold_client.values import EventSeen, GameState

WELCOME = {"id": 0, "ok": {"player": None, "protocol": "twofold.v1", "ping_ms": 5000}}


def event(version: int, **change: Any) -> dict[str, Any]:
    return EVENT | {"version": version} | change


def seen(version: int, **change: Any) -> EventSeen:
    return read(EventSeen, event(version, **change))


def game(version: int, **change: Any) -> GameState:
    return read(GameState, GAME | {"version": version} | change)


class Talk(Conversation):
    """A conversation, and what was answered in it."""

    def __init__(self) -> None:
        super().__init__()
        self.answers: list[EventSeen | TwofoldError | None] = []

    def open(self, token: str | None = "token") -> None:
        self.connected(token)
        self.said()
        self.told(WELCOME)

    def told(self, frame: Any) -> None:
        self.hear(json.dumps(frame))

    def said(self) -> list[dict[str, Any]]:
        frames = [json.loads(text) for text in self.out]
        self.out.clear()
        return frames

    def command(self, feed: Feed, op: str = "undo") -> int:
        return self.ask(op, feed, {"key": "k"}, self.answers.append)

    def watching(self, feed: Feed) -> None:
        """Watch a game and be told that it is."""
        number = self.watch(feed, self.answers.append)
        self.told({"id": number, "ok": {"recovered": True, "role": "player"}})
        self.said()
        self.answers.clear()


@pytest.fixture
def talk() -> Talk:
    opened = Talk()
    opened.open()
    return opened


@pytest.fixture
def feed(talk) -> Feed:
    """A watched game at version 2."""
    known: Feed = talk.feed("g", game(2), None)
    talk.watching(known)
    return known


def versions(feed: Feed) -> list[int]:
    read = []
    while (taken := feed.take()) is not None:
        read.append(taken.version)
    return read


def test_hello_comes_first_and_the_rest_when_it_is_answered():
    talk = Talk()
    feed = talk.feed("g", game(2), None)
    number = talk.command(feed)

    talk.connected("token")
    hello = talk.said()
    talk.told(WELCOME)

    assert [(frame["op"], frame.get("token")) for frame in hello] == [("hello", "token")]
    assert [frame["id"] for frame in talk.said()] == [number]


@pytest.mark.parametrize("protocol, error", [("twofold.v2", WrongVersion), (None, ProtocolError)])
def test_another_protocol_is_not_spoken(protocol, error):
    talk = Talk()
    talk.connected(None)

    with pytest.raises(error):
        talk.told({"id": 0, "ok": {"protocol": protocol}})


def test_a_refused_hello_is_raised():
    talk = Talk()
    talk.connected("old")

    with pytest.raises(Unauthorized):
        talk.told({"id": 0, "error": refused("unauthorized", 401).json()})


@pytest.mark.parametrize(
    "text", ["{", "[]", "5", b"{}", "[" * 100_000, '{"ok": 1}', '{"id": "x", "ok": {}}', '{"id": true}']
)
def test_what_is_no_frame_of_the_service_is_refused(talk, text):
    with pytest.raises(ProtocolError):
        talk.hear(text)


def test_pushes_and_replies_nobody_knows_are_passed_over(talk):
    talk.told({"ev": "ping", "server_now": "2027-01-15T12:00:00.000Z"})
    talk.told({"ev": "fireworks"})
    talk.told({"ev": "event", "game": "another", "event": event(9)})
    talk.told({"id": 99, "ok": {}})


def test_a_reply_carries_its_event_to_the_one_who_asked_and_to_the_reader(talk, feed):
    number = talk.command(feed)

    talk.told({"id": number, "ok": {"event": event(3)}})
    talk.told({"ev": "event", "game": "g", "event": event(4)})

    assert talk.answers == [seen(3)]
    assert versions(feed) == [3, 4]
    assert feed.state is not None and feed.state.version == 4


def test_after_a_lost_connection_games_are_watched_from_the_version_known_then_commands_said_again(talk, feed):
    talk.told({"ev": "event", "game": "g", "event": event(3)})
    number = talk.command(feed)
    talk.said()

    talk.open()

    watch, command = talk.said()
    assert (watch["op"], watch["game"], watch["since"]) == ("watch", "g", 3)
    assert (command["id"], command["key"]) == (number, "k")


def test_a_second_loss_does_not_watch_twice(talk, feed):
    talk.open()
    talk.open()

    assert [frame["op"] for frame in talk.said()] == ["watch"]


def test_an_event_that_comes_again_is_read_once(talk, feed):
    number = talk.command(feed)
    talk.open()
    for version in (3, 4, 3, 4, 5):
        talk.told({"ev": "event", "game": "g", "event": event(version)})

    talk.told({"id": number, "ok": {"event": event(3), "replayed": True}})

    assert versions(feed) == [3, 4, 5]
    assert talk.answers == [seen(3)]


def test_a_replay_ahead_of_its_push_does_not_stand_in_its_place(talk, feed):
    number = talk.command(feed)

    talk.told({"id": number, "ok": {"event": event(5), "replayed": True}})

    assert versions(feed) == [] and not feed.lacking


def test_while_draining_nothing_more_is_said(talk, feed):
    talk.told({"ev": "draining", "retry_after_ms": 900})

    talk.command(feed)

    assert talk.said() == []
    assert talk.come_back_after == 0.9


def test_what_is_forgotten_is_not_said_again(talk, feed):
    talk.forget(talk.command(feed))

    talk.open()

    assert [frame["op"] for frame in talk.said()] == ["watch"]


def test_an_unwatched_game_is_not_watched_again(talk, feed):
    talk.unwatched(feed)

    talk.open()

    assert talk.said() == []


def test_a_game_that_is_gone_ends_its_feed(talk, feed):
    talk.told({"ev": "gone", "game": "g"})

    assert isinstance(feed.error, GameGone)


@pytest.mark.parametrize("code, status, for_good", [("not_found", 404, NotFound), ("rate_limited", 429, None)])
def test_a_watch_refused_after_a_lost_connection_ends_the_feed_or_is_asked_anew(talk, feed, code, status, for_good):
    talk.open()
    (watch,) = talk.said()

    talk.told({"id": watch["id"], "error": refused(code, status, retryable=for_good is None).json()})

    assert not feed.watched
    assert feed.error is None if for_good is None else isinstance(feed.error, for_good)
    assert isinstance(talk.feed("g", None, None), Feed)


def test_a_refusal_shows_the_game_it_tells(talk, feed):
    number = talk.command(feed)
    stale = refused("stale_version", 409).json() | {"game": GAME | {"version": 7}}

    talk.told({"id": number, "error": stale})

    assert feed.state is not None and feed.state.version == 7
    assert feed.lacking  # the events up to it are in the log


def test_the_end_is_told_to_all_who_wait(talk, feed):
    talk.command(feed)

    talk.fail(end := RateLimited(read_problem()))

    assert talk.answers == [end]
    assert feed.error is end


def read_problem() -> Any:
    from twofold_client.values import Problem

    return read(Problem, refused("rate_limited", 429, True).json())


def test_what_does_not_fit_is_fetched_from_the_log(talk, feed):
    for version in range(3, 3 + MOST_UNREAD + 10):
        feed.hear(seen(version))

    assert versions(feed) == list(range(3, 3 + MOST_UNREAD))
    assert feed.lacking

    feed.hear(seen(3 + MOST_UNREAD + 10))
    feed.fill([seen(version) for version in range(3 + MOST_UNREAD, 3 + MOST_UNREAD + 11)])

    assert versions(feed) == list(range(3 + MOST_UNREAD, 3 + MOST_UNREAD + 11))
    assert not feed.lacking


def test_a_game_too_far_ahead_is_caught_up_from_the_log():
    feed = Feed("g", game(2))
    feed.begin()

    feed.watch_answered("spectator", game(900))
    feed.hear(seen(901))

    assert feed.take() is None and feed.lacking


def test_a_log_that_lacks_what_was_told_is_an_error():
    feed = Feed("g", game(2), since=0)

    with pytest.raises(ProtocolError, match="has no event 1"):
        feed.fill([])


def test_a_game_that_has_gone_back_is_an_error():
    feed = Feed("g", game(7))
    feed.begin()

    feed.watch_answered("player", game(3))

    assert isinstance(feed.error, ProtocolError)


def test_a_feed_ends_when_a_final_event_is_read():
    feed = Feed("g", game(2))
    feed.begin()

    feed.hear(seen(3, final=True, status="over"))
    assert not feed.ended
    feed.take()

    assert feed.ended


def test_a_known_end_is_an_end():
    feed = Feed("g", game(2, final=True))
    feed.begin()

    assert feed.ended
