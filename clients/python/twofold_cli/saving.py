"""Records written to files."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from twofold_cli.looks.printed import safe
from twofold_cli.tables.table import Refused


def save(record: Mapping[str, Any], path: Path | None) -> Path:
    """Write a record to a file, by default a new one in this folder, named after the game; Refused if that fails."""
    path = path or _free(safe(f"twofold-{record['game']['mode']}-{record['game']['id'].removeprefix('local-')}"))
    try:
        path.write_text(text(record), encoding="utf-8")
    except OSError as error:
        raise Refused(f"{path}: cannot be written: {error.strerror}") from error
    return path


def text(record: Mapping[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"


def _free(stem: str) -> Path:
    number = 1
    while os.path.lexists(path := Path(f"{stem}.json" if number == 1 else f"{stem}-{number}.json")):
        number += 1
    return path
