"""What the README shows works as it stands there, beside a service that is a process of its own."""

import json
import shutil
from pathlib import Path

import pytest

from tests.examples import examples, run

README = Path(__file__).parents[1] / "README.md"
EXAMPLES = examples(README)
NOT_RUN = {
    "make run": "it is the service",
    ".venv/bin/twofold play": "it is played by hand",
    ".venv/bin/twofold show": "shown beside what it prints; tests/terminal runs it",
    "$ twofold daily": "what a day and its comparison look like",
    "import { connect }": "the JavaScript client's own README runs it",
    "TWOFOLD_HOST": "a file of settings",
    "TWOFOLD_DATABASE": "settings of many processes",
    "$ twofold backup": "tests/faults/test_backup.py runs it",
    "service/twofold/": "the map",
}
SHELL = [example.code for example in EXAMPLES if example.language == "sh" and not example.code.startswith("make run")]
PYTHON = {example.code.splitlines()[0]: example.code for example in EXAMPLES if example.language == "python"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    path: Path = tmp_path_factory.mktemp("reader")
    return path


@pytest.fixture(scope="module")
def shell(process, folder) -> list[str]:
    """What the shell's examples print, one after the other in one shell, and the token and game they made."""
    if shutil.which("curl") is None:
        pytest.skip("needs curl")
    return run("\n".join([*SHELL, 'echo "$token"; echo "$game"']), "sh", process.url, folder).splitlines()


def test_every_example_is_run_or_named_as_one_that_cannot_be():
    left = [example.code for example in EXAMPLES if example.code not in (*SHELL, *PYTHON.values())]

    assert [next(name for name in NOT_RUN if code.startswith(name)) for code in left] == list(NOT_RUN)
    assert (len(SHELL), len(PYTHON)) == (6, 2)


def test_the_readme_has_a_part_for_every_kind_of_user():
    headings = [line for line in README.read_text().splitlines() if line.startswith("## ")]

    assert {"## For players", "## For program authors", "## For operators"} <= set(headings)


def test_the_shells_examples_play_show_and_prove_a_game(shell, folder):
    record = json.loads((folder / "game.json").read_text())

    assert record["game"]["id"] == shell[-1]
    assert (folder / "game.gif").read_bytes().startswith(b"GIF89a")
    assert "game.json: valid, proof consistent" in "\n".join(shell)  # after an answer without a line's end
    assert any(line.startswith("twofold_") for line in shell)


@pytest.mark.parametrize("first", PYTHON)
def test_pythons_examples_play(first, shell, process, folder):
    token, game = shell[-2:]

    printed = run(PYTHON[first], "python", process.url, folder, token=token, game=game)

    assert printed.startswith("{'moved': ") or printed.endswith(")) True\n")
