"""What is served of the page's scripts is what was written, but for comments and space."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from twofold_service.api.page import CHECKOUT, Page

ROOT = Path(__file__).parents[2]
NODE = shutil.which("node")
TYPESCRIPT = ROOT / "node_modules/typescript"


def differing(*pairs: tuple[str, str, str]) -> object:
    """Names of the scripts that are not the same code twice."""
    command = [str(NODE), str(Path(__file__).parent / "tokens.cjs")]
    done = subprocess.run(command, cwd=ROOT, input=json.dumps(pairs), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.skipif(NODE is None or not TYPESCRIPT.is_dir(), reason="needs node_modules: make node_modules/.stamp")
def test_scripts_are_served_as_they_were_written_but_for_comments_and_space():
    served = Page(CHECKOUT).edition
    pairs = [
        (name, (CHECKOUT / name).read_text(), file.body.decode().replace(f"/page/{served.name}/", "/page/"))
        for name, file in served.files.items()
        if name.endswith(".js")
    ]

    assert len(pairs) > 50
    assert differing(*pairs) == []
    assert differing(("a template in a template", "t(`${a} ${`${b} c`}`)", "t(`${a} ${`${b}c`}`)")) != []
