"""The programs that look at what lies in `deploy/`, or run it; whoever lacks one is told how to get it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
_BESIDE_PYTHON = Path(sys.executable).parent
_SYSTEM = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"))


def from_wheel(name: str) -> str:
    """A program that `make setup` installs; the system's own may be too old."""
    found = _BESIDE_PYTHON / name
    if not found.exists():
        pytest.skip(f"needs {name}: make setup installs it on Linux")
    return str(found)


def from_system(name: str, package: str) -> str:
    """A program of a Debian package."""
    found = shutil.which(name, path=_SYSTEM)
    if found is None:
        pytest.skip(f"needs {name}: install Debian's {package}")
    return found


def said(*command: str | Path, cwd: Path = ROOT, environment: Mapping[str, str] | None = None, status: int = 0) -> str:
    """What a program prints, in both streams; it must end with this status."""
    done = subprocess.run(
        [*map(str, command)],
        cwd=cwd,
        env={**os.environ, **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == status, done.stdout
    return done.stdout
