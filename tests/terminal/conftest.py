"""The command in this process, with a home of its own; and the terminal game under a pilot's hands."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.engine.table import Table
from twofold_cli.__main__ import main


class Ended(NamedTuple):
    """What a command came to."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


Run = Callable[..., Ended]
Write = Callable[[str, Table], str]


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch) -> Path:
    """An empty folder to work in, an empty home, no settings, no proxy."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")
    for name in ("TWOFOLD_SERVER", "TWOFOLD_TOKEN", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    work: Path = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    home: Path = tmp_path
    return home


@pytest.fixture(scope="session")
def unpacked(tmp_path_factory) -> Iterator[Path]:
    """The folder that the solver's weights are unpacked into, once a run."""
    folder: Path = tmp_path_factory.mktemp("cache")
    yield folder
    for path in folder.rglob("*.table"):
        path.unlink()


@pytest.fixture
def weights_cache(unpacked, monkeypatch) -> None:
    """The command finds the solver's weights there."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(unpacked))


@pytest.fixture
def run(capsys) -> Run:
    """`run("show", "game.json")`: status, output and errors."""

    def command(*arguments: str) -> Ended:
        capsys.readouterr()
        status: Any = 0
        try:
            main(arguments)
        except SystemExit as ended:
            status = ended.code or 0
        return Ended(status, *capsys.readouterr())

    return command


@pytest.fixture
def write(home) -> Write:
    """`write("game.json", table)`: the record of a game as a file of the folder; its name."""

    def record(name: str, table: Table) -> str:
        Path(name).write_text(json.dumps(table.record(), ensure_ascii=False), encoding="utf-8")
        return name

    return record
