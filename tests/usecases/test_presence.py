"""Presence: who has left is paused once the others have had the time to say that they are there."""

import asyncio

import pytest

from twofold_service.usecases import presence
from twofold_service.usecases.presence import Presence

WAIT = 0.1


class Watched:
    """The part of the live use case that presence asks, with nobody attending here."""

    def __init__(self) -> None:
        self.paused: list[tuple[str, int]] = []

    def is_attended(self, game: str) -> bool:
        return False

    def pause_left(self, game: str, at: int) -> None:
        self.paused.append((game, at))


@pytest.fixture
def watched(monkeypatch) -> Watched:
    monkeypatch.setattr(presence, "ANSWER_WITHIN", WAIT)
    return Watched()


async def test_who_is_nowhere_else_is_paused_as_of_when_they_left(watched):
    asked: list[str] = []
    Presence(watched, asked.append, asked.append, lambda: True).left("game", 5)

    assert (asked, watched.paused) == (["game"], [])
    await asyncio.sleep(2 * WAIT)
    assert watched.paused == [("game", 5)]


async def test_a_later_question_is_not_decided_by_the_wait_for_the_earlier_one(watched):
    asking = Presence(watched, lambda _: None, lambda _: None, lambda: True)
    asking.left("game", 5)
    asking.answered("game")
    asking.left("game", 6)
    asking.left("game", 7)
    asking._not_answered("game", 5)
    asking._not_answered("game", 6)

    assert watched.paused == []
    asking._not_answered("game", 7)
    assert watched.paused == [("game", 7)]
