"""Cursors: what a list gave out is read back, and nothing else is."""

import json
from base64 import urlsafe_b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twofold_service.errors import Invalid
from twofold_service.usecases.boards import Mark, Place
from twofold_service.wire.paging import cursor_of, cursor_of_mark, key_of, mark_of

INT64 = st.integers(-(2**63), 2**63 - 1)
GAMES = st.text("0123456789abcdefghjkmnpqrstvwxyz", min_size=1, max_size=26)
MARKS = st.builds(Mark, INT64, INT64, st.builds(Place, INT64, INT64, INT64, INT64, INT64, INT64, GAMES))


def test_no_cursor_is_the_beginning():
    assert (cursor_of(None), key_of(None), cursor_of_mark(None), mark_of(None)) == (None,) * 4


@given(st.integers(1, 2**63 - 1))
def test_a_key_comes_back(key):
    assert key_of(cursor_of(key)) == key


@given(MARKS)
def test_a_mark_comes_back(mark):
    assert mark_of(cursor_of_mark(mark)) == mark


@given(st.integers(1, 2**63 - 1), MARKS)
def test_a_cursor_of_one_list_is_none_of_the_other(key, mark):
    with pytest.raises(Invalid):
        mark_of(cursor_of(key))
    with pytest.raises(Invalid):
        key_of(cursor_of_mark(mark))


@given(st.integers(1, 2**63 - 1), st.integers(0, 40), st.characters(codec="ascii"))
def test_a_cursor_that_was_touched_is_another_one_or_none(key, place, character):
    cursor = cursor_of(key) or ""
    touched = cursor[:place] + character + cursor[place + 1 :]

    try:
        assert cursor_of(key_of(touched)) == touched
    except Invalid as refused:
        assert refused.errors[0][0] == ("query", "cursor")


@given(st.text(max_size=300) | st.binary(max_size=100).map(lambda raw: raw.decode("latin-1")))
@pytest.mark.parametrize("read", [key_of, mark_of])
def test_anything_else_is_refused_as_a_cursor(read, text):
    with pytest.raises(Invalid) as refused:
        read(text)

    assert refused.value.errors[0][0] == ("query", "cursor")


@pytest.mark.parametrize("key", [0, -1, 2**63, 10**400, True, 1.5, None, "1"])
@pytest.mark.parametrize("wrap", [lambda key: [key], lambda key: key, lambda key: [key, key]])
def test_what_looks_like_a_cursor_is_looked_at(key, wrap):
    text = urlsafe_b64encode(json.dumps(wrap(key), separators=(",", ":")).encode()).decode().rstrip("=")

    with pytest.raises(Invalid):
        key_of(text)
