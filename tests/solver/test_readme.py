"""The solver's README: its example runs."""

from pathlib import Path

import twofold_solver
from tests.examples import examples, run

README = Path(twofold_solver.__file__).parent / "README.md"


def test_the_example_advises(cache, tmp_path):
    (code,) = (example.code for example in examples(README) if example.language == "python")

    printed = run(code, "python", "", tmp_path, XDG_CACHE_HOME=str(cache))

    assert printed.split()[0] in {"up", "down", "left", "right"}
