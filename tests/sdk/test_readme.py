"""What the client's README shows works as it stands there, beside a service that is a process of its own."""

from pathlib import Path

import pytest

from tests.examples import examples, run

README = Path(__file__).parents[2] / "clients/python/README.md"
EXAMPLES = {example.heading: example.code for example in examples(README)}
HUNDRED = "A hundred games at once, proved"


def test_every_example_is_one_that_runs():
    assert [example.language for example in examples(README)] == ["python"] * 9
    assert len(EXAMPLES) == 9


@pytest.mark.parametrize("heading", [heading for heading in EXAMPLES if heading != HUNDRED])
def test_an_example_runs(heading, process, tmp_path):
    assert run(EXAMPLES[heading], "python", process.url, tmp_path).strip()


@pytest.mark.slow
def test_a_hundred_games_are_played_at_once_and_proved(process, tmp_path):
    assert run(EXAMPLES[HUNDRED], "python", process.url, tmp_path) == "100 of 100 games proved\n"


def test_a_hundred_games_take_at_most_fifteen_lines():
    lines = [line for line in EXAMPLES[HUNDRED].splitlines() if line.strip()]

    assert len(lines) <= 15
    assert max(map(len, lines)) <= 120
