"""Debian's Chromium, and players at the page of a service."""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.table import Table
from tests.callers import Caller

CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
OUTAGE = ("net::ERR_", "WebSocket connection to")
"""What the browser itself says where a service is not there."""

Sit = Callable[..., Table]


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.parent.name == "browser" and CHROMIUM is None:
            item.add_marker(pytest.mark.skip(reason="needs chromium"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def sit(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Sit]:
    """Sits players down: `sit(url=…, route=…, script=…, <option of a context>=…)`; errors must be expected."""
    tables: list[Table] = []
    with ExitStack() as stack:

        def open_page(
            url: str | None = None, route: str = "", script: str = "", opened: bool = True, **options: Any
        ) -> Table:
            context = browser.new_context(**{"locale": "en-GB", "viewport": {"width": 1280, "height": 900}, **options})
            stack.callback(context.close)
            context.set_default_timeout(30_000)
            if script:
                context.add_init_script(script)
            table = Table(context.new_page(), url or request.getfixturevalue("url"))
            tables.append(table)
            return table.open(route) if opened else table

        yield open_page
        for table in tables:
            table.quiet()


@pytest.fixture
def table(sit: Sit) -> Table:
    """A new player at the classic game."""
    return sit()


@pytest.fixture
def seat(sit: Sit) -> Sit:
    """Sits a player down who exists already: `seat(caller, route)`."""

    def open_page(caller: Caller, route: str = "", script: str = "", **options: Any) -> Table:
        kept = json.dumps(json.dumps({"id": caller.id, "token": caller.token}))
        table: Table = sit(
            url=caller.url, route=route, script=f"localStorage.setItem('twofold.player', {kept});{script}", **options
        )

        return table

    return open_page
