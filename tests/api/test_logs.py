"""Logs: lines for people or for programs, with whom and what they are about, and no secret whatever is sent."""

import json
import logging
import re

import httpx
import pytest

from tests.faults.serving import Serving
from tests.test_openapi import rest
from tests.whole import play_through
from twofold_service import loglines


@pytest.fixture(params=["text", "json"])
def chatty(request, new_database):
    """A process that logs as much as it can."""
    database = new_database()
    serving = Serving(
        database.parent,
        f"sqlite:///{database}",
        TWOFOLD_LOG_LEVEL="debug",
        TWOFOLD_LOG_FORMAT=request.param,
        TWOFOLD_METRICS_TOKEN="a-token-for-metrics",
        TWOFOLD_STORAGE_TIMEOUT_MS="200",
    )
    serving.start()
    yield serving
    serving.kill()


@pytest.mark.slow
def test_no_secret_is_in_any_log_or_metric_whatever_is_asked(chatty):
    secrets = play_through(chatty.url, chatty.file)
    metrics = httpx.get(chatty.url + "/metrics", trust_env=False).text
    chatty.terminate()

    assert len(secrets.bytes) > 8 and len(secrets.hidden) > 8
    assert secrets.shown() == [], "no answer tells a seed before its time"
    assert secrets.found_in(chatty.log) == []
    assert secrets.found_in(metrics) == []
    assert "locked" in chatty.log and "left as it is" in chatty.log
    assert "a-token-for-metrics" not in chatty.log + metrics
    asked = {
        (method, route)
        for method, route in re.findall(r'twofold_http_requests_total{method="(\w+)",route="([^"]+)"', metrics)
    }
    assert {(method.upper(), path) for path, item in rest()["paths"].items() for method in item} <= asked


def record(message: str = "a line", **extra: object) -> logging.LogRecord:
    made = logging.LogRecord("twofold.http", logging.WARNING, __file__, 1, message, None, None)
    made.__dict__ |= extra
    return made


class Asked:
    id, game, player = "7", "g1", "p1"


def test_a_line_tells_whom_and_what_it_is_about():
    line = json.loads(loglines.Json().format(record(game="g2")))

    assert {name: line[name] for name in ("level", "logger", "message", "game")} == {
        "level": "warning",
        "logger": "twofold.http",
        "message": "a line",
        "game": "g2",
    }
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["at"])
    assert loglines.Text().format(record(game="g2", player="p2")).endswith("twofold.http: a line [game=g2 player=p2]")


@pytest.mark.parametrize("form", [loglines.Json(), loglines.Text()], ids=["json", "text"])
def test_what_happens_in_a_request_is_about_that_request(form):
    token = loglines.CURRENT.set(Asked())
    try:
        line = form.format(record())
    finally:
        loglines.CURRENT.reset(token)

    for about in ("7", "g1", "p1"):
        assert about in line
    assert "p1" not in form.format(record())


@pytest.mark.parametrize("form", [loglines.Json(), loglines.Text()], ids=["json", "text"])
@pytest.mark.parametrize(
    ("secret", "text"),
    [
        ("tf_" + "aB-_9" * 8, "who sent {} is not known"),
        ("pass word".replace(" ", ""), "cannot reach postgresql://me:{}@db/twofold"),
    ],
)
def test_a_secret_in_somebody_else_s_words_is_left_out(form, secret, text):
    line = form.format(record(text.format(secret)))

    assert secret not in line
    assert text.split("{}")[0] in line


def test_a_refusal_that_comes_again_and_again_is_one_line_a_minute():
    now, told = 0.0, []
    seldom = loglines.Seldom("twofold.http", 60, lambda: now)
    for second in range(0, 130, 5):
        now = second
        told += [second] if seldom.filter(record()) else []
        assert seldom.filter(logging.makeLogRecord({"name": "twofold.play"}))

    assert told == [0, 60, 120]


def test_an_id_that_is_none_makes_no_line_of_its_own():
    line = loglines.Text().format(record(game="x\n2027-01-15 CRITICAL twofold: forged" + "y" * 500))

    assert "\n" not in line
    assert len(line) < 200


def test_a_failure_is_told_with_its_traceback_on_one_line():
    try:
        raise ValueError("tf_" + "a" * 43)
    except ValueError as error:
        line = loglines.Json().format(record(exc_info=(ValueError, error, error.__traceback__)))

    assert "\n" not in line
    told = json.loads(line)
    assert "ValueError" in told["error"] and "a" * 43 not in told["error"]


def test_libraries_tell_nothing_below_a_warning():
    root, ours = logging.getLogger(), logging.getLogger("twofold")
    before = root.level, root.handlers[:], ours.level
    try:
        root.handlers.clear()
        loglines.install("debug", "json")
        assert (root.level, ours.level) == (logging.WARNING, logging.DEBUG)
        assert isinstance(root.handlers[0].formatter, loglines.Json)
    finally:
        root.setLevel(before[0])
        root.handlers[:] = before[1]
        ours.setLevel(before[2])
