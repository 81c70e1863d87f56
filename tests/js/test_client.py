"""The JavaScript client's own tests, run by Node: `node --test` in clients/js runs them too."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "clients/js"
FILES = sorted(path.name for path in (FOLDER / "test").glob("*.test.js"))
NODE = shutil.which("node")
OLDEST = (20, 0)


def version() -> tuple[int, ...]:
    told = subprocess.run([str(NODE), "--version"], check=True, capture_output=True, text=True).stdout
    return tuple(map(int, told.strip().removeprefix("v").split(".")))


@pytest.mark.skipif(NODE is None or version() < OLDEST, reason="needs Node 20 or newer")
@pytest.mark.parametrize("file", FILES)
def test_javascript(file):
    environment = {**os.environ, "PYTHON": sys.executable, "NODE_NO_WARNINGS": "1", "NO_PROXY": "127.0.0.1,localhost"}
    command = [str(NODE), "--test", "--test-reporter=tap", f"test/{file}"]
    done = subprocess.run(
        command, cwd=FOLDER, env=environment, check=False, capture_output=True, text=True, timeout=300
    )

    assert done.returncode == 0, done.stdout[-10_000:] + done.stderr
    assert re.search(r"^# pass [1-9]", done.stdout, re.MULTILINE)
    if reasons := re.findall(r"# SKIP (.+)", done.stdout):
        pytest.skip(", ".join(reasons))
