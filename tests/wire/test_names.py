"""Names: printable, composed, of 1 to 32 characters; whatever is taken can be shown everywhere."""

import json
from unicodedata import category, normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from twofold_service.wire.encode import dumps
from twofold_service.wire.players import PlayerIn


def taken(name: object) -> str | None:
    return PlayerIn.model_validate({"name": name}).name


@pytest.mark.parametrize(
    "name", ["a", "x" * 32, "Ada Lovelace", "O'Brien", "日本語", "שלום", "مرحبا", "🎲", "👩🏽", "<b>&amp;"]
)
def test_what_people_are_called_is_taken(name):
    assert taken(name) == name


@pytest.mark.parametrize("mark", "\u0000\u001f\u007f\u0085\u00ad\u200b\u200e\u202a\u202e\u2066\u2069\ufeff\U000e0041")
def test_what_cannot_be_seen_or_turns_the_line_is_not(mark):
    with pytest.raises(ValidationError):
        taken(f"a{mark}b")


@pytest.mark.parametrize("name", ["", " ", "\u3000", "x" * 33, "e\u0301" * 33, None.__class__, 5, b"bytes"])
def test_what_is_no_name_is_not(name):
    with pytest.raises(ValidationError):
        taken(name)


def test_a_name_is_composed_before_it_is_counted():
    assert taken("e\u0301" * 32) == "é" * 32


@given(st.text(max_size=140))
def test_whatever_is_taken_is_composed_printable_and_can_be_told(text):
    try:
        name = taken(text)
    except ValidationError:
        return

    assert name and name == normalize("NFC", text)
    assert 1 <= len(name) <= 32
    assert not any(category(character)[0] == "C" or category(character) in ("Zl", "Zp") for character in name)
    assert json.loads(dumps(name)) == name
