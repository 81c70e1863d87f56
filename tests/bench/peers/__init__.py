"""What Twofold is compared with where Node is: Colyseus, boardgame.io, and `ws` with next to nothing around it.

Each server (`NAME.mjs PORT`) holds a classic 2048 board per player in memory, under the same rules (`rules.mjs`);
nothing is stored. What is said to it is in the Python module of its name, who sits there in `seats`. Their packages
are no part of Twofold's: `make bench-peers` installs them into this folder and measures; `make bench` measures the
peers too once they are there.
"""

import shutil
from pathlib import Path

FOLDER = Path(__file__).parent
NAMES = ("colyseus", "boardgame", "node")


def installed() -> bool:
    """Whether Node is there, and what `npm ci` puts into the folder."""
    return shutil.which("node") is not None and (FOLDER / "node_modules" / ".package-lock.json").exists()
