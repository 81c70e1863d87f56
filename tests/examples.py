"""Examples in documents: found by their fences, and run beside a service that stands in for the one they name."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"^## (?P<heading>[^\n]+)$|^```(?P<language>\w*)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
WITHIN = 120


@dataclass(frozen=True, slots=True)
class Example:
    heading: str
    language: str
    code: str


def examples(path: Path) -> list[Example]:
    """Every fenced block, with the heading it stands below."""
    found, heading = [], ""
    for match in _FENCE.finditer(path.read_text()):
        heading = match["heading"] or heading
        if match["code"] is not None:
            found.append(Example(heading, match["language"], match["code"]))
    return found


def run(code: str, language: str, url: str, folder: Path, **environment: str) -> str:
    """What an example prints; warnings of Python, and refusals that curl is told, are errors."""
    for named in ("http://127.0.0.1:8000", "http://localhost:8000"):
        code = code.replace(named, url)
    code = code.replace("ws://localhost:8000", url.replace("http", "ws")).replace("localhost:8000", url)
    programs = folder / ".venv/bin"
    if not programs.exists():
        programs.parent.mkdir()
        programs.symlink_to(Path(sys.executable).parent)
        (folder / ".curlrc").write_text("fail\n")
    ours = {"NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1", "CURL_HOME": str(folder)}
    command = {"python": [sys.executable, "-W", "error", "-c"], "sh": ["sh", "-eu", "-c"]}[language]
    done = subprocess.run(
        [*command, code],
        cwd=folder,
        env={**os.environ, **ours, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
        check=False,
        capture_output=True,
        text=True,
        timeout=WITHIN,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
