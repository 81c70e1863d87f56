"""The live protocol without a socket: what is heard, what leaves and in which order, and when a connection ends."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.wire.stage import GAME, Json, Stage
from twofold.clock import SECOND
from twofold_service.errors import NotFound
from twofold_service.wire.frames import Hello, Misread, Ping, Unread
from twofold_service.wire.problems import problem
from twofold_service.wire.session import MOST_BAD_FRAMES, MOST_HELD, MOST_UNANSWERED, Session, event_push

HELLO = b'{"id":1,"op":"hello"}'
PING = b'{"id":2,"op":"ping"}'


@pytest.fixture
def fresh():
    """A session that has heard nothing yet."""
    return Session(0)


@pytest.fixture
def talk(fresh):
    """A session after its hello."""
    fresh.hear(HELLO)
    fresh.greeted = True
    fresh.answer(1, {})
    fresh.out.clear()
    return fresh


@pytest.fixture
def stage():
    return Stage()


def said(session: Session) -> list[Json]:
    return [json.loads(frame) for frame in session.out]


def turn_down(session: Session, frame: bytes) -> None:
    """Answer a frame that is no command as api/live.py does."""
    try:
        session.hear(frame)
    except (Unread, Misread) as refused:
        session.refuse_unread(refused.id, problem(refused, "r1", 0))
    else:
        raise AssertionError("taken as a command")


# what is heard


def test_hello_comes_first(fresh):
    with pytest.raises(Unread, match="hello comes first") as refused:
        fresh.hear(PING)

    assert refused.value.id == 2
    assert isinstance(fresh.hear(HELLO), Hello)


def test_hello_comes_once(talk):
    with pytest.raises(Unread, match="once"):
        talk.hear(HELLO)

    assert isinstance(talk.hear(PING), Ping)


def test_a_frame_has_at_most_4096_bytes(talk):
    just = b'{"id":2,"op":"ping"' + b" " * (4096 - 20) + b"}"

    assert isinstance(talk.hear(just), Ping)
    with pytest.raises(Unread, match="4096 bytes"):
        talk.hear(just + b" ")


@pytest.mark.parametrize(
    "frame", [b"{", b"[]", b"null", b'"x"', b"7", b"", b'{"id":9,"op":"dance"}', b'{"op":"ping"}', HELLO, b" " * 4097]
)
def test_the_fifth_frame_that_is_no_command_closes(talk, frame):
    for _ in range(MOST_BAD_FRAMES - 1):
        turn_down(talk, frame)
    before = talk.closing
    turn_down(talk, frame)

    assert (before, talk.closing[0]) == (None, 4505)
    assert [answer["error"]["code"] for answer in said(talk)] == ["bad_frame"] * MOST_BAD_FRAMES


def test_commands_with_a_field_at_fault_never_close(talk):
    for _ in range(MOST_BAD_FRAMES * 2):
        turn_down(talk, b'{"id":"a","op":"move","game":"g","direction":"north"}')

    assert talk.closing is None
    assert {(answer["id"], answer["error"]["code"]) for answer in said(talk)} == {("a", "invalid")}


def test_it_is_full_while_64_commands_are_unanswered(talk):
    for _ in range(MOST_UNANSWERED):
        assert not talk.full
        talk.hear(PING)
    full = talk.full
    talk.answer(2, {})

    assert (full, talk.full) == (True, False)


def test_every_kind_of_answer_makes_room_for_a_command(talk):
    for _ in range(4):
        talk.hear(PING)

    talk.answer(2, {})
    talk.refuse(2, problem(NotFound(), "r1", 0))
    talk.answer_event(2, GAME, 2, b"{}")
    talk.begin_watch(GAME)
    talk.answer_watch(2, GAME, 2, {})

    assert talk.unanswered == 0
    assert [frame["id"] for frame in said(talk)] == [2] * 4


def test_frames_that_are_no_commands_are_not_counted_as_unanswered(talk):
    turn_down(talk, b"{")

    assert talk.unanswered == 0


FIELDS = st.dictionaries(
    st.sampled_from(["id", "op", "game", "direction", "version", "key", "since", "token", "client", "x"]),
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=5),
        st.sampled_from(["hello", "watch", "unwatch", "move", "undo", "ping", "up", "g1"]),
        st.lists(st.integers(), max_size=2),
        st.dictionaries(st.text(max_size=2), st.none(), max_size=1),
    ),
)


@given(st.one_of(st.binary(max_size=60), st.text(max_size=40).map(lambda text: text.encode("utf-8", "surrogatepass"))))
def test_whatever_bytes_come_they_are_a_command_or_no_command(data):
    session = Session(0)
    try:
        session.hear(data)
    except (Unread, Misread) as refused:
        session.refuse_unread(refused.id, problem(refused, "r1", 0))

    assert session.closing is None


@given(FIELDS, st.booleans())
def test_whatever_fields_come_they_are_a_command_or_are_answered_by_their_id(fields, greeted):
    session = Session(0)
    session.greeted = greeted
    try:
        frame = session.hear(json.dumps(fields).encode())
    except (Unread, Misread) as refused:
        session.refuse_unread(refused.id, problem(refused, "r1", 0))
        assert said(session)[0]["id"] in (None, fields.get("id"))
    else:
        assert (frame.id, frame.op) == (fields["id"], fields["op"])
        assert isinstance(frame, Hello) is not greeted


# what leaves, and in which order


def test_events_of_games_that_are_not_watched_are_not_told(talk):
    talk.push_event(GAME, 2, event_push(GAME, b"{}"))

    assert talk.out == []


def test_what_is_told_while_a_watch_is_on_its_way_follows_its_answer(stage):
    stage.begin_watch(0)
    stage.read_game()
    stage.others_play()
    before = stage.frames
    stage.settle()

    assert [kind_of(frame) for frame in before] == ["watched"]
    assert [version_of(frame) for frame in stage.frames] == [None, 1, 2]


def test_a_reply_stands_in_the_place_of_the_push_of_its_event(stage):
    stage.begin_watch(1)
    stage.others_play()
    stage.i_play()
    stage.others_play()
    stage.settle()

    told = [(kind_of(frame), version_of(frame)) for frame in stage.frames]
    assert told == [("watched", None), ("push", 2), ("reply", 3), ("push", 4)]


def test_a_reply_whose_event_the_answered_game_includes_comes_before_it(stage):
    stage.begin_watch(99)
    stage.i_play()
    stage.settle()

    assert [kind_of(frame) for frame in stage.frames] == ["reply", "watched"]


def test_a_refused_watch_keeps_no_reply_back(stage):
    stage.begin_watch(0)
    stage.i_play()
    stage.refuse_watch()

    assert [kind_of(frame) for frame in stage.frames] == ["reply", "unwatched"]


def test_a_game_that_is_gone_keeps_no_reply_back(stage):
    stage.begin_watch(0)
    stage.i_play()
    stage.lose()
    stage.settle()

    assert [kind_of(frame) for frame in stage.frames] == ["reply", "gone", "unwatched"]


def test_what_is_held_back_is_bounded(stage):
    stage.begin_watch(0)
    stage.read_game()
    for _ in range(MOST_HELD):
        stage.others_play()
    before = stage.session.closing
    stage.others_play()

    assert (before, stage.session.closing[0]) == (None, 4000)


ACTS = st.one_of(
    st.sampled_from(["others_play", "i_play", "read_game", "read_event"]).map(lambda act: (act,)),
    st.sampled_from(["others_play", "i_play", "refuse_watch", "unwatch", "lose"]).map(lambda act: (act,)),
    st.tuples(st.just("begin_watch"), st.integers(0, 12)),
)


@given(st.lists(ACTS, max_size=40))
def test_in_every_interleaving_replies_and_pushes_leave_once_and_in_version_order(acts):
    stage = Stage()
    for act, *arguments in acts:
        getattr(stage, act)(*arguments)
    stage.settle()

    replies = [frame for frame in stage.frames if "id" in frame]
    assert sorted(frame["id"] for frame in replies) == stage.asked
    assert [version_of(frame) for frame in replies if kind_of(frame) == "reply"] == stage.mine
    assert followed(stage.frames) == (stage.version if stage.watching else None)


def followed(frames):
    """Follow a game by what is told of it, without a gap or a repeat; the version known at the end, if watched."""
    known, last_reply = None, 0
    for frame in frames:
        version = version_of(frame)
        if kind_of(frame) == "watched":
            known = frame["ok"]["known"]
        elif kind_of(frame) in ("unwatched", "gone"):
            known = None
        elif kind_of(frame) == "reply":
            assert version > last_reply
            last_reply = version
            known = None if known is None else max(known, version)
        else:
            assert known is not None, "told though not watched"
            assert version == known + 1, frames
            known = version
    return known


def kind_of(frame: Json) -> str:
    if "ev" in frame:
        return "push" if frame["ev"] == "event" else str(frame["ev"])
    if "event" in frame["ok"]:
        return "reply"
    return "watched" if "known" in frame["ok"] else "unwatched"


def version_of(frame: Json) -> Any:
    event = frame.get("event") or frame.get("ok", {}).get("event") or {}
    return event.get("version")


# time


def test_a_websocket_ping_is_due_every_5_seconds_and_a_ping_push_with_it(talk):
    due = []
    for second in range(1, 17):
        talk.heard_at = second * SECOND
        due.append(talk.tick(second * SECOND))

    assert [second for second, is_due in enumerate(due, start=1) if is_due] == [5, 10, 15]
    assert [(frame["ev"], frame["server_now"]) for frame in said(talk)] == [
        ("ping", f"1970-01-01T00:00:{second:02}.000Z") for second in (5, 10, 15)
    ]


def test_no_ping_is_pushed_before_hello(fresh):
    assert fresh.tick(5 * SECOND)
    assert fresh.out == []


def test_10_silent_seconds_close(talk):
    talk.heard_at = 3 * SECOND
    talk.tick(13 * SECOND - 1)
    before = talk.closing
    talk.tick(13 * SECOND)

    assert (before, talk.closing[0]) == (None, 4001)


def test_10_seconds_without_hello_close_whatever_is_heard(fresh):
    fresh.heard_at = 9 * SECOND
    fresh.tick(10 * SECOND - 1)
    before = fresh.closing
    fresh.tick(10 * SECOND)

    assert (before, fresh.closing[0]) == (None, 4506)


def test_the_first_reason_to_close_stays(talk):
    talk.close(4500, "this token has ended")
    talk.tick(60 * SECOND)

    assert talk.closing == (4500, "this token has ended")


def test_draining_says_when_to_come_back(talk):
    talk.draining(900_000)

    assert said(talk) == [{"ev": "draining", "retry_after_ms": 900}]
