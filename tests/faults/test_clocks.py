"""Time and processes: what a crash, a stop, a sleep and a jump of the wall clock cost a player, which is nothing."""

import random
import re
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.callers import DIRECTIONS, Caller, Json, Live, answer, player
from tests.faults.clockwork import pass_time, until
from tests.faults.serving import AS_IT_IS, Serving
from tests.faults.table import form
from tests.faults.test_locked import locked
from tests.service import Hand
from twofold.clock import from_rfc3339
from twofold_service.now import ServiceTime

SPRINT = 120_000
BEAT = 1.2
"""How much of what was played may be missing: a heartbeat is at most 1 s old, and is itself a moment on its way."""
HOUR = 3600 * 1_000_000
FAKETIME = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)


def started_sprint(caller: Caller) -> Json:
    game: Json = caller.do(caller.new("sprint")["id"], "start")["game"]
    return game


def last_event(caller: Caller, game: Json) -> Json:
    event: Json = answer(caller.get(f"/games/{game['id']}/events"))["items"][-1]
    return event


def check_outage(event: Json, at_most: float) -> None:
    """The event is the pause of an outage, as of hardly before the end of what was played."""
    assert (event["type"], event["cause"], event["status"]) == ("pause", "outage", "paused")
    assert at_most - BEAT <= event["active_ms"] / 1000 <= at_most, (event["active_ms"], at_most)


@pytest.mark.slow
@pytest.mark.alone
def test_a_crash_pauses_a_timed_game_as_of_the_crash(new_serving):
    serving = new_serving()
    serving.start()
    with player(serving.url) as caller, Live(serving.url, caller.token) as live:
        game = caller.new("sprint")
        began = time.monotonic()
        live.ok("start", game=game["id"])
        while time.monotonic() - began < 1.7:
            live.reply(live.send("move", game=game["id"], direction=random.choice(DIRECTIONS)))
            time.sleep(0.05)
        serving.kill()
        played = time.monotonic() - began
    time.sleep(0.5)
    serving.start()
    with Caller(serving.url, caller.token) as caller:
        check_outage(last_event(caller, game), played)
        clock = caller.game(game["id"])["clock"]
        assert clock["remaining_ms"] == SPRINT - clock["active_ms"]
        resumed = caller.do(game["id"], "resume")["event"]
        assert (resumed["active_ms"], resumed["status"]) == (clock["active_ms"], "running")


def test_time_up_fires_by_itself_at_the_limit_after_a_crash_and_a_resume(serve, join):
    hand = Hand()
    first = serve(now=hand)
    me = join(first.url)
    game = started_sprint(me)
    pass_time(first, hand, 50)
    first.wait_for(first.service.clocks._processes.beat)
    first.stop()
    hand.forward(3600)
    second = serve(path=first.path, now=hand)
    with Caller(second.url, me.token) as me:
        assert last_event(me, game)["active_ms"] == 50_000
        me.do(game["id"], "resume")
        pass_time(second, hand, 69.9)
        assert me.game(game["id"])["status"] == "running"
        pass_time(second, hand, 0.3)
        until(lambda: me.game(game["id"])["status"] == "over")
        event = last_event(me, game)
    assert (event["cause"], event["active_ms"], event["outcome"]) == ("time_up", SPRINT, "time_up")


@pytest.mark.slow
@pytest.mark.fault("8 process stopped")
@pytest.mark.alone
def test_a_process_that_stood_still_costs_nobody_time(new_serving):
    serving = new_serving(entry=AS_IT_IS)
    serving.start()
    with player(serving.url) as caller, Live(serving.url, caller.token) as live:
        began = time.monotonic()
        sprint, classic = started_sprint(caller), caller.new()
        live.ok("watch", game=sprint["id"])
        time.sleep(1.0)
        serving.freeze()
        played = time.monotonic() - began
        number = live.send("move", game=sprint["id"], direction="left")
        time.sleep(form(4, 30))
        serving.thaw()
        check_outage(live.push()["event"], played)
        assert live.error(number)["code"] == "paused", "a gap is looked for before any command is taken"
        check_outage(last_event(caller, classic), played)
        assert live.ok("resume", game=sprint["id"])["event"]["active_ms"] / 1000 <= played


@pytest.mark.slow
def test_sigterm_ends_everything_in_good_order(new_serving):
    serving = new_serving()
    serving.start()
    with player(serving.url) as caller, Live(serving.url, caller.token) as live:
        began = time.monotonic()
        sprint, classic = started_sprint(caller), caller.new()
        live.ok("watch", game=sprint["id"])
        time.sleep(0.5)
        status, seconds = serving.terminate()
        played = time.monotonic() - began
        assert status == 0, serving.log
        print(f"\nstopped after {seconds:.2f} s", end="")
        assert seconds < 10
        assert live.closed() == 1012
        told = {push["ev"]: push for push in live.pushes}
        assert 0 < told["draining"]["retry_after_ms"] <= 10_000
        assert told["event"]["event"]["cause"] == "outage"
    assert "Traceback" not in serving.log
    serving.start()
    with Caller(serving.url, caller.token) as caller:
        for game in (sprint, classic):
            event = last_event(caller, game)
            assert (event["cause"], event["status"]) == ("outage", "paused")
            assert 500 <= event["active_ms"] <= played * 1000


@pytest.mark.slow
def test_sigterm_ends_everything_in_time_although_storage_does_not_answer(new_serving):
    serving = new_serving(TWOFOLD_STORAGE_TIMEOUT_MS="30000")
    serving.start()
    with player(serving.url) as caller, Live(serving.url, caller.token) as live:
        game = started_sprint(caller)
        with locked(serving.file):
            live.send("pause", game=game["id"])
            time.sleep(0.2)
            status, seconds = serving.terminate()
        print(f"\nstopped after {seconds:.2f} s", end="")
        assert (status, seconds < 10) == (0, True), serving.log
        assert live.closed() == 1012
    serving.start()
    with Caller(serving.url, caller.token) as caller:
        assert last_event(caller, game)["cause"] == "outage"


def store_instant(serving: Serving, ahead: int) -> int:
    """Make the newest stored instant lie ahead of this machine's clock."""
    instant = ServiceTime()() + ahead
    with closing(sqlite3.connect(serving.file)) as beside, beside:
        beside.execute("INSERT INTO process (id, heartbeat) VALUES ('from another time', ?)", (instant,))
    return instant


@pytest.mark.slow
def test_a_stored_instant_two_days_ahead_is_refused_in_one_line(new_serving):
    serving = new_serving()
    store_instant(serving, 48 * HOUR + HOUR // 2)
    serving.launch()
    assert serving.process.wait(60) == 1
    assert serving.log == "twofold: the database's newest instant is 2.0 days ahead of this machine's clock\n"


@pytest.mark.slow
def test_service_time_never_goes_back_behind_what_is_stored(new_serving):
    serving = new_serving()
    instant = store_instant(serving, HOUR)
    serving.start()
    with player(serving.url) as caller:
        assert from_rfc3339(caller.new()["created_at"]) >= instant - 1000


def on_a_wall_clock(new_serving: Callable[..., Serving], wall: Path) -> Serving:
    """A service whose wall clock is off by what stands in the file."""
    return new_serving(
        LD_PRELOAD=str(FAKETIME),
        FAKETIME_TIMESTAMP_FILE=str(wall),
        FAKETIME_NO_CACHE="1",
        DONT_FAKE_MONOTONIC="1",
    )


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.fault("8 over midnight UTC")
@pytest.mark.skipif(FAKETIME is None, reason="needs libfaketime: install Debian's faketime")
def test_midnight_begins_a_new_date_once_and_leaves_what_runs_alone(new_serving, tmp_path, line):
    wall = tmp_path / "wall"
    now = datetime.now(UTC)
    before = (now + timedelta(days=1)).replace(hour=23, minute=59, second=40, microsecond=0)
    ahead = round((before - now).total_seconds())
    wall.write_text(f"+{ahead}\n")
    serving = on_a_wall_clock(new_serving, wall)
    serving.start()
    with player(serving.url) as caller, Live(serving.url, caller.token) as live:
        game = caller.new("daily")
        date = answer(caller.get("/daily"))["date"]
        assert (game["date"], date) == (f"{before:%Y-%m-%d}",) * 2
        acknowledged = 0
        tomorrow = f"{before + timedelta(days=1):%Y-%m-%d}"
        dates = [date]
        while dates[-1] != tomorrow or len(dates) < 40:
            acknowledged += live.ok("move", game=game["id"], direction=DIRECTIONS[len(dates) % 4])["moved"]
            dates.append(answer(caller.get("/daily"))["date"])
            if dates[-1] == tomorrow:
                wall.write_text(f"+{ahead - 3600}\n")  # the wall says yesterday again
            assert len(dates) < 2000
            time.sleep(0.05)
        assert dates == sorted(dates)
        assert set(dates) == {date, tomorrow}
        told = caller.game(game["id"])
        assert (told["date"], told["status"], told["moves"]) == (date, "running", acknowledged)
        assert caller.new("daily")["date"] == tomorrow
        log = answer(caller.get(f"/games/{game['id']}/events"))["items"]
        assert [event["at"] for event in log] == sorted(event["at"] for event in log)
    line.ran(acknowledged=acknowledged)


@pytest.mark.slow
@pytest.mark.fault("8 wall clock an hour back, a day forward")
@pytest.mark.skipif(FAKETIME is None, reason="needs libfaketime: install Debian's faketime")
def test_a_jump_of_the_wall_clock_moves_neither_clocks_nor_dates(new_serving, tmp_path):
    wall = tmp_path / "wall"
    wall.write_text("+0\n")
    serving = on_a_wall_clock(new_serving, wall)
    serving.start()
    with player(serving.url) as caller:
        before = time.monotonic()
        game = started_sprint(caller)
        after, today = time.monotonic(), answer(caller.get("/daily"))["date"]
        for jump in ("+25h", "-1h"):
            wall.write_text(f"{jump}\n")
            time.sleep(0.3)
            least = time.monotonic() - after
            clock = caller.game(game["id"])["clock"]
            assert clock["active_ms"] / 1000 <= time.monotonic() - before + 0.01
            if clock["running"]:  # a busy machine may have left the process without a turn for two true seconds
                assert clock["active_ms"] / 1000 >= least - 0.01
            now = datetime.fromisoformat(clock["server_now"])
            assert abs(now - datetime.now(UTC)) < timedelta(minutes=1)
            assert answer(caller.get("/daily"))["date"] == today
            assert abs(datetime.fromisoformat(caller.new()["created_at"]) - now) < timedelta(minutes=1)
        wall.write_text("+25h\n")
    serving.terminate()
    first, *_, last = (datetime.fromisoformat(line[:19]) for line in serving.log.splitlines())
    assert last - first > timedelta(hours=24), "the wall clock of the process did not jump"
    assert all(float(gap) < 60 for gap in re.findall(r"stood still for ([\d.]+) s", serving.log))
