"""The solver's README: its example runs."""

from pathlib import Path

import twofold_solver
from tests.examples import examples, run

README = Path(twofold_solver.__file__).parent / "README.md"


def test_the_examples_advise_and_analyse(cache, tmp_path):
    code = "\n".join(example.code for example in examples(README) if example.language == "python")

    advice, analysis = run(code, "python", "", tmp_path, XDG_CACHE_HOME=str(cache)).splitlines()

    assert advice.split()[0] in {"up", "down", "left", "right"}
    assert "'blunders': " in analysis
