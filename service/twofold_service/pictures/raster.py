"""A position as pixels: numbers of colours, drawn by Pillow, and saved as PNG."""

from functools import lru_cache
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from twofold_service.pictures.layout import Box, Layout, Scene, Text
from twofold_service.pictures.palette import BOARD, EMPTY, PAGE, PLATE, TEXT, Colour, blend, face

SIDE = 1000
SHADES = 8
FINER = 4
WEIGHT = 0.018
PADDING = 8
TOUCHED = [0] + [255] * 255
"""Anything but nothing, as a mask."""


def png(scene: Scene) -> bytes:
    painter = Painter(Layout(scene.size, SIDE), SHADES)
    picture = painter.begin(scene)
    picture.putpalette(painter.palette())
    file = BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


class Painter:
    """Paints positions of one game, of colour numbers; each kind of tile is drawn once.

    Edges and digits are smoothed in a few shades, so that all colours together fit into one palette.
    """

    def __init__(self, layout: Layout, shades: int) -> None:
        self._layout = layout
        self._shades = shades
        self._boxes = [layout.cell(index) for index in range(layout.size**2)]
        self._numbers: dict[Colour, int] = {}
        self._tiles: dict[int, Image.Image] = {}
        self._tables: dict[tuple[Colour, Colour], list[int]] = {}

    def palette(self) -> list[int]:
        """The colours by their numbers, as red, green, blue, red …"""
        return [part for colour in self._numbers for part in colour]

    def begin(self, scene: Scene) -> Image.Image:
        """A whole picture."""
        layout = self._layout
        picture = Image.new("L", (layout.width, layout.height), self._number(PAGE))
        self._fill(picture, layout.board, PAGE, BOARD)
        self._fill(picture, layout.plate, PAGE, PLATE.ground)
        self._write(picture, layout.title(scene), PAGE, TEXT)
        self._write(picture, layout.score_label(), PLATE.ground, PLATE.ink)
        self._count(picture, scene)
        for index, exponent in enumerate(scene.cells):
            self._lay(picture, index, exponent)
        return picture

    def go_on(self, picture: Image.Image, before: Scene, scene: Scene) -> Image.Image:
        """The picture of a later scene of the same game: only what differs is painted."""
        picture = picture.copy()
        for index, exponent in enumerate(scene.cells):
            if exponent != before.cells[index]:
                self._lay(picture, index, exponent)
        self._count(picture, scene)
        return picture

    def _count(self, picture: Image.Image, scene: Scene) -> None:
        """Score and moves, over what stood there."""
        for box, text, ground, ink in (
            (self._layout.details_box, self._layout.details(scene), PAGE, TEXT),
            (self._layout.score_box, self._layout.score(scene), PLATE.ground, PLATE.ink),
        ):
            picture.paste(self._number(ground), (box.x, box.y, box.x + box.width, box.y + box.height))
            self._write(picture, text, ground, ink)

    def _lay(self, picture: Image.Image, index: int, exponent: int) -> None:
        box = self._boxes[index]
        if exponent not in self._tiles:
            self._tiles[exponent] = self._tile(exponent, box._replace(x=0, y=0))
        picture.paste(self._tiles[exponent], (box.x, box.y))

    def _tile(self, exponent: int, box: Box) -> Image.Image:
        tile = Image.new("L", (box.width, box.height))
        if not exponent:
            self._fill(tile, box, BOARD, EMPTY)
            return tile
        ground, ink = face(exponent)
        self._fill(tile, box, BOARD, ground)
        self._write(tile, self._layout.number(exponent, box), ground, ink)
        return tile

    def _fill(self, picture: Image.Image, box: Box, below: Colour, ground: Colour) -> None:
        picture.paste(_rounded(box).point(self._table(below, ground)), (box.x, box.y))

    def _write(self, picture: Image.Image, text: Text, ground: Colour, ink: Colour) -> None:
        letters, left, top = _lettered(text)
        picture.paste(letters.point(self._table(ground, ink)), (left, top), letters.point(TOUCHED))

    def _table(self, below: Colour, above: Colour) -> list[int]:
        """The colour's number for each degree, 0 to 255, to which the upper colour covers the lower."""
        if (below, above) not in self._tables:
            steps = [self._number(blend(below, above, step / self._shades)) for step in range(self._shades + 1)]
            self._tables[below, above] = [steps[round(degree / 255 * self._shades)] for degree in range(256)]
        return self._tables[below, above]

    def _number(self, colour: Colour) -> int:
        return self._numbers.setdefault(colour, len(self._numbers))


def _lettered(text: Text) -> tuple[Image.Image, int, int]:
    """How far each pixel of a text is covered, and where its left upper corner stands.

    Letters are set finer than pixels, so that small digits stand evenly."""
    height = round(text.height * FINER)
    glyphs = [_glyph(letter, height) for letter in text.content]
    length = sum(advance for _, advance in glyphs)
    start = text.x * FINER - (length / 2 if text.anchor == "middle" else 0) - height / PADDING
    left, top = int(start) // FINER, text.y - height // FINER
    line = Image.new("L", (int(length + height) // FINER * FINER, (height // FINER * FINER * 3) // 2))
    start -= left * FINER
    for glyph, advance in glyphs:
        line.paste(255, (round(start), (text.y - top) * FINER - height), glyph)
        start += advance
    return line.reduce(FINER), left, top


@lru_cache(256)
def _glyph(letter: str, height: int) -> tuple[Image.Image, float]:
    """A letter as a mask, with room around it: its baseline lies a height from the top."""
    font = ImageFont.load_default(height)
    advance = font.getlength(letter)
    mask = Image.new("L", (round(advance) + 2 * height // PADDING, height * 3 // 2))
    pen = ImageDraw.Draw(mask)
    pen.text((height // PADDING, height), letter, 255, font, "ls", stroke_width=height * WEIGHT)
    return mask, advance


def _rounded(box: Box) -> Image.Image:
    """How far each pixel of a box with round corners is covered."""
    radius = box.radius
    mask = Image.new("L", (box.width, box.height), 255)
    disc = Image.new("L", (2 * radius * FINER, 2 * radius * FINER))
    ImageDraw.Draw(disc).ellipse((0, 0, disc.width - 1, disc.height - 1), 255)
    small = disc.reduce(FINER)
    for x, left in ((0, 0), (radius, box.width - radius)):
        for y, top in ((0, 0), (radius, box.height - radius)):
            mask.paste(small.crop((x, y, x + radius, y + radius)), (left, top))
    return mask
