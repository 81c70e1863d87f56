"""Metrics: what happened is counted, by kinds that are few and tell nobody's id, and counting costs a move nothing."""

from collections.abc import Callable

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.callers import answer
from tests.faults.clockwork import until
from twofold_service.counting import Histogram
from twofold_service.errors import Busy

Sample = Callable[..., float]


@pytest.fixture
def sample(url) -> Sample:
    """What the service says now: `sample(name, **labels)`; 0 where it says nothing."""

    def read(name: str, **labels: str) -> float:
        page = httpx.get(url + "/metrics", trust_env=False).text
        found = [s for family in text_string_to_metric_families(page) for s in family.samples if s.name == name]
        return sum(each.value for each in found if each.labels.items() >= labels.items())

    return read


def test_commands_are_counted_by_kind_and_result(sample, me, live):
    game = me.new("practice", board=[[2, 0, 0, 0], [0] * 4, [0] * 4, [0] * 4])
    refused = "not_paused"
    before = [
        sample("twofold_commands_total", op="move", result="done"),
        sample("twofold_commands_total", op="move", result="nothing"),
        sample("twofold_commands_total", op="move", result="replayed"),
        sample("twofold_commands_total", op="resume", result=refused),
    ]
    live(me).ok("move", game=game["id"], direction="left")
    for _ in range(2):
        me.move(game["id"], "right", key="once")
    me.ask(game["id"], "resume")

    after = [
        sample("twofold_commands_total", op="move", result="done"),
        sample("twofold_commands_total", op="move", result="nothing"),
        sample("twofold_commands_total", op="move", result="replayed"),
        sample("twofold_commands_total", op="resume", result=refused),
    ]
    assert [now - then for now, then in zip(after, before, strict=True)] == [1, 1, 1, 1]


def test_what_is_written_is_measured_by_the_batch(sample, me):
    batches, members = sample("twofold_commit_batch_count"), sample("twofold_commit_batch_sum")

    me.play(me.new(), 5)

    assert sample("twofold_commit_batch_count") >= batches + 6
    assert sample("twofold_commit_batch_sum") >= members + 6
    assert sample("twofold_commit_seconds_sum") > 0
    assert sample("twofold_journal_wait_seconds_count") >= batches + 6


def test_requests_are_counted_by_the_route_and_never_by_the_path(sample, me, stranger, url):
    game = me.new()["id"]
    was = sample("twofold_http_requests_total", route="/v1/games/{game_id}", status="200")
    lean = sample("twofold_http_requests_total", route="/v1/games/{game_id}/moves", method="POST", status="409")
    lost = sample("twofold_http_requests_total", route="none", status="404")
    me.game(game)
    me.do(game, "pause")
    me.ask(game, "move", direction="left")
    stranger.get(url + "/nowhere-at-all")

    assert sample("twofold_http_requests_total", route="/v1/games/{game_id}", status="200") == was + 1
    assert sample("twofold_http_requests_total", route="/v1/games/{game_id}/moves", status="409") == lean + 1
    assert sample("twofold_http_requests_total", route="none", status="404") == lost + 1
    assert sample("twofold_http_request_seconds_count") > 0


def test_methods_that_anybody_makes_up_are_one(sample, stranger, url):
    other = sample("twofold_http_requests_total", method="other")
    for method in ("PROPFIND", "PURGE", "REPORT"):
        stranger.request(method, url + "/v1/games")

    assert sample("twofold_http_requests_total", method="other") == other + 3
    assert sample("twofold_http_requests_total", method="PURGE") == 0


def test_work_that_waits_is_measured(sample, me, stranger):
    record = answer(me.get(f"/games/{me.new()['id']}/export"))
    before = sample("twofold_queue_wait_seconds_count", queue="records")

    answer(stranger.post("/verify", json=record))

    assert sample("twofold_queue_wait_seconds_count", queue="records") > before
    assert sample("twofold_queue_wait_seconds_count", queue="readers") > 0
    assert sample("twofold_queue_inside") == 0


def test_work_turned_away_is_counted(service, sample):
    desk = service.service.desks[0]
    before = sample("twofold_queue_refusals_total", queue="records")

    async def twice() -> None:
        desk._addresses.add("somewhere")
        try:
            with pytest.raises(Busy):
                await desk.do("somewhere", abs, 1)
        finally:
            desk._addresses.discard("somewhere")

    service.wait_for(twice)

    assert sample("twofold_queue_refusals_total", queue="records") == before + 1


def test_a_slow_reader_that_is_cut_off_is_counted_as_one(serve, live):
    service = serve()
    live(None, service)
    (socket,) = service.service.hub._sockets
    service.do(lambda: socket.connection.session.close(4000, "too slow a reader"))
    service.do(socket.flush)

    def page() -> str:
        return httpx.get(service.url + "/metrics", trust_env=False).text

    until(lambda: 'twofold_sockets_closed_total{code="4000"} 1.0' in page())
    assert 'twofold_sockets_closed_total{code="1012"} 0.0' in page()


def test_games_are_counted_by_how_they_stand(serve, join):
    service = serve()
    me = join(service.url)
    me.new()
    me.do(me.new()["id"], "pause")
    me.do(me.new()["id"], "abandon")

    page = httpx.get(service.url + "/metrics", trust_env=False).text

    for status in ("running", "paused", "over"):
        assert f'twofold_games_in_memory{{status="{status}"}} 1.0' in page


def test_a_histogram_counts_a_value_at_its_bound_as_within_it():
    counted = Histogram((1.0, 2.0))

    for value in (0.5, 1.0, 1.5, 2.0, 2.5):
        counted.add(value)

    assert (counted.counts, counted.sum) == ([2, 2, 1], 7.5)


def test_the_loop_s_lag_is_measured(serve):
    lag = serve().service.lag

    until(lambda: sum(lag.lags.counts) >= 2)
    until(lambda: lag.standing < 1)


def test_no_label_has_more_than_a_few_values(sample, url, me, other):
    for caller in (me, other):
        caller.play(caller.new(), 2)
    page = httpx.get(url + "/metrics", trust_env=False).text

    labels = {
        (s.name, name)
        for family in text_string_to_metric_families(page)
        if family.name.startswith("twofold")
        for s in family.samples
        for name in s.labels
    }

    assert {name for _, name in labels} == {
        *("version", "status", "code", "op", "result", "method", "route", "queue", "le")
    }
