"""What the client's README shows works as it stands there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).parents[2] / "clients/python/README.md").read_text()
EXAMPLES = re.findall(r"^## (.+?)$|^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def examples() -> dict[str, str]:
    """The code below each heading."""
    found, heading = {}, ""
    for title, code in EXAMPLES:
        heading = title or heading
        if code:
            found[heading] = code
    return found


HUNDRED = "A hundred games at once, proved"


def run(heading: str, url: str, folder: Path) -> str:
    """What an example prints, with warnings for errors."""
    code = examples()[heading].replace("http://127.0.0.1:8000", url)
    environment = {**os.environ, "NO_PROXY": "127.0.0.1", "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, cwd=folder, env=environment, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_heading_with_code_is_found():
    assert len(examples()) == README.count("```python") == 8


@pytest.mark.parametrize("heading", [heading for heading in examples() if heading != HUNDRED])
def test_an_example_runs(heading, url, tmp_path):
    assert run(heading, url, tmp_path).strip()


@pytest.mark.slow
def test_a_hundred_games_are_played_at_once_and_proved(url, tmp_path):
    assert run(HUNDRED, url, tmp_path) == "100 of 100 games proved\n"


def test_a_hundred_games_take_at_most_fifteen_lines():
    lines = [line for line in examples()[HUNDRED].splitlines() if line.strip()]

    assert len(lines) <= 15
    assert max(map(len, lines)) <= 120
