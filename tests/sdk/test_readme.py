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


def test_every_heading_with_code_is_found():
    assert len(examples()) == README.count("```python") == 8


@pytest.mark.parametrize("heading", examples())
def test_an_example_runs(heading, url, tmp_path):
    code = examples()[heading].replace("http://127.0.0.1:8000", url)
    environment = {**os.environ, "NO_PROXY": "127.0.0.1", "PYTHONPATH": os.pathsep.join(sys.path)}

    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=tmp_path,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
    )

    assert run.returncode == 0, run.stderr
    assert run.stdout.strip()
    if "100" in code:
        assert "100 of 100 games proved" in run.stdout or "move_limit" in run.stdout


def test_a_hundred_games_take_at_most_fifteen_lines():
    code = examples()["A hundred games at once, proved"]

    assert len([line for line in code.splitlines() if line.strip()]) <= 15
    assert max(map(len, code.splitlines())) <= 120
