"""Doctor on PostgreSQL: what it finds of a server, each in one line with what to do."""

from collections.abc import Iterator
from contextlib import closing

import psycopg
import pytest
from sqlalchemy import make_url

from tests.service import settings
from twofold_service import doctor
from twofold_service.storage.database import Database, DatabaseRefused

pytestmark = pytest.mark.postgres


@pytest.fixture
def url(postgres_server) -> Iterator[str]:
    fresh = postgres_server.create_database()
    yield fresh
    postgres_server.drop_database(fresh)


@pytest.fixture
def made(url):
    database = Database(url, 3000)
    database.migrate()
    database.close()
    return url


def states(url: str, **wanted: object) -> dict[str, tuple[str, str]]:
    wished = settings(database=url, **wanted)
    return {found.name: (found.state, found.says) for found in doctor.check_database(wished)}


def change(url: str, statement: str) -> None:
    name = make_url(url).database
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement.format(name=f'"{name}"'))


def test_a_sound_database_is_found_sound(made):
    found = states(made)

    assert {state for state, _ in found.values()} == {"ok"}
    assert set(found) == {"database", "schema", "clock"}


def test_an_empty_one_is_fine(url):
    assert states(url)["schema"] == ("ok", "the database is empty; its tables are made by the first serve")


@pytest.mark.parametrize(
    ("statement", "name", "said"),
    [
        ("UPDATE alembic_version SET version_num = '0001'", "schema", "0001"),
        ("UPDATE alembic_version SET version_num = 'later'", "schema", "a later release"),
        ("ALTER DATABASE {name} SET synchronous_commit = off", "durability", "synchronous_commit"),
        ("ALTER DATABASE {name} SET default_transaction_read_only = on", "database", "no writes"),
    ],
)
def test_what_is_wrong_with_it_is_found(made, statement, name, said):
    change(made, statement)

    state, says = states(made)[name]

    assert (state, said in says) == ("fail", True)


@pytest.fixture(params=["SQL_ASCII", "LATIN1"])
def narrow(request, postgres_server) -> Iterator[tuple[str, str]]:
    """An empty database that cannot keep every name, and its encoding."""
    fresh = postgres_server.create_database(request.param)
    yield fresh, request.param
    postgres_server.drop_database(fresh)


def test_another_encoding_is_found_and_told_of_with_what_to_do(narrow):
    url, encoding = narrow

    found = {each.name: each for each in doctor.check_database(settings(database=url))}["encoding"]

    assert (found.state, found.says) == ("fail", f"it has the encoding {encoding}, not UTF8")
    assert "createdb -E UTF8 -T template0" in found.do


def test_nothing_is_made_in_another_encoding(narrow):
    url, encoding = narrow
    with closing(Database(url, 3000)) as database:
        with pytest.raises(DatabaseRefused, match=f"encoding {encoding}, not UTF8; make another by createdb -E UTF8"):
            database.migrate()
        assert database.revision()[0] is None


def test_too_many_workers_for_its_connections_are_found(made):
    assert states(made, workers=60)["connections"][0] == "warn"
    assert "connections" not in states(made, workers=2)


def test_a_password_is_never_told(made):
    wrong = make_url(made).set(password="a-secret", port=9).render_as_string(hide_password=False)

    ((state, says),) = states(wrong).values()

    assert state == "fail"
    assert "a-secret" not in says
    assert "\n" not in says


def test_where_its_programs_are_missing_backups_are_doubted(made, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))

    assert states(made)["backup"][0] == "warn"
