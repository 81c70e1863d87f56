"""The position as SVG and PNG: classic colours, digits one can read, words for those who do not see it."""

from xml.etree import ElementTree

import pytest

from tests.pictures.scenes import colours, ladder, read, rim, scene
from twofold_service.pictures import palette
from twofold_service.pictures.layout import Layout, title
from twofold_service.pictures.raster import SIDE, png
from twofold_service.pictures.svg import svg

SIZES = range(3, 9)
LADDERS = [pytest.param(size, first, id=f"{size}-{first}") for size in SIZES for first in (1, size * size + 1)]
CLASSIC = {1: "#eee4da", 2: "#ede0c8", 3: "#f2b179", 6: "#f65e3b", 11: "#edc22e", 12: "#3c3a32", 37: "#3c3a32"}
NS = "{http://www.w3.org/2000/svg}"
LARGEST_DIGIT = 0.72
"""How wide a bold digit is in the widest usual font, in font sizes."""


def luminance(colour: palette.Colour) -> float:
    """Of WCAG 2.2."""
    parts = [part / 255 for part in colour]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: palette.Colour, other: palette.Colour) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def root(picture: bytes) -> ElementTree.Element:
    return ElementTree.fromstring(picture)  # noqa: S314 - our own


def texts(picture: bytes) -> list[ElementTree.Element]:
    return list(root(picture).iter(f"{NS}text"))


@pytest.mark.parametrize(("exponent", "ground"), CLASSIC.items())
def test_tiles_have_the_classic_colours(exponent, ground):
    assert palette.code(palette.face(exponent).ground) == ground


@pytest.mark.parametrize("exponent", range(1, 66))
def test_digits_pass_contrast_aa_on_every_tile(exponent):
    assert contrast(*palette.face(exponent)) >= 4.5


def test_heading_and_score_pass_contrast_aa():
    assert contrast(palette.TEXT, palette.PAGE) >= 4.5
    assert contrast(*palette.PLATE) >= 4.5


# PNG


@pytest.mark.parametrize("size", SIZES)
def test_a_png_is_about_1080_pixels_wide_and_small(size):
    picture = png(ladder(size, 1))

    width, height = read(picture).size
    assert 1060 <= width <= 1080
    assert 1200 <= height <= 1240
    assert len(picture) < 100_000


@pytest.mark.parametrize(("size", "first"), LADDERS)
def test_every_tile_is_of_its_colour_and_its_digits_fit_in(size, first):
    shown = ladder(size, first)
    picture = read(png(shown))

    for index, exponent in enumerate(shown.cells):
        ground, ink = palette.face(exponent)
        box = Layout(size, SIDE).cell(index)
        assert rim(picture, box) == {ground}
        assert {ground, ink} <= colours(picture, box)


def test_an_empty_cell_is_empty():
    picture = read(png(scene(cells=bytes(16))))

    for index in range(16):
        assert colours(picture, Layout(4, SIDE).cell(index), inset=20) == {palette.EMPTY}


@pytest.mark.parametrize("score", [0, 7, 131_072, 10**9 - 1, 10**22])
def test_a_score_of_any_length_stays_on_its_plate(score):
    picture = read(png(scene(score=score)))

    assert rim(picture, Layout(4, SIDE).plate) == {palette.PLATE.ground}
    assert palette.PLATE.ink in colours(picture, Layout(4, SIDE).score_box)


def test_only_what_the_position_says_is_drawn():
    assert png(scene()) == png(scene())
    assert len({png(scene()), png(scene(score=4)), png(scene(moves=2)), png(scene(mode="sprint"))}) == 4


# SVG


@pytest.mark.parametrize(("size", "first"), LADDERS)
def test_an_svg_is_well_formed_and_has_every_number(size, first):
    shown = ladder(size, first)

    written = [text.text for text in texts(svg(shown))]

    assert written[-size * size :] == [str(1 << exponent) for exponent in shown.cells]


@pytest.mark.parametrize(("size", "first"), LADDERS)
def test_numbers_fit_into_their_tiles_whatever_the_font(size, first):
    tile = Layout(size, SIDE).tile

    for text in texts(svg(ladder(size, first)))[-size * size :]:
        length = float(text.get("textLength", len(text.text or "") * float(text.get("font-size", 0)) * LARGEST_DIGIT))
        assert length <= tile * 0.92
        assert float(text.get("font-size", 0)) >= 4


@pytest.mark.parametrize("size", SIZES)
def test_2_to_37_is_readable_on_every_board(size):
    number = texts(svg(scene(size, bytes([37]) * size * size)))[-1]

    assert number.text == "137438953472"
    assert float(number.get("font-size", 0)) >= 12


def test_an_svg_tells_what_it_shows():
    picture = root(svg(scene(3, bytes([0, 1, 2, 3, 0, 0, 0, 0, 11]), 12, 5, mode="moves100")))

    assert picture.get("role") == "img"
    assert picture.get("aria-labelledby") == "title desc"
    assert picture.findtext(f"{NS}title") == "2048, 100 moves: score 12"
    assert picture.findtext(f"{NS}desc") == (
        "3 by 3 · 5 moves. Row 1: empty, 2, 4. Row 2: 8, empty, empty. Row 3: empty, empty, 2048."
    )


def test_an_svg_neither_runs_nor_loads_anything():
    picture = svg(scene())

    assert not [word for word in (b"<script", b"<style", b"href", b"url(", b" on", b"<image") if word in picture]


@pytest.mark.parametrize(
    ("mode", "expected"), [("classic", "Classic"), ("moves100", "100 moves"), ("daily", "Daily"), ("break", "Break")]
)
def test_the_mode_is_in_the_picture(mode, expected):
    assert title(scene(mode=mode)) == expected
    assert expected in [text.text for text in texts(svg(scene(mode=mode)))]


def test_a_daily_has_its_date_and_any_game_its_score_and_moves():
    written = [text.text for text in texts(svg(scene(score=20_344, moves=1, mode="daily", date="2026-11-30")))]

    assert written[:4] == ["Daily", "2026-11-30 · 1 move", "SCORE", "20344"]
