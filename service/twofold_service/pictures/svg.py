"""A position as SVG: plain text, with a title and a description for those who do not see it."""

from collections.abc import Iterator
from xml.sax.saxutils import escape

from twofold_service.pictures.layout import Box, Layout, Scene, Text, details, title
from twofold_service.pictures.palette import BOARD, EMPTY, PAGE, PLATE, TEXT, Colour, code, face

SIDE = 1000
FONTS = "'Clear Sans','Helvetica Neue',Helvetica,Arial,'Liberation Sans',sans-serif"


def svg(scene: Scene) -> bytes:
    layout = Layout(scene.size, SIDE)
    return "\n".join([_head(layout), *_words(scene), *_heading(layout, scene), *_board(layout, scene), _END]).encode()


def _head(layout: Layout) -> str:
    size = f'width="{layout.width}" height="{layout.height}" viewBox="0 0 {layout.width} {layout.height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="title desc">'


def _words(scene: Scene) -> Iterator[str]:
    yield f'<title id="title">2048, {escape(title(scene))}: score {scene.score}</title>'
    rows = (scene.cells[start : start + scene.size] for start in range(0, len(scene.cells), scene.size))
    read = (", ".join(str(1 << exponent) if exponent else "empty" for exponent in row) for row in rows)
    told = " ".join(f"Row {number}: {row}." for number, row in enumerate(read, 1))
    yield f'<desc id="desc">{escape(details(scene))}. {told}</desc>'


def _heading(layout: Layout, scene: Scene) -> Iterator[str]:
    yield f'<rect width="100%" height="100%" fill="{code(PAGE)}"/>'
    yield f'<g font-family="{FONTS}" font-weight="700" aria-hidden="true">'
    yield _text(layout.title(scene), TEXT)
    yield _text(layout.details(scene), TEXT)
    yield _rect(layout.plate, PLATE.ground)
    yield _text(layout.score_label(), PLATE.ink)
    yield _text(layout.score(scene), PLATE.ink)


def _board(layout: Layout, scene: Scene) -> Iterator[str]:
    yield _rect(layout.board, BOARD)
    for index, exponent in enumerate(scene.cells):
        box = layout.cell(index)
        if not exponent:
            yield _rect(box, EMPTY)
            continue
        ground, ink = face(exponent)
        yield _rect(box, ground)
        yield _text(layout.number(exponent, box), ink)


def _rect(box: Box, fill: Colour) -> str:
    place = f'x="{box.x}" y="{box.y}" width="{box.width}" height="{box.height}" rx="{box.radius}"'
    return f'<rect {place} fill="{code(fill)}"/>'


def _text(text: Text, fill: Colour) -> str:
    """Long numbers are given their length, so that they fit in whatever font there is."""
    place = f'x="{text.x}" y="{text.y}" font-size="{text.height:g}" text-anchor="{text.anchor}"'
    is_long = text.content.isdecimal() and len(text.content) > 2
    length = f' textLength="{text.width * 0.95:g}" lengthAdjust="spacingAndGlyphs"' if is_long else ""
    return f'<text {place} fill="{code(fill)}"{length}>{escape(text.content)}</text>'


_END = "</g>\n</svg>\n"
