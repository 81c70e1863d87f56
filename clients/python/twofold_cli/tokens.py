"""The tokens of the players one is on each service, kept in a small file that only its owner can read."""

import json
import os
import tempfile
from pathlib import Path

from twofold_cli.failing import fail


def path() -> Path:
    """$XDG_CONFIG_HOME/twofold/tokens.json, ~/.config where that is not set."""
    home = os.environ.get("XDG_CONFIG_HOME", "")
    return (Path(home) if os.path.isabs(home) else Path.home() / ".config") / "twofold" / "tokens.json"


def kept(server: str) -> str | None:
    return _read().get(server)


def keep(server: str, token: str) -> None:
    """The file is replaced in one step, mode 0600 from its first byte on."""
    tokens, file = _read() | {server: token}, path()
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, new = tempfile.mkstemp(dir=file.parent, prefix=".tokens-")
        with open(handle, "w", encoding="utf-8") as written:
            json.dump(tokens, written, indent=1)
        os.replace(new, file)
    except OSError as error:
        fail(f"{file}: the token cannot be kept: {error.strerror}")


def _read() -> dict[str, str]:
    try:
        tokens = json.loads(path().read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        fail(f"{path()}: cannot be read: {error.strerror}")
    except (ValueError, RecursionError):
        tokens = None
    if not isinstance(tokens, dict) or not all(isinstance(token, str) for token in tokens.values()):
        fail(f"{path()}: not a file of tokens; mend it, or move it away")
    return tokens
