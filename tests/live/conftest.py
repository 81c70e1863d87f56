"""Time stands still here unless a test moves it: on a busy machine no game is paused for a standstill."""

from collections.abc import Callable, Iterator

import pytest

from tests.service import Hand, Running, running


@pytest.fixture(scope="module")
def service(new_database) -> Iterator[Running]:
    with running(new_database(), Hand()) as shared:
        yield shared


@pytest.fixture
def serve(serve) -> Callable[..., Running]:
    return lambda now=None, **wanted: serve(now=now or Hand(), **wanted)
