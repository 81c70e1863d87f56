"""The shared vectors: what every port of the rules must give."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "vectors"


def vectors(name: str, kind: str | None = None) -> list[dict[str, Any]]:
    lines = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [line for line in map(json.loads, lines) if kind in (None, line.get("kind"))]
