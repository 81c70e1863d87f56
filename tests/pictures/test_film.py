"""The path as a GIF: which frames, how long, and that each shows its position."""

from itertools import pairwise

import pytest
from PIL import ImageChops

from tests.engine.table import Table
from tests.pictures.scenes import colours, drawn, filmed, frames, ladder, read, rim
from twofold_service.pictures import palette
from twofold_service.pictures.film import LAST, MOST_FRAMES, SHADES, chosen, frame_time, gif, side
from twofold_service.pictures.layout import Layout
from twofold_service.pictures.raster import Painter


@pytest.mark.parametrize("count", [1, 2, 599, 600, 601, 1000, 1199, 1200, 20_001, 1_000_000])
def test_frames_are_evenly_chosen_first_and_last_included(count):
    picked = chosen(count)

    assert len(picked) == len(set(picked)) == min(count, MOST_FRAMES)
    assert (picked[0], picked[-1]) == (0, count - 1)
    steps = {after - before for before, after in pairwise(picked)}
    assert not steps or max(steps) - min(steps) <= 1


@pytest.mark.parametrize(("count", "expected"), [(1, 400), (75, 400), (100, 300), (143, 200), (600, 70)])
def test_a_film_lasts_half_a_minute_where_that_is_neither_too_fast_nor_too_slow(count, expected):
    assert frame_time(count) == expected


@pytest.mark.parametrize("size", range(3, 9))
def test_every_frame_shows_its_position(size):
    table = Table("practice", given=[[4] + [0] * (size - 1), [2] * size, *[[0] * size] * (size - 2)]).play(30)
    last, start, path = filmed(table)

    seen = frames(drawn(last, start, path))

    assert len(seen) == last.moves + 1
    layout = Layout(size, side(last))
    for (picture, _), event in zip(seen, table.path, strict=True):
        position = event.game.position
        painter = Painter(layout, SHADES)
        expected = painter.begin(last._replace(cells=position.cells, score=position.score, moves=position.moves))
        expected.putpalette(painter.palette())
        assert ImageChops.difference(picture, expected.convert("RGB")).getbbox() is None


def test_a_long_game_has_600_frames_and_ends_with_a_long_one():
    table = Table("practice", given=[[2] + [0] * 7, *[[0] * 8] * 7]).play(1500)
    last, start, path = filmed(table)

    picture = drawn(last, start, path)

    seen = frames(picture)
    assert len(seen) == 600
    assert [time for _, time in seen] == [70] * 599 + [LAST]
    assert read(picture).info["loop"] == 0
    assert len(picture) < 8_000_000


def test_a_game_without_a_move_is_one_frame():
    last, start, path = filmed(Table("classic"))

    assert len(frames(drawn(last, start, path))) == 1


@pytest.mark.parametrize("size", range(3, 9))
def test_the_greatest_numbers_fit_into_a_film_too(size):
    shown = ladder(size, size * size - size * size // 2)._replace(score=0, moves=0)

    picture = frames(drawn(shown, shown.cells, b""))[0][0]

    layout = Layout(size, side(shown))
    for index, exponent in enumerate(shown.cells):
        assert rim(picture, layout.cell(index)) == {palette.face(exponent).ground}
        assert len(colours(picture, layout.cell(index))) > 2


def test_a_path_that_does_not_lead_to_the_position_is_no_film():
    last, start, path = filmed(Table("classic").play(20))

    assert gif(last, start, path) is not None
    assert gif(last._replace(score=last.score + 4), start, path) is None
    assert gif(last, start, path[:-3]) is None
    assert gif(last, start, path[3:]) is None
    assert gif(last, start, path[:28] + b"\x3f" + path[29:]) is None
    assert gif(last, start, b"\0\0\1" * 2000) is None
