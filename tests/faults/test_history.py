"""The history checker finds nothing in what is right, and every fault that is planted."""

from typing import Any

import pytest

from tests.faults.history import READ, History

Json = dict[str, Any]


def event(version: int, type_: str = "move", **more: Any) -> Json:
    fields = {"direction": "left"} if type_ == "move" else {}
    return {"version": version, "type": type_, "board": [[version]], "score": 4 * version, "moves": version - 1} | (
        fields | more
    )


def log(length: int) -> list[Json]:
    return [event(1, "created"), *(event(version) for version in range(2, length + 1))]


def game(version: int) -> Json:
    return {key: value for key, value in event(version).items() if key not in ("type", "direction")}


@pytest.fixture
def history() -> History:
    """Three moves and a read, one after the other."""
    made = History()
    for version in (2, 3, 4):
        made.ok(made.invoke("move", direction="left"), event(version))
    made.ok(made.invoke(READ), game(4))
    return made


def test_nothing_is_found_in_what_is_right(history):
    assert history.findings(log(4)) == []


def test_several_in_flight_may_be_answered_in_any_order():
    history = History()
    first, second, read = (
        history.invoke("move", direction="left"),
        history.invoke("move", direction="left"),
        history.invoke(READ),
    )
    history.ok(second, event(2))
    history.ok(read, game(1))
    history.ok(first, event(3))
    assert history.findings(log(3)) == []


@pytest.mark.parametrize("say", ["unknown", "nothing"])
def test_what_got_no_answer_is_there_once_or_not_at_all(history, say):
    call = history.invoke("move", direction="left")
    if say == "unknown":
        history.unknown(call)
    assert history.findings(log(4)) == []
    assert history.findings(log(5)) == []
    assert history.findings(log(6)) == ["version 6 (move) is nobody's, or a command was done twice"]


def test_what_got_no_answer_explains_no_other_command(history):
    history.unknown(history.invoke("move", direction="up"))
    assert len(history.findings(log(5))) == 1


def test_a_refused_command_must_have_done_nothing(history):
    history.refused(history.invoke("move", direction="left"))
    assert history.findings(log(4)) == []
    assert len(history.findings(log(5))) == 1


def test_a_lost_command_is_found(history):
    assert "version 4 was acknowledged, and is not in the log" in history.findings(log(3))


def test_a_command_done_twice_is_found(history):
    assert history.findings(log(5)) == ["version 5 (move) is nobody's, or a command was done twice"]


@pytest.mark.parametrize(
    "versions", [(1, 2, 4), (1, 2, 2, 3, 4), (2, 3, 4), (1, 3, 2, 4)], ids=["hole", "doubled", "headless", "swapped"]
)
def test_a_log_that_is_not_one_to_n_is_found(versions):
    made = [event(version, "created") for version in versions]
    assert len(History().findings(made)) == 1


def test_an_event_that_was_changed_after_it_was_acknowledged_is_found(history):
    changed = [*log(3), event(4, score=0)]
    assert "version 4 was acknowledged otherwise than it is stored" in history.findings(changed)


def test_one_version_acknowledged_to_two_commands_is_found():
    history = History()
    for _ in range(2):
        history.ok(history.invoke("move", direction="left"), event(2))
    found = history.findings(log(2))
    assert "version 2 was acknowledged to two commands" in found


def test_a_repeat_that_is_answered_otherwise_is_found(history):
    call = history.invoke("move", direction="left", key="k")
    history.ok(call, event(5))
    history.ok(call, event(5))
    assert history.findings(log(5)) == []
    history.ok(call, None)
    assert len(history.findings(log(5))) == 1


def test_a_repeat_may_be_answered_late(history):
    call = history.invoke("move", direction="left", key="k")
    history.ok(history.invoke("move", direction="left"), event(6))
    history.ok(call, event(5))
    assert history.findings(log(6)) == []


def test_a_command_put_before_one_that_was_acknowledged_when_it_was_sent_is_found():
    history = History()
    history.ok(history.invoke("move", direction="left"), event(3))
    history.ok(history.invoke("move", direction="left"), event(2))
    assert history.findings(log(3)) == ["version 2 is of a command that was sent when 3 was known"]


def test_a_read_that_goes_back_is_found(history):
    history.ok(history.invoke(READ), game(3))
    assert history.findings(log(4)) == ["a read went back: it found version 3, begun when 4 was known"]


def test_a_read_of_what_never_was_is_found(history):
    history.ok(history.invoke(READ), game(5))
    assert history.findings(log(4)) == ["version 5 was read, and is not in the log"]


def test_a_read_of_another_board_is_found(history):
    history.ok(history.invoke(READ), game(4) | {"board": [[0]]})
    assert history.findings(log(4)) == ["version 4 was read otherwise than it is stored"]


@pytest.mark.parametrize("versions", [(2, 4), (2, 2), (3, 2)], ids=["gap", "repeat", "back"])
def test_a_stream_with_a_gap_or_a_repeat_is_found(versions):
    history = History()
    for version in versions:
        history.told("watcher", event(version))
    assert len([finding for finding in history.findings(log(4)) if finding.startswith("stream")]) == 1


def test_streams_are_looked_at_apart():
    history = History()
    for stream in ("one", "another"):
        for version in (2, 3, 4):
            history.told(stream, event(version))
    assert [finding for finding in history.findings(log(4)) if "stream" in finding] == []


def test_a_history_up_to_a_version_knows_nothing_later(history):
    earlier = history.up_to(3)
    assert earlier.findings(log(3)) == []
    assert earlier.acknowledged.keys() == {2, 3}
    assert history.acknowledged.keys() == {2, 3, 4}


def test_what_the_service_writes_itself_is_nobody_s(history):
    assert history.findings([*log(4), event(5, "pause", cause="outage")]) == []
    assert len(history.findings([*log(4), event(5, "pause", cause="player")])) == 1
