"""backup, restore, doctor: what they say to whoever runs a service, and what they exit with."""

import json
import os
import resource
import shutil
import sqlite3
from contextlib import closing
from typing import Any

import pytest

from tests.terminal.conftest import Ended
from twofold_service import doctor
from twofold_service.now import ServiceTime
from twofold_service.settings import Settings

DAY = 86_400 * 1_000_000


@pytest.fixture
def made(home, migrated):
    """A database of this release in the folder, its owner's alone."""
    file = home / "work" / "twofold.db"
    shutil.copy(migrated, file)
    file.chmod(0o600)
    return file


@pytest.fixture(autouse=True)
def port(monkeypatch):
    """One that is free whatever runs on this machine."""
    monkeypatch.setenv("TWOFOLD_PORT", "0")


def findings(ended: Ended) -> dict[str, dict[str, Any]]:
    """By name; the worst of each."""
    told = [json.loads(line) for line in ended.lines]
    order = ("ok", "warn", "fail")
    return {found["name"]: found for found in sorted(told, key=lambda each: order.index(each["state"]))}


def test_a_copy_is_made_and_put_in_place(run, made):
    copied = run("backup", "copy.db")
    restored = run("restore", "copy.db", "--database", "sqlite:///other.db")

    assert (copied.status, restored.status) == (0, 0)
    assert copied.lines[0].startswith("copy.db: ") and copied.lines[0].endswith(", readable by you alone")
    assert restored.lines == ["The database is what the backup was; games that ran then are paused by the next start."]
    assert copied.err == restored.err == ""


def test_the_secret_that_belongs_to_a_copy_is_told_of(run, made):
    made.with_name("twofold.db.secret").write_text("ab" * 32)

    assert "twofold.db.secret" in run("backup", "copy.db").lines[1]
    assert "ab" * 32 not in run("backup", "copy.db", "--overwrite").out


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("backup", "twofold.db"), "backup: twofold.db is the database itself"),
        (("backup", "-"), "a copy is a file, not a stream: give it a name"),
        (("restore", "-"), "a copy is a file, not a stream: give it a name"),
        (("backup", "taken"), "backup: taken exists; --overwrite replaces it"),
        (("backup", "folder"), "backup: folder is a folder; name a file"),
        (("backup", "folder", "--overwrite"), "backup: folder is a folder; name a file"),
        (("backup", "/dev/null", "--overwrite"), "backup: /dev/null is no file that could be replaced"),
        (("backup", "nowhere/copy"), "nowhere/copy cannot be written: No such file or directory"),
        (("restore", "folder"), "restore: folder cannot be read: Is a directory"),
        (("restore", "twofold.db", "--database", "sqlite:///folder"), "restore: "),
        (("restore", "taken"), "restore: taken is no backup for this database: it is not an SQLite file"),
        (("restore", "nothing"), "restore: nothing cannot be read: No such file or directory"),
        (("backup", "new", "--database", "mysql://x/y"), "database: mysql is not supported; use sqlite:///FILE or"),
    ],
)
def test_what_cannot_be_copied_is_told_in_one_line(run, made, arguments, line):
    made.with_name("taken").write_text("mine")
    made.with_name("folder").mkdir()

    ended = run(*arguments)

    assert (ended.status, ended.out, len(ended.err.splitlines())) == (1, "", 1)
    assert ended.err.startswith(f"twofold: {line}")


def test_doctor_finds_nothing_wrong_with_a_sound_installation(run, made):
    ended = run("doctor")

    assert (ended.status, ended.err) == (0, "")
    assert {line[0] for line in ended.lines[:-1]} == {"✓"}
    assert ended.lines[-1].endswith(" looked at, 0 wrong, 0 to look at")


def test_doctor_looks_and_leaves_all_as_it_is(run, home):
    assert run("doctor").status == 0

    assert list((home / "work").iterdir()) == []


def test_what_is_wrong_is_told_with_what_to_do(run, made, monkeypatch):
    monkeypatch.setenv("TWOFOLD_SECRET", "abc")

    ended = run("doctor")

    assert ended.status == 1
    place = next(at for at, line in enumerate(ended.lines) if line.startswith("✗"))
    assert "TWOFOLD_SECRET" in ended.lines[place] and "abc" not in ended.out
    assert ended.lines[place + 1] == "   → openssl rand -hex 32"


CASES: dict[str, tuple[dict[str, str], str, str]] = {
    "an unknown setting": ({"TWOFOLD_PROT": "1"}, "settings", "warn"),
    "no secret for others": ({"TWOFOLD_HOST": "192.0.2.1"}, "secret", "fail"),
    "no rates": ({"TWOFOLD_RATE_LIMITS": "off"}, "limits", "warn"),
    "no rates for others": ({"TWOFOLD_RATE_LIMITS": "off", "TWOFOLD_HOST": "192.0.2.1"}, "limits", "fail"),
    "no proxy": ({"TWOFOLD_HOST": "192.0.2.1"}, "proxies", "warn"),
    "a short token": ({"TWOFOLD_METRICS_TOKEN": "short"}, "metrics", "warn"),
    "workers on sqlite": ({"TWOFOLD_WORKERS": "2"}, "workers", "fail"),
    "workers without redis": ({"TWOFOLD_WORKERS": "2"}, "redis", "fail"),
    "a redis that is none": ({"TWOFOLD_REDIS": "redis://127.0.0.1:9"}, "redis", "fail"),
    "another database": ({"TWOFOLD_DATABASE": "mysql://x/y"}, "database", "fail"),
    "postgresql away": ({"TWOFOLD_DATABASE": "postgresql://127.0.0.1:9/x"}, "database", "fail"),
}


@pytest.mark.parametrize("case", CASES)
def test_doctor_finds_wrong_settings(run, made, monkeypatch, case):
    environment, name, state = CASES[case]
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)

    ended = run("doctor", "--json")

    found = findings(ended)[name]
    assert (found["state"], bool(found["do"])) == (state, True)
    assert ended.status == (1 if any(each["state"] == "fail" for each in findings(ended).values()) else 0)


def test_doctor_finds_a_file_that_others_may_read(run, made):
    made.chmod(0o644)

    found = findings(run("doctor", "--json"))["database"]

    assert (found["state"], found["do"]) == ("warn", f"chmod 600 {made}")


def test_doctor_finds_an_env_file_with_a_secret_that_others_may_read(run, made):
    made.with_name(".env").write_text(f"TWOFOLD_SECRET={'ab' * 32}\n")
    made.with_name(".env").chmod(0o644)

    assert findings(run("doctor", "--json"))["secret"]["do"] == "chmod 600 .env"


def test_doctor_finds_a_damaged_secret(run, made):
    made.with_name("twofold.db.secret").write_text("half of o")

    assert findings(run("doctor", "--json"))["secret"]["state"] == "fail"


@pytest.mark.parametrize(("revision", "said"), [("0001", "twofold migrate"), ("9999", "install that release")])
def test_doctor_finds_another_schema(run, made, revision, said):
    with closing(sqlite3.connect(made)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (revision,))

    found = findings(run("doctor", "--json"))["schema"]

    assert found["state"] == "fail" and said in found["do"]


def test_doctor_finds_a_damaged_file(run, made):
    data = made.read_bytes()
    made.write_bytes(data[: 4096 * 3] + b"\xff" * 4096 * 4 + data[4096 * 7 :])

    ended = run("doctor", "--json")

    assert ended.status == 1
    assert "fail" in {findings(ended).get(name, {}).get("state") for name in ("integrity", "database")}


@pytest.mark.parametrize(("length", "says"), [(9000, "malformed"), (0, "not a database")])
def test_doctor_says_of_a_file_that_cannot_be_read_to_put_a_backup_in_its_place(run, made, length, says):
    made.write_bytes(made.read_bytes()[:length] or b"my diary\n" * 1000)

    found = findings(run("doctor", "--json"))["database"]

    assert (found["state"], says in found["says"], "twofold restore" in found["do"]) == ("fail", True, True)


@pytest.mark.parametrize(("days", "state"), [(3, "fail"), (1, "warn"), (-3, "ok")])
def test_doctor_compares_the_clock_with_what_is_stored(run, made, days, state):
    with closing(sqlite3.connect(made)) as connection, connection:
        connection.execute("DELETE FROM process")
        connection.execute("INSERT INTO process VALUES ('then', ?)", (ServiceTime()() + days * DAY,))

    assert findings(run("doctor", "--json"))["clock"]["state"] == state


def test_doctor_finds_a_database_that_somebody_holds(run, made, monkeypatch):
    monkeypatch.setattr(doctor, "WITHIN", 0.05)
    with closing(sqlite3.connect(made, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        held = findings(run("doctor", "--json"))["writing"]
        holder.execute("ROLLBACK")

    assert (held["state"], "locked" in held["says"]) == ("fail", True)
    assert findings(run("doctor", "--json"))["writing"]["state"] == "ok"


def test_doctor_finds_a_disk_that_fills_up(run, made, monkeypatch):
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=100 << 20))

    assert findings(run("doctor", "--json"))["disk"]["state"] == "fail"


def test_doctor_finds_too_few_files(run, made, monkeypatch):
    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, resource.RLIM_INFINITY))

    assert "LimitNOFILE" in findings(run("doctor", "--json"))["files"]["do"]


def test_doctor_tells_a_service_that_is_ready_from_one_that_is_not(run, serve, monkeypatch):
    service = serve()
    monkeypatch.setenv("TWOFOLD_PORT", str(service.port))
    monkeypatch.setenv("TWOFOLD_DATABASE", f"sqlite:///{service.path}")

    ready = findings(run("doctor", "--json"))["port"]
    service.service.readiness.draining = True
    draining = findings(run("doctor", "--json"))["port"]

    assert (ready["state"], draining["state"]) == ("ok", "fail")
    assert "shutting down" in draining["says"]


def test_every_setting_is_known_to_doctor(run, made, monkeypatch):
    for name in Settings.model_fields:
        default = os.environ.get(f"TWOFOLD_{name.upper()}", str(Settings.model_fields[name].default))
        monkeypatch.setenv(f"TWOFOLD_{name.upper()}", default)

    assert findings(run("doctor", "--json"))["settings"]["state"] == "ok"
