"""The verdict vectors are what the rule book says today: other implementations are held to them."""

from tests.engine.verdicts import FILE, text


def test_the_verdict_vectors_are_up_to_date():
    assert FILE.read_text() == text(), "write them anew: python -m tests.engine.verdicts"
