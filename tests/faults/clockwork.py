"""Time that is moved by hand through a running service."""

import time
from collections.abc import Callable
from typing import TypeVar

from tests.service import Hand, Running

T = TypeVar("T")
STEP = 1.9
"""A longer one would be a gap in the life of the process."""


def pass_time(service: Running, hand: Hand, seconds: float) -> bool:
    """Let service time go on in steps that the process lives through; True."""
    while seconds > 0:
        step = min(seconds, STEP)
        hand.forward(step)
        service.do(lambda: service.service.clocks.look(hand()))
        seconds -= step
    return True


def until(question: Callable[[], T], within: float = 30.0) -> T:
    """What the question answers once that is true."""
    end = time.monotonic() + within
    while not (found := question()):
        assert time.monotonic() < end, "it does not come about"
        time.sleep(0.02)
    return found
