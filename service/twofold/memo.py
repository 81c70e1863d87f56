"""Answers remembered by question."""

from collections.abc import Callable, Hashable
from typing import TypeVar

Question = TypeVar("Question", bound=Hashable)
Answer = TypeVar("Answer")


class Memo(dict[Question, Answer]):
    """Answers worked out at first sight; emptied when it is full, so that its memory is bounded."""

    LIMIT = 1 << 14

    def __init__(self, work_out: Callable[[Question], Answer]) -> None:
        super().__init__()
        self._work_out = work_out

    def __missing__(self, question: Question) -> Answer:
        if len(self) >= self.LIMIT:
            self.clear()
        answer = self[question] = self._work_out(question)
        return answer
